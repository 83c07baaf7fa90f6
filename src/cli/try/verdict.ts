import { findModeOrigin, type ModePolicy, type TimedMode } from "../../policy/modes.ts";
import type { HookOutcome } from "../../call/ask/outcome.ts";
import type { AskedHookReport, CallReport, WithheldReport } from "./report.ts";

/** What a hook decides about a call, and what lets the call pass all the same. */
export interface HookVerdict {
  /** `warn`: it denies or asks, and the rule makes a warning of it under every mode. */
  decision: "deny" | "ask" | "failed" | "rewrite" | "warn" | "allow";
  hook: string;
  rule?: string;
  subject?: string;
  reason?: string;
  /** Absent where the decision holds. */
  withheld?: Passing;
}

/** The mode that keeps an answer from the host. */
export type Passing = Pick<WithheldReport, "mode" | "until" | "file" | "key">;

/** Describes what a mode, or the action of a rule, keeps from the host. */
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

/** What today's policy says of a call, hook by hook, in their order, and what the modes make of it. */
export function listVerdicts(hooks: readonly AskedHookReport[]): HookVerdict[] {
  return hooks.flatMap(({ name, response, failure, withheld }) => {
    const meant = withheld?.response ?? response;
    const failed = failure ?? withheld?.failure;
    const decision =
      failed !== undefined
        ? ("failed" as const)
        : withheld?.action === "warn"
          ? ("warn" as const)
          : (meant.decision ?? (meant.modified_input || meant.modified_output !== undefined ? "rewrite" : undefined));
    if (decision === undefined) return [];
    const { rule, subject } = meant;
    const reason = failed ?? meant.reason;
    return [
      {
        decision,
        hook: name,
        ...(rule !== undefined && { rule }),
        ...(subject !== undefined && { subject }),
        ...(reason !== undefined && { reason }),
        // Under observe, the mode keeps even a warning from the user and the model.
        ...(withheld && !(decision === "warn" && withheld.mode === "warn") && { withheld: toPassing(withheld) }),
      },
    ];
  });
}

const toPassing = ({ response: _, failure: __, action: ___, ...passing }: WithheldReport): Passing => passing;

/** The strictest first: what holds, then what a mode lets pass, then warnings. */
const STRICTNESS: readonly string[] = [
  ...["deny", "ask", "failed", "rewrite"],
  ...["would deny", "would ask", "would fail", "would rewrite"],
  ...["warn", "would warn", "allow", "would allow"],
];

/** The strictest verdict about calls: one that holds, or else one that a mode lets pass. */
export function findVerdict(calls: readonly Pick<CallReport, "hooks">[]): HookVerdict | undefined {
  const verdicts = calls.flatMap(({ hooks }) => listVerdicts(hooks));
  return verdicts.sort((a, b) => STRICTNESS.indexOf(nameVerdict(a)) - STRICTNESS.indexOf(nameVerdict(b)))[0];
}

const WOULD: Readonly<Record<HookVerdict["decision"], string>> = {
  deny: "would deny",
  ask: "would ask",
  failed: "would fail",
  rewrite: "would rewrite",
  warn: "would warn",
  allow: "would allow",
};

/** `deny`, or `would deny` where a mode lets the call pass. */
export const nameVerdict = ({ decision, withheld }: Pick<HookVerdict, "decision" | "withheld">): string =>
  withheld ? WOULD[decision] : decision;

/** `deny`, or `would deny (mode: observe until 2026-12-31)`. */
export const formatVerdict = (verdict: Pick<HookVerdict, "decision" | "withheld">): string =>
  `${nameVerdict(verdict)}${verdict.withheld ? ` (${formatPassing(verdict.withheld)})` : ""}`;

/** Whether a call passes although a hook answers otherwise: a mode withholds the answer, or it is only a warning. */
export const isLetPass = ({ decision, withheld }: Pick<HookVerdict, "decision" | "withheld">): boolean =>
  withheld !== undefined || decision === "warn";

/** `mode: observe until 2026-12-31` */
export const formatPassing = (passing: Passing): string => `mode: ${formatModeTerm(passing)}`;

/** `observe until 2026-12-31` */
export const formatModeTerm = ({ mode, until }: Pick<TimedMode, "mode" | "until">): string =>
  `${mode}${until === undefined ? "" : ` until ${until}`}`;
