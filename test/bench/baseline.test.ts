import { expect, test } from "bun:test";
import { findRegressions, findUnknownRows, findWorseRows, formatBaseline } from "./baseline.ts";

const BASELINE = { ratios: { plain: 1, parsed: 3 } };

test("a row more than 10% above its baseline is worse, and a row without a baseline is unknown", () => {
  expect(findWorseRows({ plain: 1.09, parsed: 3.2 }, BASELINE)).toEqual([]);
  expect(findWorseRows({ plain: 1.11, parsed: 3.2, fresh: 9 }, BASELINE)).toEqual(["plain"]);
  expect(findUnknownRows({ plain: 1, fresh: 9 }, BASELINE)).toEqual(["fresh"]);
});

test("only a row that is worse in every run is reported as a regression", () => {
  const measured = [
    { plain: 1.2, parsed: 4 },
    { plain: 1.3, parsed: 4 },
    { plain: 1.01, parsed: 3.5 },
  ];
  expect(findRegressions(measured, BASELINE)).toEqual([{ row: "parsed", baseline: 3, measured: [4, 4, 3.5] }]);
  // If a row isn't worse than the baseline in some run, later runs skip it.
  expect(findRegressions([{ plain: 1.2, parsed: 4 }, { parsed: 4 }, {}], BASELINE)).toEqual([]);
  expect(findRegressions([], BASELINE)).toEqual([]);
});

test("the baseline file has ratios with three decimal places", () =>
  expect(formatBaseline({ plain: 1.23456 })).toBe('{\n  "ratios": {\n    "plain": 1.235\n  }\n}\n'));
