import { afterAll, describe, expect, test } from "bun:test";
import { createConfigSchema } from "../../src/policy/check/json-schema.ts";
import { findDocumentFindings, loadCheckedHooks } from "../../src/policy/check/findings.ts";
import { loadRuleCatalog } from "../../src/policy/check/rule-catalog.ts";
import { interpretConfig } from "../../src/policy/files.ts";
import { mergeLogSettings } from "../../src/policy/log.ts";
import { readModeStatement } from "../../src/policy/modes.ts";
import { treatAsOnlyFile } from "../../src/policy/statements.ts";
import { hooks } from "../cli/config/support.ts";
import { isValidBy } from "../support/json-schema.ts";
import { createProject } from "../support/projects.ts";

type Document = Record<string, unknown>;

const own = { program: "acme-deploy", reason: "it deploys" };
const added = { rules: { "acme/deploy": own } };
const except = (more: object) => ({ exceptions: [{ rule: "git/push", reason: "r", ...more }] });
const inRule = (more: object) => ({ rules: { "acme/deploy": { ...own, ...more } } });

const inCall = (more: object) => ({ rules: { "acme/call": { reason: "it is live", ...more } } });

const RIGHT: Document[] = [
  {},
  { version: 1, $schema: "x" },
  { hooks: { guard: { most: 4 }, other: { x: 1 } } },
  { rules: { "git/push": { action: "ask" }, "git/pull": { enabled: false } } },
  inRule({ pattern: "prod|live -f", advice: "ask", deny: ["x"], allow: [], action: "ask", enabled: false }),
  inRule({ pattern: ["!-n prod", "of=<disk>"] }),
  inRule({ program: "kubectl|helm|mkfs.*" }),
  inCall({ path: "migrations/**", access: ["edit", "delete"], deny: ["x", { path: "a", access: "edit" }] }),
  inCall({ path: ["~/vault/*", "**/*.{sql,db}"], access: "read", action: "warn" }),
  inCall({ mcp: "github", tool: "delete_*|drop_*", arguments: { branch: "main|release/*" }, allow: [{ mcp: "x" }] }),
  inCall({ tool: "WebSearch", deny: [{ tool: "WebSearch", arguments: { query: "x" } }] }),
  inCall({ url: "*.corp.example/**", method: "DELETE|PUT", deny: [{ url: "x.example", method: "PUT" }] }),
  inCall({ url: ["https://x.example:8443", "*", "[::1]/x"] }),
  except({ match: "git push x", project: "~/code/*", until: "2999-12-31" }),
  except({ until: "2999-12-31T12:00:00Z" }),
  except({ until: "2999-12-31T12:00:00.5+02:00" }),
  except({ rule: "git/*" }),
  { locked: true },
  { locked: ["guard", "guard/most", "rules/git/push", "rules/git/*", "rules/*", "log"] },
  { trusted: ["~/code/*"] },
  { mode: "warn" },
  { mode: { mode: "observe", until: "2999-12-31", users: true } },
  { mode: { hooks: { guard: "warn" }, rules: { "git/*": { mode: "observe", until: "2999-01-01" } } } },
  { log: { level: "all", content: "structure", retainDays: 3650, chain: true, record: false } },
  { allow: { by: "administrators", longest: "4h", pause: "10m" } },
  { allow: { pause: false } },
  // Config files can also list, by name, the rules they add.
  { ...added, mode: { rules: { "acme/deploy": "warn", "acme/*": { mode: "warn" } } } },
  {
    ...added,
    exceptions: [
      { rule: "acme/deploy", reason: "r" },
      { rule: "acme/*", reason: "r" },
    ],
  },
  { ...added, locked: ["rules/acme/deploy", "rules/acme/*"] },
];

const WRONG: Document[] = [
  inCall({}),
  inCall({ path: "x" }),
  inCall({ access: "edit" }),
  inCall({ path: [], access: "edit" }),
  inCall({ path: "", access: "edit" }),
  inCall({ path: "x", access: [] }),
  inCall({ path: "x", access: "write" }),
  inCall({ path: "x", access: "edit", program: "x" }),
  inCall({ path: "x", access: "edit", reason: undefined }),
  inCall({ mcp: "a b" }),
  inCall({ mcp: "a", arguments: {} }),
  inCall({ mcp: "a", arguments: { x: 5 } }),
  inCall({ arguments: { x: "y" } }),
  inCall({ mcp: "a", url: "x.example" }),
  inCall({ url: 5 }),
  inCall({ url: "x.example", method: "A B" }),
  inCall({ method: "PUT" }),
  inCall({ url: "x.example", deny: [5] }),
  inCall({ url: "x.example", deny: [{ urll: "x" }] }),
  { hoks: {} },
  { hooks: { guard: [] } },
  { hooks: { guard: { most: "x" } } },
  { rules: [] },
  { rules: { "git/push": {} } },
  { rules: { "git/push": { action: "dney" } } },
  { rules: { "git/push": { enabled: 0 } } },
  { rules: { Acme: own } },
  { rules: { "acme/deploy": [] } },
  inRule({ patern: "x" }),
  inRule({ program: "" }),
  inRule({ reason: " " }),
  inRule({ pattern: 5 }),
  inRule({ pattern: ["a", 5] }),
  inRule({ deny: "x" }),
  inRule({ allow: [5] }),
  { rules: { "acme/deploy": { program: "x" } } },
  { exceptions: {} },
  { exceptions: [{ rule: "git/push" }] },
  except({ until: "31.12.2026" }),
  except({ until: "2999-13-01" }),
  except({ until: "2999-12-31T12:00:00" }),
  except({ until: 5 }),
  except({ match: "" }),
  except({ unitl: "2999-12-31" }),
  { locked: "guard" },
  { locked: [5] },
  { locked: ["gaurd"] },
  { locked: ["guard/mots"] },
  { locked: ["gaurd/most"] },
  { locked: ["rules/"] },
  { trusted: "x" },
  { trusted: [5] },
  { mode: "off" },
  { mode: { mode: "warn", until: "31.12.2026" } },
  { mode: { mode: "warn", untill: "2999-12-31" } },
  { mode: { hooks: { guard: { mode: "warn", until: "tomorrow" } } } },
  { mode: { hooks: { guard: { until: "2999-12-31" } } } },
  { mode: { rules: { "git/*": "of" } } },
  { mode: { rules: { "git/*": { mode: "warn", unitl: "2999-12-31" } } } },
  { mode: { rules: [] } },
  { mode: { users: 1 } },
  { mode: [] },
  { log: [] },
  { log: { level: "none" } },
  { log: { retainDays: 0 } },
  { log: { retainDays: 1.5 } },
  { log: { levl: "all" } },
  { allow: { by: "me" } },
  { allow: { longest: "4 hours" } },
  { allow: { pause: "long" } },
  { allow: { til: 1 } },
  { allow: [] },
];

async function check(document: Document): Promise<string[]> {
  const source = { scope: "managed", path: "/config.json" } as const;
  const config = interpretConfig(source, document);
  const only = { sources: [source], read: async () => config };
  const judging = {
    ...{ catalog: await loadRuleCatalog(hooks, "/", only), files: treatAsOnlyFile(config) },
    hooks: await loadCheckedHooks(hooks.entries),
  };
  const found = await findDocumentFindings(source, JSON.stringify(document), document, judging);
  return found.filter(({ level }) => level === "red").map(({ path, message }) => `${path}: ${message}`);
}

describe("a call and an editor agree on a config file:", async () => {
  const schema = await createConfigSchema(hooks, "/");
  // Executables can have different hooks, and a key might belong to a newer executable.
  const unknownHooks = (document: Document) => ({ ...document, hooks: { guard: {} } });
  for (const document of RIGHT)
    test(`both accept ${JSON.stringify(document)}`, async () => {
      const known = "other" in ((document.hooks as object | undefined) ?? {}) ? unknownHooks(document) : document;
      expect([await check(known), isValidBy(schema, document)]).toEqual([[], true]);
    });
  for (const document of WRONG)
    test(`both reject ${JSON.stringify(document)}`, async () => {
      const found = await check(document);
      expect([found.length, isValidBy(schema, document)]).toEqual([1, false]);
    });
  test("the number of cases has not changed", () => expect([RIGHT.length, WRONG.length]).toEqual([29, 72]));
});

describe("a call interprets only the invalid part of a file as strictly as possible:", () => {
  const managed = { scope: "managed", path: "/config.json" } as const;
  test("a lock locks everything, and trust applies to no project", () => {
    expect(interpretConfig(managed, { locked: ["guard", 5], trusted: ["~/x", 5] })).toMatchObject({
      locked: true,
      trusted: [],
    });
    expect(interpretConfig(managed, { locked: false, trusted: ["~/x"] })).toMatchObject({
      locked: [],
      trusted: ["~/x"],
    });
  });
  test("an invalid mode enforces, and other modes remain", () => {
    const { value } = readModeStatement({
      ...{ mode: "warn", untill: "2999-12-31", users: true },
      hooks: { a: "warn", b: "wran", c: { mode: "observe", until: "31.12.2999" } },
      rules: [],
    });
    expect(value).toEqual({
      ...{ mode: "enforce", users: true, rules: {} },
      hooks: { a: { mode: "warn" }, b: { mode: "enforce" }, c: { mode: "enforce" } },
    });
  });
  test("a log setting has its default, or a weaker file's value", () => {
    const user = { scope: "user", path: "/user.json" } as const;
    const { settings } = mergeLogSettings([
      { source: managed, document: { log: { level: "none", retainDays: 7, chian: true } } },
      { source: user, document: { log: { level: "all", content: "x" } } },
    ]);
    expect(settings).toEqual({
      level: "all",
      content: "redacted",
      retainDays: 7,
      chain: false,
      record: false,
      notify: {},
    });
  });
});

/** A rule that a config file adds, and every setting that can name it. */
const NAMING = {
  rules: { "acme/deploy": { ...own, deny: ["acme-deploy x"] } },
  exceptions: [{ rule: "acme/deploy", reason: "r", match: "acme-deploy test" }],
  locked: ["rules/acme/deploy"],
  mode: { rules: { "acme/deploy": "warn" } },
};
/** The same settings, but with unknown names. */
const MISNAMING = {
  ...NAMING,
  exceptions: [{ rule: "acme/depoy", reason: "r" }],
  locked: ["rules/acme/depoy"],
  mode: { rules: { "acme/depoy": "warn" } },
};

describe("a rule that a file adds can be named in that file:", () => {
  const app = createProject({
    "right.json": JSON.stringify(NAMING),
    "wrong.json": JSON.stringify(MISNAMING),
  });
  afterAll(app.end);
  const config =
    process.platform === "win32"
      ? "../AppData/Roaming/bridge-hooks/config.json"
      : "../.config/bridge-hooks/config.json";
  const put = (document: object) => app.put(config, JSON.stringify(document));
  /** Returns the lines in a command's output that name the rule. */
  const findLines = (args: string[], word: string) => {
    const { code, stdout, stderr } = app.run(args, { env: { COLUMNS: "300" } });
    return { code, lines: `${stdout}${stderr}`.split("\n").filter((line) => line.includes(word)) };
  };

  for (const scope of ["managed", "user"])
    test(`config check, as a ${scope} file`, () => {
      expect(app.run(["config", "check", "--scope", scope, "right.json"]).stdout).toBe(
        `ok   acme/deploy  1 example\n\nright.json: ok, 1 rule, 1 example (as a ${scope} file)\n`,
      );
      const { lines } = findLines(["config", "check", "--scope", scope, "wrong.json"], "depoy");
      expect(lines.map((line) => /(?:exceptions|locked|mode)\S*(?=:)/.exec(line)?.[0])).toEqual([
        "exceptions.0.rule",
        "locked.0",
        "mode.rules.acme/depoy",
      ]);
      expect(lines.every((line) => line.endsWith("acme/deploy?"))).toBe(true);
    });
  test("rules test", () => expect(app.run(["rules", "test", "right.json"]).code).toBe(0));
  test("mdm --config", () => {
    const mdm = (file: string) => app.run(["mdm", "--out", `pack-${file}`, "--config", file]);
    expect([mdm("right.json").code, mdm("wrong.json").code]).toEqual([0, 1]);
  });
  test("list, config show and doctor", () => {
    put(NAMING);
    for (const command of [["list"], ["config", "show", "--origin"], ["doctor"]]) {
      const { lines } = findLines(command, "acme/");
      expect(lines.filter((line) => /RED|red|no (?:rule|hook)/.test(line))).toEqual([]);
    }
    put(MISNAMING);
    for (const command of ["list", "doctor"]) {
      const { lines } = findLines([command], "acme/deploy?");
      expect([command, lines.length]).toEqual([command, 3]);
    }
  });
  test("config set and unset", () => {
    put({ rules: NAMING.rules });
    const set = (key: string, value: string) => app.run(["config", "set", key, value]);
    expect(set("mode.rules.acme/deploy", "warn").stderr).toBe("");
    expect(set("mode.rules.acme/depoy", "warn").stderr).toContain("did you mean acme/deploy?");
    expect(set("exceptions", '[{ "rule": "acme/*", "reason": "r" }]').stderr).toBe("");
    expect(set("locked", '["rules/acme/deploy"]').stderr).toBe("");
    expect(app.run(["config", "unset", "mode.rules.acme/deploy"]).code).toBe(0);
  });
});

test("a session's first call reports every void part of the config files", () => {
  const app = createProject({});
  const folder = process.platform === "win32" ? "../AppData/Roaming" : "../.config";
  const file = `${folder}/bridge-hooks/config.json`;
  const call = (session_id: string, command = "git push --force") =>
    app.run(["--host", "claude"], {
      stdin: JSON.stringify({
        ...{ session_id, cwd: app.at, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } },
        ...{ transcript_path: "/x", permission_mode: "default" },
      }),
    }).stderr;
  const CASES: [document: Document, notice: string][] = [
    [
      { mode: { hooks: { x: "of" } } },
      'mode.hooks.x is invalid (must be "observe", "warn" or "enforce"); everything is enforced until the file is fixed',
    ],
    [
      { log: { level: "none" }, trusted: 5 },
      "trusted is invalid (must be a list of directories), and 1 more; no project is trusted until",
    ],
    [
      { locked: "x" },
      "locked is invalid (must be true, or a list of names); every hook is locked until the file is fixed",
    ],
    [
      { rules: [] },
      "rules is invalid (must be an object with rules, by rule id); none of the rules in this file apply",
    ],
    [
      { exceptions: {} },
      "exceptions is invalid (must be a list of exceptions); none of the exceptions in this file apply",
    ],
    [
      { exceptions: [{ rule: "git/*" }] },
      "exception 1 is invalid (reason is missing); only valid rules and exceptions apply",
    ],
    [{ rules: { "git/x": {} } }, "the rule git/x is invalid (this entry has no effect;"],
  ];
  for (const [at, [document, notice]] of CASES.entries()) {
    app.put(file, JSON.stringify(document));
    const told = [call(`s${at}`), call(`s${at}`), call(`t${at}`)].map((text) => text.includes(notice));
    expect([notice, told]).toEqual([notice, [true, false, true]]);
  }
  app.put(file, JSON.stringify({ log: { levl: "all" }, mode: "enforce" }));
  expect(call("right")).not.toContain("is invalid");
  app.end();
});
