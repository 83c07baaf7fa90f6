import { formatHint } from "../../protocol/name-suggestions.ts";
import { formatPolicy } from "../../operate/policy/identity.ts";
import { escapeInvisible, formatCount } from "../../operate/text.ts";
import { wrapText, labelLines, formatPath, type PageLayout, wrapLabeled } from "../terminal/layout.ts";
import type { ConfigFinding } from "../../policy/check/finding.ts";
import { describeTrust, NOT_TRUSTED_REASON } from "../../policy/check/rule-findings.ts";
import { formatModeTerm } from "../try/verdict.ts";
import { formatModeOrigin } from "../try/withheld-text.ts";
import type { ConfigReport, ListedHook, ListReport } from "./report.ts";

const LABEL_WIDTH = 11;

export function formatList({ policy, from, hooks, config }: ListReport, page: PageLayout): string {
  const { width, paint } = page;
  const line = (label: string, text: string) =>
    wrapLabeled(`  ${label}`, escapeInvisible(text), LABEL_WIDTH, { width });
  const files = config.flatMap(({ scope, file, found, problem, findings }) => [
    ...line(scope, `${formatPath(file)}${found ? "" : " (missing)"}`),
    ...listRedFindings({ problem, file, findings }).flatMap((text) => line(paint(31, "RED"), text)),
    ...findings
      .filter(({ level }) => level === "note")
      .flatMap((finding) => line(paint(35, "note"), formatConfigFinding(file, finding))),
  ]);
  const project = config.find(({ scope, found }) => scope === "project" && found);
  const trust = describeTrust({ project: project && { scope: "project", path: project.file } });
  const parts = [
    [
      // Omit the policy if the hooks were loaded from a directory, because it describes the compiled-in hooks.
      ...(policy.hash === undefined ? [] : [`policy: ${formatPolicy(policy)}`]),
      `hooks: ${escapeInvisible(from)} (${hooks.length})`,
    ],
    ...hooks.map((hook) => formatHook(hook, page, trust)),
    [paint(1, "config files, strongest first"), ...files],
  ];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** Lists the errors in a config file. */
export const listRedFindings = ({
  problem,
  file,
  findings,
}: Pick<ConfigReport, "problem" | "file" | "findings">): string[] => [
  ...(problem === undefined ? [] : [problem]),
  ...findings.filter(({ level }) => level === "red").map((finding) => formatConfigFinding(file, finding)),
];

const formatConfigFinding = (file: string, { kind, line, column, path, message, impact }: ConfigFinding) =>
  `${formatPath(file)}:${line}:${column}: ${path}: ${message}${/^(?:key|setting)-wrong$/.test(kind) ? `; ${impact}` : ""}`;

/** @param trust a clause that tells the user how to trust the project */
function formatHook(hook: ListedHook, { width, paint }: PageLayout, trust: string): string[] {
  const field = (label: string, text: string | undefined) =>
    text === undefined ? [] : wrapLabeled(`  ${label}`, escapeInvisible(text), LABEL_WIDTH, { width });
  const { name, description, file, origin, events, tools, matcher, order, onError, timeoutMs, maxContinuations } = hook;
  const { mode, ignored, unknown, lock, lockedOut, notes, limits = [], problem } = hook;
  const errorLines = problem === undefined ? [] : problem.split("\n").map((errorText) => `error: ${errorText}`);
  return [
    ...wrapText(escapeInvisible(name), width).map((line) => paint(1, line)),
    ...(description === undefined
      ? []
      : wrapText(escapeInvisible(description), width - 2).map((line) => `  ${line}`.trimEnd())),
    ...field("events", events.join(", ")),
    ...field("tools", tools?.join(", ")),
    ...field("matcher", matcher || undefined),
    ...field("order", order === 0 ? undefined : String(order)),
    ...field("mode", mode && `${formatModeTerm(mode)}: denials are withheld; ${formatModeOrigin(mode)}`),
    ...field("on error", onError),
    ...field("time", timeoutMs === undefined ? undefined : `${timeoutMs} ms at most`),
    ...field(
      "again",
      maxContinuations === undefined ? undefined : `at most ${formatCount(maxContinuations, "continuation")} in a row`,
    ),
    ...formatOptions(hook, { width, paint }),
    ...(ignored.length === 0
      ? []
      : field(
          "note",
          `${ignored.join(", ")} in the project's file ${ignored.length === 1 ? "is" : "are"} ignored: ${NOT_TRUSTED_REASON}${trust}`,
        )),
    ...(lock?.ignored ?? []).flatMap(({ file, options }) =>
      field(
        "note",
        `${options.join(", ")} in ${formatPath(file)} ${options.length === 1 ? "is" : "are"} ignored: ${formatPath(lock?.file ?? "")} locks this hook`,
      ),
    ),
    ...lockedOut.flatMap(({ name: key, file: from, by }) =>
      field("note", `${key} in ${formatPath(from)} is ignored: ${formatPath(by)} locks it`),
    ),
    ...unknown.flatMap((setting) =>
      field(
        "note",
        `${formatPath(setting.file)}: unknown setting "${setting.name}", ignored${formatHint(setting.near)}`,
      ),
    ),
    ...[...notes, ...limits].flatMap((note) => field("note", note)),
    ...errorLines.flatMap((errorLine) =>
      wrapLabeled(`  ${paint(31, "RED")}`, escapeInvisible(errorLine), LABEL_WIDTH, { width }),
    ),
    ...field("from", origin === "starter" ? "the starter hooks of bridge-hooks" : undefined),
    ...field("module", file === undefined ? undefined : formatPath(file)),
  ];
}

/**
 * Formats the options in columns (name, type, value). Each option's description, and the file that sets its value,
 * appear below it.
 */
function formatOptions({ options: all, vendor }: ListedHook, { width }: PageLayout): string[] {
  if (all.length === 0 && vendor === undefined) return [];
  const names = Math.min(24, Math.max(0, ...all.map(({ name }) => name.length))) + 2;
  const lines = all.flatMap((option) => {
    const { name, type, description, scope, file, required, trusted } = option;
    const value = "value" in option ? `= ${JSON.stringify(option.value)}` : required ? "required" : "not set";
    const origin =
      scope === undefined ? ("value" in option ? "default" : undefined) : `${scope}: ${formatPath(file ?? "")}`;
    const firstLine = [type, value, origin === undefined ? undefined : `(${origin})`]
      .filter((part) => part !== undefined)
      .join("  ");
    const parts = [firstLine, description, trusted && "(untrusted projects can't set it)"].filter(
      (part) => part !== undefined,
    );
    return wrapLabeled(name, escapeInvisible(parts.join("\n")), names, { width: width - LABEL_WIDTH });
  });
  return labelLines("  options", [...lines, ...(vendor === undefined ? [] : [`(schema of ${vendor})`])], LABEL_WIDTH);
}
