import { appendFileSync } from "node:fs";
import { randomInt } from "node:crypto";

/**
 * Decides how many generated cases and table rows run. `npm test` always runs the same small selection.
 * `npm run attack` runs everything, with a new seed.
 */

/**
 * `npm run attack` sets the seed, with which a run can be reproduced, and the factor for the number of generated cases.
 */
export const SEED_VARIABLE = "ATTACK_SEED";
export const CASES_VARIABLE = "ATTACK_CASES";
/** File to which tests add how many cases they skipped, for the runner's summary. */
export const LEFT_OUT_VARIABLE = "BRIDGE_TEST_LEFT_OUT";

/** Seed used by `npm test`, an arbitrary constant. */
const SUITE_SEED = 20_261_127;
const SUITE_FACTOR = 0.2;
export const ATTACK_FACTOR = 5;

const isLong = process.env[CASES_VARIABLE] !== undefined;
const factor = Number(process.env[CASES_VARIABLE] ?? SUITE_FACTOR);

/** Seed for all generated cases in this run. */
export const seed = Number(process.env[SEED_VARIABLE] ?? SUITE_SEED);
export const createSeed = (): number => randomInt(2 ** 31);

/** Scales the number of generated cases by this run's factor. */
export function scaleCases(plain: number): number {
  const count = Math.max(1, Math.round(plain * factor));
  if (!isLong) noteLeftOut(plain * ATTACK_FACTOR - count);
  return count;
}

/** Returns the parameters for a fast-check property, with the number of cases scaled by this run's factor. */
export const fuzz = (plain: number): { seed: number; numRuns: number } => ({ seed, numRuns: scaleCases(plain) });

/**
 * Returns the table rows to run: in `npm test`, the first row of each class; in `npm run attack`, all rows.
 *
 * @param classOf returns a row's class. Rows of a class exercise the same code, so one row can represent them all.
 */
export function pickRepresentatives<T>(table: readonly T[], classOf: (row: T) => string): readonly T[] {
  if (isLong) return table;
  const representatives = [...Map.groupBy(table, classOf).values()].map(([first]) => first as T);
  noteLeftOut(table.length - representatives.length);
  return representatives;
}

/** Counts cases that run only in `npm run attack`. */
export function noteLeftOut(count: number): void {
  const file = process.env[LEFT_OUT_VARIABLE];
  if (file && count > 0) appendFileSync(file, `${count}\n`);
}

/** Counts generated cases, and prints how to reproduce them. */
export interface Tally {
  count: () => void;
  print: () => void;
}

export function createTally(file: string): Tally {
  let countedCases = 0;
  // Also printed at the start, so that a case that hangs can be reproduced.
  console.log(`${file}: seed ${seed}`);
  return {
    count: () => void countedCases++,
    print: () => {
      console.log(`${file}: ${countedCases} cases, seed ${seed} (${SEED_VARIABLE}=${seed} repeats it)`);
    },
  };
}
