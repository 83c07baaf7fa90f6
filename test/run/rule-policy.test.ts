import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_RULE_POLICY, type RuleAction } from "../../src/protocol/rule.ts";
import { openConfigFiles } from "../../src/run/config.ts";
import { readRulePolicy } from "../../src/run/rule-policy.ts";
import { folder, sources, writeConfig } from "./options-support.ts";

type Documents = Partial<Record<"managed" | "project" | "user", unknown>>;

/** The policy that config files make for the hook "guard". */
async function readPolicy(documents: Documents, cwd = folder) {
  for (const { path } of sources) rmSync(path, { force: true });
  for (const [scope, document] of Object.entries(documents)) writeConfig(scope, document);
  return readRulePolicy("guard", { ...openConfigFiles(cwd), sources }, cwd, { sets: ["disk"], conditions: [] });
}

const rule = (more: object = {}) => ({ program: "deploy", reason: "it deploys", ...more });
const rules = (id: string, said: object, more: object = {}) => ({ rules: { [id]: said }, ...more });
const trusting = { trusted: [folder] };

describe("what becomes of a rule", () => {
  // Each: what the files say of git/push, and what becomes of a call that it denies by itself.
  const CASES: [string, Documents, RuleAction][] = [
    ["nothing is said", { user: { hooks: {} } }, "deny"],
    ["the user asks", { user: rules("git/push", { action: "ask" }) }, "ask"],
    ["the user turns it off", { user: rules("git/push", { enabled: false }) }, "off"],
    ["the company turns it off", { managed: rules("git/push", { enabled: false }) }, "off"],
    [
      "the user is stricter than the company",
      { managed: rules("git/push", { action: "ask" }), user: rules("git/push", { action: "deny" }) },
      "deny",
    ],
    [
      "the user can't be less strict than what the company says",
      { managed: rules("git/push", { action: "deny" }), user: rules("git/push", { enabled: false }) },
      "deny",
    ],
    [
      "to say that it is on says something",
      { managed: rules("git/push", { enabled: true }), user: rules("git/push", { action: "ask" }) },
      "deny",
    ],
    ["a project has no say", { project: rules("git/push", { enabled: false }) }, "deny"],
    [
      "a trusted project can't loosen",
      { user: trusting, project: rules("git/push", { enabled: false, action: "ask" }) },
      "deny",
    ],
    [
      "a trusted project can tighten",
      {
        user: { ...trusting, ...rules("git/push", { action: "ask" }) },
        project: rules("git/push", { action: "deny" }),
      },
      "deny",
    ],
    [
      "a project that nobody trusts can't",
      { user: rules("git/push", { action: "ask" }), project: rules("git/push", { action: "deny" }) },
      "ask",
    ],
    [
      "the rule is locked",
      { managed: { locked: ["rules/git/*"] }, user: rules("git/push", { enabled: false }) },
      "deny",
    ],
    [
      "another rule is locked",
      { managed: { locked: ["rules/disks/*"] }, user: rules("git/push", { enabled: false }) },
      "off",
    ],
    ["its hook is locked", { managed: { locked: ["guard"] }, user: rules("git/push", { enabled: false }) }, "deny"],
    ["everything is locked", { managed: { locked: true }, user: rules("git/push", { enabled: false }) }, "deny"],
    ["a lock that can't be read", { managed: { locked: 5 }, user: rules("git/push", { enabled: false }) }, "deny"],
    [
      "the user locks it",
      {
        user: { ...trusting, ...rules("git/push", { action: "ask" }), locked: ["rules/git/push"] },
        project: rules("git/push", { action: "deny" }),
      },
      "ask",
    ],
    ["an action that there is not", { user: rules("git/push", { action: "allow" }) }, "deny"],
    ["a value of another kind", { user: rules("git/push", { enabled: "no" }) }, "deny"],
    ["no object", { user: { rules: { "git/push": false } } }, "deny"],
    ["a list of rules", { user: { rules: [] } }, "deny"],
    [
      "the prototype's names",
      { user: { rules: JSON.parse('{"__proto__": {"git/push": {"enabled": false}}}') } },
      "deny",
    ],
  ];
  for (const [name, documents, action] of CASES)
    test(name, async () => expect((await readPolicy(documents)).resolveAction("git/push")).toBe(action));

  test("no file speaks of rules: the default policy", async () => {
    expect(await readPolicy({ managed: { hooks: {} }, user: { locked: ["guard"] } })).toBe(DEFAULT_RULE_POLICY);
    expect(DEFAULT_RULE_POLICY.resolveAction("git/push", "ask")).toBe("ask");
    expect(DEFAULT_RULE_POLICY.resolveAction("git/push", "ask", false)).toBe("off");
  });
  test("a file turns on what the hook leaves off", async () => {
    const policy = await readPolicy({ user: rules("git/push", { enabled: true }) });
    expect(policy.resolveAction("git/push", "deny", false)).toBe("deny");
    expect(policy.resolveAction("git/pull", "deny", false)).toBe("off");
  });
});

describe("rules that files add", () => {
  const findAdded = async (documents: Documents) => (await readPolicy(documents)).findAdded("deploy");
  const listIds = async (documents: Documents) => (await findAdded(documents)).map(({ id }) => id);

  test("they add up, the company's first; a project's only where it is trusted", async () => {
    const documents = {
      managed: rules("a/managed", rule()),
      user: rules("a/user", rule()),
      project: rules("a/project", rule()),
    };
    expect(await listIds(documents)).toEqual(["a/managed", "a/user"]);
    expect(await listIds({ ...documents, user: { ...documents.user, ...trusting } })).toEqual([
      "a/managed",
      "a/project",
      "a/user",
    ]);
  });
  test("a lock keeps nobody from adding", async () =>
    expect(await listIds({ managed: { locked: true }, user: rules("a/user", rule()) })).toEqual(["a/user"]));
  test("as a call needs them", async () => {
    const added = await findAdded({
      user: rules("a/b", rule({ program: "Deploy|x", pattern: ["prod", "x *"], advice: "wait", action: "ask" })),
    });
    expect(added).toEqual([
      {
        id: "a/b",
        program: "Deploy|x",
        patterns: ["prod", "x *"],
        reason: "it deploys",
        advice: "wait",
        action: "ask",
        enabled: true,
        file: join(folder, "user.json"),
      },
    ]);
  });
  test("a bad one is void alone", async () => {
    const bad = [
      5,
      null,
      [],
      "x",
      {},
      { program: 5, reason: "r" },
      { program: "x" },
      rule({ pattern: 5 }),
      rule({ pattern: [5] }),
      rule({ patern: "x" }),
      rule({ pattern: "<nothing>" }),
      rule({ action: "allow" }),
      rule({ enabled: 1 }),
    ];
    const documents = {
      user: { rules: { ...Object.fromEntries(bad.map((one, at) => [`bad/${at}`, one])), "a/good": rule() } },
    };
    expect(await listIds(documents)).toEqual(["a/good"]);
  });
  test("the user can't loosen what the company adds", async () => {
    const policy = await readPolicy({
      managed: rules("a/b", rule()),
      user: { ...rules("a/b", { enabled: false }), exceptions: [{ rule: "a/b", reason: "r" }] },
    });
    expect(policy.resolveAction("a/b")).toBe("deny");
    expect(policy.listExceptions("a/b")).toEqual([]);
  });
});

describe("exceptions", () => {
  const listMatches = async (documents: Documents, id = "git/push", cwd = folder) =>
    (await readPolicy(documents, cwd)).listExceptions(id).map(({ match }) => match);
  const except = (more: object) => ({ exceptions: [{ rule: "git/push", reason: "r", match: "m", ...more }] });

  const IN_FORCE: [string, object][] = [
    ["of a rule", {}],
    ["of rules by a wildcard", { rule: "git/*" }],
    ["until a day that comes", { until: "2999-12-31" }],
    ["until a time that comes", { until: "2999-12-31T12:00:00+01:00" }],
    ["in this folder", { project: folder }],
    ["in folders like this", { project: folder.replace(/[^/]*$/, "*") }],
  ];
  for (const [name, more] of IN_FORCE)
    test(name, async () => {
      expect(await listMatches({ user: except(more) })).toEqual(["m"]);
      expect(await listMatches({ managed: except(more) })).toEqual(["m"]);
      expect(await listMatches({ user: trusting, project: except(more) })).toEqual([]);
    });
  test("below a folder", async () => {
    mkdirSync(join(folder, "a/b"), { recursive: true });
    expect(await listMatches({ user: except({ project: folder }) }, "git/push", join(folder, "a/b"))).toEqual(["m"]);
  });
  test("of everything that a rule catches", async () =>
    expect(await listMatches({ user: except({ match: undefined }) })).toEqual([undefined]));

  const VOID: [string, object][] = [
    ["of another rule", { rule: "git/pull" }],
    ["without a rule", { rule: undefined }],
    ["without a reason", { reason: " " }],
    ["until a day that was", { until: "2020-01-01" }],
    ["until something else", { until: "tomorrow" }],
    ["until a day that there is not", { until: "2999-13-01" }],
    ["until a number", { until: 5 }],
    ["in another folder", { project: "/nowhere" }],
    ["in a folder that is no text", { project: 5 }],
    ["for a match that is no text", { match: {} }],
    ["with a misspelt field, which would make it wider", { projct: folder }],
  ];
  for (const [name, more] of VOID)
    test(`none: ${name}`, async () => expect(await listMatches({ user: except(more) })).toEqual([]));
  test("none of what is locked, or said by the company", async () => {
    expect(await listMatches({ managed: { locked: ["rules/git/*"] }, user: except({}) })).toEqual([]);
    expect(await listMatches({ managed: { locked: ["guard"] }, user: except({}) })).toEqual([]);
    expect(await listMatches({ managed: rules("git/push", { enabled: true }), user: except({}) })).toEqual([]);
    expect(await listMatches({ managed: { locked: ["rules/git/*"], ...except({}) } })).toEqual(["m"]);
  });
  test("one that is not a list changes nothing", async () =>
    expect(await listMatches({ user: { exceptions: { rule: "git/push", reason: "r" } } })).toEqual([]));
});

describe("files that can't be read", () => {
  test("the user's: an error, but not where the hook is locked", async () => {
    await expect(readPolicy({ user: "{" })).rejects.toThrow(join(folder, "user.json"));
    expect(
      (await readPolicy({ managed: { locked: ["guard"], ...rules("a/b", rule()) }, user: "{" })).findAdded("deploy"),
    ).toHaveLength(1);
  });
  test("the project's: as if it were not there", async () =>
    expect((await readPolicy({ user: rules("a/b", rule()), project: "{" })).findAdded("deploy")).toHaveLength(1));
  test("the company's: an error", async () =>
    await expect(readPolicy({ managed: "[]" })).rejects.toThrow("managed.json"));
});
