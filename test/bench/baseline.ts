import { readFileSync } from "node:fs";
import { join } from "node:path";

export const BASELINE_FILE = join(import.meta.dir, "baseline.json");

/** Each row's ratio. Unlike milliseconds, ratios carry over to other machines. */
export interface Baseline {
  ratios: Record<string, number>;
}

/** A row that is worse than the baseline in every run. */
export interface Regression {
  row: string;
  baseline: number;
  /** Ratio of the row in each run. */
  measured: number[];
}

/** How far a row may exceed the baseline, as a fraction. */
export const TOLERANCE = 0.1;

export const readBaseline = (): Baseline => JSON.parse(readFileSync(BASELINE_FILE, "utf8")) as Baseline;

const isWorse = (ratio: number, baseline: number) => ratio > baseline * (1 + TOLERANCE);

/** Finds the rows in one run that are worse than the baseline and so need to be measured again. */
export const findWorseRows = (ratios: Readonly<Record<string, number>>, { ratios: before }: Baseline): string[] =>
  Object.entries(ratios).flatMap(([row, ratio]) =>
    before[row] !== undefined && isWorse(ratio, before[row]) ? [row] : [],
  );

/**
 * Finds the rows that are worse than the baseline in every run. If a row is missing from a run, it wasn't worse in the
 * run before.
 */
export function findRegressions(runs: readonly Readonly<Record<string, number>>[], baseline: Baseline): Regression[] {
  const [first = {}, ...others] = runs;
  return findWorseRows(first, baseline)
    .filter((row) => others.every((ratios) => findWorseRows(ratios, baseline).includes(row)))
    .map((row) => ({
      row,
      baseline: baseline.ratios[row] as number,
      measured: runs.map((ratios) => ratios[row] as number),
    }));
}

/**
 * Finds rows that only the run or only the baseline contains. After adding or renaming a row, write the baseline again.
 */
export const findUnknownRows = (ratios: Readonly<Record<string, number>>, { ratios: before }: Baseline): string[] =>
  Object.keys(ratios).filter((row) => before[row] === undefined);

export const formatBaseline = (ratios: Readonly<Record<string, number>>): string =>
  `${JSON.stringify({ ratios: Object.fromEntries(Object.entries(ratios).map(([row, ratio]) => [row, Number(ratio.toFixed(3))])) }, undefined, 2)}\n`;
