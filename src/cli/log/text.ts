import type { LogLine } from "../../call/log/log-line.ts";
import { formatPath, padText, truncateLine } from "../terminal/layout.ts";
import type { Paint, TerminalOutput } from "../terminal/terminal.ts";

const two = (value: number) => String(value).padStart(2, "0");

/** `2026-11-24 03:36:43`, in the time zone of this machine. */
export function formatTime(time: string): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** What was judged, or else what was asked, in one line. */
export function describeAsked({ subject, asked, change }: LogLine): string {
  if (change)
    return [change.exception, change.until && `until ${change.until}`, change.reason].filter(Boolean).join("  ");
  const { command, file_path, prompt } = (asked ?? {}) as Record<string, unknown>;
  const text = subject ?? [command, file_path, prompt].find((one) => typeof one === "string");
  return typeof text === "string" ? text : asked === undefined ? "" : JSON.stringify(asked);
}

/** What the host was told: a decision that it could not be told, or that the mode withheld, is said. */
export function describeDecision(line: LogLine): string {
  const { decision, wanted, changed, would_change, failures, mode, exceptions, change } = line;
  if (change) return change.command;
  if (exceptions && decision === "none") return "allowed";
  if (mode !== "enforce" && (wanted !== undefined || would_change)) return `would ${wanted ?? "rewrite"}`;
  if (decision === "none" && wanted !== undefined) return `${wanted}, not held`;
  if (decision !== "none") return decision;
  if (changed) return "rewrite";
  return failures ? "failed" : "pass";
}

const COLORS = { deny: 31, ask: 33, failed: 33 } as const;
const DECISION_WIDTH = 8;

const paintDecision = (text: string, paint: Paint) => {
  const color = COLORS[text as keyof typeof COLORS];
  const padded = padText(text, DECISION_WIDTH);
  return color === undefined ? padded : paint(color, padded);
};

/** Where less room than this is left for what was judged, it gets a row of its own. */
const MIN_ROOM = 40;

/** A line of the log in one row, or in two on a narrow terminal. All that a model may have chosen has its control characters shown. */
export function formatRow(line: LogLine, { width, paint }: Pick<TerminalOutput, "width" | "paint">): string {
  const { id, time, host = "?", event = line.native_event ?? "?", tool, hook, rule, project } = line;
  const call = line.change ? "a person" : truncateLine([host, event, tool].filter(Boolean).join(" "), 60);
  const by = truncateLine(rule ?? hook ?? line.failures?.[0]?.failure ?? "", 60);
  const rest = [by, describeAsked(line), project === undefined ? "" : `(${formatPath(project)})`].filter(Boolean);
  const head = `${truncateLine(id, 12)}  ${formatTime(time)}  ${call}  `;
  const decision = describeDecision(line);
  const room = width - head.length - DECISION_WIDTH - 2;
  const [gap, most] = room < MIN_ROOM ? ["\n          ", width - 10] : ["  ", room];
  return `${head}${paintDecision(decision, paint)}${gap}${truncateLine(rest.join("  "), most)}\n`;
}

export const formatSkipped = (count: number): string | undefined =>
  count === 0
    ? undefined
    : `${count === 1 ? "1 line was" : `${count} lines were`} skipped: truncated, of another version, or not of this log`;
