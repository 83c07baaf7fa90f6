import type { Policy } from "../../operate/policy/identity.ts";
import type { TerminalOutput } from "../terminal/terminal.ts";
import type { ReplayRow, ReplayTotals } from "./report.ts";
import type { PayloadSource } from "./source.ts";
import {
  formatChange,
  formatError,
  formatHead,
  measureLocations,
  formatRow,
  formatTableHead,
  formatTotals,
} from "./text.ts";

/** Data that is available before the first row. */
interface ReplayHeader {
  policy: Policy;
  from: string;
  names: readonly string[];
  against?: string;
  sources: readonly PayloadSource[];
}

/** Writes rows as they arrive, because all of them together might not fit in memory. */
interface ReplayWriter {
  row: (row: ReplayRow) => void;
  end: (totals: ReplayTotals) => void;
}

/** Whether to show a row. A comparison shows only errors and changed rows. */
const shouldShow = ({ error, changed }: ReplayRow) =>
  error !== undefined || changed === undefined || changed.length > 0;

export function createTextWriter(
  { from, names, against, sources }: ReplayHeader,
  output: TerminalOutput,
): ReplayWriter {
  const positionWidth = measureLocations(sources);
  output.say(formatHead(from, names, against, output));
  if (against === undefined) output.say(formatTableHead(positionWidth, output));
  return {
    row(row) {
      if (!shouldShow(row)) return;
      if (row.error !== undefined) output.say(formatError(row, output));
      else output.say(row.changed === undefined ? formatRow(row, positionWidth, output) : formatChange(row, output));
    },
    end: (totals) => output.say(`${against === undefined ? "\n" : ""}${formatTotals(totals, output)}`),
  };
}

/** Writes a single JSON document incrementally. */
export function createJsonWriter(
  { policy, from, names, against }: ReplayHeader,
  { write }: TerminalOutput,
): ReplayWriter {
  write(
    `{"policy":${JSON.stringify(policy)},"hooks":${JSON.stringify({ from, names })},${against === undefined ? "" : `"against":${JSON.stringify(against)},`}"rows":[\n`,
  );
  let rows = 0;
  return {
    // End each row with a newline, so that a streaming reader doesn't have to wait for the next row.
    row(row) {
      if (shouldShow(row)) write(`${rows++ === 0 ? "" : ","}${JSON.stringify(row)}\n`);
    },
    end: (totals) => write(`],"totals":${JSON.stringify(totals)}}\n`),
  };
}
