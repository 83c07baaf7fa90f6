import { describe, expect, test } from "bun:test";
import * as z from "zod";
import { ConfigShowReport } from "../../../src/cli/config/report.ts";
import { showConfig } from "../../../src/cli/config/show.ts";
import type { ConfigScope } from "../../../src/policy/sources.ts";
import { createProject } from "../../support/projects.ts";
import { createConfigs, hooks } from "./support.ts";

type Documents = Partial<Record<ConfigScope, unknown>>;

/** Returns what `config show` prints for a setting or rule: its value, and what each file contributes. */
async function show(key: string, documents: Documents) {
  using configs = createConfigs(documents);
  const report = z
    .strictObject(ConfigShowReport.shape)
    .parse(await showConfig(hooks, configs.project, configs.sources));
  const [, hook = "", name = ""] = /^hooks\.(.*)\.(\w+)$/.exec(key) ?? [];
  const found = key.startsWith("rules.")
    ? report.rules.find(({ id }) => `rules.${id}` === key)
    : report.hooks.find((one) => one.hook === hook)?.settings.find((one) => one.name === name);
  const value = found && ("id" in found ? found.action : found.value);
  return [
    value,
    ...(found?.statements ?? []).map(({ scope, value: said, effect, reason }) =>
      configs.tidy([scope, JSON.stringify(said), effect, reason].filter(Boolean).join(" ")),
    ),
  ];
}

const guard = (settings: object) => ({ hooks: { guard: settings } });
const set = (id: string, said: object) => ({ rules: { [id]: said } });

const CASES: [name: string, key: string, documents: Documents, shown: unknown[]][] = [
  ["a setting that no file sets", "hooks.guard.most", {}, [3]],
  ["a setting that the user's file sets", "hooks.guard.most", { user: guard({ most: 5 }) }, [5, "user 5 counts"]],
  [
    "a setting in three files",
    "hooks.guard.most",
    { managed: guard({ most: 1 }), project: guard({ most: 2 }), user: guard({ most: 3 }) },
    [
      1,
      "managed 1 counts",
      "project 2 overridden managed/config.json takes precedence",
      "user 3 overridden managed/config.json takes precedence",
    ],
  ],
  [
    "a list in two files",
    "hooks.guard.deny",
    { managed: guard({ deny: ["a"] }), user: guard({ deny: ["b"] }) },
    [["a", "b"], 'managed ["a"] counts', 'user ["b"] adds'],
  ],
  [
    "a setting that needs trust, in an untrusted project",
    "hooks.guard.allow",
    { project: guard({ allow: ["a"] }), user: guard({ allow: ["b"] }) },
    [["b"], 'project ["a"] ignored this project is not trusted', 'user ["b"] counts'],
  ],
  [
    "a setting that needs trust, in a trusted project",
    "hooks.guard.allow",
    { project: guard({ allow: ["a"] }), user: { ...guard({ allow: ["b"] }), trusted: ["**"] } },
    [["a"], 'project ["a"] counts', 'user ["b"] overridden project/.bridge-hooks.json takes precedence'],
  ],
  [
    "a locked hook",
    "hooks.guard.most",
    { managed: { locked: ["guard"] }, project: guard({ most: 2 }), user: guard({ most: 3 }) },
    [3, "project 2 ignored managed/config.json locks the hook", "user 3 ignored managed/config.json locks the hook"],
  ],
  [
    "a hook that the user locks against projects",
    "hooks.guard.most",
    { project: guard({ most: 2 }), user: { ...guard({ most: 4 }), locked: true } },
    [4, "project 2 ignored user/config.json locks the hook", "user 4 counts"],
  ],
  [
    "a locked setting",
    "hooks.guard.most",
    { managed: { locked: ["guard/most"] }, user: guard({ most: 4 }) },
    [3, "user 4 ignored managed/config.json locks this setting"],
  ],
  [
    "a project's file that the hook rejects",
    "hooks.guard.most",
    { project: guard({ most: 2, label: 5 }) },
    [
      3,
      "project 2 ignored the hook ignores this file (project/.bridge-hooks.json: hooks.guard.label: must be a string, not 5)",
    ],
  ],
  [
    "an unknown setting",
    "hooks.guard.alow",
    { user: guard({ alow: [] }) },
    [undefined, "user [] ignored the hook has no such setting; did you mean allow?"],
  ],
  [
    "a hook without settings",
    "hooks.fixed.x",
    { user: { hooks: { fixed: { x: 1 } } } },
    [undefined, "user 1 ignored the hook has no settings"],
  ],
  [
    "a rule that the user sets",
    "rules.git/push",
    { user: set("git/push", { action: "ask" }) },
    ["ask", 'user {"action":"ask"} counts'],
  ],
  [
    "a rule that the managed file sets more strictly",
    "rules.git/push",
    { managed: set("git/push", { action: "deny" }), user: set("git/push", { enabled: false }) },
    [
      "deny",
      'managed {"action":"deny"} counts',
      'user {"enabled":false} ignored managed/config.json sets the action to deny, and your file can only make it stricter',
    ],
  ],
  [
    "a rule that the user sets more strictly",
    "rules.git/push",
    { managed: set("git/push", { action: "ask" }), user: set("git/push", { action: "deny" }) },
    ["deny", 'managed {"action":"ask"} overridden user/config.json is stricter', 'user {"action":"deny"} counts'],
  ],
  [
    "a rule in an untrusted project",
    "rules.git/pull",
    { project: set("git/pull", { action: "deny" }) },
    ["ask", 'project {"action":"deny"} ignored this project is not trusted'],
  ],
  [
    "a rule that a project's file loosens",
    "rules.git/push",
    { project: set("git/push", { enabled: false }), user: { trusted: ["**"] } },
    ["deny", 'project {"enabled":false} ignored a project\'s file can only make a rule stricter'],
  ],
  [
    "a locked rule",
    "rules.git/push",
    { managed: { locked: ["rules/git/*"] }, user: set("git/push", { enabled: false }) },
    ["deny", 'user {"enabled":false} ignored managed/config.json locks this rule'],
  ],
  [
    "a rule that is off by default",
    "rules.disks/wipe",
    { user: set("disks/wipe", { enabled: true }) },
    ["deny", 'user {"enabled":true} counts'],
  ],
  [
    "a rule that a file adds",
    "rules.acme/x",
    { user: set("acme/x", { program: "x", reason: "r" }) },
    ["deny", 'user {"program":"x","reason":"r"} counts'],
  ],
  [
    "an invalid rule",
    "rules.acme/x",
    { user: set("acme/x", { program: "x" }) },
    [undefined, 'user {"program":"x"} ignored invalid: reason is missing'],
  ],
  [
    "an unknown rule",
    "rules.git/psh",
    { user: set("git/psh", { action: "ask" }) },
    [undefined, 'user {"action":"ask"} ignored no hook here defines or enforces this rule'],
  ],
  [
    "a rule that no file may set",
    "rules.hooks/off",
    { managed: set("hooks/off", { enabled: false }) },
    ["deny", 'managed {"enabled":false} ignored config files can\'t change a rule of the hook fixed'],
  ],
];

describe("config show prints the effective value, and what each file contributes, for", () => {
  for (const [name, key, documents, shown] of CASES)
    test(name, async () => expect(await show(key, documents)).toEqual(shown));
});

test("config show lists exceptions and their effect, locks, trusted projects and config files", async () => {
  using configs = createConfigs({
    managed: `{\n  // The company's.\n  "rules": { "git/pull": { "action": "deny" } },\n  "locked": ["guard/most",\n    "rules/disks/*"]\n}\n`,
    project: { exceptions: [{ rule: "git/*", reason: "r" }] },
    user: {
      trusted: ["~/code/*"],
      exceptions: [
        { rule: "git/push", reason: "r", match: "git push wip" },
        { rule: "git/*", reason: "r", until: "2999-12-31" },
        { rule: "git/pull", reason: "r" },
        { rule: "git/push", reason: "r", project: "/nowhere" },
        { rule: "git/push", reason: "r", until: "2020-12-31" },
        { rule: "nothing/here", reason: "r" },
        { rule: "git/push" },
      ],
    },
  });
  const { exceptions, locks, trusted, files } = await showConfig(hooks, configs.project, configs.sources);
  expect(exceptions.map(({ rule, effect, why }) => [rule, effect, why && configs.tidy(why)])).toEqual([
    ["git/*", "ignored", "a project's file can't define exceptions"],
    ["git/push", "counts", undefined],
    ["git/*", "counts", "does not apply to git/pull: managed/config.json sets the rule"],
    ["git/pull", "ignored", "managed/config.json sets the rule"],
    ["git/push", "elsewhere", undefined],
    ["git/push", "ignored", "expired on 2020-12-31"],
    ["nothing/here", "ignored", "no rule with this ID allows exceptions"],
    ["git/push", "ignored", "invalid: reason is missing"],
  ]);
  expect(locks.map(({ name, scope, line, column }) => [name, scope, line, column])).toEqual([
    ["guard/most", "managed", 4, 14],
    ["rules/disks/*", "managed", 5, 5],
  ]);
  expect(trusted.map(({ folder }) => folder)).toEqual(["~/code/*"]);
  expect(files.map(({ scope, found, trusted: isTrusted }) => [scope, found, isTrusted])).toEqual([
    ["managed", true, undefined],
    ["project", true, false],
    ["user", true, undefined],
  ]);
});

const HOOK = `import { defineHook } from "bridge-hooks";
import * as v from "valibot";
export default defineHook({
  event: "PreToolUse",
  options: v.strictObject({ most: v.optional(v.number(), 3), allow: v.optional(v.array(v.string())) }),
  trustedOptions: ["allow"],
  rules: () => [{ id: "git/push", reason: "it pushes", deny: [], allow: [] }],
  handler() {},
});
`;

describe("config show", () => {
  const app = createProject({
    "hooks/guard.ts": HOOK,
    ".bridge-hooks.json": '{\n  "hooks": { "guard": { "most": 4, "allow": ["x"], "mots": 1 } }\n}\n',
    "../.config/bridge-hooks/config.json":
      '{\n  "hooks": { "guard": { "most": 9 } },\n  "rules": { "git/push": { "action": "ask" } },\n  "locked": ["gard"]\n}\n',
  });
  process.on("exit", app.end);
  const run = (...args: string[]) => {
    const { code, stdout, stderr } = app.run(["config", "show", "--hooks", ".", ...args]);
    return {
      code,
      stdout: stdout
        .replace(/^( {2}managed {2}).*\n(?: {11}.*\n)*/m, "$1…\n")
        .replace(/(?<=; to trust it),\s+run\s+\S+\s+config\s+set\s+trusted\.\+\s+[^\s"]+/g, "…"),
      stderr,
    };
  };
  test("marks the values that config files set, and explains the mark", () => {
    const lines = run().stdout.split("\n");
    expect(lines[0]).toBe("hooks: ./hooks (1); * marks values that a config file sets");
    expect(lines).toContain("* most                      4");
    expect(lines).toContain("  allow                     not set");
    const unset = createProject({ "hooks/guard.ts": HOOK });
    expect(unset.run(["config", "show", "--hooks", "."]).stdout).not.toContain("*");
    unset.end();
  });
  test("--origin names each value's position and the values without effect, and fails for an error", () =>
    expect(run("--origin")).toEqual({
      code: 1,
      stdout: `hooks: ./hooks (1)

guard
  most                      4  (project: .bridge-hooks.json:2:25)
    note   9 (user: ~/.config/bridge-hooks/config.json:2:25) has no effect:
           .bridge-hooks.json takes precedence
  allow                     not set
    note   ["x"] (project: .bridge-hooks.json:2:36) is ignored: this project is
           not trusted
  mots                      not a setting of this hook
    note   1 (project: .bridge-hooks.json:2:52) is ignored: the hook has no such
           setting; did you mean most?

rules that config files set or add
  git/push                  ask  (user: ~/.config/bridge-hooks/config.json:3:14,
                            default deny)

locks
  gard                      user: ~/.config/bridge-hooks/config.json:4:14

config files, strongest first
  managed  …
  project  .bridge-hooks.json (this project is not trusted)
    note   .bridge-hooks.json:2:36: hooks.guard.allow: ignored: this project is
           not trusted; to trust it…
    note   .bridge-hooks.json:2:52: hooks.guard.mots: unknown setting "mots";
           did you mean most?
  user     ~/.config/bridge-hooks/config.json
    RED    ~/.config/bridge-hooks/config.json:4:14: locked.0: no hook is named
           "gard"; did you mean guard?
`,
      stderr: "",
    }));
  test("without --origin prints the values, and the number of values without effect", () => {
    const { stdout } = run();
    expect(stdout).toContain("guard\n* most                      4\n  allow                     not set\n");
    expect(stdout).toEndWith(
      "3 values in config files have no effect; to see why:\nbridge-hooks config show --origin\n",
    );
  });
  test("--json matches the schema of --schema", () => {
    expect(JSON.parse(run("--schema").stdout)).toEqual(z.toJSONSchema(ConfigShowReport));
    expect(z.strictObject(ConfigShowReport.shape).parse(JSON.parse(run("--json").stdout)).hooks[0]?.hook).toBe("guard");
  });
});
