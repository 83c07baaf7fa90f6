import { afterAll, describe, expect, test } from "bun:test";
import * as z from "zod";
import { ConfigCheckReport } from "../../../src/cli/config/check-report.ts";
import { createProject } from "../../support/projects.ts";

const app = createProject({ "folder/x.txt": "" });
afterAll(app.end);
const run = (...args: string[]) => app.run(["config", "check", ...args]);
const check = (text: string, file = "config.json", ...args: string[]) => {
  app.put(file, text);
  return run(file, ...args);
};

const RIGHT = `{
  // What our fleet gets.
  "$schema": "./config.schema.json",
  "version": 1,
  "hooks": { "block-destructive": { "categories": ["git"], "deny": [] }, "protect-secrets": { "files": "ask" } },
  "rules": {
    "git/push-force": { "action": "ask" },
    "acme/deploy": { "program": "acme-deploy", "reason": "it deploys", "deny": ["acme-deploy x"], "allow": ["x"] },
  },
  "exceptions": [{ "rule": "git/push-force", "reason": "r", "until": "2999-12-31" }],
  "locked": ["protect-hooks", "protect-secrets/files", "rules/git/*"],
  "trusted": ["~/code/*"],
}
`;

describe("config check", () => {
  test("accepts a valid file, and counts its rules and examples", () =>
    expect(check(RIGHT)).toEqual({
      code: 0,
      stdout: `ok   acme/deploy  2 examples

config.json: ok, 1 rule, 2 examples (as a managed file)
`,
      stderr: "",
    }));
  test("reports every problem of a file with its line and column", () => {
    const { code, stdout } = check(`{
  "hoks": {},
  "version": 2,
  "hooks": {
    "block-destructve": { "allow": [] },
    "block-destructive": { "alow": [], "decision": "dney", "categories": ["git", "gitt"] },
    "session-context": 5,
  },
  "rules": {
    "git/push-farce": { "action": "ask" },
    "acme/x": { "program": "x", "patern": "y", "reason": "r" },
    "acme/y": { "program": "y", "reason": "r" },
    "acme/y": { "program": "z", "reason": "r" },
  },
  "exceptions": [{ "rule": "git/*" }],
  "locked": ["protect-secret", "rules/gits/*", "protect-secrets/fils"],
  "trusted": "x",
}
`);
    expect([code, stdout]).toEqual([
      1,
      `config.json:2:3: hoks: unknown key "hoks"; did you mean hooks?
config.json:3:3: note: version: version 2 is not supported (this executable supports 1)
config.json:5:5: hooks.block-destructve: no hook is named "block-destructve"; did you mean block-destructive?
config.json:6:28: hooks.block-destructive.alow: unknown setting "alow"; did you mean allow?
config.json:6:40: hooks.block-destructive.decision: must be "deny" or "ask", not "dney"; did you mean deny?
config.json:6:82: hooks.block-destructive.categories.1: must be "filesystem", "git", "database", "cloud", "disks", "system", "downloads" or "unseen", not "gitt"; did you mean git?
config.json:7:5: hooks.session-context: must be an object with the hook's settings, by name
config.json:10:5: rules.git/push-farce: no rule has this id; did you mean git/push-force?
config.json:11:33: rules.acme/x.patern: unknown field "patern"; did you mean pattern?
config.json:12:5: rules.acme/y: "acme/y" is repeated on line 13
config.json:15:18: exceptions.0: reason is missing
config.json:16:14: locked.0: no hook is named "protect-secret"; did you mean protect-secrets?
config.json:16:32: locked.1: no rule matches "rules/gits/*"; did you mean rules/git/*?
config.json:16:48: locked.2: the hook protect-secrets has no setting "fils"; did you mean protect-secrets/files?
config.json:17:3: trusted: must be a list of directories
config.json:1:1: note: rules: the examples were not run: hooks.block-destructive.categories.1 is invalid

config.json: not ok, 14 problems (as a managed file)
`,
    ]);
  });
  const explainPattern = (pattern: string) =>
    `a rule's name can't contain "*"; to only warn about several rules, use "mode": {"rules": {"${pattern}": "warn"}}`;
  const MISTAKES: [name: string, document: object, lines: string[]][] = [
    [
      "a misspelled field",
      { rules: { "a/b": { program: "x", reson: "r" } } },
      ['a/b.reson: unknown field "reson"; did you mean reason?'],
    ],
    [
      "a misspelled condition",
      { rules: { "a/b": { tol: "x", reason: "r" } } },
      ['a/b.tol: unknown field "tol"; did you mean tool?'],
    ],
    [
      "a misspelled field and a missing one",
      { rules: { "a/b": { progam: "x", pattern: "y" } } },
      ["a/b: reason is missing", 'a/b.progam: unknown field "progam"; did you mean program?'],
    ],
    [
      "a wrong action of an unknown rule",
      { rules: { "git/push-forc": { action: "denied", enabled: "no" } } },
      [
        "git/push-forc: no rule has this id; did you mean git/push-force?",
        'git/push-forc.action: must be "deny", "ask" or "warn"; enabled: false turns a rule off',
        "git/push-forc.enabled: must be true or false",
      ],
    ],
    [
      "a pattern of rule ids",
      { rules: { "secrets/*": { action: "warn" }, "git/*": "warn", "acme/*": { program: "x", reason: "r" } } },
      [
        `secrets/*: ${explainPattern("secrets/*")}`,
        `git/*: ${explainPattern("git/*")}`,
        'acme/*: "acme/*" is not a valid id; use category/name in lowercase',
      ],
    ],
    [
      "an unknown HTTP method",
      { rules: { "a/b": { url: "x.example", method: "delete|GETT", reason: "r" } } },
      ['a/b.method: unknown HTTP method "GETT"; did you mean GET?'],
    ],
    [
      "HTTP methods with a wrong separator",
      { rules: { "a/b": { url: "x.example", method: "PUT,POST", reason: "r" } } },
      ['a/b.method: must be an HTTP method, or several separated by "|": DELETE|PUT'],
    ],
    [
      "an empty rule",
      { rules: { "a/b": {} } },
      ["a/b: this entry has no effect; set action or enabled, or add a rule with program and reason"],
    ],
  ];
  test.each(MISTAKES)("reports each error once: %s", (_, document, expected) => {
    const { stdout } = check(JSON.stringify(document));
    const [found = "", sum] = stdout.split("\n\n");
    expect(found.split("\n").map((line) => line.replace(/^config\.json:\d+:\d+: rules\./, ""))).toEqual(expected);
    expect(sum).toStartWith(`config.json: not ok, ${expected.length} problem`);
    expect(stdout).not.toContain("FAIL");
  });

  test("reports an exception's unknown rule, its end, and its missing fields all at once", () => {
    const { stdout } = check('{ "exceptions": [{ "rule": "git/push-forc", "until": "2020-01-01" }] }');
    expect(stdout).toStartWith(`config.json:1:18: exceptions.0: reason is missing
config.json:1:20: exceptions.0.rule: no rule matches "git/push-forc"; did you mean git/push-force?
config.json:1:45: note: exceptions.0.until: this exception ended on 2020-01-01
`);
  });

  test.each([
    [
      { "a/b": { program: "git", pattern: "pul -f", deny: ["git push --force"] } },
      "does not match; git/push-force catches it",
    ],
    [{ "a/b": { program: "git", pattern: "push", deny: ["git push --force"] } }, undefined],
    [
      {
        "a/first": { program: "x", pattern: "y" },
        "a/b": { program: "x", pattern: "y|z", deny: ["x y"] },
      },
      "a/first catches it first",
    ],
  ])("attributes an example to another rule only if that rule itself matches it: %j", (rules, expected) => {
    const all = Object.entries(rules).map(([id, rule]) => [id, { ...rule, reason: "r" }]);
    const { stdout } = check(JSON.stringify({ rules: Object.fromEntries(all) }));
    const [line] = (rules as { "a/b": { deny: string[] } })["a/b"].deny;
    if (expected === undefined) expect(stdout).toContain("ok   a/b  1 example\n");
    else expect(stdout).toContain(`     deny   ${line}: ${expected}\n`);
  });

  const SINGLE: [name: string, text: string, line: string][] = [
    [
      "a file that is not valid JSON",
      '{ "hooks": {',
      "config.json:1:13: not valid JSON (close brace expected); comments are allowed",
    ],
    ["an empty file", " \n", "config.json:1:1: the file is empty; write {} or delete the file"],
    ["a file that is a list", "[]", "config.json:1:1: not a JSON object"],
    [
      "hooks in a list",
      '{ "hooks": [] }',
      "config.json:1:1: hooks: must be an object with the settings of each hook, by hook name",
    ],
    [
      "an example that its rule does not match",
      '{"rules":{"a/b":{"program":"x","pattern":"y","reason":"r","deny":["x z"]}}}',
      "FAIL a/b  1 of 1 example failed",
    ],
  ];
  for (const [name, text, line] of SINGLE)
    test(`fails for ${name}`, () => {
      const { code, stdout, stderr } = check(text);
      expect([code, stdout.split("\n", 1)[0], stderr]).toEqual([1, line, ""]);
    });
  test("checks several files, and fails if one can't be read", () => {
    app.put("a.json", "{}");
    expect(run("a.json", "nothing.json", "folder")).toEqual({
      code: 1,
      stdout: `a.json: ok (as a managed file)

nothing.json:1:1: can't be read (no such file)

nothing.json: not ok, 1 problem (as a managed file)

folder:1:1: can't be read (not a file)

folder: not ok, 1 problem (as a managed file)
`,
      stderr: "",
    });
  });
  test("notes what a project's file can't set, and allows unknown hooks in a user's file", () => {
    const text = '{ "locked": [], "exceptions": [], "rules": { "git/push-force": { "enabled": false } } }';
    const { code, stdout } = check(text, "x/.bridge-hooks.json");
    expect([code, stdout.replace(/(?<=; to trust it, run ).*/, "…")]).toEqual([
      0,
      `x/.bridge-hooks.json:1:3: note: locked: ignored in a project's file
x/.bridge-hooks.json:1:17: note: exceptions: ignored in a project's file
x/.bridge-hooks.json:1:35: note: rules: ignored: this project is not trusted; to trust it, run …
x/.bridge-hooks.json:1:66: note: rules.git/push-force.enabled: ignored: a project's file can only make a rule stricter

x/.bridge-hooks.json: ok (as a project file)
`,
    ]);
    expect(check(text, "y.json", "--scope", "project").stdout).toContain("(as a project file)\n");
    // A user's config file may configure hooks that exist only in other executables.
    expect(check('{ "hooks": { "nope": {} } }', "y.json", "--scope", "user").code).toBe(0);
    expect([text, "{}"].map((one) => check(one, "x/.bridge-hooks.json", "--strict").code)).toEqual([1, 0]);
    expect(check('{ "hooks": { "nope": {} } }', "y.json").code).toBe(1);
  });
  test("notes that rule IDs are not checked if a hook's rules can't be read", () => {
    app.put(
      "broken/guard.ts",
      `import { defineHook } from "bridge-hooks";
export default defineHook({ event: "Stop", rules() { throw new Error("no rules"); }, handler() {} });
`,
    );
    app.put("config.json", '{ "rules": { "git/psh": { "action": "ask" } } }');
    expect(app.run(["config", "check", "--hooks", "broken", "config.json"])).toEqual({
      code: 0,
      stdout: `config.json:1:3: note: rules: not all ids could be checked: guard: the rules can't be read (no rules)

config.json: ok (as a managed file)
`,
      stderr: "",
    });
  });
  test("the advice about a pattern of rule ids works", () => {
    const [, mode = ""] = / use ("mode": .*)$/.exec(explainPattern("secrets/*")) ?? [];
    app.put("advice.json", `{ ${mode} }`);
    expect(run("advice.json")).toMatchObject({ code: 0, stdout: "advice.json: ok (as a managed file)\n" });
    expect(app.run(["rules", "secrets/read-file", "--config", "advice.json"]).stdout).toContain("mode.rules.secrets/*");
  });
  test("ignores other config files", () => {
    app.put("../.config/bridge-hooks/config.json", "{");
    expect(check(RIGHT).code).toBe(0);
    app.put("../.config/bridge-hooks/config.json", "{}");
  });
});

test("config check --json matches the schema of --schema", () => {
  const { code, stdout } = check('{ "hoks": 1 }', "config.json", "--json");
  expect(code).toBe(1);
  const report = z.strictObject(ConfigCheckReport.shape).parse(JSON.parse(stdout));
  expect(report).toEqual({
    policy: { name: "bridge-hooks", version: expect.any(String) },
    from: expect.any(String),
    ok: false,
    files: [
      {
        file: "config.json",
        scope: "managed",
        ok: false,
        findings: [
          {
            kind: "key-unknown",
            level: "red",
            path: "hoks",
            line: 1,
            column: 3,
            message: 'unknown key "hoks"; did you mean hooks?',
            impact: "this key is ignored; the rest of the file applies",
            fix: "fix the file",
          },
        ],
        rules: [],
      },
    ],
  });
  expect(JSON.parse(run("--schema").stdout)).toEqual(z.toJSONSchema(ConfigCheckReport));
});

describe("one line describes the error in", () => {
  const fails = (args: string[], message: string) =>
    test(args.join(" "), () =>
      expect(app.run(args)).toEqual({ code: 1, stdout: "", stderr: `bridge-hooks: ${message}\n` }),
    );
  fails(["config", "check"], "config check: pass a config file; see bridge-hooks config check --help");
  fails(["config", "check", "--scope", "usr", "a.json"], 'unknown scope "usr" of config files; did you mean user?');
  fails(
    ["config"],
    'unknown command "config"; known: config show, config check, config diff, config set, config unset, config schema; see bridge-hooks --help',
  );
  fails(["config", "chek"], 'unknown command "config chek"; did you mean config check? see bridge-hooks --help');
});
