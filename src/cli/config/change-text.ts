import { isObject } from "../../protocol/object.ts";
import { escapeInvisible } from "../../operate/text.ts";
import { formatPath } from "../terminal/layout.ts";
import type { ChangeResult } from "./change.ts";
import type { ConfigShowReport, ShownStatement } from "./report.ts";
import { formatConfigCommand } from "./draft.ts";
import { formatLocation } from "./text.ts";

const formatValue = (value: unknown) => (value === undefined ? "not set" : JSON.stringify(value));

/**
 * Formats the result of `config set` or `config unset`: the change, the value now in force, and values in other files
 * that now take effect or no longer do.
 */
export function formatChange(result: ChangeResult): string {
  const { key, source, place: position, was, is, before, after } = result;
  const at = formatLocation({ file: source.path, ...position });
  const isSame = JSON.stringify(was) === JSON.stringify(is);
  const lines = [
    is === undefined
      ? `${at}: ${key} is no longer set (was ${formatValue(was)})`
      : isSame
        ? `${at}: ${key} is already ${formatValue(is)}; no changes made`
        : `${at}: ${key} = ${formatValue(is)} (was ${formatValue(was)})`,
    ...(isSame ? [] : describeUndo(result)),
    ...describeEffect(result),
    ...(isSame ? [] : describeOtherValues(before, after, source.path)),
  ];
  return lines.map((line) => escapeInvisible(shorten(line, after))).join("\n");
}

const shorten = (text: string, { files }: ConfigShowReport) =>
  files.reduce((all, { file }) => all.replaceAll(file, formatPath(file)), text);

/** Describes how to undo a change that weakens a rule, and warns about an added exception without an end date. */
function describeUndo({ path, was, is, source: { scope } }: ChangeResult): string[] {
  const isException = path[0] === "exceptions" && path.length === 2;
  const isAction = path[0] === "rules" && path[2] === "action";
  if ((!isException && !isAction) || was !== undefined || is === undefined) return [];
  const permanent =
    isException && isObject(is) && is.until === undefined
      ? ["note: the exception has no expiry date; to set one, add `until`"]
      : [];
  return [`to undo: ${formatConfigCommand("unset", scope, path)}`, ...permanent];
}

/** Describes the value now in force if it differs from the value in the changed file. */
function describeEffect({ before, after, path, source: { path: file }, is }: ChangeResult): string[] {
  const [first, name, key] = path;
  const statements = listStatements(after).filter(
    (rule) => rule.key === (first === "hooks" ? `hooks.${name}.${key}` : `${first}.${name}`),
  );
  const statement = statements.find((candidate) => candidate.file === file);
  const setting = after.hooks.find(({ hook }) => hook === name)?.settings.find((candidate) => candidate.name === key);
  // A rule that no file mentions falls back to its hook's default.
  const action =
    after.rules.find(({ id }) => id === name)?.action ?? before.rules.find(({ id }) => id === name)?.default;
  const valueInForce =
    first === "hooks" ? setting && formatValue(setting.value) : first === "rules" ? action : undefined;
  if (statement?.effect === "overridden" || statement?.effect === "ignored")
    return [
      `note: this has no effect here: ${statement.reason}${valueInForce === undefined ? "" : `; in force: ${valueInForce}`}`,
    ];
  if (statement?.effect === "adds" || (statement && statements.some(({ effect }) => effect === "adds")))
    return [`note: combined with values in other files; in force: ${valueInForce}`];
  if (is === undefined && valueInForce !== undefined) {
    const effective = statements.find(({ effect }) => effect === "counts");
    return [`in force: ${valueInForce}, ${effective ? `from ${formatStatementLocation(effective)}` : "the default"}`];
  }
  return [];
}

interface StatementWithKey extends ShownStatement {
  key: string;
}

const listStatements = ({ hooks, rules, exceptions }: ConfigShowReport): StatementWithKey[] => [
  ...hooks.flatMap(({ hook, settings }) =>
    settings.flatMap(({ name, statements }) =>
      statements.map((statement) => ({ ...statement, key: `hooks.${hook}.${name}` })),
    ),
  ),
  ...rules.flatMap(({ id, statements }) => statements.map((statement) => ({ ...statement, key: `rules.${id}` }))),
  ...exceptions.map(({ rule, match, effect, why, scope, file, line, column }) => ({
    scope,
    file,
    line,
    column,
    value: match,
    key: `an exception to ${rule}`,
    effect: effect === "ignored" ? ("ignored" as const) : ("counts" as const),
    ...(why !== undefined && { reason: why }),
  })),
];

const formatStatementLocation = ({ scope, ...position }: ShownStatement) => `${formatLocation(position)} (${scope})`;

/** Describes values in other files that now take effect or no longer do. */
function describeOtherValues(previous: ConfigShowReport, current: ConfigShowReport, file: string): string[] {
  const isLost = ({ effect }: ShownStatement) => effect === "ignored" || effect === "overridden";
  const identify = ({ key, file: from, value, line, column }: StatementWithKey) =>
    JSON.stringify([key, from, value, line, column]);
  const previousStatements = new Map(
    listStatements(previous).map((previousStatement) => [identify(previousStatement), previousStatement]),
  );
  return listStatements(current).flatMap((currentStatement) => {
    const old = previousStatements.get(identify(currentStatement));
    if (currentStatement.file === file || !old || isLost(old) === isLost(currentStatement)) return [];
    const statement = `${formatStatementLocation(currentStatement)}: ${currentStatement.key}${currentStatement.value === undefined ? "" : ` ${JSON.stringify(currentStatement.value)}`}`;
    return [
      isLost(currentStatement)
        ? `note: ${statement} no longer has an effect: ${currentStatement.reason}`
        : `note: ${statement} now takes effect`,
    ];
  });
}
