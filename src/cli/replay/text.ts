import { formatHooksLine } from "../find-hooks.ts";
import { escapeInvisible, formatCount, formatNumber, truncateLine } from "../../operate/text.ts";
import { wrapText, labelLines, padText, splitLine } from "../terminal/layout.ts";
import type { TerminalOutput } from "../terminal/terminal.ts";
import { colorWord, formatFailure, summarizeDecision } from "../try/text.ts";
import type { AnswerReport, ReplayRow, ReplayTotals } from "./report.ts";
import { formatFullPlace, formatPlace, type PayloadSource } from "./source.ts";

type TextLayout = Pick<TerminalOutput, "width" | "paint">;

/** Column widths of the table; a longer place is cut at the start, since its end matters. */
const HOST_WIDTH = 9;
const KIND_WIDTH = 21;
const DECISION_WIDTH = 8;
const MS_WIDTH = 6;
const MAX_PLACE_WIDTH = 15;

/** Measures the column of places: the files' names, with room for a line number. */
export function measurePlaces(sources: readonly PayloadSource[]): number {
  const longest = Math.max(
    0,
    ...sources.map(({ file }) => formatPlace({ file }).length + (file.endsWith(".json") ? 2 : 5)),
  );
  return Math.min(MAX_PLACE_WIDTH, longest) + 1;
}

export function formatHead(
  from: string,
  names: readonly string[],
  against: string | undefined,
  { width }: TextLayout,
): string {
  const lines = labelLines("hooks:   ", wrapText(escapeInvisible(formatHooksLine(from, names)), width - 9), 9);
  const other = against === undefined ? [] : labelLines("against: ", wrapText(escapeInvisible(against), width - 9), 9);
  return `${[...lines, ...other].join("\n")}\n\n`;
}

export const formatTableHead = (positionWidth: number): string =>
  `${padText("from", positionWidth)}${padText("host", HOST_WIDTH)}${padText("event, tool", KIND_WIDTH)}${padText("decision", DECISION_WIDTH + 1)}${"ms".padStart(MS_WIDTH - 1)}  about\n${"-".repeat(positionWidth + HOST_WIDTH + KIND_WIDTH + DECISION_WIDTH + MS_WIDTH + 7)}\n`;

/** Keeps the end of a place, since it has the line number. */
const truncateStart = (position: string, width: number) =>
  position.length <= width ? position : `…${position.slice(position.length - width + 1)}`;

const formatKind = ({ event = "Native", tool }: ReplayRow) => (tool === undefined ? event : `${event} ${tool}`);

/** Formats a payload as a row of the table. */
export function formatRow(row: ReplayRow, positionWidth: number, { width, paint }: TextLayout): string {
  const { host = "", answer, ms = 0, subject = "", failures = [] } = row;
  const summary = answer ? summarizeDecision(answer) : "none";
  const word = summary === "none" && failures.length > 0 ? "failed" : summary;
  const columns = [
    padText(truncateStart(escapeInvisible(formatPlace(row)), positionWidth - 1), positionWidth),
    padText(host, HOST_WIDTH),
    padText(truncateLine(formatKind(row), KIND_WIDTH - 1), KIND_WIDTH),
    colorWord(word, paint, DECISION_WIDTH),
    ms.toFixed(2).padStart(MS_WIDTH),
    "  ",
  ];
  const remaining = width - (positionWidth + HOST_WIDTH + KIND_WIDTH + DECISION_WIDTH + MS_WIDTH + 2);
  const failed = failures.flatMap(({ hook, failure, at }) =>
    labelLines("", wrapText(escapeInvisible(`${hook} failed: ${formatFailure(failure, at)}`), width - 2), 2),
  );
  return `${[`${columns.join("")}${truncateLine(subject, remaining)}`.trimEnd(), ...failed].join("\n")}\n`;
}

/** Formats what changes at a payload. */
export function formatChange(row: ReplayRow, { width, paint }: TextLayout): string {
  const { before, answer, changed = [] } = row as Required<Pick<ReplayRow, "before" | "answer">> & ReplayRow;
  const title = `${formatFullPlace(row)}  ${row.host} ${formatKind(row)}  `;
  const formatAnswerField = (found: AnswerReport, field: (typeof changed)[number]) => {
    if (field === "decision") return colorWord(found.decision, paint);
    return String(found[field] ?? "killed");
  };
  const lines = changed.flatMap((field) => {
    if (field === "decision" || field === "exit_code")
      return [
        `  ${padText(field === "exit_code" ? "exit" : field, 10)}${formatAnswerField(before, field)} → ${formatAnswerField(answer, field)}`,
      ];
    const text = (mark: string, found: AnswerReport) => {
      const given = field === "append" ? (found.append?.text ?? "") : found[field];
      return labelLines(`  ${mark}`, formatTextLines(given, width - 12), 12);
    };
    return [...text(`${field}  -`, before), ...text("        +", answer)];
  });
  const why =
    before.problem === undefined
      ? []
      : labelLines("  before", wrapText(escapeInvisible(before.problem), width - 12), 12);
  return `${[paint(1, truncateLine(`${title}${row.subject ?? ""}`, width)), ...lines, ...why].join("\n")}\n\n`;
}

const formatTextLines = (text: string, width: number): string[] =>
  text === ""
    ? ["(nothing)"]
    : escapeInvisible(text.replace(/\n$/, ""))
        .split("\n")
        .flatMap((line) => splitLine(line, width));

/** Formats a line or file that is not a payload. */
export function formatError(row: ReplayRow, { width }: TextLayout): string {
  const [first = "", ...more] = wrapText(escapeInvisible(`${formatFullPlace(row)}: ${row.error}`), width - 2);
  return `${[first, ...more.map((line) => `  ${line}`)].join("\n")}\n`;
}

export function formatTotals(
  { payloads, unread, failed, decisions, changed, changes = {}, ms }: ReplayTotals,
  { width, paint }: TextLayout,
): string {
  const each = Object.entries(decisions).filter(([, number]) => number > 0);
  const parts = [
    `${formatCount(payloads, "payload")}: ${each.map(([decision, number]) => `${formatNumber(number)} ${decision}`).join(", ") || "nothing was answered"}`,
    ...(failed > 0 ? [`at ${formatNumber(failed)} a hook failed`] : []),
    ...(unread > 0
      ? [
          `${payloads > 0 ? formatCount(unread, "other line or file", "other lines or files") : formatCount(unread, "line or file", "lines or files")} could not be read as a payload`,
        ]
      : []),
    ...(payloads > 0 && changed === undefined
      ? [`${ms.mean.toFixed(2)} ms each, ${ms.most.toFixed(2)} ms at most`]
      : []),
  ];
  const became = Object.entries(changes).map(([change, number]) => `${formatNumber(number)} ${change}`);
  const verdict =
    changed === undefined
      ? []
      : wrapText(
          changed === 0
            ? "Nothing changes."
            : `${formatCount(changed, "payload")} would be answered differently${became.length > 0 ? `: ${became.join(", ")}` : ""}.`,
          width,
        ).map((line) => paint(changed === 0 ? 32 : 33, line));
  return `${[...wrapText(parts.join("; "), width), ...verdict].join("\n")}\n`;
}
