import type { Regression } from "./baseline.ts";
import { type Goal, MEGABYTE } from "./calls.ts";
import type { PeerResult } from "./peers.ts";
import type { ResidentResult } from "./resident.ts";
import type { CallResult } from "./result.ts";
import type { Quartiles } from "./statistics.ts";

export const formatRatio = (ratio: number | undefined) => (ratio === undefined ? "-" : ratio.toFixed(2));
const formatSpread = ({ q1, q3 }: Quartiles, digits = 2) => `${q1.toFixed(digits)}–${q3.toFixed(digits)}`;
export const formatMemory = (bytes: number) => (Number.isNaN(bytes) ? "-" : (bytes / MEGABYTE).toFixed(0));
/** Footnote for goals marked with a star. */
export const GOAL_NOTE = "* of the JSON floor: whoever looks at a payload has to parse it";

const formatSize = (bytes: number) => (bytes / 1024).toFixed(1);

function formatGoal(goal: Goal | undefined): string {
  if (!goal) return "-";
  if ("beyondMs" in goal) return goal.beyondMs.toFixed(0);
  return `${goal.ratio.toFixed(2)}${goal.floor === "JSON" ? "*" : ""}`;
}

/** A table with its headers in the first row. */
type Table = readonly (readonly string[])[];

export const buildCallTable = (results: readonly CallResult[]): Table => [
  ["call", "ms", "node:fs", "quartiles", "goal", "Bun", "FFI", "JSON", "MB/floor"],
  ...results.map(({ title, ms, ratios, goal, memory, floorMemory }) => [
    title,
    ms.toFixed(2),
    formatRatio(ratios["node:fs"]?.median),
    ratios["node:fs"] ? formatSpread(ratios["node:fs"]) : "-",
    formatGoal(goal),
    formatRatio(ratios.Bun?.median),
    formatRatio(ratios.FFI?.median),
    formatRatio(ratios.JSON?.median),
    `${formatMemory(memory)}/${formatMemory(floorMemory)}`,
  ]),
];

export const buildLineTable = (results: readonly CallResult[]): Table => [
  ["line", "kB", "ms", "node:fs", "ms beyond", "quartiles", "goal", "MB"],
  ...results.map(({ title, bytes, ms, ratios, beyondMs, goal, memory }) => [
    title,
    formatSize(bytes),
    ms.toFixed(2),
    formatRatio(ratios["node:fs"]?.median),
    beyondMs.median.toFixed(1),
    formatSpread(beyondMs, 1),
    formatGoal(goal),
    formatMemory(memory),
  ]),
];

export const buildResidentTable = (results: readonly ResidentResult[]): Table => [
  ["call to serve", "in flight", "ms", "goal", "echo ms", "ratio", "quartiles", "MB"],
  ...results.map(({ title, inFlight, ms, goalMs, echoMs, ratio, memory }) => [
    title,
    String(inFlight),
    ms.toFixed(3),
    goalMs.toFixed(2),
    echoMs.toFixed(3),
    formatRatio(ratio.median),
    formatSpread(ratio),
    formatMemory(memory),
  ]),
];

export const buildPeerTable = (results: readonly PeerResult[]): Table => [
  ["program", "passes: ms", "ratio", "quartiles", "denies: ms", "ratio", "quartiles"],
  ...results.flatMap(({ name, passed, denied }) =>
    passed && denied
      ? [
          [
            name,
            ...[passed, denied].flatMap(({ ms, ratio }) => [
              ms.toFixed(2),
              formatRatio(ratio.median),
              formatSpread(ratio),
            ]),
          ],
        ]
      : [],
  ),
];

/** Formats a table for a terminal. */
export function formatTable(table: Table): string {
  const widths = (table[0] ?? []).map((_, at) => Math.max(...table.map((row) => [...(row[at] ?? "")].length)));
  return table
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Formats a table for a documentation page. */
export function formatMarkdown(table: Table): string {
  const [heads = [], ...rows] = table;
  const formatRow = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    formatRow(heads),
    `|${heads.map((_, at) => (at === 0 ? " --- |" : " ---: |")).join("")}`,
    ...rows.map(formatRow),
  ].join("\n");
}

export const formatRegression = ({ row, baseline, measured }: Regression): string =>
  `${row}: ${measured.map((ratio) => ratio.toFixed(2)).join(", ")}; in the baseline ${baseline.toFixed(2)}`;
