import { hintOf } from "../../protocol/near.ts";
import { filled, labelled, padded, shownFile, visible } from "../terminal/layout.ts";
import type { Paper } from "../terminal/terminal.ts";
import type { ConfigReport, ListedHook, Report, UnknownName } from "./report.ts";

type Page = Pick<Paper, "width" | "paint">;

const LABEL = 11;

/** `list` for people. */
export function listText({ from, hooks, config }: Report, page: Page): string {
  const { width, paint } = page;
  const line = (label: string, text: string) => labelled(`  ${label}`, filled(visible(text), width - LABEL), LABEL);
  const files = config.flatMap(({ scope, file, found, problem, wrong, notes, unknown }) => [
    ...line(scope, `${shownFile(file)}${found ? "" : " (not there)"}`),
    ...redIn({ problem, wrong, scope, unknown }).flatMap((text) => line(paint(31, "RED"), text)),
    ...[...notes, ...(scope === "managed" ? [] : unknown.map(nameText))].flatMap((text) =>
      line(paint(33, "note"), text),
    ),
  ]);
  const parts = [
    [`hooks: ${visible(from)} (${hooks.length})`],
    ...hooks.map((hook) => hookText(hook, page)),
    [paint(1, "config files, the strongest first"), ...files],
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** What is wrong in a config file; a name that the company's has wrong locks or sets nothing. */
export const redIn = ({
  problem,
  wrong,
  scope,
  unknown,
}: Pick<ConfigReport, "problem" | "wrong" | "scope" | "unknown">): string[] => [
  ...(problem === undefined ? [] : [problem]),
  ...wrong,
  ...(scope === "managed" ? unknown.map(nameText) : []),
];

const nameText = ({ name, where, near }: UnknownName) =>
  `${where === "locked" ? "locked: " : ""}no hook is named "${name}"${hintOf(near)}`;

function hookText(hook: ListedHook, { width, paint }: Page): string[] {
  const field = (label: string, text: string | undefined) =>
    text === undefined ? [] : labelled(`  ${label}`, filled(visible(text), width - LABEL), LABEL);
  const { name, description, file, events, tools, matcher, order, onError, timeoutMs, maxContinuations } = hook;
  const { ignored, unknown, lock, notes, problem } = hook;
  const failing = problem === undefined ? [] : problem.split("\n").map((one) => `this is wrong: ${one}`);
  return [
    ...filled(visible(name), width).map((line) => paint(1, line)),
    ...(description === undefined ? [] : filled(visible(description), width - 2).map((line) => `  ${line}`.trimEnd())),
    ...field("events", events.join(", ")),
    ...field("tools", tools?.join(", ")),
    ...field("matcher", matcher || undefined),
    ...field("order", order === 0 ? undefined : String(order)),
    ...field("on error", onError),
    ...field("time", timeoutMs === undefined ? undefined : `${timeoutMs} ms at most`),
    ...field(
      "again",
      maxContinuations === undefined ? undefined : `${maxContinuations} continuations in a row at most`,
    ),
    ...options(hook, { width, paint }),
    ...(ignored.length === 0
      ? []
      : field("note", `the project's file sets ${ignored.join(", ")} in vain: nobody trusts this project`)),
    ...(lock?.ignored ?? []).flatMap(({ file, options }) =>
      field(
        "note",
        `${shownFile(file)} sets ${options.join(", ")} in vain: ${shownFile(lock?.file ?? "")} locks this hook`,
      ),
    ),
    ...unknown.flatMap((one) =>
      field("note", `${shownFile(one.file)}: unknown setting "${one.name}", ignored${hintOf(one.near)}`),
    ),
    ...notes.flatMap((note) => field("note", note)),
    ...failing.flatMap((one) => labelled(`  ${paint(31, "RED")}`, filled(visible(one), width - LABEL), LABEL)),
    ...field("module", file === undefined ? undefined : shownFile(file)),
  ];
}

/** The options in columns: name, type, value; below each what it is for and who says so. */
function options({ options: all, vendor }: ListedHook, { width, paint }: Page): string[] {
  if (all.length === 0 && vendor === undefined) return [];
  const names = Math.min(24, Math.max(0, ...all.map(({ name }) => name.length))) + 2;
  const lines = all.flatMap((option) => {
    const { name, type, description, scope, file, required, trusted } = option;
    const value = "value" in option ? `= ${JSON.stringify(option.value)}` : required ? "has to be set" : "not set";
    const whose =
      scope === undefined ? ("value" in option ? "default" : undefined) : `${scope}: ${shownFile(file ?? "")}`;
    const first = [type, value, whose === undefined ? undefined : `(${whose})`]
      .filter((part) => part !== undefined)
      .join("  ");
    const text = filled(visible(first), width - LABEL - names);
    const said = [description, trusted && "(not from untrusted projects)"].filter((part) => part !== undefined);
    const more = said.flatMap((part) => filled(visible(part), width - LABEL - names)).map((line) => paint(2, line));
    return labelled(padded(name, names), [...text, ...more], names);
  });
  return labelled("  options", [...lines, ...(vendor === undefined ? [] : [`(schema of ${vendor})`])], LABEL);
}
