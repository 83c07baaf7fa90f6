import { expect, test } from "bun:test";
import { readCheckedHashes, collectExpressions, hashExpression, findBacktracking } from "./regexes.ts";

/** Expressions whose source alone doesn't show that they're harmless, identified by how the source starts. */
const HARMLESS: readonly (readonly [source: string, reason: string])[] = [
  ["\\\\([^])|\\*+|\\?|\\[(", "it is given what ends in a bracket that closes a set"],
  ["\\\\([^])|\\$(?:", "the first that nothing closes ends the search"],
  ["(?:\\b(?:system|popen", "it is given 60 characters"],
  ["<<-?[ \\t]*name\\b", "a line with more than 200 here-documents on one line isn't read, so none gets here"],
];

/** Patterns from a config, a matcher or a constant, none of which an agent can control. */
const OPAQUE = [
  "src/author/kit/switch-off.ts: word",
  "src/call/identify/own-entry.ts: /^[\\w|]+$/.test(matcher) ? `^(${matcher})$` : matcher",
  "src/call/screen/added-rules.ts: RULE_SOURCES[form] as string",
  "src/hosts/setup/json-problems.ts: matcher",
  "src/secrets/scan.ts: form.beginning",
  "src/secrets/scan.ts: source",
  // Patterns of at most 64 characters with a single repetition, matched against at most 256 characters.
  "src/shell/files/filters.ts: source",
];

/** Maximum number of new expressions checked here. For more, run `bun test/attack/regexes.ts update`. */
const MOST_NEW = 40;

test("no regular expression that processes an agent's text takes quadratic time", async () => {
  const { expressions, opaque } = await collectExpressions();
  expect(opaque.sort()).toEqual(OPAQUE);
  expect(expressions.length).toBeGreaterThan(400);
  const known = readCheckedHashes();
  const isHarmless = (source: string) => HARMLESS.some(([start]) => source.startsWith(start));
  const unknown = expressions.filter((one) => !known.has(hashExpression(one)) && !isHarmless(one.source));
  expect(unknown.length).toBeLessThanOrEqual(MOST_NEW);
  const flaws: string[] = [];
  for (const one of unknown) {
    const flaw = await findBacktracking(one);
    if (flaw !== undefined) flaws.push(`${one.place} /${one.source}/${one.flags}: ${flaw}`);
  }
  expect(flaws).toEqual([]);
});

test("the check finds expressions that take quadratic and exponential time", async () => {
  const bad = [
    { source: "^[\\s\\x85]+|[\\s\\x85]+$", flags: "g" },
    { source: "\\s*\\n\\s*", flags: "g" },
    { source: "\\[([!^]?)(\\]?[^\\]]+)\\]|[^]", flags: "g" },
    { source: "^(?:a+)+$", flags: "" },
  ];
  for (const one of bad) expect(await findBacktracking({ ...one, place: "" })).toContain("ms for");
});
