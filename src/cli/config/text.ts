import { escapeInvisible, formatCount } from "../../operate/text.ts";
import { formatPath, wrapText, type PageLayout, wrapLabeled } from "../terminal/layout.ts";
import { formatPolicy } from "../../operate/policy/identity.ts";
import type { ConfigShowReport, ShownException, ShownRule, ShownStatement, StatementLocation } from "./report.ts";
import { getOwnCommand } from "../../system/own-command.ts";

const MAX_NAME_WIDTH = 40;
const VALUE_WIDTH = 24;

export const formatLocation = ({ file, line, column }: Omit<StatementLocation, "scope">): string =>
  `${formatPath(file)}:${line}:${column}`;

/** Shortens full paths in the engine's messages. */
const shortenPathsInText = (text: string, files: ConfigShowReport["files"]): string =>
  files.reduce((all, { file }) => all.replaceAll(file, formatPath(file)), text);

interface ConfigPage extends PageLayout {
  /** Whether to show the file that sets each value, and values that have no effect. */
  showsOrigins: boolean;
}

/** Formats `config show` for the terminal. */
export function formatConfig(report: ConfigShowReport, page: ConfigPage): string {
  const { policy, from, hooks, files } = report;
  const wrapWide = (text: string, indent: number) => wrapText(escapeInvisible(text), page.width - indent);
  const lostCount = countIneffective(report);
  const marksSetValues = !page.showsOrigins && hooks.some(({ settings }) => settings.some(isSetByFile));
  const summary =
    page.showsOrigins || lostCount === 0
      ? []
      : wrapWide(
          `${formatCount(lostCount, "value in config files has", "values in config files have")} no effect; to see why: ${getOwnCommand()} config show --origin`,
          0,
        ).map((line) => page.paint(35, line));
  const parts = [
    [
      ...(policy.hash === undefined ? [] : [`policy: ${shortenPathsInText(formatPolicy(policy), files)}`]),
      `hooks: ${escapeInvisible(from)} (${hooks.length})${marksSetValues ? "; * marks values that a config file sets" : ""}`,
    ],
    ...hooks.map((hook) => formatHook(hook, report, page)),
    ...formatSection("rules that config files set or add", report.rules, (rule) => formatRule(rule, report, page)),
    ...formatSection("exceptions", report.exceptions, (exception) => formatException(exception, report, page)),
    ...formatSection("locks", report.locks, ({ name, ...position }) =>
      formatRow(name === "*" ? "every hook" : name, "", page.showsOrigins ? formatOrigin(position) : undefined, page),
    ),
    ...formatSection("trusted projects", report.trusted, ({ folder, ...position }) =>
      formatRow(folder, "", page.showsOrigins ? formatOrigin(position) : undefined, page),
    ),
    [page.paint(1, "config files, strongest first"), ...files.flatMap((file) => formatFile(file, files, page))],
    summary,
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
  function formatSection<T>(title: string, items: readonly T[], format: (item: T) => string[]): string[][] {
    return items.length === 0 ? [] : [[page.paint(1, title), ...items.flatMap(format)]];
  }
}

const isWithoutEffect = ({ effect }: { effect: string }) => effect === "ignored" || effect === "overridden";

const countIneffective = ({ hooks, rules, exceptions }: ConfigShowReport): number =>
  [
    ...hooks.flatMap(({ settings }) => settings.flatMap(({ statements }) => statements)),
    ...rules.flatMap(({ statements }) => statements),
    ...exceptions,
  ].filter(isWithoutEffect).length;

const formatOrigin = ({ scope, ...position }: StatementLocation) => `${scope}: ${formatLocation(position)}`;

/** Whether a config file sets a hook's setting, so that its value may differ from the default. */
const isSetByFile = ({ statements }: ConfigShowReport["hooks"][number]["settings"][number]) =>
  statements.some(isEffective);

const isEffective = ({ effect }: ShownStatement) => effect === "counts" || effect === "adds";

/** Formats a name, a value and the value's origin within the page width. */
function formatRow(name: string, value: string, origin: string | undefined, { width }: PageLayout): string[] {
  const label = `  ${escapeInvisible(name)}`;
  const columns = Math.min(MAX_NAME_WIDTH, VALUE_WIDTH + 4);
  const text = [value, origin === undefined ? undefined : value === "" ? origin : `(${origin})`]
    .filter((part) => part)
    .join("  ");
  if (text === "") return [label];
  const indent = Math.max(columns, Bun.stringWidth(label) + 2);
  return wrapLabeled(label, escapeInvisible(text), indent, { width });
}

const markRow = ([first = "", ...rest]: readonly string[]) => [`*${first.slice(1)}`, ...rest];

function formatHook(
  { hook, problem, lockedBy, settings }: ConfigShowReport["hooks"][number],
  { files }: ConfigShowReport,
  page: ConfigPage,
): string[] {
  const problems = (problem ?? "").split("\n").filter(Boolean);
  return [
    page.paint(1, escapeInvisible(hook)),
    ...settings.flatMap((setting) => {
      const isSet = "value" in setting && !setting.unknown;
      const value = isSet ? JSON.stringify(setting.value) : setting.unknown ? "not a setting of this hook" : "not set";
      const effectiveStatements = setting.statements.filter(isEffective);
      const origin = effectiveStatements.map(formatOrigin).join(" + ") || (isSet ? "default" : undefined);
      const row = formatRow(setting.name, value, page.showsOrigins ? origin : undefined, page);
      return [
        ...(!page.showsOrigins && isSetByFile(setting) ? markRow(row) : row),
        ...(page.showsOrigins ? formatIneffectiveValues(setting.statements, files, page) : []),
      ];
    }),
    ...(settings.length === 0 ? ["  no settings"] : []),
    ...(page.showsOrigins && lockedBy !== undefined
      ? formatNote(`${formatPath(lockedBy)} locks this hook`, "lock", page)
      : []),
    ...problems.flatMap((line) =>
      formatNote(`this hook fails: ${shortenPathsInText(line, files)}`, page.paint(31, "RED"), page),
    ),
  ];
}

const NOTE_INDENT = 11;

const formatNote = (text: string, label: string, { width }: PageLayout): string[] =>
  wrapLabeled(`    ${label}`, escapeInvisible(text), NOTE_INDENT, { width });

/** Formats a line for each file with a value that has no effect. */
const formatIneffectiveValues = (
  statements: readonly ShownStatement[],
  files: ConfigShowReport["files"],
  page: PageLayout,
): string[] =>
  statements
    .filter(isWithoutEffect)
    .flatMap((statement) =>
      formatNote(
        `${JSON.stringify(statement.value)} (${formatOrigin(statement)}) ${statement.effect === "ignored" ? "is ignored" : "has no effect"}: ${shortenPathsInText(statement.reason ?? "", files)}`,
        page.paint(35, "note"),
        page,
      ),
    );

function formatRule(
  { id, hook, action, default: byDefault, statements }: ShownRule,
  { files }: ConfigShowReport,
  page: ConfigPage,
): string[] {
  const effectiveStatements = statements.filter(({ effect }) => effect === "counts");
  const origin = effectiveStatements.length === 0 ? "default" : effectiveStatements.map(formatOrigin).join(" + ");
  const was =
    byDefault === undefined
      ? hook === undefined
        ? ""
        : ", added"
      : byDefault === action
        ? ""
        : `, default ${byDefault}`;
  return [
    ...formatRow(
      id,
      action ?? "no rule",
      page.showsOrigins && hook !== undefined ? `${origin}${was}` : undefined,
      page,
    ),
    ...(page.showsOrigins ? formatIneffectiveValues(statements, files, page) : []),
  ];
}

function formatException(
  { rule, match, project, reason, until, effect, why, ...position }: ShownException,
  { files }: ConfigShowReport,
  page: ConfigPage,
): string[] {
  const terms = [
    match ?? "(everything)",
    project === undefined ? "" : ` in ${project}`,
    until === undefined ? "" : ` until ${until}`,
    reason === undefined ? "" : `: ${reason}`,
  ].join("");
  const state =
    effect === "ignored" ? "is ignored" : effect === "elsewhere" ? "applies to another directory" : "counts";
  const note = [state, why === undefined ? undefined : shortenPathsInText(why, files)].filter(Boolean).join(": ");
  return [
    ...formatRow(rule, terms, page.showsOrigins ? formatOrigin(position) : undefined, page),
    ...(effect === "counts" && (why === undefined || !page.showsOrigins)
      ? []
      : formatNote(note, page.paint(35, "note"), page)),
  ];
}

function formatFile(
  { scope, file, found, trusted, findings }: ConfigShowReport["files"][number],
  files: ConfigShowReport["files"],
  page: PageLayout,
): string[] {
  const state = found ? (trusted === false ? " (this project is not trusted)" : "") : " (missing)";
  return [
    ...wrapLabeled(`  ${scope}`, `${escapeInvisible(formatPath(file))}${state}`, NOTE_INDENT, page),
    ...findings.flatMap(({ level, path, message, ...position }) =>
      formatNote(
        `${formatLocation({ file, ...position })}: ${path === "" ? "" : `${path}: `}${shortenPathsInText(message, files)}`,
        level === "red" ? page.paint(31, "RED") : page.paint(35, "note"),
        page,
      ),
    ),
  ];
}
