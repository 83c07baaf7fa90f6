import type { LogLine } from "../../call/log/log-line.ts";
import { isWithheld } from "./describe.ts";

/** Possible outcomes of a call, in the order in which the report's charts stack them. */
export const OUTCOMES = ["denied", "asked", "rewritten", "warned", "withheld", "excepted", "failed", "passed"] as const;
export type Outcome = (typeof OUTCOMES)[number];
export type OutcomeCounts = Record<Outcome, number>;

/** The report's names for the outcomes. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  denied: "denied",
  asked: "asked",
  rewritten: "rewritten",
  warned: "warned",
  withheld: "withheld by a mode",
  excepted: "allowed by an exception",
  failed: "failed, or not enforced",
  passed: "passed",
};

export function classifyLine(line: LogLine): Outcome {
  const { decision, wanted, changed, failures, exceptions } = line;
  if (decision === "deny") return "denied";
  if (decision === "ask") return "asked";
  if (exceptions) return "excepted";
  if (isWithheld(line)) return "withheld";
  if (line.action === "warn") return "warned";
  if (wanted === "deny" || wanted === "ask") return "failed";
  if (changed) return "rewritten";
  return failures ? "failed" : "passed";
}

export const createCounts = (): OutcomeCounts => ({
  denied: 0,
  asked: 0,
  rewritten: 0,
  warned: 0,
  withheld: 0,
  excepted: 0,
  failed: 0,
  passed: 0,
});

export const sumCounts = (counts: OutcomeCounts): number => OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);

const WITHHELD_NAMES = { deny: "would be denied", ask: "would be asked about", allow: "would be allowed" } as const;

/** Describes how enforcement would have decided a call that a mode allowed: `would be denied (observe)`. */
export const describeWithheld = ({ action, wanted, mode }: LogLine): string =>
  `${action === "warn" ? "would be warned about" : wanted === undefined ? "would be rewritten" : WITHHELD_NAMES[wanted]} (${mode})`;
