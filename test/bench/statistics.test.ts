import { expect, test } from "bun:test";
import { computeMedian, computePairDifferences, computePairRatios, computeQuartiles } from "./statistics.ts";

test("quartiles are interpolated", () => {
  expect(computeQuartiles([4, 1, 3, 2])).toEqual({ q1: 1.75, median: 2.5, q3: 3.25 });
  expect(computeQuartiles([7])).toEqual({ q1: 7, median: 7, q3: 7 });
  expect(computeMedian([3, 1, 2])).toBe(2);
  expect(computeMedian([])).toBeNaN();
});

test("samples of the same round are compared, so a temporary slowdown has no effect", () => {
  const floor = [5, 50, 5];
  expect(computePairRatios([10, 100, 10], floor)).toEqual({ q1: 2, median: 2, q3: 2 });
  expect(computePairDifferences([6, 51, 6], floor)).toEqual({ q1: 1, median: 1, q3: 1 });
});
