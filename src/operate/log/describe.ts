import type { LogLine } from "../../call/log/log-line.ts";
import { truncateLine } from "../text.ts";

const padNumber = (value: number) => String(value).padStart(2, "0");

/** Formats a time in the local time zone: `2026-11-24 03:36:43`. */
export function formatTime(time: string): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${padNumber(at.getMonth() + 1)}-${padNumber(at.getDate())} ${padNumber(at.getHours())}:${padNumber(at.getMinutes())}:${padNumber(at.getSeconds())}`;
}

/** Names the host that made a call, or who made a policy change. */
export const nameCaller = ({ change, host }: Pick<LogLine, "change" | "host">): string =>
  change ? "a person" : (host ?? "unknown host");

/** Describes in one line what was judged: the command, the file, or else the whole request. */
export function describeRequest({ subject, asked, change, part }: LogLine): string {
  if (part === "head") return "[details lost]";
  if (change)
    return [
      change.exception,
      change.until && `until ${change.until}`,
      change.confirmed && `confirmed in ${change.confirmed}`,
      change.reason,
    ]
      .filter(Boolean)
      .join("  ");
  const { command, file_path, prompt } = (asked ?? {}) as Record<string, unknown>;
  const text = subject ?? [command, file_path, prompt].find((one) => typeof one === "string");
  return typeof text === "string" ? text : asked === undefined ? "" : JSON.stringify(asked);
}

/** The fields of a log line that determine a call's outcome. */
type LineDecision = Pick<
  LogLine,
  "hook" | "decision" | "action" | "wanted" | "changed" | "would_change" | "failures" | "mode" | "exceptions" | "change"
>;

/** Returns whether the mode kept the hooks' decision from the host. */
export const isWithheld = ({ action, mode, wanted, would_change, exceptions, decision }: LineDecision): boolean =>
  mode !== "enforce" &&
  // The host was sent a warning if the mode or the rule's action is `warn`.
  (action !== "warn" || mode === "observe") &&
  (wanted !== undefined || would_change !== undefined) &&
  (exceptions === undefined || decision !== "none");

/** Returns whether a failure, rather than a hook, caused the denial. */
export const isDeniedByFailure = ({ decision, failures, hook }: LineDecision): boolean =>
  decision === "deny" && (failures?.some((failure) => failure.hook === hook) ?? false);

const nameWithheld = ({ action, wanted }: LineDecision) => `would ${action ?? wanted ?? "rewrite"}`;

/** Formats a decision that was kept from the host: `would deny (mode: observe)`. */
export const formatWithheld = (line: LineDecision): string => `${nameWithheld(line)} (mode: ${line.mode})`;

/**
 * Describes the decision that the host received, and says so if the host couldn't receive it or the mode withheld it.
 */
export function describeDecision(line: LineDecision): string {
  const { decision, action, wanted, changed, failures, exceptions, change } = line;
  if (change) return change.command;
  if (exceptions && decision === "none") return "allowed";
  if (isWithheld(line)) return nameWithheld(line);
  if (action === "warn" && decision === "none") return "warn";
  if (decision === "none" && wanted !== undefined) return `${wanted}, not enforced`;
  if (decision !== "none") return isDeniedByFailure(line) ? `${decision} (failed)` : decision;
  if (changed) return "rewrite";
  return failures ? "failed" : "pass";
}

const MAX_CHARACTERS = 500;

/** Describes a line for humans, with control characters escaped: `deny: git push --force (git/push-force)`. */
export function describeLine(line: LogLine): string {
  const by = line.rule ?? line.hook;
  const text = `${describeDecision(line)}: ${describeRequest(line)}${by === undefined ? "" : ` (${by})`}`;
  return truncateLine(text, MAX_CHARACTERS);
}
