import { findModeOrigin, type ModePolicy } from "../../policy/modes.ts";
import type { HookOutcome } from "../../call/ask/outcome.ts";
import type { AskedHookReport, CallReport, WithheldReport } from "./report.ts";

/** What a hook decides about a call, and what lets the call pass all the same. */
export interface HookVerdict {
  decision: "deny" | "ask" | "failed" | "rewrite" | "allow";
  hook: string;
  rule?: string;
  subject?: string;
  reason?: string;
  /** Absent where the decision holds. */
  withheld?: Passing;
}

/** The mode, or the action of the rule, that lets a call pass. */
export type Passing = Pick<WithheldReport, "mode" | "action" | "until" | "file" | "key">;

/** Describes what a mode, or the action of a rule, keeps from the host. */
export function reportWithheld(
  { withheld, entry }: HookOutcome,
  modes: ModePolicy,
): { withheld?: WithheldReport | undefined } {
  if (!withheld) return {};
  const { mode, isWarning, response = {}, failure } = withheld;
  // Under observe, the mode keeps the warning of the rule to itself.
  const isAction = isWarning && mode === "warn";
  const origin = isAction ? undefined : findModeOrigin(entry, modes, response.rule);
  const { mode: _, ...answer } = response;
  return {
    withheld: {
      mode,
      ...(isAction && { action: "warn" as const }),
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
        ...(withheld && { withheld: toPassing(withheld) }),
      },
    ];
  });
}

const toPassing = ({ response: _, failure: __, ...passing }: WithheldReport): Passing => passing;

/** The strictest first; of one that a mode lets pass, a decision that holds is the stricter one. */
const STRICTNESS: readonly HookVerdict["decision"][] = ["deny", "ask", "failed", "rewrite", "allow"];

/** The strictest verdict about calls: one that holds, or else one that a mode lets pass. */
export function findVerdict(calls: readonly Pick<CallReport, "hooks">[]): HookVerdict | undefined {
  const verdicts = calls.flatMap(({ hooks }) => listVerdicts(hooks));
  const rank = ({ decision, withheld }: HookVerdict) =>
    STRICTNESS.indexOf(decision) + (withheld ? STRICTNESS.length : decision === "allow" ? 2 * STRICTNESS.length : 0);
  return verdicts.sort((a, b) => rank(a) - rank(b))[0];
}

const WOULD: Readonly<Record<HookVerdict["decision"], string>> = {
  deny: "would deny",
  ask: "would ask",
  failed: "would fail",
  rewrite: "would rewrite",
  allow: "would allow",
};

/** `deny`, or `would deny` where a mode lets the call pass. */
export const nameVerdict = ({ decision, withheld }: Pick<HookVerdict, "decision" | "withheld">): string =>
  withheld ? WOULD[decision] : decision;

/** `deny`, or `would deny (mode: observe until 2026-12-31)`. */
export const formatVerdict = (verdict: Pick<HookVerdict, "decision" | "withheld">): string =>
  `${nameVerdict(verdict)}${verdict.withheld ? ` (${formatPassing(verdict.withheld)})` : ""}`;

/** `mode: observe until 2026-12-31`, or `action: warn`. */
export const formatPassing = ({ action, ...mode }: Passing): string =>
  action === undefined ? `mode: ${formatModeTerm(mode)}` : `action: ${action}`;

/** `observe until 2026-12-31` */
export const formatModeTerm = ({ mode, until }: Pick<Passing, "mode" | "until">): string =>
  `${mode}${until === undefined ? "" : ` until ${until}`}`;
