import { join } from "node:path";
import { hasOptimization, DISABLED_VARIABLE, type Optimization } from "../../src/cli/build/optimizations.ts";
import type { Command } from "./measure.ts";
import { buildProgram } from "./programs.ts";
import { formatTable } from "./report.ts";
import { computeMedian, computePairRatios } from "./statistics.ts";

/** A call for comparing the executables. */
export interface PairedCall {
  title: string;
  payload: string;
}

interface PairsOptions {
  /** Directory in which the executables are built. */
  folder: string;
  calls: readonly PairedCall[];
  pairs: number;
  createCommand: (file: string) => Command;
}

const WARM_UP_PAIRS = 10;

/** Returns the wall time and CPU time of one run, in milliseconds. */
function runOnce({ words, env, cwd }: Command, stdin: Buffer): { wall: number; cpu: number } {
  const started = performance.now();
  const child = Bun.spawnSync([...words], { stdin, stdout: "ignore", stderr: "ignore", env: { ...env }, cwd });
  const wall = performance.now() - started;
  if (child.exitCode !== 0 && child.exitCode !== 2) throw new Error(`${words[0]} exited with code ${child.exitCode}`);
  return { wall, cpu: Number(child.resourceUsage.cpuTime.total) / 1000 };
}

/** Runs two commands alternately, swapping their order in every other pair. */
function measurePairs(commands: readonly [Command, Command], stdin: Buffer, pairs: number) {
  const runs = [[], []] as [ReturnType<typeof runOnce>[], ReturnType<typeof runOnce>[]];
  for (let pair = -WARM_UP_PAIRS; pair < pairs; pair++) {
    for (const at of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const run = runOnce(commands[at], stdin);
      if (pair >= 0) runs[at].push(run);
    }
  }
  return runs;
}

/**
 * Compares an executable that lacks one optimization with the fully optimized one, and prints what the optimization
 * saves.
 */
export async function measureWithout(
  name: Optimization,
  { folder, calls, pairs, createCommand }: PairsOptions,
): Promise<void> {
  const all = createCommand(await buildProgram("product", join(folder, "all")));
  process.env[DISABLED_VARIABLE] = name;
  hasOptimization(name);
  const without = createCommand(await buildProgram("product", join(folder, "without")));
  const rows = calls.map(({ title, payload }) => {
    const [before, after] = measurePairs([all, without], Buffer.from(payload), pairs);
    return [
      title,
      ...(["cpu", "wall"] as const).flatMap((time) => {
        const [one, other] = [before, after].map((runs) => runs.map((run) => run[time])) as [number[], number[]];
        const { q1, median, q3 } = computePairRatios(other, one);
        return [computeMedian(one).toFixed(2), median.toFixed(3), `${q1.toFixed(2)}–${q3.toFixed(2)}`];
      }),
    ];
  });
  console.log(`Without ${name}, relative to the time with it: medians of ${pairs} pairs`);
  console.log(formatTable([["call", "CPU ms", "ratio", "quartiles", "wall ms", "ratio", "quartiles"], ...rows]));
}
