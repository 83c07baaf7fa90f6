import type { PaintText } from "../terminal/colors.ts";
import type { AskedHookReport, CallReport, TryHostReport } from "./report.ts";
import { findVerdict, isAllowedAnyway, nameVerdict } from "./verdict.ts";

/**
 * Names a decision for the table that `try` prints. If a host can't ask, its "ask" is shown as the resulting denial. A
 * withheld decision is shown as "would …".
 */
export function nameDecision(call: CallReport): string {
  const verdict = findVerdict([call]);
  if (verdict && isAllowedAnyway(verdict) && !STOPPING_DECISIONS.includes(call.decision)) return nameVerdict(verdict);
  const decisions = call.hooks.map(({ response }) => response.decision);
  const hasFailed = call.hooks.some(({ failure }) => failure !== undefined);
  const isAsk = call.decision === "deny" && !hasFailed && !decisions.includes("deny") && decisions.includes("ask");
  return isAsk ? ASK_DENIED_LABEL : summarizeDecision(call);
}
const STOPPING_DECISIONS: readonly string[] = ["deny", "ask", "failed"];
const ASK_DENIED_LABEL = "ask→deny";

/** Summarizes a host's reaction in a word: a decision or another effect. */
export function summarizeDecision({
  decision,
  response,
  continues,
  append,
}: Pick<CallReport, "decision" | "response" | "continues" | "append">): string {
  if (continues && decision === "deny") return "go on";
  const { modified_input, additional_context, user_message, modified_output, session_env } = response;
  if (decision === "deny" || decision === "ask" || decision === "failed") return decision;
  if (modified_input) return "rewrite";
  if (modified_output !== undefined) return "new result";
  if (decision === "allow") return decision;
  return additional_context ? "context" : user_message ? "message" : session_env || append ? "variables" : "none";
}

const WORD_COLORS: Readonly<Record<string, 31 | 32 | 35>> = {
  deny: 31,
  [ASK_DENIED_LABEL]: 31,
  failed: 31,
  "go on": 35,
  ask: 35,
  rewrite: 35,
  "new result": 35,
  "would deny": 35,
  "would ask": 35,
  "would rewrite": 35,
  "would fail": 35,
  warn: 35,
  "would warn": 35,
  allow: 32,
};

export function colorWord(word: string, paint: PaintText): string {
  const color = WORD_COLORS[word.replace(/ \(.*/, "")];
  return color === undefined ? word : paint(color, word);
}

/** Lists the display names of calls. If a host's calls are all included, lists just the host. */
export function listHostNames(
  calls: readonly { host: string; shown: string }[],
  reports: readonly TryHostReport[],
): string[] {
  const hasAllCalls = (host: string) =>
    reports.find((report) => report.host === host)?.calls.length === calls.filter((call) => call.host === host).length;
  return [...new Set(calls.map(({ host, shown }) => (hasAllCalls(host) ? host : shown)))];
}

/**
 * Formats the answer that exceptions overrode, such as `git/push-force would deny this call, but the exception FILE:
 * exceptions.0 allows it`.
 */
export const formatAllowed = ({ by, response: { decision, rule } }: NonNullable<AskedHookReport["allowed"]>): string =>
  `${rule ?? "a hook"} would ${decision ?? "stop"} this call, but ${by.length === 1 ? "the exception" : "the exceptions"} ${by.join(", ")} ${by.length === 1 ? "allows" : "allow"} it`;

/** Labels for response fields that aren't shown under their own names. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  user_message: "message",
  modified_input: "rewrite",
  additional_context: "context",
  modified_output: "result",
  session_env: "variables",
};

/** Describes why the host would count a call as failed, without repeating stderr. */
export const describeProblem = ({ problem, stderr }: Pick<CallReport, "problem" | "stderr">): string | undefined =>
  problem?.trim() === stderr.trim() ? undefined : problem?.replace(` (${stderr.trimEnd()})`, "");
