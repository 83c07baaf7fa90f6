import { expect, test } from "bun:test";
import type { BuildTarget } from "../../src/cli/build/image.ts";
import { checkTarget, prepareMachine } from "./platform.ts";

/** The cheap targets, with what takes seconds on them: `npm run platforms` runs all on all. */
const CHEAP: readonly (readonly [target: BuildTarget, checks: readonly string[]])[] = [
  ["bun-linux-x64-baseline", ["serve"]],
  ["bun-linux-x64-musl", ["serve", "rubbish"]],
];

for (const [target, checks] of CHEAP) {
  const obstacle = await prepareMachine(target).then(
    (machine) => machine.end?.(),
    (error: Error) => error.message,
  );
  const name = `the executable for ${target.slice(4)} answers as that for Linux x64 does`;
  test.skipIf(obstacle !== undefined)(obstacle === undefined ? name : `${name} (not run: ${obstacle})`, async () => {
    const result = await checkTarget(target, checks);
    for (const [check, one] of Object.entries(result.checks)) {
      if ("skipped" in one) console.warn(`skipped: ${target.slice(4)}, ${check}: ${one.skipped}`);
      else expect([check, one.differences]).toEqual([check, []]);
    }
  });
}
