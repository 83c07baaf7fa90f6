import { afterAll, describe, expect, test } from "bun:test";
import * as z from "zod";
import pkg from "../../../package.json" with { type: "json" };
import { RuleTestReport } from "../../../src/cli/rules/test-report.ts";
import { createProject, HOOKLESS } from "../../support/projects.ts";

const app = createProject({
  "empty/x.txt": "",
  "other/plain.ts": `import { defineHook } from "bridge-hooks";
export default defineHook({ event: "Stop", handler() {} });
`,
});
afterAll(app.end);
const run = (...args: string[]) => app.run(["rules", "test", ...args]);
/** Returns the result for a file with these contents. */
const check = (text: string, ...args: string[]) => {
  app.put("config.json", text);
  return run("config.json", ...args);
};

const DEPLOY = {
  program: "acme-deploy",
  pattern: "prod",
  reason: "it deploys to production",
  advice: "open a release request",
  deny: ["acme-deploy prod", "sudo acme-deploy prod --now"],
  allow: ["acme-deploy staging"],
};
const withRule = (more: object) => JSON.stringify({ rules: { "acme/deploy-prod": { ...DEPLOY, ...more } } });

describe("rules test", () => {
  test("accepts a valid file, and counts its examples", () => {
    const text = `{
  // What our tools do.
  "rules": {
    "git/push-force": { "action": "ask" },
    "acme/deploy-prod": ${JSON.stringify(DEPLOY)},
    "acme/off": { "program": "acme-off", "reason": "it is off", "enabled": false, "deny": ["acme-off"] },
    "acme/asks": { "program": "a|b", "reason": "it asks", "action": "ask", "deny": ["a", "b x", "npx a"], "allow": ["c"] },
    "acme/bare": { "program": "x", "reason": "nobody knows" },
    "acme/half": { "program": "x", "pattern": "y", "reason": "nobody knows", "allow": ["x z"] },
  },
  "exceptions": [
    { "rule": "git/push-force", "match": "git push --force origin wip*", "reason": "mine alone", "until": "2999-12-31" },
    { "rule": "git/*", "reason": "over", "until": "2020-12-31" },
  ],
  "locked": ["rules/git/*", "protect-secrets", "protect-secrets/files"],
}
`;
    expect(check(text)).toEqual({
      code: 0,
      stdout: `config.json:13:42: note: exceptions.1.until: this exception ended on 2020-12-31

ok   acme/deploy-prod  3 examples
ok   acme/off          1 example
ok   acme/asks         4 examples
ok   acme/bare         no examples; the rule is untested
ok   acme/half         1 example, but no deny example; the rule is untested

config.json: 5 rules, 9 examples
`,
      stderr: "",
    });
  });

  test("reports every problem with line and column", () => {
    const text = `{
  "rules": {
    "git/push-farce": { "action": "ask" },
    "hooks/switch-off": { "enabled": false },
    "git/push-force": { "program": "git", "pattern": "push", "reason": "it pushes" },
    "acme/x": { "program": "x", "patern": "y", "reason": "r" },
    "acme/y": { "program": "x", "pattern": ["a", "<dsk>"], "reason": "r" },
    "Acme": {},
  },
  "exceptions": [
    { "rule": "git/push-farce", "reason": "r" },
    { "rule": "gits/*", "reason": "r" },
    { "rule": "hooks/*", "reason": "r" },
    { "rule": "git/*", "until": "tomorrow" },
  ],
  "locked": ["rules/git/push-farce", "rules/x/*", "protect-secrets/fils", "protect-secret/files"],
}
`;
    const { code, stdout, stderr } = check(text);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toBe(`config.json:3:5: rules.git/push-farce: no rule has this id; did you mean git/push-force?
config.json:4:5: rules.hooks/switch-off: config files can't change a rule of the hook protect-hooks
config.json:5:5: rules.git/push-force: the hook block-destructive already has a rule with this id
config.json:6:33: rules.acme/x.patern: unknown field "patern"; did you mean pattern?
config.json:7:50: rules.acme/y.pattern.1: unknown set "dsk"; did you mean disk?
config.json:8:5: rules.Acme: "Acme" is not a valid id; use category/name in lowercase
config.json:11:7: exceptions.0.rule: no rule matches "git/push-farce"; did you mean git/push-force?
config.json:12:7: exceptions.1.rule: no rule matches "gits/*"; did you mean git/*?
config.json:13:7: exceptions.2.rule: config files can't define exceptions to hooks/*
config.json:14:5: exceptions.3: reason is missing
config.json:14:24: exceptions.3.until: must be a date (2026-12-31), or a time with a time zone (2026-12-31T12:00:00Z)
config.json:16:14: locked.0: no rule matches "rules/git/push-farce"; did you mean rules/git/push-force?
config.json:16:38: locked.1: no rule matches "rules/x/*"
config.json:16:51: locked.2: the hook protect-secrets has no setting "fils"; did you mean protect-secrets/files?
config.json:16:75: locked.3: no hook is named "protect-secret"; did you mean protect-secrets/files?

ok   git/push-force  no examples; the rule is untested

config.json: 3 rules, 0 examples, 15 problems
`);
  });

  test("reports the same problems as config check if a hook's settings are invalid too", () => {
    const wrongSettings = { hooks: { "block-destructive": { decision: "maybe" } } };
    const { code, stdout, stderr } = check(
      JSON.stringify({ rules: { "git/push-frce": { enabled: false }, "acme/deploy-prod": DEPLOY }, ...wrongSettings }),
    );
    const [problems = ""] = app.run(["config", "check", "config.json"]).stdout.split("\n\n");
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout.split("\n\n")).toEqual([problems, "config.json: 0 rules, 0 examples, 2 problems\n"]);
    expect(problems).toContain("config.json:1:11: rules.git/push-frce: no rule has this id");
    expect(problems).toContain('hooks.block-destructive.decision: must be "deny" or "ask", not "maybe"');
    expect(problems).toContain("the examples were not run: hooks.block-destructive.decision is invalid");
  });

  test("fails for examples that are not decided as expected", () => {
    const text = withRule({
      deny: ["acme-deploy prod", "acme-deploy staging", "acme-deploy --help prod", "git push --force"],
      allow: ["acme-deploy prod --dry-run", "git push --force", "acme-deploy"],
    });
    expect(check(text)).toEqual({
      code: 1,
      stdout: `FAIL acme/deploy-prod  4 of 7 examples failed
     deny   acme-deploy staging: passes
     deny   acme-deploy --help prod: passes
     deny   git push --force: does not match; git/push-force catches it
     allow  acme-deploy prod --dry-run: is caught

config.json: 1 rule, 7 examples, 1 rule failed
`,
      stderr: "",
    });
  });
  test("fails if the hook fails on an example", () => {
    const line = `acme-deploy prod; ${Array.from({ length: 3_000 }, (_, at) => `a${at}`).join("; ")} (`;
    const { code, stdout } = check(withRule({ deny: [line], allow: [] }));
    expect([code, stdout]).toEqual([1, expect.stringContaining(": the hook block-destructive fails: ")]);
  });
  test("ignores other config files, and executes no example", () => {
    app.put(".bridge-hooks.json", withRule({ enabled: false }));
    app.put(
      "../.config/bridge-hooks/config.json",
      '{ "trusted": ["**"], "hooks": { "block-destructive": { "allow": ["*"] } } }',
    );
    expect(check(withRule({ deny: ["acme-deploy prod; touch made"] })).stdout).toStartWith(
      "ok   acme/deploy-prod  2 examples\n",
    );
    expect(app.run(["rules", "test", "made"]).stderr).toContain("no such file: made");
    app.put(".bridge-hooks.json", "{}");
    app.put("../.config/bridge-hooks/config.json", "{}");
  });
  test("applies the hook's settings from the same file", () => {
    const hooks = { "block-destructive": { allow: ["acme-deploy*"] } };
    const text = JSON.stringify({ ...JSON.parse(withRule({})), hooks });
    expect(check(text).stdout).toContain("     deny   acme-deploy prod: passes\n");
    const wrong = JSON.stringify({ ...JSON.parse(withRule({})), hooks: { "block-destructive": { allow: 5 } } });
    expect(check(wrong)).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^config\.json:1:\d+: hooks\.block-destructive\.allow: must be a list, not 5\n/),
      stderr: "",
    });
  });
  test("fails for rules and exceptions of the wrong type", () => {
    expect(check('{ "rules": [], "exceptions": {} }')).toEqual({
      code: 1,
      stdout: `config.json:1:3: rules: must be an object with rules, by rule id
config.json:1:16: exceptions: must be a list of exceptions

config.json: 0 rules, 0 examples, 2 problems
`,
      stderr: "",
    });
  });
});

describe("rules test", () => {
  test("--json prints a report that matches its schema", () => {
    const { code, stdout } = check(withRule({ deny: ["acme-deploy"], allow: [], patern: "x" }), "--json");
    const report = z.strictObject(RuleTestReport.shape).parse(JSON.parse(stdout));
    expect(code).toBe(1);
    expect(report).toEqual({
      policy: { name: "bridge-hooks", version: pkg.version },
      file: "config.json",
      ok: false,
      findings: [
        {
          kind: "rule-void",
          level: "red",
          path: "rules.acme/deploy-prod.patern",
          line: 1,
          column: expect.any(Number),
          message: 'unknown field "patern"; did you mean pattern?',
          impact: "this rule is ignored; all other rules apply",
          fix: expect.any(String),
        },
      ],
      rules: [{ id: "acme/deploy-prod", ok: false, examples: [] }],
    });
    const { rules } = RuleTestReport.parse(
      JSON.parse(check(withRule({ deny: ["acme-deploy"], allow: ["git clean -fdx"] }), "--json").stdout),
    );
    expect(rules).toEqual([
      {
        id: "acme/deploy-prod",
        ok: false,
        examples: [
          { line: "acme-deploy", expected: "deny", ok: false, outcome: "passes" },
          { line: "git clean -fdx", expected: "allow", ok: true, outcome: "other", what: "git/clean" },
        ],
      },
    ]);
  });
  test("--schema prints the JSON Schema of the report", () =>
    expect(JSON.parse(run("--schema").stdout)).toEqual(z.toJSONSchema(RuleTestReport)));
});

describe("rules test", () => {
  const fails = (args: string[], message: string) =>
    test(`fails with one line for ${args.join(" ") || "no file"}`, () =>
      expect(run(...args)).toEqual({ code: 1, stdout: "", stderr: `bridge-hooks: ${message}\n` }));
  fails([], "rules test: pass a config file; see bridge-hooks rules test --help");
  fails(["a", "b"], "rules test: unexpected argument; see bridge-hooks rules test --help");
  fails(["--jsn", "a"], 'rules test: unknown option "--jsn"; did you mean --json? see bridge-hooks rules test --help');
  fails(["nothing.json"], "no such file: nothing.json; pass a config file");
  fails(["empty"], "empty is a directory; pass a config file");
  const WRONG: [text: string, message: string][] = [
    [" \n", "config.json: the file is empty; write {} or delete the file"],
    ['{ "rules": {', "config.json:1:13: not valid JSON (close brace expected); comments are allowed"],
    ["[]", "config.json: not a JSON object"],
    [
      '{ "ruels": {} }',
      'config.json has neither rules nor exceptions; rules belong in "rules": {…}, exceptions in "exceptions": […]',
    ],
  ];
  for (const [text, message] of WRONG)
    test(`fails with one line for a file with ${JSON.stringify(text)}`, () =>
      expect(check(text)).toEqual({ code: 1, stdout: "", stderr: `bridge-hooks: ${message}\n` }));
  test("fails if no hook enforces the file's rules", () => {
    app.put("config.json", withRule({}));
    expect(app.run(["rules", "test", "--hooks", "other", "config.json"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "bridge-hooks: no hook here enforces the rules in config.json; build an executable that does: bridge-hooks build --with block-destructive\n",
    });
  });
  test("fails if the executable has no hooks", () => {
    const { code, stderr } = app.run(["rules", "test", "config.json"], { command: HOOKLESS });
    expect([code, stderr]).toEqual([1, expect.stringContaining("this executable has no hooks; ")]);
  });
  test("--help prints the usage", () => {
    const { code, stdout } = app.run(["rules", "test", "--help"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Usage: bridge-hooks rules test [OPTIONS] [FILE]\n")]);
  });
});

describe("rules test of rules about calls", () => {
  const because = { reason: "it is kept" };
  const rules = {
    "acme/files": {
      ...{ path: "vault/**", access: ["read", "delete"], ...because },
      deny: [{ path: "vault/a", access: "read" }, "rm vault/a", { path: "vault/a", access: "delete" }],
      allow: [{ path: "vault/a", access: "edit" }, { path: "vaults/a", access: "read" }, "echo x > vault/a"],
    },
    "acme/branch": {
      ...{ mcp: "hub", tool: "delete_*", arguments: { branch: "main" }, ...because, action: "warn" },
      deny: [{ mcp: "hub", tool: "delete_label", arguments: { branch: "main" } }],
      allow: [
        { mcp: "hub", tool: "delete_label" },
        { mcp: "other", tool: "delete_label" },
      ],
    },
    "acme/search": { tool: "WebSearch", ...because, deny: [{ tool: "WebSearch" }], allow: [{ tool: "WebFetch" }] },
    "acme/api": {
      ...{ url: "*.corp.example/**", method: "PUT", ...because, action: "ask" },
      deny: [{ url: "a.corp.example/x", method: "put" }, "curl -T x https://a.corp.example"],
      allow: [{ url: "https://a.corp.example/x" }],
    },
  };
  test("runs examples that are commands and calls", () => {
    const { code, stdout } = check(JSON.stringify({ rules }));
    expect([code, stdout]).toEqual([
      0,
      `ok   acme/files   6 examples
ok   acme/branch  3 examples
ok   acme/search  2 examples
ok   acme/api     3 examples

config.json: 4 rules, 14 examples
`,
    ]);
  });
  test("names the failing example, and the error in its position", () => {
    const wrong = {
      "acme/files": { path: "vault/**", access: "edit", ...because, deny: [{ path: "vault/a", access: "read" }] },
      "acme/two": { path: "a", access: "edit", url: "b.example", ...because },
      "acme/glob": { path: ["a", "../b"], access: "edit", ...because },
    };
    const { code, stdout } = check(JSON.stringify({ rules: wrong }, null, 2));
    expect(code).toBe(1);
    expect(stdout).toContain("deny   read vault/a: passes");
    expect(stdout).toContain("config.json:14:5: rules.acme/two: fields of several rule kinds are mixed (path, url)");
    expect(stdout).toContain('config.json:23:9: rules.acme/glob.path.1: ".." is not supported');
  });
});
