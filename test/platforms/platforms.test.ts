import { expect, test } from "bun:test";
import type { BuildTarget } from "../../src/operate/executable/image.ts";
import type { Machine } from "./machines.ts";
import { checkTarget, prepareMachine } from "./platform.ts";

/**
 * Targets that can be prepared quickly, and checks that take only seconds. `npm run platforms` runs every check on
 * every target.
 */
const CHEAP: readonly (readonly [target: BuildTarget, checks: readonly string[]])[] = [
  ["bun-linux-x64-baseline", ["serve"]],
  ["bun-linux-x64-musl", ["serve", "rubbish"]],
];

for (const [target, checks] of CHEAP) {
  const prepared = await prepareMachine(target).catch((error: Error) => error);
  const obstacle = prepared instanceof Error ? ` (not run: ${prepared.message})` : "";
  test.skipIf(prepared instanceof Error)(
    `an executable for ${target.slice(4)} answers recorded payloads like one for Linux x64${obstacle}`,
    async () => {
      const { checks: results } = await checkTarget(target, checks, undefined, async () => prepared as Machine);
      for (const [check, result] of Object.entries(results)) {
        if ("skipped" in result) console.warn(`skipped: ${target.slice(4)}, ${check}: ${result.skipped}`);
        else expect([check, result.differences]).toEqual([check, []]);
      }
    },
  );
}
