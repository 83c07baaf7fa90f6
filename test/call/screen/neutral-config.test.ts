import { describe, expect, test } from "bun:test";
import type { ConcernIndex } from "../../../src/protocol/concerns.ts";
import { omitAddedRules } from "../../../src/call/screen/added-rules.ts";
import { mayConcernOmitted, readMention } from "../../../src/call/screen/call-rules.ts";
import type { ReadCall } from "../../../src/call/screen/shapes.ts";
import { isNeutralConfig } from "../../../src/call/screen/neutral-config.ts";
import { EXCEPTION_SCHEMA } from "../../../src/policy/describe.ts";
import { findRuleProblems } from "../../../src/policy/rule-check.ts";
import { readPart } from "../../../src/policy/schema.ts";

const concerns: ConcernIndex = {
  hooks: JSON.stringify({ guard: ["allow"], other: [] }),
  ruleCategories: "|git|",
  words: "||",
  wordLists: "||",
  wordParts: "||",
  bareWords: "||",
  wordStarts: [],
  outward: "||",
  expansions: [],
  names: [],
  texts: [],
  contents: [],
  secrets: false,
  results: "",
  variables: [],
};
/** Builds a shell call with a command, or a file edit. */
const createCall = (line: string | undefined, path = "src/a.ts"): ReadCall => ({
  ...{ event: "PreToolUse", cwd: "/home/me/app", roots: [], contents: [], folder: undefined, payload: {} },
  ...(line === undefined
    ? { tool: "Edit", toolName: "Edit", command: undefined, paths: [path] }
    : { tool: "Bash", toolName: "Shell", command: line, paths: [] }),
});
const isNeutral = (config: object, line?: string, path?: string) =>
  isNeutralConfig(config as never, concerns, {
    line,
    getMention: () => readMention(createCall(line, path), "/home/me", line),
  });
const ours = { program: "deploy|acme.*", pattern: ["prod !--dry-run", "** -e|--everywhere"], reason: "it is live" };

describe("a config file keeps a call on the quick path:", () => {
  const configs: object[] = [
    {},
    { $schema: "x", mode: "observe", announce: "both", trusted: ["~/code/*"], locked: ["guard"] },
    { hooks: { guard: {}, unasked: { command: "x" } } },
    { hooks: { guard: { allow: ["terraform destroy *"] } } },
    { rules: { "git/push-force": { action: "ask" }, "git/x": { enabled: true }, "unknown/x-2": { enabled: false } } },
    { rules: { "acme/deploy": ours }, exceptions: [{ rule: "git/*", match: "x*", reason: "ours" }] },
    { rules: { "acme/deploy": { ...ours, pattern: "", advice: "ask", deny: ["a"], allow: ["b"], action: "deny" } } },
  ];
  const because = { reason: "it is live" };
  configs.push(
    {
      rules: { "acme/a": { path: "migrations/**", access: ["edit", "delete"], ...because, deny: ["rm migrations/1"] } },
    },
    { rules: { "acme/a": { path: ["**/*.sql", "~/vault/*"], access: "read", ...because } } },
    { rules: { "acme/a": { mcp: "github", tool: "delete_*", arguments: { branch: "main|release/*" }, ...because } } },
    { rules: { "acme/a": { tool: "WebSearch|web_fetch", ...because, action: "warn" } } },
    { rules: { "acme/a": { url: "*.corp.example/**", method: "DELETE|PUT", ...because } } },
    {
      rules: { "acme/a": { mcp: "x", ...because, deny: [{ mcp: "x", tool: "y", arguments: { a: 1 } }], allow: ["x"] } },
    },
    { rules: { "acme/a": { path: "db/*", access: "edit", ...because, allow: [{ path: "a", access: "edit" }] } } },
  );
  for (const config of configs)
    test(JSON.stringify(config), () => {
      expect(isNeutral(config, "npm test")).toBe(true);
      // A config that counts as neutral must be valid, because the full path reports invalid ones.
      const { rules = {}, exceptions = [] } = config as { rules?: object; exceptions?: unknown[] };
      expect(
        Object.entries(rules).flatMap(([id, said]) => findRuleProblems(id, said, { sets: [], conditions: [] })),
      ).toEqual([]);
      expect(exceptions.flatMap((one) => readPart(EXCEPTION_SCHEMA, one).problems)).toEqual([]);
    });
});

describe("a config file sends a call to the full path:", () => {
  const rule = (change: object, id = "acme/deploy") => ({ rules: { [id]: { ...ours, ...change } } });
  const configs: object[] = [
    { log: "x" },
    { hooks: { guard: { deny: ["x"] } } },
    { hooks: { guard: { allow: "x" } } },
    { hooks: { guard: { allow: [""] } } },
    { hooks: { other: { allow: ["x"] } } },
    { hooks: { guard: null } },
    { hooks: [] },
    { rules: [] },
    { rules: { "net/download": { enabled: true } } },
    { rules: { "net/download": { action: "ask" } } },
    ...[
      { path: "a/**" },
      { path: "", access: "edit" },
      { path: [], access: "edit" },
      { path: "../x/**", access: "edit" },
      { path: "a[/**", access: "edit" },
      { path: "a/**", access: [] },
      { path: "a/**", access: "write" },
      { path: "a/**", access: "edit", program: "x" },
      { path: "a/**", access: "edit", url: "x.example" },
      { mcp: "a b" },
      { mcp: "a", arguments: {} },
      { arguments: { a: "b" } },
      { tool: "Shell" },
      { tool: "ba*|x" },
      { url: "x y" },
      { url: "x.example", method: "DELETE PUT" },
      { method: "PUT" },
      { mcp: "a", deny: [{ mcp: "a", url: "x" }] },
      { path: "a/**", access: "edit", deny: [{ path: "a/b" }] },
    ].map((said) => ({ rules: { "acme/a": { reason: "it is live", ...said } } })),
    { rules: { "git/x": {} } },
    { rules: { "git/x": { enabled: 1 } } },
    { rules: { "git/x": { action: "allow" } } },
    { rules: { "git/x": { action: "ask", unknown: 1 } } },
    ...["Acme/x", "acme", "acme/x/y", "acme/", "/x", "acme/-x", "acme/x-", "acme/x--y", "acme/é"].map((id) =>
      rule({}, id),
    ),
    ...["a b", "a|", "|a", "a||b", "a/b", "", 5, "kube*l", "ba*", "*", "docker.exe", "ok|x.CMD"].map((program) =>
      rule({ program }),
    ),
    ...["?changes", "<disk>", "!prod", "!-a|b", "a||b", "|a", 5, ["a", 5]].map((pattern) => rule({ pattern })),
    ...[{ reason: " " }, { advice: null }, { deny: "x" }, { enabled: "no" }, { extra: 1 }].map((change) =>
      rule(change),
    ),
    { exceptions: [{ rule: "git/*" }] },
    { exceptions: [{ rule: "git/*", reason: "x", until: "2026-12-31" }] },
    { exceptions: {} },
  ];
  for (const config of configs) test(JSON.stringify(config), () => expect(isNeutral(config, "npm test")).toBe(false));
});

test("a config file's rule sends a command to the full path however the command spells the rule's program", () => {
  const config = { rules: { "acme/deploy": { ...ours, program: "Deploy|acme.*" } } };
  for (const line of ["deploy prod", "sudo /opt/deploy.exe prod", "x && acme.sh", "redeploy"])
    expect([line, isNeutral(config, line)]).toEqual([line, false]);
  expect(isNeutral(config, "npm test acme")).toBe(true);
  // A call of a tool other than the shell has no program.
  expect(isNeutral(config)).toBe(true);
});

describe("a rule about calls concerns", () => {
  const path = (glob: string | string[], access = "delete") => ({ path: glob, access, reason: "r" });
  const url = (pattern: string) => ({ url: pattern, reason: "r" });
  const cases: [said: object, line: string | undefined, isConcerned: boolean, file?: string][] = [
    [path("migrations/**"), "rm migrations/1.sql", true],
    [path("migrations/**"), "cd migrations && sed -i s/a/b/ 1.sql", true],
    [path("migrations/**"), "rm -r migrations2/1.sql", false],
    [path("migrations/**"), "rm -r my-migrations", false],
    [path("db/migrations/**"), "mv db old", true],
    [path("db/migrations/**"), "cat db/seeds.ts", false],
    [path("db/migrations/**"), "git rm -r .", true],
    [path("db/migrations/**"), "mv ../app /tmp/x", true],
    [path("**/*.sql"), "wc -l a.sql", true],
    [path("**/*.sql"), "wc -l a.ts", false],
    [path("*"), "wc -l a.ts", true],
    [path("src/gen-*/**"), "wc -l src/a.ts", true],
    [path("src/*/gen"), "wc -l src/a.ts", false],
    [path("caf\u00e9/**"), "npm test", true],
    [path("{a,b}/c"), "wc c", true],
    [path("{a,b}/c"), "wc a", false],
    [path("migrations/**"), "cp x $OUT", true],
    [path("migrations/**"), undefined, true, "migrations/1.sql"],
    [path("migrations/**"), undefined, true, "/home/me/app/Migrations/1.sql"],
    [path("migrations/**"), undefined, false, "src/my-migrations/x"],
    [path("migrations/**"), undefined, false, "src/index.ts"],
    [url("*.corp.example/**"), "curl https://api.corp.example/x", true],
    [url("*.corp.example/**"), "curl https://API.CORP.EXAMPLE/x".toLowerCase(), true],
    [url("*.corp.example/**"), "curl https://corpse.example/x", false],
    [url("*.corp.example/**"), "cat api.corp.example", false],
    [url("corp.example"), "curl https://corp%2eexample/x", true],
    [url("*"), "curl localhost", true],
    [url("*"), "npm test", false],
    [url("api.github.com/**"), "gh api -X DELETE repos/a/b", true],
    [url("localhost:8080"), "http :8080/x", true],
    [{ tool: "Edit", reason: "r" }, undefined, true],
    [{ tool: "write", reason: "r" }, undefined, true],
    [{ tool: "Read", reason: "r" }, undefined, false],
    [{ tool: "bash", reason: "r" }, "npm test", true],
    [{ tool: "delete_x", reason: "r" }, "npm test", false],
  ];
  for (const [said, line, isConcerned, file] of cases)
    test(`${JSON.stringify(said)}: ${line ?? file ?? "an edit"} ${isConcerned}`, () => {
      expect(isNeutral({ rules: { "acme/a": said } }, line, file)).toBe(!isConcerned);
      // In a long config file, rules are found without parsing the file.
      const text = JSON.stringify({ rules: { "acme/a": said } });
      const { calls, text: rest } = omitAddedRules(text, 0);
      const mention = readMention(createCall(line, file), "/home/me", line);
      if (rest !== text) expect(mayConcernOmitted(calls, mention)).toBe(isConcerned);
    });
});
