import { describe, expect, test } from "bun:test";
import { mentionsProgram, omitAddedRules } from "../../../src/call/screen/added-rules.ts";
import { isOwnRule } from "../../../src/policy/describe.ts";
import { findRuleProblems } from "../../../src/policy/rule-check.ts";
import { createRandom } from "./differential.ts";
import { scaleCases, seed } from "../../support/fuzz.ts";

type Rules = Record<string, Record<string, unknown>>;

const full = {
  program: "deploy|Acme-2.sh",
  pattern: ["prod !--dry-run", "** -e|--everywhere", "a:b=c,d/@e +f"],
  reason: 'it is "live"\\ — \n',
  advice: "open a\trelease (request)",
  deny: ["deploy prod", 'deploy "x" --everywhere'],
  allow: ["deploy staging"],
  action: "ask",
  enabled: true,
};
const short = { program: "g++", reason: "no" };
const plain = { program: "acme-tool", pattern: "prod", reason: "it is live", deny: ["acme-tool prod"] };
const because = { reason: "it is live" };
const CALL_RULES: Rules = {
  "acme/files": {
    path: "~/db/migrations/**/*.sql",
    access: ["edit", "delete"],
    ...because,
    deny: ["rm x"],
    action: "warn",
  },
  "acme/read": { path: "vault/*", access: "read", ...because, allow: [{ path: "a", access: "read" }, "cat a"] },
  "acme/server": {
    mcp: "git*",
    tool: "delete_*|drop",
    arguments: { branch: "main|release/*", "a.b": "1" },
    ...because,
  },
  "acme/tool": { tool: "WebSearch|web_fetch", ...because, deny: [{ tool: "x", arguments: { a: "b" } }] },
  "acme/url": { url: "https://*.corp.example:8443/api/**", method: "DELETE|PUT", ...because },
  "acme/all": { mcp: "x", ...because, deny: [{ mcp: "x" }, { mcp: "x", tool: "y" }], enabled: true },
};
const RULES: Rules = {
  "acme/full": full,
  "acme-2/rule-1": short,
  "acme/plain": plain,
  "a/b": { ...short, advice: "x" },
};

/** Serializes a value as JSON in the formats that programs commonly produce. */
const listSpellings = (value: unknown): string[] => {
  const text = JSON.stringify(value);
  const spaced = JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
  return [text, JSON.stringify(value, null, 2), JSON.stringify(value, null, "\t").replaceAll("\n", "\r\n"), spaced];
};

describe("the quick check of a config file's added rules", () => {
  for (const [at, text] of listSpellings({ locked: ["x"], rules: RULES, mode: "observe" }).entries())
    test(`omits valid rules, in JSON layout ${at}`, () => {
      const { text: rest, programs } = omitAddedRules(text, 0);
      expect(JSON.parse(rest)).toEqual({ locked: ["x"], rules: {}, mode: "observe" });
      expect(programs).toBe('"deploy"acme-2.sh"g++"acme-tool"g++"');
    });

  for (const [at, text] of listSpellings({ rules: { ...RULES, ...CALL_RULES } }).entries())
    test(`omits rules about calls, in JSON layout ${at}`, () => {
      const { text: rest, programs, calls } = omitAddedRules(text, 0);
      expect(JSON.parse(rest)).toEqual({ rules: {} });
      expect(programs.split('"').filter(Boolean)).toEqual(["deploy", "acme-2.sh", "g++", "acme-tool", "g++"]);
      expect(calls.match(/\x01[^\x02]+|\x02[^\x03]+|\x03[^"]+/g)).toEqual([
        "\x01~/db/migrations/**/*.sql",
        "\x01vault/*",
        "\x02websearch|web_fetch",
        "\x03https://*.corp.example:8443/api/**",
      ]);
    });

  test("omits the rules before the first rule that may be invalid", () => {
    const rules = { ...RULES, "git/push-force": { action: "ask" }, "acme/more": short };
    const { text, programs } = omitAddedRules(JSON.stringify({ rules }), 0);
    expect(JSON.parse(text)).toEqual({ rules: { "git/push-force": { action: "ask" }, "acme/more": short } });
    expect(programs).toEndWith('"g++"');
  });

  test("leaves a short file unchanged", () => {
    const text = JSON.stringify({ rules: RULES });
    expect(omitAddedRules(text)).toEqual({ text, programs: "", calls: "" });
  });

  test("accepts a file of a megabyte with escapes and alternatives", () => {
    const reason = "a\\".repeat(100_000);
    const pattern = ["a|b !-c ".repeat(50_000)];
    const text = JSON.stringify({ rules: { "a/a": { ...short, reason }, "a/b": { ...short, pattern }, "a/c": short } });
    const { text: rest } = omitAddedRules(text);
    expect(JSON.parse(text)).toMatchObject(JSON.parse(rest));
  });
});

describe("the quick check of added rules keeps a rule that may be invalid:", () => {
  const changes: object[] = [
    ...["a b", "a|", "|ab", "ab||cd", "a/b", "", "a", "mkfs.*", "ba*", "docker.exe", "x|gh.CMD", 5].map((program) => ({
      program,
    })),
    ...["?changes", "<disk>", "!prod", "a|b"].map((pattern) => ({ pattern })),
    ...["?changes", "<disk>", "!prod", "!-a|b", "x !-a|b", "a||b", "|a", "a|", "a| b", "a |b", 5].map((one) => ({
      pattern: ["x", one],
    })),
    ...["", " ", " x", null, 5, ["x"]].flatMap((text) => [{ reason: text }, { advice: text }, { deny: ["x", text] }]),
    ...[
      { deny: "x" },
      { allow: [] },
      { pattern: [] },
      { action: "off" },
      { enabled: "no" },
      { enabled: 1 },
      { x: "y" },
    ],
  ];
  for (const change of changes)
    test(JSON.stringify(change), () => {
      for (const text of listSpellings({ rules: { "a/b": { ...plain, ...change }, "a/c": short } }))
        expect(omitAddedRules(text, 0)).toEqual({ text, programs: "", calls: "" });
    });
  const wrongCalls: [of: string, change: object][] = [
    ...["", "*", "a*", "../x/**", "a/../b", "!a", "a[b]/c", "{a,b}/c", "é/x", "a b/c", "a\\b", 5, ["a/b"], []].map(
      (path): [string, object] => ["acme/files", { path }],
    ),
    ...["write", [], ["edit", "x"], 5].map((access): [string, object] => ["acme/files", { access }]),
    ...["", "a b", "a|", 5].map((mcp): [string, object] => ["acme/server", { mcp }]),
    ...[{}, { a: "" }, { a: 5 }, "x", []].map((given): [string, object] => ["acme/server", { arguments: given }]),
    ...["x*", "", "a b"].map((tool): [string, object] => ["acme/tool", { tool }]),
    ...["*", "a b", "", "a.example/x y", "a.*.example", 5].map((url): [string, object] => ["acme/url", { url }]),
    ...["", "A B", "A|", 5].map((method): [string, object] => ["acme/url", { method }]),
    ["acme/files", { program: "x" }],
    ["acme/files", { url: "x.example" }],
    ["acme/server", { pattern: "x" }],
    ["acme/url", { deny: [{ url: "x.example", mcp: "y" }] }],
    ["acme/read", { deny: [{ path: "x" }] }],
    ["acme/read", { deny: [{ path: "x", access: "list" }] }],
  ];
  for (const [of, change] of wrongCalls)
    test(`${of} ${JSON.stringify(change)}`, () => {
      for (const text of listSpellings({ rules: { "a/b": { ...CALL_RULES[of], ...change }, "a/c": short } }))
        expect(omitAddedRules(text, 0)).toEqual({ text, programs: "", calls: "" });
    });
  for (const id of ["Acme/x", "acme", "acme/x/y", "acme/", "/x", "acme/-x", "acme/x-", "acme/x--y", "acme/é"])
    test(id, () => {
      const text = JSON.stringify({ rules: { [id]: short } });
      expect(omitAddedRules(text, 0)).toEqual({ text, programs: "", calls: "" });
    });
});

describe("a command is compared with the programs of added rules:", () => {
  const cases: [line: string, programs: string, isMentioned: boolean][] = [
    ["npm test", '"deploy"npm"', true],
    ["sudo /opt/redeploy.exe", '"deploy"', true],
    ["npm test", '"np2"tes-t"pmx"', false],
    [`echo ${"x".repeat(200)} g++`, '"deploy"g++"', true],
    [`echo ${"x".repeat(200)} g+`, '"deploy"g++"', false],
    ["", '"deploy"', false],
  ];
  for (const [line, programs, isMentioned] of cases)
    test(`${line.slice(0, 40)}: ${programs}`, () => expect(mentionsProgram(line, programs)).toBe(isMentioned));
});

const parse = (text: string) => {
  try {
    return JSON.parse(text) as { rules?: Rules };
  } catch {
    return undefined;
  }
};

/** Describes what went wrong when added rules were omitted from a config; undefined if nothing did. */
function findFault(text: string, line: string): string | undefined {
  const omitted = omitAddedRules(text, 0);
  if (omitted.text === text) return undefined;
  const [whole, rest] = [parse(text), parse(omitted.text)];
  if (!whole || !rest) return whole || rest ? "one is JSON, the other is not" : undefined;
  const left = Object.keys(rest.rules ?? {});
  const gone = Object.entries(whole.rules ?? {}).filter(([id]) => !left.includes(id));
  const others = Object.fromEntries(Object.entries(whole.rules ?? {}).filter(([id]) => left.includes(id)));
  if (!Bun.deepEquals({ ...whole, rules: others }, { ...rest, rules: rest.rules ?? {} }, true))
    return "the rest differs";
  const names = omitted.programs.split('"');
  for (const [id, said] of gone) {
    if (!isOwnRule(said)) return `${id} is not an added rule`;
    if (findRuleProblems(id, said, { sets: [], conditions: [] }).length > 0) return `${id} is wrong`;
    for (const name of said.program === undefined ? [] : String(said.program).toLowerCase().split("|"))
      if (!names.includes(name)) return `${name} is lost`;
    for (const [field, mark] of [
      ["path", "\x01"],
      ["url", "\x03"],
    ] as const)
      if (said[field] !== undefined && !omitted.calls.includes(mark + String(said[field]).toLowerCase()))
        return `${String(said[field])} is lost`;
  }
  const isMentioned = names.some((name) => name !== "" && line.includes(name));
  return isMentioned === mentionsProgram(line, omitted.programs) ? undefined : "the line is not looked at right";
}

const CALLS = scaleCases(100_000);
const PIECES = [
  ...'"{}[],:\\|!?-<>/ a0A*é\0\t\n\u00a0\ufeff',
  ...['\\"', "\\u0041", "null", '"rules":{', '"a/b":{"program":"x","reason":"y"},', '"enabled":1,', "!-", "||", " |"],
  ...['},"', '"},', "]}", '"__proto__":', "//", "/* */", ",,", '""', '"program"', '"action":"off"'],
];

test(`${CALLS} config files with random changes stay JSON if they were, and lose only valid rules`, () => {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const wrong: string[] = [];
  let omitted = 0;
  const kinds = [
    RULES,
    { ...RULES, "git/x": { action: "ask" } },
    { ...RULES, "A/b": short },
    CALL_RULES,
    { ...RULES, ...CALL_RULES },
    { "a/b": { ...short, x: 1 } },
  ];
  const texts = kinds.flatMap((rules) => [
    ...listSpellings({ rules }),
    ...listSpellings({ hooks: { guard: { allow: ["x"] } }, rules, exceptions: [{ rule: "git/*", reason: "ours" }] }),
    ...listSpellings({ hooks: { rules }, rules }),
  ]);
  for (let call = 0; call < CALLS; call++) {
    let text = pick(texts);
    for (let changes = Math.floor(random() * 4); changes > 0; changes--) {
      const [from, to] = [random() * text.length, random() * text.length].sort((a, b) => a - b) as [number, number];
      const near = from + random() * 4;
      const [before, piece] = [text.slice(0, from), pick(PIECES)];
      text = pick([
        ...[before + piece + text.slice(from), before + piece + text.slice(near), before + text.slice(near)],
        ...[text.slice(0, to) + text.slice(from), before + text.slice(to)],
      ]);
    }
    if (omitAddedRules(text, 0).text !== text) omitted++;
    const fault = findFault(text, pick(["npm test", "deploy prod", "g++ x"]));
    if (fault !== undefined) wrong.push(`${fault}: ${text}`);
  }
  expect(wrong).toEqual([]);
  // Omitting nothing would also pass, so require a minimum number of omissions.
  expect(omitted).toBeGreaterThan(CALLS / 8);
});
