import { expect, test } from "bun:test";
import fc from "fast-check";
import { escapeAllButStars, wildcardPattern } from "../../src/shell/words/wildcard.ts";
import { fuzz } from "../support/fuzz.ts";

test("a wildcard pattern matches a complete text by *, ?, [...] and escapes", () => {
  const cases: [pattern: string, fits: string[], not: string[]][] = [
    ["a*b", ["ab", "a/b", "a\nb"], ["abc", "b"]],
    ["a*ab", ["aab", "a.ab"], ["ab"]],
    ["*a*a*", ["aa", "xaxax"], ["a"]],
    ["a?b", ["a*b", "a/b"], ["ab", "axxb"]],
    ["*[0-9]?*x", ["1.x", "a12x"], ["1x"]],
    ["[]a]", ["]", "a"], ["[", "[]a]"]],
    ["[!a-c]*", ["d", "]x"], ["a", ""]],
    ["[]", ["[]"], [""]],
    ["\\*\\?", ["*?"], ["ab"]],
    ["", [""], ["a"]],
  ];
  for (const [pattern, fits, not] of cases) {
    const test = wildcardPattern(pattern);
    expect([pattern, fits.filter((text) => !test(text)), not.filter(test)]).toEqual([pattern, [], []]);
  }
});

test("a wildcard matches what the equivalent regular expression matches", () => {
  const letters = (pool: string) => fc.string({ unit: fc.constantFrom(...pool), maxLength: 10 });
  const escaped = (pattern: string) =>
    pattern.replace(/\*|\?|[^]/g, (letter) =>
      letter === "*" ? "[^]*" : letter === "?" ? "[^]" : RegExp.escape(letter),
    );
  fc.assert(
    fc.property(letters("ab*?"), letters("ab*\n"), (pattern, text) => {
      expect(wildcardPattern(pattern)(text)).toBe(new RegExp(`^${escaped(pattern)}$`).test(text));
    }),
    fuzz(500),
  );
});

test("in a quoted text, only stars remain wildcards", () => {
  expect(wildcardPattern(escapeAllButStars("[a]\\?*"))("[a]\\?x")).toBe(true);
  expect(wildcardPattern(escapeAllButStars("[a]?"))("ab")).toBe(false);
});
