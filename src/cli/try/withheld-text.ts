import { escapeInvisible } from "../../operate/text.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { findProposedSource, formatConfigChange } from "../config/suggested-change.ts";
import { formatPath, wrapText } from "../terminal/layout.ts";
import type { TerminalOutput } from "../terminal/terminal.ts";
import type { CallReport, TryHostReport } from "./report.ts";
import { formatVerdict, type HookVerdict, isAllowedAnyway, listVerdicts, type WithholdingMode } from "./verdict.ts";

/** Names a cause: the rule and hook, as in `git/push-force of block-destructive`, or only the hook. */
const nameCause = ({ rule, hook }: Pick<HookVerdict, "rule" | "hook">): string =>
  rule === undefined ? hook : `${rule} of ${hook}`;

/** Formats where the mode is set, such as `"mode.rules.git/*" in ~/.config/bridge-hooks/config.json`. */
export const formatModeOrigin = ({ key, file }: WithholdingMode): string | undefined =>
  key === undefined || file === undefined ? undefined : `"${key}" in ${formatPath(file)}`;

/** Formats the command that enforces a decision withheld by a mode. */
export function formatEnforceCommand({ key, file }: WithholdingMode): string | undefined {
  if (key === undefined || file === undefined) return undefined;
  // The general mode can be a field of an object that has other fields.
  const path = key === "mode" ? "mode.mode" : key;
  const proposed = findProposedSource(process.cwd());
  const scope = file === getManagedConfig() ? "managed" : file === proposed?.path ? proposed.scope : "user";
  const change = { key: proposed?.scope === scope ? key : path, value: "enforce", scope };
  return `to enforce it: ${formatConfigChange(change, process.cwd())}`;
}

/** Whether the user and the model are informed, if the host supports messages. */
export const isAnnounced = ({ decision, withheld }: Pick<HookVerdict, "decision" | "withheld">): boolean =>
  withheld === undefined ? decision === "warn" : withheld.mode === "warn";

/** Describes who is informed when a call is allowed despite a hook's decision. */
export const describeAudience = ({ response: { additional_context, user_message } }: CallReport): string =>
  [additional_context !== undefined && "the model", user_message !== undefined && "the user"]
    .filter(Boolean)
    .join(" and ") || "no one, only logged";

/** Formats hooks' answers to calls that are allowed anyway: one line per rule, and who is informed. */
export function formatWithheldLines(
  reports: readonly TryHostReport[],
  { width }: Pick<TerminalOutput, "width">,
): string[] {
  const calls = reports.flatMap(({ host, calls: all }) => all.map((call) => ({ host, call })));
  const withheldCalls = calls.filter(({ call }) => call.hooks.some((hook) => hook.withheld));
  const verdicts = withheldCalls.flatMap(({ call }) => listVerdicts(call.hooks).filter(isAllowedAnyway));
  const causes = new Set(
    verdicts.flatMap((verdict) => {
      const origin = verdict.withheld && formatModeOrigin(verdict.withheld);
      const command = verdict.withheld && formatEnforceCommand(verdict.withheld);
      const cause = `${formatVerdict(verdict)}: ${nameCause(verdict)}${origin === undefined ? "" : `; ${origin}`}`;
      return command === undefined ? [cause] : [cause, command];
    }),
  );
  const isAnyoneInformed = verdicts.some(isAnnounced);
  const audiences = isAnyoneInformed
    ? Map.groupBy(withheldCalls, ({ call }) => describeAudience(call))
    : new Map<string, never[]>();
  const audienceLines = [...audiences].map(
    ([audience, all]) => `shown to ${audience} on ${[...new Set(all.map(({ host }) => host))].join(", ")}`,
  );
  return [...causes, ...audienceLines].flatMap((text) =>
    wrapText(escapeInvisible(text), width - 2).map((line, at) => (at === 0 ? line : `  ${line}`)),
  );
}
