import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { reportConfigFile } from "../../src/cli/doctor/settings.ts";
import { examineConfigFile } from "../../src/cli/list/list.ts";
import { loadRuleCatalog } from "../../src/policy/check/rule-catalog.ts";
import { readRuleFiles } from "../../src/policy/statements.ts";
import { createHookEntry, defineHook, type Hook } from "../../src/protocol/hook.ts";
import { openConfigFiles } from "../../src/policy/files.ts";
import { folder, sources, writeConfig } from "./options-support.ts";
import * as v from "valibot";

const hook = (more: object) => defineHook({ event: "PreToolUse", handler() {}, ...more });
const rule = (id: string, more: object = {}) => ({ id, reason: "r", deny: [], allow: [], ...more });
const HOOKS: Record<string, Hook> = {
  guard: hook({
    options: v.strictObject({ allow: v.optional(v.string()) }),
    rules: () => [rule("git/push"), rule("git/pull", { action: "ask" }), rule("disks/wipe", { enabled: false })],
    ruleTerms: { sets: ["disk"], conditions: [] },
  }),
  hooks: hook({ rules: () => [rule("hooks/off", { fixed: true })] }),
};
const files = Object.fromEntries(sources.map(({ scope, path }) => [scope, path]));

type Scope = "managed" | "project" | "user";
type Documents = Partial<Record<Scope, unknown>>;

/**
 * Returns one line per finding that `doctor` reports about a file, with positions on its first line removed. Each file
 * is named after its scope.
 */
async function examine(scope: Scope, documents: Documents, hooks = HOOKS) {
  for (const { path } of sources) rmSync(path, { force: true });
  for (const [name, document] of Object.entries(documents)) writeConfig(name, document);
  const entries = Object.entries(hooks).map(([name, one]) => createHookEntry(one, name));
  const catalog = await loadRuleCatalog({ entries }, folder);
  const ruleFiles = await readRuleFiles({ ...openConfigFiles(folder), sources });
  const judging = { catalog, files: ruleFiles, hooks: new Map(Object.entries(hooks)) };
  const report = await examineConfigFile({ scope, path: files[scope] as string }, judging);
  return reportConfigFile(report).map(
    ({ check, level, what }) =>
      `${check} ${level} ${what
        .replaceAll(`${folder}/`, "")
        .replace(/(?<=\.json):1:\d+(?=: )/, "")
        .replace(folder, "FOLDER")
        .replace(/(?<=to )\S+config\.json$/, "USER")}`,
  );
}

const set = (id: string, said: object) => ({ rules: { [id]: said } });
const except = (more: object) => ({ exceptions: [{ rule: "git/push", reason: "r", ...more }] });
const own = { program: "x", reason: "r" };
const trusting = { trusted: [folder] };
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+/, "");

const CASES: [name: string, scope: Scope, documents: Documents, found: string[]][] = [
  ["valid rules and exceptions", "user", { user: { ...set("git/push", { action: "ask" }), ...except({}) } }, []],
  ["an added rule", "user", { user: set("acme/x", { ...own, pattern: "<disk>" }) }, []],
  [
    "an invalid rule",
    "user",
    { user: set("acme/x", { ...own, patern: "<disk>", action: "no" }) },
    [
      'rule-void red user.json: rules.acme/x.patern: unknown field "patern"; did you mean pattern?',
      'rule-void red user.json: rules.acme/x.action: must be "deny", "ask" or "warn"; enabled: false turns a rule off',
    ],
  ],
  [
    "a setting of an unknown rule",
    "user",
    { user: set("git/psh", { enabled: false }) },
    ["rule-unknown note user.json: rules.git/psh: no rule has this id; did you mean git/push?"],
  ],
  [
    "a setting of an unknown rule in the managed file",
    "managed",
    { managed: set("git/psh", { enabled: false }) },
    ["rule-unknown red managed.json: rules.git/psh: no rule has this id; did you mean git/push?"],
  ],
  [
    "a setting of a rule that another file adds",
    "user",
    { managed: set("acme/x", own), user: set("acme/x", { action: "deny" }) },
    [],
  ],
  [
    "a setting of a rule that only an untrusted project adds",
    "user",
    { project: set("acme/x", own), user: set("acme/x", { action: "ask" }) },
    ["rule-unknown note user.json: rules.acme/x: no rule has this id"],
  ],
  [
    "a change to a fixed rule, and an exception from it",
    "managed",
    { managed: { ...set("hooks/off", { action: "ask" }), ...except({ rule: "hooks/*" }) } },
    [
      "rule-void red managed.json: rules.hooks/off: config files can't change a rule of the hook hooks",
      "exception-void red managed.json: exceptions.0.rule: config files can't define exceptions to hooks/*",
    ],
  ],
  [
    "a rule with the id of a hook's own rule",
    "user",
    { user: set("git/push", own) },
    ["rule-duplicate red user.json: rules.git/push: the hook guard already has a rule with this id"],
  ],
  [
    "a rule and an exception that a stricter managed file overrides",
    "user",
    {
      managed: set("git/push", { action: "deny" }),
      user: { ...set("git/push", { action: "ask" }), ...except({ rule: "git/*" }) },
    },
    [
      "rule-ignored note user.json: rules.git/push.action: ignored: managed.json sets the action to deny, and your file can only make it stricter",
      "exception-ignored note user.json: exceptions.0.rule: ignored for git/push: managed.json sets the rule",
    ],
  ],
  [
    "a user's rule that is stricter than the managed one",
    "user",
    { managed: set("git/push", { action: "ask" }), user: set("git/push", { action: "deny" }) },
    [],
  ],
  [
    "a change to a rule that the managed file locks, and an exception from it",
    "user",
    {
      managed: { locked: ["rules/git/*"] },
      user: { ...set("git/push", { enabled: false }), ...except({}) },
    },
    [
      "rule-ignored note user.json: rules.git/push.enabled: ignored: managed.json locks this rule",
      "exception-ignored note user.json: exceptions.0.rule: ignored: managed.json locks this rule",
    ],
  ],
  [
    "a change to a rule whose hook the managed file locks",
    "user",
    { managed: { locked: ["guard"] }, user: { rules: { "git/push": { enabled: false }, "acme/x": own } } },
    ["rule-ignored note user.json: rules.git/push.enabled: ignored: managed.json locks this rule"],
  ],
  [
    "rules, exceptions and locks of an untrusted project",
    "project",
    { project: { ...set("acme/x", { patern: 5 }), ...except({}), locked: ["x"] } },
    [
      "key-ignored note project.json: locked: ignored in a project's file",
      "rule-untrusted note project.json: rules: ignored: this project is not trusted; to trust it, run bridge-hooks config set trusted.+ FOLDER",
      "exception-ignored note project.json: exceptions: ignored in a project's file",
    ],
  ],
  [
    "rules that a trusted project loosens",
    "project",
    {
      user: trusting,
      project: {
        rules: {
          "git/push": { action: "ask" },
          "git/pull": { enabled: false },
          "disks/wipe": { enabled: true },
          "acme/x": own,
          "acme/y": {},
        },
      },
    },
    [
      "rule-ignored note project.json: rules.git/push.action: ignored: a project's file can only make a rule stricter",
      "rule-ignored note project.json: rules.git/pull.enabled: ignored: a project's file can only make a rule stricter",
      "rule-void red project.json: rules.acme/y: this entry has no effect; set action or enabled, or add a rule with program and reason",
    ],
  ],
  [
    "a trusted project's change to a rule that the user locks",
    "project",
    { user: { ...trusting, locked: ["rules/git/pull"] }, project: set("git/pull", { action: "deny" }) },
    ["rule-ignored note project.json: rules.git/pull.action: ignored: user.json locks this rule"],
  ],
  [
    "expired modes",
    "user",
    {
      user: {
        mode: {
          ...{ mode: "observe", until: "2020-12-31" },
          hooks: { guard: { mode: "warn", until: "2020-12-30" } },
          rules: { "git/*": { mode: "warn", until: inDays(2) } },
        },
      },
    },
    [
      "mode-ended note user.json: mode.until: this mode ended on 2020-12-31",
      "mode-ended note user.json: mode.hooks.guard.until: this mode ended on 2020-12-30",
    ],
  ],
  [
    "exceptions that have expired, expire soon or are void",
    "user",
    {
      user: {
        exceptions: [
          { rule: "git/push", reason: "r", until: "2020-12-31" },
          { rule: "git/push", reason: "r", until: inDays(0.5) },
          { rule: "git/push", reason: "r", until: inDays(13.5) },
          { rule: "git/push", reason: "r", until: inDays(15) },
          { rule: "git/psh", reason: "r" },
          { rule: "git/push" },
          5,
        ],
      },
    },
    [
      "exception-ended note user.json: exceptions.0.until: this exception ended on 2020-12-31",
      "exception-ends note user.json: exceptions.1.until: this exception ends within a day",
      "exception-ends note user.json: exceptions.2.until: this exception ends in 13 days",
      'exception-unknown note user.json: exceptions.4.rule: no rule matches "git/psh"; did you mean git/push?',
      "exception-void red user.json: exceptions.5: reason is missing",
      "exception-void red user.json: exceptions.6: must be an object",
    ],
  ],
  [
    "rules and exceptions of the wrong type",
    "user",
    { user: { rules: [], exceptions: {} } },
    [
      "rule-void red user.json: rules: must be an object with rules, by rule id",
      "exception-void red user.json: exceptions: must be a list of exceptions",
    ],
  ],
  [
    "locks that match something",
    "user",
    { user: { locked: ["guard", "guard/allow", "rules/git/*", "rules/hooks/off", "rules/*"] } },
    [],
  ],
  [
    "locks that match nothing",
    "user",
    { user: { locked: ["gurd", "guard/alow", "gurd/allow", "rules/gits/*", "rules/git/psh"] } },
    [
      'lock-unknown red user.json: locked.0: no hook is named "gurd"; did you mean guard?',
      'lock-unknown red user.json: locked.1: the hook guard has no setting "alow"; did you mean guard/allow?',
      'lock-unknown red user.json: locked.2: no hook is named "gurd"; did you mean guard/allow?',
      'lock-unknown red user.json: locked.3: no rule matches "rules/gits/*"; did you mean rules/git/*?',
      'lock-unknown red user.json: locked.4: no rule matches "rules/git/psh"; did you mean rules/git/push?',
    ],
  ],
];

describe("doctor's check of a config file", () => {
  for (const [name, scope, documents, found] of CASES)
    test(`${found.length === 0 ? "finds nothing in" : "reports"} ${name}`, async () => {
      const lines = await examine(scope, documents);
      // Findings about names come last, so the order differs.
      expect(lines.toSorted()).toEqual(found.toSorted());
    });

  test("reports rules that no hook enforces", async () =>
    expect(await examine("user", { user: set("acme/x", own) }, { hooks: HOOKS.hooks as Hook })).toEqual([
      "rule-unenforced red user.json: rules.acme/x: no hook here enforces rules from config files",
    ]));
  test("reports no unknown ID if a hook can't provide its rules", async () => {
    const broken = hook({
      rules() {
        throw new Error("no file");
      },
    });
    const user = { ...set("git/push", { action: "ask" }), ...except({}), locked: ["rules/git/*"] };
    expect(await examine("user", { user }, { broken })).toEqual([
      "rules-incomplete note user.json: rules: not all ids could be checked: broken: the rules can't be read (no file)",
    ]);
  });
  test("names line and column in a file with comments", async () => {
    const text = `\ufeff{
  // Ours.
  "rules": {
    "acme/x": {
      "program": "x", /* why? */ "reason": "r",
      "pattern": [
        "a",
        "<dsk>",
      ],
    },
  },
}`;
    expect(await examine("user", { user: text })).toEqual([
      'rule-void red user.json:8:9: rules.acme/x.pattern.1: unknown set "dsk"; did you mean disk?',
    ]);
  });
  test("gives the impact and the fix of a finding", async () => {
    writeConfig("user", set("acme/x", { ...own, patern: "x" }));
    const catalog = await loadRuleCatalog({ entries: [createHookEntry(HOOKS.guard as Hook, "guard")] }, folder);
    const source = { scope: "user", path: join(folder, "user.json") } as const;
    const report = await examineConfigFile(source, { catalog, files: { isProjectTrusted: false }, hooks: new Map() });
    expect(reportConfigFile(report)).toEqual([
      {
        check: "rule-void",
        level: "red",
        what: `${source.path}:1:48: rules.acme/x.patern: unknown field "patern"; did you mean pattern?`,
        impact: "this rule is ignored; all other rules apply",
        fix: `fix the file; run bridge-hooks rules test ${source.path} to check the file and its examples`,
      },
    ]);
  });
});
