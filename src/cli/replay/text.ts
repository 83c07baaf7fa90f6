import { hooksLine } from "../hooks.ts";
import { filled, labelled, padded, pieces, shortened, visible } from "../terminal/layout.ts";
import type { Paper } from "../terminal/terminal.ts";
import { painted, placed, wordOf } from "../try/text.ts";
import type { AnswerReport, Row, Totals } from "./report.ts";
import { placeOf, type Source } from "./source.ts";

type Page = Pick<Paper, "width" | "paint">;

/** Columns of the table; a place may be longer, and its end counts. */
const HOST = 9;
const KIND = 21;
const DECISION = 8;
const MS = 6;
const MOST_PLACE = 15;

/** How wide places are: as the files' names, with room for the number of a line. */
export function placeWidth(sources: readonly Source[]): number {
  const longest = Math.max(
    0,
    ...sources.map(({ file }) => placeOf({ file }).length + (file.endsWith(".json") ? 2 : 5)),
  );
  return Math.min(MOST_PLACE, longest) + 1;
}

export function headText(from: string, names: readonly string[], against: string | undefined, { width }: Page): string {
  const lines = labelled("hooks:   ", filled(visible(hooksLine(from, names)), width - 9), 9);
  const other = against === undefined ? [] : labelled("against: ", filled(visible(against), width - 9), 9);
  return `${[...lines, ...other].join("\n")}\n\n`;
}

export const tableHead = (place: number): string =>
  `${padded("from", place)}${padded("host", HOST)}${padded("event, tool", KIND)}${padded("decision", DECISION + 1)}${"ms".padStart(MS - 1)}  about\n${"-".repeat(place + HOST + KIND + DECISION + MS + 7)}\n`;

/** The end of a place: its line counts. */
const ending = (place: string, width: number) =>
  place.length <= width ? place : `…${place.slice(place.length - width + 1)}`;

const kindOf = ({ event = "Native", tool }: Row) => (tool === undefined ? event : `${event} ${tool}`);

/** A payload in the table. */
export function rowText(row: Row, place: number, { width, paint }: Page): string {
  const { host = "", answer, ms = 0, subject = "", failures = [] } = row;
  const said = answer ? wordOf(answer) : "none";
  const word = said === "none" && failures.length > 0 ? "failed" : said;
  const columns = [
    padded(ending(visible(placeOf(row)), place - 1), place),
    padded(host, HOST),
    padded(shortened(kindOf(row), KIND - 1), KIND),
    painted(word, paint, DECISION),
    ms.toFixed(2).padStart(MS),
    "  ",
  ];
  const left = width - (place + HOST + KIND + DECISION + MS + 2);
  const failed = failures.flatMap(({ hook, failure, at }) =>
    labelled("", filled(visible(`${hook} failed: ${placed(failure, at)}`), width - 2), 2),
  );
  return `${[`${columns.join("")}${shortened(subject, left)}`.trimEnd(), ...failed].join("\n")}\n`;
}

/** What changes at a payload. */
export function changeText(row: Row, { width, paint }: Page): string {
  const { before, answer, changed = [] } = row as Required<Pick<Row, "before" | "answer">> & Row;
  const title = `${placeOf(row, true)}  ${row.host} ${kindOf(row)}  `;
  const said = (found: AnswerReport, field: (typeof changed)[number]) => {
    if (field === "decision") return painted(found.decision, paint);
    return String(found[field] ?? "killed");
  };
  const lines = changed.flatMap((field) => {
    if (field === "decision" || field === "exit_code")
      return [`  ${padded(field === "exit_code" ? "exit" : field, 10)}${said(before, field)} → ${said(answer, field)}`];
    const text = (mark: string, found: AnswerReport) => {
      const given = field === "append" ? (found.append?.text ?? "") : found[field];
      return labelled(`  ${mark}`, textLines(given, width - 12), 12);
    };
    return [...text(`${field}  -`, before), ...text("        +", answer)];
  });
  const why = before.problem === undefined ? [] : labelled("  before", filled(visible(before.problem), width - 12), 12);
  return `${[paint(1, shortened(`${title}${row.subject ?? ""}`, width)), ...lines, ...why].join("\n")}\n\n`;
}

const textLines = (text: string, width: number): string[] =>
  text === ""
    ? ["(nothing)"]
    : visible(text.replace(/\n$/, ""))
        .split("\n")
        .flatMap((line) => pieces(line, width));

/** A line or a file that is no payload. */
export function errorText(row: Row, { width }: Page): string {
  const [first = "", ...more] = filled(visible(`${placeOf(row, true)}: ${row.error}`), width - 2);
  return `${[first, ...more.map((line) => `  ${line}`)].join("\n")}\n`;
}

const many = (number: number, one: string, more = `${one}s`) =>
  `${number.toLocaleString("en")} ${number === 1 ? one : more}`;

export function totalsText(
  { payloads, unread, failed, decisions, changed, changes = {}, ms }: Totals,
  { width, paint }: Page,
): string {
  const each = Object.entries(decisions).filter(([, number]) => number > 0);
  const parts = [
    `${many(payloads, "payload")}: ${each.map(([decision, number]) => `${number.toLocaleString("en")} ${decision}`).join(", ") || "nothing was answered"}`,
    ...(failed > 0 ? [`at ${failed.toLocaleString("en")} a hook failed`] : []),
    ...(unread > 0
      ? [
          `${payloads > 0 ? many(unread, "other line or file", "other lines or files") : many(unread, "line or file", "lines or files")} could not be read as a payload`,
        ]
      : []),
    ...(payloads > 0 && changed === undefined
      ? [`${ms.mean.toFixed(2)} ms each, ${ms.most.toFixed(2)} ms at most`]
      : []),
  ];
  const became = Object.entries(changes).map(([change, number]) => `${number.toLocaleString("en")} ${change}`);
  const verdict =
    changed === undefined
      ? []
      : filled(
          changed === 0
            ? "Nothing changes."
            : `${many(changed, "payload")} would be answered otherwise${became.length > 0 ? `: ${became.join(", ")}` : ""}.`,
          width,
        ).map((line) => paint(changed === 0 ? 32 : 33, line));
  return `${[...filled(parts.join("; "), width), ...verdict].join("\n")}\n`;
}
