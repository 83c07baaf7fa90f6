import { randomInt } from "node:crypto";

/** `ATTACK_SEED=<number>` repeats a run, `ATTACK_CASES=<factor>` makes it longer or shorter. */
const SEED = "ATTACK_SEED";
const FACTOR = "ATTACK_CASES";

/** The seed of this run, and the number of its cases. */
export interface Tally {
  seed: number;
  /** Scales the number of cases of a default run. */
  cases: (plain: number) => number;
  count: () => void;
  /** Prints the number of cases. */
  print: () => void;
}

export function createTally(file: string, seed = Number(process.env[SEED] ?? randomInt(2 ** 31))): Tally {
  const factor = Number(process.env[FACTOR] ?? 1);
  const started = performance.now();
  let counted = 0;
  // Printed at the start, too, so that a case that hangs can be repeated.
  console.log(`${file}: seed ${seed}`);
  return {
    seed,
    cases: (plain) => Math.max(1, Math.round(plain * factor)),
    count: () => void counted++,
    print: () => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${file}: ${counted} cases, ${seconds} s, seed ${seed} (${SEED}=${seed} repeats it)`);
    },
  };
}
