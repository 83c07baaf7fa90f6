import { describe, expect, test } from "bun:test";
import type { ConcernIndex } from "../../../src/protocol/concerns.ts";
import { isNeutralConfig } from "../../../src/call/screen/neutral-config.ts";
import { EXCEPTION } from "../../../src/policy/describe.ts";
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
  expansions: [],
  names: [],
  texts: [],
  contents: [],
  secrets: false,
  variables: [],
};
const isNeutral = (config: object, line?: string) => isNeutralConfig(config as never, concerns, line);
const ours = { program: "deploy|acme.*", pattern: ["prod !--dry-run", "** -e|--everywhere"], reason: "it is live" };

describe("a config file does not send a call the long way:", () => {
  const configs: object[] = [
    {},
    { $schema: "x", mode: "observe", trusted: ["~/code/*"], locked: ["guard"] },
    { hooks: { guard: {}, unasked: { command: "x" } } },
    { hooks: { guard: { allow: ["terraform destroy *"] } } },
    { rules: { "git/push-force": { action: "ask" }, "git/x": { enabled: true }, "unknown/x-2": { enabled: false } } },
    { rules: { "acme/deploy": ours }, exceptions: [{ rule: "git/*", match: "x*", reason: "ours" }] },
    { rules: { "acme/deploy": { ...ours, pattern: "", advice: "ask", deny: ["a"], allow: ["b"], action: "deny" } } },
  ];
  for (const config of configs)
    test(JSON.stringify(config), () => {
      expect(isNeutral(config, "npm test")).toBe(true);
      // What is taken here is right there, too: the long way would say what is wrong.
      const { rules = {}, exceptions = [] } = config as { rules?: object; exceptions?: unknown[] };
      expect(
        Object.entries(rules).flatMap(([id, said]) => findRuleProblems(id, said, { sets: [], conditions: [] })),
      ).toEqual([]);
      expect(exceptions.flatMap((one) => readPart(EXCEPTION, one).problems)).toEqual([]);
    });
});

describe("a config file sends a call the long way:", () => {
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

test("a config file's rule sends a line the long way however the line writes the rule's program", () => {
  const config = { rules: { "acme/deploy": { ...ours, program: "Deploy|acme.*" } } };
  for (const line of ["deploy prod", "sudo /opt/deploy.exe prod", "x && acme.sh", "redeploy"])
    expect([line, isNeutral(config, line)]).toEqual([line, false]);
  expect(isNeutral(config, "npm test acme")).toBe(true);
  // A call of another tool has no program.
  expect(isNeutral(config)).toBe(true);
});
