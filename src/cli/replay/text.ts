import { hosts } from "../../hosts/index.ts";
import { formatHooksLine } from "../find-hooks.ts";
import { escapeInvisible, formatCount, escapeLine, formatNumber } from "../../operate/text.ts";
import {
  wrapText,
  labelLines,
  padText,
  type PageLayout,
  wrapLabeled,
  truncateToLine,
  formatRule,
  formatTable,
  type TableLayout,
} from "../terminal/layout.ts";
import { colorWord, summarizeDecision } from "../try/decision-words.ts";
import { formatFailure } from "../try/text.ts";
import type { AnswerReport, ReplayRow, ReplayTotals } from "./report.ts";
import { formatFullLocation, formatShortLocation, type PayloadSource } from "./source.ts";

/** The widths of the table's columns. */
const HOST_WIDTH = Math.max(...hosts.map(({ id }) => id.length));
const KIND_WIDTH = 20;
const DECISION_WIDTH = 10;
const DURATION_WIDTH = 6;
const MAX_LOCATION_WIDTH = 13;

/** Computes the width of the column with file names and line numbers. */
export function measureLocations(sources: readonly PayloadSource[]): number {
  const longestName = Math.max(
    0,
    ...sources.map(({ file }) => formatShortLocation({ file }).length + (file.endsWith(".json") ? 2 : 5)),
  );
  return Math.min(MAX_LOCATION_WIDTH, longestName);
}

export function formatHead(
  from: string,
  names: readonly string[],
  against: string | undefined,
  { width }: PageLayout,
): string {
  const lines = wrapLabeled("hooks:   ", escapeInvisible(formatHooksLine(from, names)), 9, { width });
  const otherProgram = against === undefined ? [] : wrapLabeled("against: ", escapeInvisible(against), 9, { width });
  return `${[...lines, ...otherProgram].join("\n")}\n\n`;
}

export function formatTableHead(positionWidth: number, { width }: PageLayout): string {
  const lines = formatTable([["from", "host", "event, tool", "decision", "ms", "about"]], {
    ...createRowLayout(positionWidth),
    width,
  });
  return `${[...lines, formatRule(lines)].join("\n")}\n`;
}

/**
 * Defines the columns of a table whose rows are printed one by one. Long locations are cut at the start, because the
 * end contains the line number.
 */
const createRowLayout = (positionWidth: number): Omit<TableLayout, "width"> => ({
  gap: 1,
  columns: [
    { width: positionWidth, fit: "cut-start" },
    { width: HOST_WIDTH },
    { width: KIND_WIDTH, fit: "cut" },
    { width: DECISION_WIDTH },
    { width: DURATION_WIDTH, align: "right" },
    { fit: "cut" },
  ],
});

const formatKind = ({ event = "Native", tool }: ReplayRow) => (tool === undefined ? event : `${event} ${tool}`);

/** Formats a payload as a table row. */
export function formatRow(row: ReplayRow, positionWidth: number, { width, paint }: PageLayout): string {
  const { host = "", answer, ms = 0, subject = "", failures = [] } = row;
  const summary = answer ? summarizeDecision(answer) : "none";
  const withheldDecision = row.warned ? "warn" : row.withheld?.replace(/ \(.*/, "");
  const word = summary === "none" && failures.length > 0 ? "failed" : (withheldDecision ?? summary);
  const cells = [
    ...[formatShortLocation(row), host, formatKind(row)].map(escapeInvisible),
    colorWord(word, paint),
    ms.toFixed(2),
    escapeLine(subject),
  ];
  const failureLines = failures.flatMap(({ hook, failure, at }) =>
    wrapLabeled("", escapeInvisible(`${hook} failed: ${formatFailure(failure, at)}`), 2, { width }),
  );
  return `${[...formatTable([cells], { ...createRowLayout(positionWidth), width }), ...failureLines].join("\n")}\n`;
}

/** Formats the changes in a payload's answer. */
export function formatChange(row: ReplayRow, { width, paint }: PageLayout): string {
  const { before, answer, changed = [] } = row as Required<Pick<ReplayRow, "before" | "answer">> & ReplayRow;
  const title = `${formatFullLocation(row)}  ${row.host} ${formatKind(row)}  `;
  const formatAnswerField = (side: AnswerReport, field: (typeof changed)[number]) => {
    if (field === "decision") return colorWord(side.decision, paint);
    return String(side[field] ?? "killed");
  };
  const lines = changed.flatMap((field) => {
    if (field === "decision" || field === "exit_code")
      return [
        `  ${padText(field === "exit_code" ? "exit" : field, 10)}${formatAnswerField(before, field)} → ${formatAnswerField(answer, field)}`,
      ];
    const text = (mark: string, side: AnswerReport) => {
      const content = field === "append" ? (side.append?.text ?? "") : side[field];
      return labelLines(`  ${mark}`, formatTextLines(content, width - 12), 12);
    };
    return [...text(`${field}  -`, before), ...text("        +", answer)];
  });
  const note =
    before.problem === undefined ? [] : wrapLabeled("  before", escapeInvisible(before.problem), 12, { width });
  return `${[paint(1, truncateToLine(`${title}${row.subject ?? ""}`, width)), ...lines, ...note].join("\n")}\n\n`;
}

const formatTextLines = (text: string, width: number): string[] =>
  text === "" ? ["(nothing)"] : wrapText(escapeInvisible(text.replace(/\n$/, "")), width);

/** Formats a line or file that isn't a payload. */
export function formatError(row: ReplayRow, { width }: PageLayout): string {
  const [first = "", ...more] = wrapText(escapeInvisible(`${formatFullLocation(row)}: ${row.error}`), width - 2);
  return `${[first, ...labelLines("", more, 2)].join("\n")}\n`;
}

export function formatTotals(
  { payloads, unread, failed, withheld, warned, decisions, changed, changes = {}, ms }: ReplayTotals,
  { width, paint }: PageLayout,
): string {
  const prefix = payloads > 0 ? "other " : "";
  const nonZeroCounts = Object.entries(decisions).filter(([, number]) => number > 0);
  const parts = [
    `${formatCount(payloads, "payload")}: ${nonZeroCounts.map(([decision, number]) => `${formatNumber(number)} ${decision}`).join(", ") || "no answers"}`,
    ...(withheld > 0 ? [`${formatNumber(withheld)} would be stopped, changed or warned about if enforced`] : []),
    ...(warned > 0 ? [`${formatNumber(warned)} only warned about`] : []),
    ...(failed > 0 ? [`a hook failed on ${formatNumber(failed)}`] : []),
    ...(unread > 0
      ? [
          formatCount(
            unread,
            `${prefix}line or file could not be read as a payload`,
            `${prefix}lines or files could not be read as payloads`,
          ),
        ]
      : []),
    ...(payloads > 0 && changed === undefined
      ? [`${ms.mean.toFixed(2)} ms each, ${ms.most.toFixed(2)} ms at most`]
      : []),
  ];
  const changeCounts = Object.entries(changes).map(([change, number]) => `${formatNumber(number)} ${change}`);
  const verdict =
    changed === undefined
      ? []
      : wrapText(
          changed === 0
            ? "Nothing changes."
            : `${formatCount(changed, "payload")} would be answered differently${changeCounts.length > 0 ? `: ${changeCounts.join(", ")}` : ""}.`,
          width,
        ).map((line) => paint(changed === 0 ? 32 : 35, line));
  return `${[...wrapText(parts.join("; "), width), ...verdict].join("\n")}\n`;
}
