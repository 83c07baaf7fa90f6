import { escapeInvisible } from "../../operate/text.ts";
import { formatPath, wrapText } from "../terminal/layout.ts";
import type { TerminalOutput } from "../terminal/terminal.ts";
import type { CallReport, TryHostReport } from "./report.ts";
import { formatVerdict, type HookVerdict, listVerdicts, type Passing } from "./verdict.ts";

/** `git/push-force of block-destructive`, or the hook alone. */
const nameCause = ({ rule, hook }: Pick<HookVerdict, "rule" | "hook">): string =>
  rule === undefined ? hook : `${rule} of ${hook}`;

/** Where the mode is set: `"mode.rules.git/*" in ~/.config/bridge-hooks/config.json`; undefined for an action. */
export const formatModeOrigin = ({ key, file }: Passing): string | undefined =>
  key === undefined || file === undefined ? undefined : `"${key}" in ${formatPath(file)}`;

/** Who is told of a call that passes although a hook decides otherwise. */
export const describeAudience = ({ response: { additional_context, user_message } }: CallReport): string =>
  [additional_context !== undefined && "the model", user_message !== undefined && "the user"]
    .filter(Boolean)
    .join(" and ") || "nobody (only the log has it)";

/** Formats what would be decided if the modes enforced it: a line for each rule, and who is told. */
export function formatWithheldLines(
  reports: readonly TryHostReport[],
  { width }: Pick<TerminalOutput, "width">,
): string[] {
  const calls = reports.flatMap(({ host, calls: all }) => all.map((call) => ({ host, call })));
  const withheld = calls.filter(({ call }) => call.hooks.some((hook) => hook.withheld));
  const verdicts = withheld.flatMap(({ call }) => listVerdicts(call.hooks).filter((one) => one.withheld));
  const causes = new Set(
    verdicts.map((verdict) => {
      const origin = verdict.withheld && formatModeOrigin(verdict.withheld);
      return `${formatVerdict(verdict)}: ${nameCause(verdict)}${origin === undefined ? "" : `; ${origin}`}`;
    }),
  );
  const isTold = verdicts.some((verdict) => verdict.withheld?.mode === "warn");
  const audiences = isTold ? Map.groupBy(withheld, ({ call }) => describeAudience(call)) : new Map<string, never[]>();
  const audienceLines = [...audiences].map(
    ([audience, all]) => `told of it: ${audience} on ${[...new Set(all.map(({ host }) => host))].join(", ")}`,
  );
  return [...causes, ...audienceLines].flatMap((text) =>
    wrapText(escapeInvisible(text), width - 2).map((line, at) => (at === 0 ? line : `  ${line}`)),
  );
}
