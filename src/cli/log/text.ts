import type { LogLine } from "../../call/log/log-line.ts";
import { describeAsked, describeDecision, formatTime } from "../../operate/log/describe.ts";
import { formatCount, truncateLine } from "../../operate/text.ts";
import { formatPath, padText } from "../terminal/layout.ts";
import type { Paint, TerminalOutput } from "../terminal/terminal.ts";

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
    : `${formatCount(count, "line was", "lines were")} skipped: truncated, of another version, or not of this log`;
