import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_RULE_POLICY, type RuleAction } from "../../src/protocol/rule.ts";
import { openConfigFiles } from "../../src/policy/files.ts";
import { readRulePolicy } from "../../src/policy/rules.ts";
import { folder, sources, writeConfig } from "./options-support.ts";

type Documents = Partial<Record<"managed" | "project" | "user", unknown>>;

/** Returns the policy that config files set for the hook "guard". */
async function readPolicy(documents: Documents, cwd = folder) {
  for (const { path } of sources) rmSync(path, { force: true });
  for (const [scope, document] of Object.entries(documents)) writeConfig(scope, document);
  return readRulePolicy("guard", { ...openConfigFiles(cwd), sources }, cwd, { sets: ["disk"], conditions: [] });
}

const rule = (more: object = {}) => ({ program: "deploy", reason: "it deploys", ...more });
const rules = (id: string, said: object, more: object = {}) => ({ rules: { [id]: said }, ...more });
const trusting = { trusted: [folder] };

describe("a rule", () => {
  // Rows of settings for git/push in each file, and the action that results for a call denied by default.
  const CASES: [string, Documents, RuleAction][] = [
    ["denies if no file mentions it", { user: { hooks: {} } }, "deny"],
    ["asks if the user's config sets that action", { user: rules("git/push", { action: "ask" }) }, "ask"],
    ["is off if the user's config disables it", { user: rules("git/push", { enabled: false }) }, "off"],
    ["is off if the managed config disables it", { managed: rules("git/push", { enabled: false }) }, "off"],
    [
      "denies if the user's config is stricter than the managed one",
      { managed: rules("git/push", { action: "ask" }), user: rules("git/push", { action: "deny" }) },
      "deny",
    ],
    [
      "denies if the user's config disables what the managed one denies",
      { managed: rules("git/push", { action: "deny" }), user: rules("git/push", { enabled: false }) },
      "deny",
    ],
    [
      "denies if the managed config enables it and the user's would ask",
      { managed: rules("git/push", { enabled: true }), user: rules("git/push", { action: "ask" }) },
      "deny",
    ],
    ["denies even if a project disables it", { project: rules("git/push", { enabled: false }) }, "deny"],
    [
      "denies even if a trusted project loosens it",
      { user: trusting, project: rules("git/push", { enabled: false, action: "ask" }) },
      "deny",
    ],
    [
      "denies if a trusted project tightens it",
      {
        user: { ...trusting, ...rules("git/push", { action: "ask" }) },
        project: rules("git/push", { action: "deny" }),
      },
      "deny",
    ],
    [
      "asks even if an untrusted project tightens it",
      { user: rules("git/push", { action: "ask" }), project: rules("git/push", { action: "deny" }) },
      "ask",
    ],
    [
      "denies if it is locked and the user's config disables it",
      { managed: { locked: ["rules/git/*"] }, user: rules("git/push", { enabled: false }) },
      "deny",
    ],
    [
      "is off if another rule is locked and the user's config disables it",
      { managed: { locked: ["rules/disks/*"] }, user: rules("git/push", { enabled: false }) },
      "off",
    ],
    [
      "denies if its hook is locked and the user's config disables it",
      { managed: { locked: ["guard"] }, user: rules("git/push", { enabled: false }) },
      "deny",
    ],
    [
      "denies if everything is locked and the user's config disables it",
      { managed: { locked: true }, user: rules("git/push", { enabled: false }) },
      "deny",
    ],
    [
      "denies if the lock is invalid and the user's config disables it",
      { managed: { locked: 5 }, user: rules("git/push", { enabled: false }) },
      "deny",
    ],
    [
      "asks if the user locks it and a trusted project tightens it",
      {
        user: { ...trusting, ...rules("git/push", { action: "ask" }), locked: ["rules/git/push"] },
        project: rules("git/push", { action: "deny" }),
      },
      "ask",
    ],
    ["denies if the user's config sets an unknown action", { user: rules("git/push", { action: "allow" }) }, "deny"],
    [
      "denies if a value of the user's config has the wrong type",
      { user: rules("git/push", { enabled: "no" }) },
      "deny",
    ],
    ["denies if its entry in the user's config is not an object", { user: { rules: { "git/push": false } } }, "deny"],
    ["denies if the rules of the user's config are a list", { user: { rules: [] } }, "deny"],
    [
      "denies if the user's config disables it under __proto__",
      { user: { rules: JSON.parse('{"__proto__": {"git/push": {"enabled": false}}}') } },
      "deny",
    ],
  ];
  for (const [name, documents, action] of CASES)
    test(name, async () => expect((await readPolicy(documents)).resolveAction("git/push")).toBe(action));

  test("has the default policy if no file mentions rules", async () => {
    expect(await readPolicy({ managed: { hooks: {} }, user: { locked: ["guard"] } })).toBe(DEFAULT_RULE_POLICY);
    expect(DEFAULT_RULE_POLICY.resolveAction("git/push", "ask")).toBe("ask");
    expect(DEFAULT_RULE_POLICY.resolveAction("git/push", "ask", false)).toBe("off");
  });
  test("that the hook disables is on if a file enables it", async () => {
    const policy = await readPolicy({ user: rules("git/push", { enabled: true }) });
    expect(policy.resolveAction("git/push", "deny", false)).toBe("deny");
    expect(policy.resolveAction("git/pull", "deny", false)).toBe("off");
  });
});

describe("added rules", () => {
  const findAdded = async (documents: Documents) => (await readPolicy(documents)).findAdded("deploy");
  const listIds = async (documents: Documents) => (await findAdded(documents)).map(({ id }) => id);

  test("are combined, with managed rules first, and a project's rules only with trust", async () => {
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
  test("of the user apply even if everything is locked", async () =>
    expect(await listIds({ managed: { locked: true }, user: rules("a/user", rule()) })).toEqual(["a/user"]));
  test("have all fields of the file, and the file itself", async () => {
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
  test("are skipped individually if they are invalid", async () => {
    const bad = [
      5,
      null,
      [],
      "x",
      {},
      { program: 5, reason: "r" },
      { program: "x" },
      ...["ba*", "kube*l", "*", "docker.exe", "a b", "a/b", "a|", "[", "café"].map((program) => rule({ program })),
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
  test("use program names as they may occur in a command", async () => {
    for (const program of ["c++", "mkfs.*", "k", "7z", "node.js", "g++-12", "a|b_c"])
      expect([program, await listIds({ user: { rules: { "a/b": rule({ program: `deploy|${program}` }) } } })]).toEqual([
        program,
        ["a/b"],
      ]);
  });
  test("of the managed config can't be loosened by the user", async () => {
    const policy = await readPolicy({
      managed: rules("a/b", rule()),
      user: { ...rules("a/b", { enabled: false }), exceptions: [{ rule: "a/b", reason: "r" }] },
    });
    expect(policy.resolveAction("a/b")).toBe("deny");
    expect(policy.listExceptions("a/b")).toEqual([]);
  });
});

describe("added rules about calls", () => {
  const call = (more: object) => ({ reason: "it is live", ...more });
  const find = async (documents: Documents, kind: "path" | "tool" | "url" = "path") =>
    (await readPolicy(documents)).findCallRules(kind, () => true);

  test("are found by their kind, with their conditions and their file", async () => {
    const documents = {
      user: {
        rules: {
          "a/path": call({ path: "x/**", access: "edit", advice: "wait", action: "warn" }),
          "a/url": call({ url: "x.example" }),
          "a/program": rule(),
          "a/tool": call({ mcp: "m", enabled: false }),
        },
      },
    };
    const file = join(folder, "user.json");
    const [found, ...others] = await find(documents);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      id: "a/path",
      reason: "it is live",
      advice: "wait",
      action: "warn",
      enabled: true,
      file,
    });
    expect(found?.conditions).toMatchObject({ path: "x/**", access: "edit" });
    expect((await find(documents, "url")).map(({ id }) => id)).toEqual(["a/url"]);
    expect((await find(documents, "tool")).map(({ id, enabled }) => [id, enabled])).toEqual([["a/tool", false]]);
    const policy = await readPolicy(documents);
    expect([policy.addsCallRules, policy.addedPrograms, policy.setRules]).toEqual([true, "|deploy|", ""]);
    expect((await readPolicy({ user: { rules: { "a/b": rule() } } })).addsCallRules).toBe(false);
  });
  test("of a project have its directory, and apply only with trust", async () => {
    const project = rules("a/path", call({ path: "x", access: "read" }));
    expect(await find({ project })).toEqual([]);
    expect(await find({ project, user: trusting })).toMatchObject([{ id: "a/path", project: folder }]);
    expect((await find({ managed: project }))[0]).not.toHaveProperty("project");
  });
  test("are skipped individually if they are invalid", async () => {
    const bad = [
      { path: "x" },
      { path: "", access: "edit" },
      { path: "x", access: "edit", url: "y.example" },
      { path: 5 },
    ];
    const documents = { user: { rules: Object.fromEntries(bad.map((one, at) => [`bad/${at}`, call(one)])) } };
    expect(await find(documents)).toEqual([]);
    expect(
      await find({ user: { rules: { ...documents.user.rules, "a/ok": call({ path: "x", access: "edit" }) } } }),
    ).toHaveLength(1);
  });
});

describe("an exception", () => {
  const listMatches = async (documents: Documents, id = "git/push", cwd = folder) =>
    (await readPolicy(documents, cwd)).listExceptions(id).map(({ match }) => match);
  const except = (more: object) => ({ exceptions: [{ rule: "git/push", reason: "r", match: "m", ...more }] });

  const IN_FORCE: [string, object][] = [
    ["for a rule", {}],
    ["for rules by a wildcard", { rule: "git/*" }],
    ["until a future day", { until: "2999-12-31" }],
    ["until a future time", { until: "2999-12-31T12:00:00+01:00" }],
    ["in this directory", { project: folder }],
    ["in directories that match a pattern", { project: folder.replace(/[^/]*$/, "*") }],
  ];
  for (const [name, more] of IN_FORCE)
    test(`${name} applies, except from a project`, async () => {
      expect(await listMatches({ user: except(more) })).toEqual(["m"]);
      expect(await listMatches({ managed: except(more) })).toEqual(["m"]);
      expect(await listMatches({ user: trusting, project: except(more) })).toEqual([]);
    });
  test("in a directory applies in its subdirectories", async () => {
    mkdirSync(join(folder, "a/b"), { recursive: true });
    expect(await listMatches({ user: except({ project: folder }) }, "git/push", join(folder, "a/b"))).toEqual(["m"]);
  });
  test("without a match applies to everything that the rule matches", async () =>
    expect(await listMatches({ user: except({ match: undefined }) })).toEqual([undefined]));

  const VOID: [string, object][] = [
    ["for another rule", { rule: "git/pull" }],
    ["without a rule", { rule: undefined }],
    ["without a reason", { reason: " " }],
    ["until a past day", { until: "2020-01-01" }],
    ["until something that is not a date", { until: "tomorrow" }],
    ["until a day that does not exist", { until: "2999-13-01" }],
    ["until a number", { until: 5 }],
    ["in another directory", { project: "/nowhere" }],
    ["in a directory that is not a string", { project: 5 }],
    ["for a match that is not a string", { match: {} }],
    ["with a misspelled field, which would broaden the exception", { projct: folder }],
  ];
  for (const [name, more] of VOID)
    test(`${name} has no effect`, async () => expect(await listMatches({ user: except(more) })).toEqual([]));
  test("of the user has no effect on a rule that the managed config locks or sets", async () => {
    expect(await listMatches({ managed: { locked: ["rules/git/*"] }, user: except({}) })).toEqual([]);
    expect(await listMatches({ managed: { locked: ["guard"] }, user: except({}) })).toEqual([]);
    expect(await listMatches({ managed: rules("git/push", { enabled: true }), user: except({}) })).toEqual([]);
    expect(await listMatches({ managed: { locked: ["rules/git/*"], ...except({}) } })).toEqual(["m"]);
  });
  test("that is not in a list has no effect", async () =>
    expect(await listMatches({ user: { exceptions: { rule: "git/push", reason: "r" } } })).toEqual([]));
});

describe("an unreadable config", () => {
  test("of the user is an error unless the hook is locked", async () => {
    await expect(readPolicy({ user: "{" })).rejects.toThrow(join(folder, "user.json"));
    expect(
      (await readPolicy({ managed: { locked: ["guard"], ...rules("a/b", rule()) }, user: "{" })).findAdded("deploy"),
    ).toHaveLength(1);
  });
  test("of a project is ignored", async () =>
    expect((await readPolicy({ user: rules("a/b", rule()), project: "{" })).findAdded("deploy")).toHaveLength(1));
  test("that is managed is an error", async () =>
    await expect(readPolicy({ managed: "[]" })).rejects.toThrow("managed.json"));
});
