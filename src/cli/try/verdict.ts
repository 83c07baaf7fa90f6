import { findModeOrigin, type ModePolicy, type TimedMode } from "../../policy/modes.ts";
import type { HookOutcome } from "../../call/ask/outcome.ts";
import type { AskedHookReport, CallReport, WithheldReport } from "./report.ts";

/** A hook's decision on a call, and the mode that withholds it, if any. */
export interface HookVerdict {
  /** `warn`: the hook denies or asks, but the rule should never do more than warn, whatever the mode. */
  decision: "deny" | "ask" | "failed" | "rewrite" | "warn" | "allow";
  hook: string;
  rule?: string;
  subject?: string;
  reason?: string;
  /** The mode that withholds the decision; absent if the decision takes effect. */
  withheld?: WithholdingMode;
}

/** The mode that withholds an answer from the host. */
export type WithholdingMode = Pick<WithheldReport, "mode" | "until" | "file" | "key">;

/** Describes the answer that a mode or a rule's action withholds from the host. */
export function reportWithheld(
  { withheld, entry }: HookOutcome,
  modes: ModePolicy,
): { withheld?: WithheldReport | undefined } {
  if (!withheld) return {};
  const { mode, isWarning, response = {}, failure } = withheld;
  const origin = isWarning && mode === "warn" ? undefined : findModeOrigin(entry, modes, response.rule);
  const { mode: _, ...answer } = response;
  return {
    withheld: {
      mode,
      ...(isWarning && { action: "warn" as const }),
      ...(origin && { file: origin.file, key: origin.key }),
      ...(origin?.until !== undefined && { until: origin.until }),
      response: answer,
      ...(failure !== undefined && { failure }),
    },
  };
}

/** Lists the current policy's verdicts, hook by hook in order, with the modes applied. */
export function listVerdicts(hooks: readonly AskedHookReport[]): HookVerdict[] {
  return hooks.flatMap(({ name, response, failure, withheld }) => {
    const fullResponse = withheld?.response ?? response;
    const failureText = failure ?? withheld?.failure;
    const decision =
      failureText !== undefined
        ? ("failed" as const)
        : withheld?.action === "warn"
          ? ("warn" as const)
          : (fullResponse.decision ??
            (fullResponse.modified_input || fullResponse.modified_output !== undefined ? "rewrite" : undefined));
    if (decision === undefined) return [];
    const { rule, subject } = fullResponse;
    const reason = failureText ?? fullResponse.reason;
    return [
      {
        decision,
        hook: name,
        ...(rule !== undefined && { rule }),
        ...(subject !== undefined && { subject }),
        ...(reason !== undefined && { reason }),
        // In observe mode, even a warning is withheld from the user and the model.
        ...(withheld &&
          !(decision === "warn" && withheld.mode === "warn") && { withheld: toWithholdingMode(withheld) }),
      },
    ];
  });
}

const toWithholdingMode = ({ response: _, failure: __, action: ___, ...passing }: WithheldReport): WithholdingMode =>
  passing;

/** Verdicts, strictest first: effective verdicts, then withheld verdicts, then warnings. */
const VERDICTS_BY_STRICTNESS: readonly string[] = [
  ...["deny", "ask", "failed", "rewrite"],
  ...["would deny", "would ask", "would fail", "would rewrite"],
  ...["warn", "would warn", "allow", "would allow"],
];

/** Finds the strictest verdict on the calls, preferring effective verdicts to withheld ones. */
export function findVerdict(calls: readonly Pick<CallReport, "hooks">[]): HookVerdict | undefined {
  const verdicts = calls.flatMap(({ hooks }) => listVerdicts(hooks));
  return verdicts.sort(
    (a, b) => VERDICTS_BY_STRICTNESS.indexOf(nameVerdict(a)) - VERDICTS_BY_STRICTNESS.indexOf(nameVerdict(b)),
  )[0];
}

const WITHHELD_VERDICT_NAMES: Readonly<Record<HookVerdict["decision"], string>> = {
  deny: "would deny",
  ask: "would ask",
  failed: "would fail",
  rewrite: "would rewrite",
  warn: "would warn",
  allow: "would allow",
};

/** Names a verdict: `deny`, or `would deny` if a mode withholds it. */
export const nameVerdict = ({ decision, withheld }: Pick<HookVerdict, "decision" | "withheld">): string =>
  withheld ? WITHHELD_VERDICT_NAMES[decision] : decision;

/** Formats a verdict, such as `deny` or `would deny (mode: observe until 2026-12-31)`. */
export const formatVerdict = (verdict: Pick<HookVerdict, "decision" | "withheld">): string =>
  `${nameVerdict(verdict)}${verdict.withheld ? ` (${formatWithholdingMode(verdict.withheld)})` : ""}`;

/** Whether a call is allowed despite a hook's answer: a mode withholds the answer, or the answer is only a warning. */
export const isAllowedAnyway = ({ decision, withheld }: Pick<HookVerdict, "decision" | "withheld">): boolean =>
  withheld !== undefined || decision === "warn";

/** Formats a withholding mode, such as `mode: observe until 2026-12-31`. */
export const formatWithholdingMode = (passing: WithholdingMode): string => `mode: ${formatModeTerm(passing)}`;

/** Formats a mode and its end date, such as `observe until 2026-12-31`. */
export const formatModeTerm = ({ mode, until }: Pick<TimedMode, "mode" | "until">): string =>
  `${mode}${until === undefined ? "" : ` until ${until}`}`;
