import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../support/fixtures.ts";
import type { PeerResult } from "./peers.ts";
import { type BarSection, drawPicture } from "./picture.ts";
import * as report from "./report.ts";
import type { BenchResult } from "./result.ts";

const PAGE = join(ROOT, "docs/operate/performance.md");
const PICTURE = join(ROOT, "docs/images/performance.svg");

/** Writes a run's results to the documentation: the measured tables, plus the chart if everything was measured. */
export function writePage(result: BenchResult): void {
  let page = readFileSync(PAGE, "utf8");
  for (const [marker, text] of Object.entries(formatParts(result)))
    if (text !== "") page = replacePart(page, marker, text);
  writeFileSync(PAGE, page);
  if (result.peers.length > 0 && result.calls.some(({ group }) => group === "calls")) {
    mkdirSync(dirname(PICTURE), { recursive: true });
    writeFileSync(PICTURE, drawResult(result));
  }
  Bun.spawnSync([process.execPath, "fmt", PAGE], { cwd: ROOT, stdout: "ignore", stderr: "ignore" });
}

function replacePart(page: string, marker: string, text: string): string {
  const [start, end] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${PAGE}: the markers of ${marker} are missing`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/** Rows shown on the page. The others differ little from one of these. */
const SHOWN_ROWS = [
  "plain",
  "pipeline",
  "read",
  "write",
  "parsed",
  "denial",
  "hooks-200",
  "rules-1000",
  "content-10mb",
  "write-1mb",
];

/** Formats selected rows as a table; empty if none was measured. */
const formatRows = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? "" : report.formatMarkdown([heads, ...rows]);

function formatParts({ machine, rounds, calls, resident, peers }: BenchResult): Record<string, string> {
  const skipped = peers.flatMap(({ name, skipped }) =>
    skipped === undefined ? [] : [`Skipped: ${name}: ${skipped}.`],
  );
  const shown = calls.filter(({ id }) => SHOWN_ROWS.includes(id));
  return {
    machine: `Measured on ${machine.platform} ${machine.arch} with ${machine.cpus} processors (${machine.processor}), Bun ${machine.runtime}, ${rounds} rounds, load ${machine.load.toFixed(1)}.`,
    calls: formatRows(
      ["call", "ms", "ratio", "MB"],
      shown.map(({ title, ms, ratios, memory }) => [
        title,
        ms.toFixed(2),
        report.formatRatio(ratios["node:fs"]?.median),
        report.formatMemory(memory),
      ]),
    ),
    serve: formatRows(
      ["call to serve", "in flight", "ms", "MB"],
      resident.map(({ title, inFlight, ms, memory }) => [
        title,
        `${inFlight}`,
        ms.toFixed(3),
        report.formatMemory(memory),
      ]),
    ),
    peers: [
      formatRows(["program", "passes: ms", "ratio", "denies: ms", "ratio"], peers.flatMap(formatPeer)),
      ...skipped,
    ]
      .filter(Boolean)
      .join("\n\n"),
  };
}

const formatPeer = ({ name, passed, denied }: PeerResult): string[][] =>
  passed && denied
    ? [[name, ...[passed, denied].flatMap(({ ms, ratio }) => [ms.toFixed(2), report.formatRatio(ratio.median)])]]
    : [];

/** Draws a chart of the calls and, if measured, the peers. */
function drawResult({ calls, peers }: BenchResult): string {
  const sections: BarSection[] = [
    {
      title: "Calls",
      bars: calls.flatMap(({ group, title, ratios }) =>
        group === "calls" && ratios["node:fs"] ? [{ label: title, ratio: ratios["node:fs"] }] : [],
      ),
    },
  ];
  const bars = peers.flatMap(({ name, passed }) =>
    passed ? [{ label: name, ratio: passed.ratio, isPeer: !name.startsWith("bridge-hooks") }] : [],
  );
  if (bars.length > 0) sections.push({ title: "The same rule, a line that passes", bars });
  return drawPicture(
    "Time of a call; 1 is an empty executable of the same runtime that reads its input and ends",
    sections,
  );
}
