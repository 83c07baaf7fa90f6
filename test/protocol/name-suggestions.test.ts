import { describe, expect, test } from "bun:test";
import { findMisspelledName, findNearestName } from "../../src/protocol/name-suggestions.ts";

describe("a suggestion for a typo", () => {
  const CASES: [given: string, names: readonly string[], expected: string | undefined][] = [
    ["tyr", ["try", "test"], "try"],
    ["gti", ["cloud", "git"], "git"],
    ["--hepl", ["--help", "--host"], "--help"],
    ["puash", ["pause"], "pause"],
    ["push", ["pause"], undefined],
    ["config-change", ["find-change"], undefined],
    ["git/psh", ["git/push", "git/pull"], "git/push"],
    ["conf", ["config", "docs"], "config"],
  ];
  for (const [given, names, expected] of CASES)
    test(`${given} among ${names.join(", ")}`, () => expect(findNearestName(given, names)).toBe(expected));
  test("counts two adjacent characters in the wrong order once", () => {
    expect(findMisspelledName("Edti", ["Edit"])).toBe("Edit");
    expect(findMisspelledName("Etid", ["Edit"])).toBeUndefined();
  });
});
