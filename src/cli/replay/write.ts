import type { Paper } from "../terminal/terminal.ts";
import type { Row, Totals } from "./report.ts";
import type { Source } from "./source.ts";
import { changeText, errorText, headText, placeWidth, rowText, tableHead, totalsText } from "./text.ts";

/** What is known beforehand. */
interface Head {
  from: string;
  names: readonly string[];
  against?: string;
  sources: readonly Source[];
}

/** Writes rows as they come: there may be more of them than fit in memory. */
export interface Writer {
  row: (row: Row) => void;
  end: (totals: Totals) => void;
}

/** Whether a row is shown: with another executable only what it changes. */
const isShown = ({ error, changed }: Row) => error !== undefined || changed === undefined || changed.length > 0;

export function asText({ from, names, against, sources }: Head, paper: Paper): Writer {
  const place = placeWidth(sources);
  paper.write(headText(from, names, against, paper));
  if (against === undefined) paper.write(tableHead(place));
  return {
    row(row) {
      if (!isShown(row)) return;
      if (row.error !== undefined) paper.write(errorText(row, paper));
      else paper.write(row.changed === undefined ? rowText(row, place, paper) : changeText(row, paper));
    },
    end: (totals) => paper.write(`${against === undefined ? "\n" : ""}${totalsText(totals, paper)}`),
  };
}

/** One document, written part by part. */
export function asJson({ from, names, against }: Head, { write }: Paper): Writer {
  write(
    `{"hooks":${JSON.stringify({ from, names })},${against === undefined ? "" : `"against":${JSON.stringify(against)},`}"rows":[`,
  );
  let rows = 0;
  return {
    row(row) {
      if (isShown(row)) write(`${rows++ === 0 ? "\n" : ",\n"}${JSON.stringify(row)}`);
    },
    end: (totals) => write(`\n],"totals":${JSON.stringify(totals)}}\n`),
  };
}
