import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import * as z from "zod";
import type { Schema } from "../../../src/protocol/schema.ts";
import { ListReport } from "../../../src/cli/list/report.ts";
import { type OptionDescription, describeOptions } from "../../../src/policy/check/option-schema.ts";
import { createProject, measureWidth } from "../../support/projects.ts";

const app = createProject({
  "hooks/guard.ts": `import { defineHook } from "bridge-hooks";
import * as z from "zod";
export default defineHook({
  description: "Guards what is dear to us, and says so in a description that is longer than a line of a terminal",
  event: ["PreToolUse", "PermissionRequest"],
  matcher: "Bash(git push*)|Edit",
  order: -5,
  onError: "deny",
  timeoutMs: 500,
  options: z.strictObject({
    branches: z.array(z.string()).default(["main"]).describe("that nobody pushes to"),
    level: z.enum(["low", "high"]).optional(),
    most: z.number().int().default(3),
  }),
  handler() {},
});
`,
  "hooks/checks.ts": `import { defineHook } from "bridge-hooks";
import * as v from "valibot";
export default defineHook({
  event: "Stop",
  maxContinuations: 3,
  options: v.strictObject({ command: v.optional(v.string(), ""), files: v.optional(v.array(v.string()), []) }),
  trustedOptions: ["command"],
  handler() {},
});
`,
  "hooks/plain.ts": `import { defineHook } from "bridge-hooks";
const schema = { "~standard": { version: 1, vendor: "own", validate: (value) => ({ value: { ...value, set: new Set([1]) } }) } };
export default defineHook({ name: "own-name", event: "PreToolUse", tool: "Bash", options: schema, handler() { console.log("never called"); } });
`,
  ".bridge-hooks.json": `{
  // Comments are allowed.
  "hooks": { "guard": { "most": 5 }, "checks": { "command": "npm test", "files": ["*.ts"] }, "gaurd": {} },
}`,
});
afterAll(app.end);
const user = join(app.home, process.platform === "win32" ? "AppData/Roaming" : ".config", "bridge-hooks/config.json");
mkdirSync(dirname(user), { recursive: true });
writeFileSync(user, '{ "hooks": { "guard": { "branches": ["dev"], "most": 9 }, "something-else": {} } }');
const run = (...args: string[]) => app.run(["list", "--hooks", ".", ...args]);
/** Removes the path to the managed config file, which depends on the system. */
const shown = (text: string) =>
  text
    .replace(/^( {2}managed {2}).*\n(?: {11}.*\n)*/m, "$1…\n")
    .replaceAll("\\", "/")
    .replace(/(?<=; to trust it),\s+run\s+\S+\s+config\s+set\s+trusted\.\+\s+[^\s"]+/g, "…");

describe("list", () => {
  test("shows each hook's events, matcher and limits, and the source of each setting", () => {
    const { code, stdout, stderr } = run();
    expect(shown(stdout)).toBe(`hooks: ./hooks (3)

guard
  Guards what is dear to us, and says so in a description that is longer than a
  line of a terminal
  events   PreToolUse, PermissionRequest
  matcher  Bash(git push*)|Edit
  order    -5
  on error deny
  time     500 ms at most
  options  branches  string[]  = ["dev"]  (user:
                     ~/.config/bridge-hooks/config.json)
                     that nobody pushes to
           level     "low" | "high"  not set
           most      number  = 5  (project: .bridge-hooks.json)
  module   hooks/guard.ts

checks
  events   Stop
  again    at most 3 continuations in a row
  options  command  string  = ""  (default)
                    (untrusted projects can't set it)
           files    string[]  = ["*.ts"]  (project: .bridge-hooks.json)
  note     command in the project's file is ignored: this project is not
           trusted; to trust it…
  module   hooks/checks.ts

own-name
  events   PreToolUse
  tools    Bash
  options  set  = "Set(1) { 1, }"  (default)
           (schema of own)
  module   hooks/plain.ts

config files, strongest first
  managed  …
  project  .bridge-hooks.json
  note     .bridge-hooks.json:3:94: hooks.gaurd: no hook is named "gaurd"; did
           you mean guard?
  user     ~/.config/bridge-hooks/config.json
  note     ~/.config/bridge-hooks/config.json:1:59: hooks.something-else: no
           hook is named "something-else"
`);
    expect([code, stderr]).toEqual([0, ""]);
    expect(measureWidth(stdout)).toBeLessThanOrEqual(80);
  });
  const WRONG: [name: string, text: string, said: string][] = [
    [
      "a value that the schema rejects",
      '{"hooks":{"guard":{"most":"many"}}}',
      `           most      number  = 3  (default)
  RED      error: $/.bridge-hooks.json: hooks.guard.most: Invalid input: expected number, received string
`,
    ],
    [
      "each of several invalid settings",
      '{"hooks":{"guard":{"most":"many","level":"middle","brances":["dev"]}}}',
      `           most      number  = 3  (default)
  note     .bridge-hooks.json: unknown setting "brances", ignored; did you mean branches?
  RED      error: $/.bridge-hooks.json: hooks.guard.level: Invalid option: expected one of "low"|"high"
  RED      error: $/.bridge-hooks.json: hooks.guard.most: Invalid input: expected number, received string
`,
    ],
    [
      "a config file that is not valid JSON",
      "{",
      `  options  branches  string[]  = ["main"]  (default)
                     that nobody pushes to
           level     "low" | "high"  not set
           most      number  = 3  (default)
  RED      error: $/.bridge-hooks.json:1:2: not valid JSON (close brace expected); comments are allowed
  module   hooks/guard.ts

config files, strongest first
  managed  …
  project  .bridge-hooks.json
  RED      $/.bridge-hooks.json:1:2: not valid JSON (close brace expected); comments are allowed
`,
    ],
  ];
  for (const [name, text, said] of WRONG) {
    test(`fails and marks in red ${name}`, () => {
      const wrong = createProject({
        "hooks/guard.ts": readFileSync(join(app.at, "hooks/guard.ts"), "utf8"),
        ".bridge-hooks.json": text,
      });
      // Makes the output wide; otherwise its line breaks would depend on the length of the directory's name.
      const { code, stdout } = wrong.run(["list", "--hooks", "."], { env: { COLUMNS: "1000" } });
      wrong.end();
      expect([code, shown(stdout).replaceAll(wrong.at, "$")]).toEqual([1, expect.stringContaining(said)]);
    });
  }
});

test("list and config show agree about a project's file that a hook rejects, and about a hook without settings", () => {
  const project = createProject({
    "hooks/guard.ts": readFileSync(join(app.at, "hooks/guard.ts"), "utf8"),
    "hooks/bare.ts": `import { defineHook } from "bridge-hooks";
export default defineHook({ event: "Stop", handler() {} });
`,
    ".bridge-hooks.json": '{"hooks":{"guard":{"most":"many","branches":["dev"]},"bare":{"most":1}}}',
  });
  const own = join(project.home, user.slice(app.home.length));
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, '{"hooks":{"guard":{"most":9}}}');
  const read = (...args: string[]) =>
    JSON.parse(project.run([...args, "--json", "--hooks", "."]).stdout) as {
      hooks: { name?: string; hook?: string; [key: string]: unknown }[];
    };
  const find = (all: ReturnType<typeof read>, wanted: string) =>
    all.hooks.find(({ name, hook }) => (name ?? hook) === wanted);
  const [list, show] = [read("list"), read("config", "show")];
  project.end();
  const pick = (settings: unknown) =>
    (settings as { name: string; value?: unknown }[]).map(({ name, value }) => [name, value]);
  const expected = [
    ["branches", ["main"]],
    ["level", undefined],
    ["most", 9],
  ];
  expect(pick(find(list, "guard")?.options)).toEqual(expected);
  expect(pick(find(show, "guard")?.settings)).toEqual(expected);
  expect(find(list, "bare")).toMatchObject({ options: [], unknown: [{ name: "most" }] });
  expect(find(show, "bare")).toMatchObject({ settings: [{ name: "most", unknown: true }] });
});

test("list notes unknown keys and versions in a config file, and fails for a lock that matches no hook", () => {
  const newer = createProject({ "hooks/guard.ts": readFileSync(join(app.at, "hooks/guard.ts"), "utf8") });
  const at = join(newer.home, process.platform === "win32" ? "AppData/Roaming" : ".config", "bridge-hooks/config.json");
  mkdirSync(dirname(at), { recursive: true });
  const told = (text: string) => {
    writeFileSync(at, text);
    const { code, stdout } = newer.run(["list", "--hooks", "."], { env: { COLUMNS: "200" } });
    return [code, shown(stdout).split("  user     ~/.config/bridge-hooks/config.json\n")[1]?.split("\n").slice(0, -1)];
  };
  expect(told('{ "version": 2, "audit": true, "loked": [], "hooks": { "guard": { "most": 4 } } }')).toEqual([
    0,
    [
      "  note     ~/.config/bridge-hooks/config.json:1:3: version: version 2 is not supported (this executable supports 1)",
      '  note     ~/.config/bridge-hooks/config.json:1:17: audit: unknown key "audit"; known: version, hooks, rules, exceptions, locked, trusted, mode, announce, log, allow',
      '  note     ~/.config/bridge-hooks/config.json:1:32: loked: unknown key "loked"; did you mean locked?',
    ],
  ]);
  expect(told('{ "version": 1, "locked": ["gaurd"], "hooks": { "guard": { "most": 4 } } }')).toEqual([
    1,
    ['  RED      ~/.config/bridge-hooks/config.json:1:28: locked.0: no hook is named "gaurd"; did you mean guard?'],
  ]);
  expect(told('{ "locked": "guard" }')).toEqual([
    1,
    [
      "  RED      ~/.config/bridge-hooks/config.json:1:3: locked: must be true, or a list of names; every hook is locked until the file is fixed",
    ],
  ]);
  newer.end();
});

test("list shows which rules, exceptions and locks are void or ignored, with their position", () => {
  const ruled = createProject({
    "hooks/guard.ts": `import { defineHook } from "bridge-hooks";
import * as v from "valibot";
export default defineHook({
  event: "PreToolUse",
  options: v.strictObject({ most: v.optional(v.number(), 3), least: v.optional(v.number(), 1) }),
  rules: () => [{ id: "git/push", reason: "it pushes", deny: [], allow: [] }],
  ruleTerms: { sets: [], conditions: [] },
  handler() {},
});
`,
    ".bridge-hooks.json": `{
  "hooks": { "guard": { "most": 4, "least": 2 } },
  "rules": { "git/push": { "enabled": false } },
  "exceptions": []
}`,
  });
  const at = join(ruled.home, process.platform === "win32" ? "AppData/Roaming" : ".config", "bridge-hooks/config.json");
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(
    at,
    `{
  "rules": {
    "git/psh": { "action": "ask" },
    "acme/x": { "program": "x", "patern": "y", "reason": "r" }
  },
  "exceptions": [{ "rule": "git/push", "reason": "r", "until": "2020-12-31" }],
  "locked": ["guard/most", "guard/mots", "rules/x/*"]
}`,
  );
  const { code, stdout } = ruled.run(["list", "--hooks", "."], { env: { COLUMNS: "1000" } });
  ruled.end();
  expect([code, shown(stdout).replaceAll(ruled.at, "$").replaceAll(at, "USER")]).toEqual([
    1,
    `hooks: ./hooks (1)

guard
  events   PreToolUse
  options  most   number  = 3  (default)
           least  number  = 2  (project: .bridge-hooks.json)
  note     most in .bridge-hooks.json is ignored: ~/.config/bridge-hooks/config.json locks it
  module   hooks/guard.ts

config files, strongest first
  managed  …
  project  .bridge-hooks.json
  note     .bridge-hooks.json:3:3: rules: ignored: this project is not trusted; to trust it…
  note     .bridge-hooks.json:4:3: exceptions: ignored in a project's file
  user     ~/.config/bridge-hooks/config.json
  RED      ~/.config/bridge-hooks/config.json:4:33: rules.acme/x.patern: unknown field "patern"; did you mean pattern?
  RED      ~/.config/bridge-hooks/config.json:7:28: locked.1: the hook guard has no setting "mots"; did you mean guard/most?
  RED      ~/.config/bridge-hooks/config.json:7:42: locked.2: no rule matches "rules/x/*"
  note     ~/.config/bridge-hooks/config.json:3:5: rules.git/psh: no rule has this id; did you mean git/push?
  note     ~/.config/bridge-hooks/config.json:6:55: exceptions.0.until: this exception ended on 2020-12-31
`,
  ]);
});

describe("the output of list", () => {
  const locked = createProject({
    "hooks/a.ts": `import { defineHook } from "bridge-hooks";
import * as v from "valibot";
export default defineHook({
  event: "PreToolUse",
  matcher: "Bsah|Edt(x)|bash|Task|Reed|MyTool",
  options: v.object({ most: v.optional(v.number(), 3), command: v.optional(v.string()) }),
  trustedOptions: ["command"],
  handler() {},
});
`,
    "hooks/b.ts": `import { defineHook } from "bridge-hooks";
export default defineHook({ description: "One.\\n\\nTwo.", event: "Stop", matcher: "", handler() {} });
`,
    ".bridge-hooks.json": '{ "hooks": { "a": { "most": 5, "command": "x" } } }',
  });
  afterAll(locked.end);
  const file = join(
    locked.home,
    process.platform === "win32" ? "AppData/Roaming" : ".config",
    "bridge-hooks/config.json",
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{ "hooks": { "a": { "most": 4 } }, "locked": true }');
  test("shows which settings a lock ignores, and suggests a fix for a mistyped matcher", () => {
    const { code, stdout } = locked.run(["list", "--hooks", "."]);
    expect([code, shown(stdout)]).toEqual([
      0,
      `hooks: ./hooks (2)

a
  events   PreToolUse
  matcher  Bsah|Edt(x)|bash|Task|Reed|MyTool
  options  most     number  = 4  (user: ~/.config/bridge-hooks/config.json)
           command  string  not set
                    (untrusted projects can't set it)
  note     most, command in .bridge-hooks.json are ignored:
           ~/.config/bridge-hooks/config.json locks this hook
  note     matcher: "Bsah" matches no tool; did you mean Bash?
  note     matcher: only Bash supports parentheses, not "Edt"
  note     matcher: "bash" matches only calls from GitHub Copilot, OpenCode, pi,
           Auggie, and Crush; write Bash, which matches every host's
  note     matcher: "Reed" matches no tool; did you mean Read?
  note     matcher: no known host has a tool "MyTool"; a tool of an MCP server
           is mcp__<server>__<tool>
  module   hooks/a.ts

b
  One.

  Two.
  events   Stop
  module   hooks/b.ts

config files, strongest first
  managed  …
  project  .bridge-hooks.json
  user     ~/.config/bridge-hooks/config.json
`,
    ]);
    const { hooks } = JSON.parse(locked.run(["list", "--hooks", ".", "--json"]).stdout) as ListReport;
    expect(hooks[0]?.lock).toEqual({
      file,
      ignored: [{ file: join(locked.at, ".bridge-hooks.json"), options: ["most", "command"] }],
    });
  });
  test("has no colors with NO_COLOR, and no warning from the runtime", () => {
    const plain = app.run(["list", "--hooks", "."]);
    for (const name of ["NO_COLOR", "NODE_DISABLE_COLORS"])
      expect(app.run(["list", "--hooks", "."], { env: { [name]: "1", FORCE_COLOR: "1" } })).toEqual({
        ...plain,
        stderr: "",
      });
  });
  test("has no line that ends with a space, at any width", () => {
    for (const columns of ["20", "40", "60", "80"])
      for (const one of [app, locked])
        expect(one.run(["list", "--hooks", "."], { env: { COLUMNS: columns } }).stdout).not.toMatch(/ $/m);
  });
});

describe("list", () => {
  test("--json prints a report that matches its schema", () => {
    const { code, stdout } = run("--json");
    const report = z.strictObject(ListReport.shape).parse(JSON.parse(stdout));
    expect([code, report.from, report.hooks.map(({ name, order }) => [name, order])]).toEqual([
      0,
      "./hooks",
      [
        ["guard", -5],
        ["checks", 0],
        ["own-name", 0],
      ],
    ]);
    expect(report.hooks[0]).toEqual({
      name: "guard",
      description: "Guards what is dear to us, and says so in a description that is longer than a line of a terminal",
      file: join(app.at, "hooks/guard.ts"),
      origin: "own",
      events: ["PreToolUse", "PermissionRequest"],
      matcher: "Bash(git push*)|Edit",
      order: -5,
      onError: "deny",
      timeoutMs: 500,
      options: [
        {
          name: "branches",
          type: "string[]",
          description: "that nobody pushes to",
          required: false,
          default: ["main"],
          value: ["dev"],
          scope: "user",
          file: user,
        },
        { name: "level", type: '"low" | "high"', required: false },
        {
          name: "most",
          type: "number",
          required: false,
          default: 3,
          value: 5,
          scope: "project",
          file: join(app.at, ".bridge-hooks.json"),
        },
      ],
      ignored: [],
      unknown: [],
      lockedOut: [],
      notes: [],
    });
    expect(report.hooks[1]?.ignored).toEqual(["command"]);
    const found = report.config.map((one) => [
      one.scope,
      one.scope === "managed" || one.found,
      one.findings.map(({ kind, path, message }) => [kind, path, message]),
    ]);
    expect(found).toEqual([
      ["managed", true, []],
      ["project", true, [["hook-unknown", "hooks.gaurd", 'no hook is named "gaurd"; did you mean guard?']]],
      ["user", true, [["hook-unknown", "hooks.something-else", 'no hook is named "something-else"']]],
    ]);
  });
  test("--schema prints the JSON Schema of the report", () =>
    expect(JSON.parse(run("--schema").stdout)).toEqual(z.toJSONSchema(ListReport)));
});

describe("the description of a hook's options", () => {
  const zod = z.object({
    text: z.string(),
    number: z.number().default(1).describe("how many"),
    whole: z.int().optional(),
    choice: z.enum(["a", "b"]).default("a"),
    only: z.literal("x").optional(),
    list: z.array(z.string()).default([]),
    choices: z.array(z.enum(["a", "b"])).optional(),
    either: z.union([z.string(), z.boolean()]).optional(),
    inner: z.object({ a: z.string() }).optional(),
    anything: z.unknown().optional(),
  });
  const valibot = v.object({
    text: v.string(),
    number: v.optional(v.pipe(v.number(), v.description("how many")), 1),
    whole: v.optional(v.pipe(v.number(), v.integer())),
    choice: v.optional(v.picklist(["a", "b"]), "a"),
    only: v.optional(v.literal("x")),
    list: v.optional(v.array(v.string()), () => []),
    choices: v.optional(v.array(v.picklist(["a", "b"]))),
    either: v.optional(v.union([v.string(), v.boolean()])),
    inner: v.optional(v.strictObject({ a: v.string() })),
    anything: v.optional(v.unknown()),
  });
  const expected: OptionDescription[] = [
    { name: "text", type: "string", required: true },
    { name: "number", type: "number", description: "how many", required: false, default: 1 },
    { name: "whole", type: "number", required: false },
    { name: "choice", type: '"a" | "b"', required: false, default: "a" },
    { name: "only", type: '"x"', required: false },
    { name: "list", type: "string[]", required: false, default: [] },
    { name: "choices", type: '("a" | "b")[]', required: false },
    { name: "either", type: "string | boolean", required: false },
    { name: "inner", type: "object", required: false },
    { name: "anything", type: "unknown", required: false },
  ];
  const SCHEMAS: [string, Schema][] = [
    ["zod", zod],
    ["valibot", valibot],
  ];
  for (const [name, schema] of SCHEMAS)
    test(`is read from a ${name} schema`, () => expect(describeOptions(schema)).toEqual(expected));
  test("is missing for a schema that has no JSON Schema or is not an object", () => {
    expect(describeOptions(z.string())).toBeUndefined();
    expect(describeOptions(v.string())).toBeUndefined();
    expect(
      describeOptions({ "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } }),
    ).toBeUndefined();
    expect(describeOptions(z.object({ at: z.date() }))).toBeUndefined();
  });
});
