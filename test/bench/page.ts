import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../support/fixtures.ts";
import { type BarSection, drawPicture } from "./picture.ts";
import * as report from "./report.ts";
import type { BenchResult } from "./result.ts";

const PAGE = join(ROOT, "docs/contributing/performance.md");
const PICTURE = join(ROOT, "docs/images/performance.svg");

/** Writes the figures of a run into the documentation: the tables that it has, and the picture if it has all of it. */
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

/** The table of some rows; nothing where none was measured. */
const formatRows = <Row>(
  rows: readonly Row[],
  build: (rows: readonly Row[]) => Parameters<typeof report.formatMarkdown>[0],
) => (rows.length === 0 ? "" : report.formatMarkdown(build(rows)));

function formatParts({ machine, rounds, calls, resident, peers }: BenchResult): Record<string, string> {
  const groupOf = (name: string) => calls.filter(({ group }) => group === name);
  const skipped = peers.flatMap(({ name, skipped }) =>
    skipped === undefined ? [] : [`Skipped: ${name}: ${skipped}.`],
  );
  return {
    machine: `Measured on ${machine.platform} ${machine.arch} with ${machine.cpus} processors (${machine.processor}), Bun ${machine.runtime}, ${rounds} rounds, load ${machine.load.toFixed(1)}.`,
    calls: formatRows(groupOf("calls"), report.buildCallTable),
    lines: formatRows(groupOf("lines"), report.buildLineTable),
    serve: formatRows(resident, report.buildResidentTable),
    growth: formatRows(groupOf("growth"), report.buildCallTable),
    peers: [formatRows(peers, report.buildPeerTable), ...skipped].join("\n\n"),
  };
}

/** Draws the calls, and the peers where they were measured. */
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
