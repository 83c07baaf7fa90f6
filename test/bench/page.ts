import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../support/fixtures.ts";
import { type BarSection, drawPicture } from "./picture.ts";
import * as report from "./report.ts";
import type { BenchResult } from "./result.ts";

const PAGE = join(ROOT, "docs/contributing/performance.md");
const PICTURE = join(ROOT, "docs/images/performance.svg");

/** Writes the figures of a run into the documentation: tables between markers, and the picture. */
export function writePage(result: BenchResult): void {
  let page = readFileSync(PAGE, "utf8");
  for (const [marker, text] of Object.entries(formatParts(result)))
    if (text !== "") page = replacePart(page, marker, text);
  writeFileSync(PAGE, page);
  mkdirSync(dirname(PICTURE), { recursive: true });
  writeFileSync(PICTURE, drawResult(result));
  Bun.spawnSync([process.execPath, "fmt", PAGE], { cwd: ROOT, stdout: "ignore", stderr: "ignore" });
}

function replacePart(page: string, marker: string, text: string): string {
  const [start, end] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${PAGE}: the markers of ${marker} are missing`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}

function formatParts({ machine, rounds, calls, resident, peers }: BenchResult): Record<string, string> {
  const groupOf = (name: string) => calls.filter(({ group }) => group === name);
  const skipped = peers.flatMap(({ name, skipped }) =>
    skipped === undefined ? [] : [`Skipped: ${name}: ${skipped}.`],
  );
  return {
    machine: `Measured on ${machine.platform} ${machine.arch} with ${machine.cpus} processors (${machine.processor}), Bun ${machine.runtime}, ${rounds} rounds, load ${machine.load.toFixed(1)}.`,
    calls: report.formatMarkdown(report.buildCallTable(groupOf("calls"))),
    lines: report.formatMarkdown(report.buildLineTable(groupOf("lines"))),
    serve: report.formatMarkdown(report.buildResidentTable(resident)),
    growth: report.formatMarkdown(report.buildCallTable(groupOf("growth"))),
    peers: peers.length === 0 ? "" : [report.formatMarkdown(report.buildPeerTable(peers)), ...skipped].join("\n\n"),
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
