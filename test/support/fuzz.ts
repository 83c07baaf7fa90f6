import { appendFileSync } from "node:fs";
import { randomInt } from "node:crypto";

/**
 * How much of the generated cases and of the long tables runs. `npm test` runs the same short slice each time;
 * `npm run attack` runs everything, with a seed of its own.
 */

/** `npm run attack` sets both: the seed, which repeats a run, and the factor for the number of generated cases. */
export const SEED_VARIABLE = "ATTACK_SEED";
export const CASES_VARIABLE = "ATTACK_CASES";
/** The file to which tests add what they left out, for the runner's last lines. */
export const LEFT_OUT_VARIABLE = "BRIDGE_TEST_LEFT_OUT";

/** The seed of `npm test`: any number would do, as long as it stays the same. */
const SUITE_SEED = 20_261_127;
const SUITE_FACTOR = 0.2;
export const ATTACK_FACTOR = 5;

const isLong = process.env[CASES_VARIABLE] !== undefined;
const factor = Number(process.env[CASES_VARIABLE] ?? SUITE_FACTOR);

/** The seed of all generated cases of this run. */
export const seed = Number(process.env[SEED_VARIABLE] ?? SUITE_SEED);
export const createSeed = (): number => randomInt(2 ** 31);

/** The number of generated cases, from that of a run with the factor 1. */
export function scaleCases(plain: number): number {
  const count = Math.max(1, Math.round(plain * factor));
  if (!isLong) noteLeftOut(plain * ATTACK_FACTOR - count);
  return count;
}

/** The parameters of a fast-check property, from the number of cases of a run with the factor 1. */
export const fuzz = (plain: number): { seed: number; numRuns: number } => ({ seed, numRuns: scaleCases(plain) });

/**
 * The rows of a table that run: the first one of each class in `npm test`, all of them in `npm run attack`.
 *
 * @param classOf Rows of the same class go through the same code, so that one of them stands for all.
 */
export function pickRepresentatives<T>(table: readonly T[], classOf: (row: T) => string): readonly T[] {
  if (isLong) return table;
  const picked = [...Map.groupBy(table, classOf).values()].map(([first]) => first as T);
  noteLeftOut(table.length - picked.length);
  return picked;
}

/** Counts cases that only `npm run attack` runs. */
export function noteLeftOut(count: number): void {
  const file = process.env[LEFT_OUT_VARIABLE];
  if (file && count > 0) appendFileSync(file, `${count}\n`);
}

/** Counts generated cases, and prints how to repeat them. */
export interface Tally {
  count: () => void;
  print: () => void;
}

export function createTally(file: string): Tally {
  let counted = 0;
  // Printed at the start, too, so that a case that hangs can be repeated.
  console.log(`${file}: seed ${seed}`);
  return {
    count: () => void counted++,
    print: () => {
      console.log(`${file}: ${counted} cases, seed ${seed} (${SEED_VARIABLE}=${seed} repeats it)`);
    },
  };
}
