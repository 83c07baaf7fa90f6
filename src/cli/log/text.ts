import type { LogLine } from "../../call/log/log-line.ts";
import { describeRequest, describeDecision, formatTime, nameCaller } from "../../operate/log/describe.ts";
import { escapeLine, formatCount } from "../../operate/text.ts";
import { type Column, truncateToLine, formatPath, formatTable, type PageLayout } from "../terminal/layout.ts";
import type { PaintText } from "../terminal/colors.ts";

const DECISION_COLORS = { deny: 31, ask: 35, failed: 35 } as const;

const colorDecision = (text: string, paint: PaintText) => {
  const [name] = text.split(" (");
  const color = DECISION_COLORS[name as keyof typeof DECISION_COLORS];
  return color === undefined ? text : paint(color, text);
};

/** Columns for log lines that are printed as they arrive. */
const FOLLOWED_COLUMNS: readonly Column[] = [
  { width: 8 },
  { width: 19 },
  { width: 12 },
  { width: 20, fit: "cut" },
  { width: 8 },
];

/** Columns for a complete list of log lines. */
const LISTED_COLUMNS: readonly Column[] = [{}, {}, {}, { fit: "cut" }, {}, { fit: "cut", minWidth: 40 }];

/**
 * Formats each log line as one row, or as two rows on a narrow terminal. Control characters in model-supplied text are
 * made visible.
 * @param isFollowed whether more lines will follow, which requires fixed columns
 */
export function formatLines(
  lines: readonly LogLine[],
  { width, paint, isFollowed = false }: PageLayout & { isFollowed?: boolean },
): string {
  const rows = lines.map((line) => {
    const { id, time, event = line.native_event, tool, hook, rule, project } = line;
    const by = rule ?? hook ?? line.failures?.[0]?.failure;
    const details = [by, describeRequest(line), project === undefined ? "" : `(${formatPath(project)})`].filter(
      Boolean,
    );
    return [
      ...[id, formatTime(time), nameCaller(line), [event, tool].filter(Boolean).join(" ")].map((text) =>
        truncateToLine(text, MAX_CELL_WIDTH),
      ),
      colorDecision(describeDecision(line), paint),
      escapeLine(details.join("  ")),
    ];
  });
  return formatTable(rows, { width, columns: isFollowed ? FOLLOWED_COLUMNS : LISTED_COLUMNS })
    .map((line) => `${line}\n`)
    .join("");
}

/** The maximum width of a cell whose text a model may have chosen. */
const MAX_CELL_WIDTH = 40;

export const formatSkipped = (count: number): string | undefined =>
  count === 0
    ? undefined
    : `${formatCount(count, "line was", "lines were")} skipped because they are truncated, from another version or not log lines`;
