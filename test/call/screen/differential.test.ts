import { expect, test } from "bun:test";
import { compareWays } from "./differential.ts";
import { scaleCases, seed } from "../../support/fuzz.ts";

const CALLS = scaleCases(100_000);

test(`of ${CALLS} generated calls, those that the quick path answers get a neutral answer from the full path`, async () => {
  const { calls, taken, wrong } = await compareWays(CALLS, seed);
  expect([calls, wrong]).toEqual([CALLS, []]);
  // A quick path that never answers would pass as well.
  expect(taken).toBeGreaterThan(CALLS / 10);
});
