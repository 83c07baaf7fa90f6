import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type EventName, EVENTS } from "../../../src/protocol/event.ts";
import { silence } from "../../../src/protocol/host/scripts.ts";
import { type Tool, TOOLS } from "../../../src/protocol/tool.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { defineHook, deny } from "../../../src/index.ts";
import { entryOf } from "../../../src/protocol/hook.ts";
import { painter } from "../../../src/cli/terminal/terminal.ts";
import { Report } from "../../../src/cli/try/report.ts";
import { explainText, tryText } from "../../../src/cli/try/text.ts";
import { tried } from "../../../src/cli/try/try.ts";
import { apart } from "../../../src/author/testing/apart.ts";
import { call } from "../../../src/author/testing/call.ts";
import { completed, isAboutCall } from "../../../src/author/testing/event.ts";
import { payloadOf } from "../../support/fixtures.ts";
import { project, timeless, widest } from "../../support/projects.ts";

const GUARD = `import { ask, context, defineHook, deny } from "bridge-hooks";
import * as z from "zod";
export default defineHook({
  description: "Guards pushes",
  event: ["PreToolUse", "Stop", "UserPromptSubmit"],
  matcher: "Bash(git push*)|Read",
  onError: "deny",
  options: z.strictObject({ branch: z.string().default("main"), level: z.enum(["low", "high"]).optional() }),
  handler(event, { options, log }) {
    console.log("noise");
    if (event.event === "Stop") return deny("run the tests");
    if (event.event === "UserPromptSubmit") return context("be kind");
    if (event.event !== "PreToolUse" || event.tool !== "Bash") return undefined;
    log(\`asked about \${event.input.command}\`);
    if (event.input.command.includes("--force")) return deny(\`Never force \${options.branch}.\`);
    if (event.input.command.includes("--throw")) throw new Error("broken");
    return ask("Pushing needs a person.");
  },
});
`;

const OTHER = `import { defineHook, modify } from "bridge-hooks";
export default defineHook({ event: "PreToolUse", tool: ["Write", "Edit"], order: 1, handler: () => modify({ content: "changed" }) });
`;

const app = project({
  "hooks/guard.ts": GUARD,
  "hooks/other.js": OTHER,
  "hooks/_helper.ts": "export const x = 1;",
  "hooks/guard.test.ts": "throw new Error('a test is no hook');",
  ".bridge-hooks.json": '{ "hooks": { "guard": { "branch": "release" } } }',
});
afterAll(app.end);
const run = (...args: string[]) => app.run(["try", "--hooks", ".", ...args]);

describe("for people", () => {
  test("what some hosts get, byte for byte", () => {
    const { code, stdout, stderr } = run("--command", "git push", "--host", "claude,cursor", "--host", "copilot");
    expect(timeless(stdout)).toBe(`hooks: ./hooks (2: guard, other)
event: PreToolUse Bash  git push

host     host event  decision  exit      ms
-------------------------------------------
claude   PreToolUse  ask          0 #.#
cursor   preToolUse  deny         0 #.#
copilot  preToolUse  ask          0 #.#

claude
  stdout  {"hookSpecificOutput":{"hookEventName":"PreToolUse",
          "permissionDecision":"ask","permissionDecisionReason":"Pushing needs a
          person."}}

cursor
  stdout  {"permission":"deny","user_message":"Pushing needs a person.\\nThis
          needs the user's approval, which Cursor can't ask for here.",
          "agent_message":"Pushing needs a person.\\nThis needs the user's
          approval, which Cursor can't ask for here."}
  stderr  Pushing needs a person.
          This needs the user's approval, which Cursor can't ask for here.
          bridge-hooks: cursor preToolUse: decision "ask" became a denial;
          Cursor does not enforce "ask" on preToolUse; --cursor-ask-fallback ask
          sends it all the same

copilot
  stdout  {"permissionDecision":"ask","permissionDecisionReason":"Pushing needs
          a person."}
`);
    // What hooks print goes where it goes in a call.
    expect([code, stderr]).toEqual([0, "noise\nnoise\nnoise\n"]);
  });
  test("hosts that get the same stand together, and an event that a host does not have is said", () => {
    const { code, stdout } = run("--event", "PostCompact");
    expect(timeless(stdout)).toBe(`hooks: ./hooks (2: guard, other)
event: PostCompact

host      host event         decision  exit      ms
---------------------------------------------------
claude    PostCompact        none         0 #.#
cursor    Cursor has no such event
codex     PostCompact        none         0 #.#
gemini    Gemini CLI has no such event
copilot   GitHub Copilot has no such event
opencode  session.compacted  none         0 #.#
openclaw  after_compaction   none         0 #.#

claude, codex, opencode, openclaw
  nothing on stdout, nothing on stderr
`);
    expect(code).toBe(0);
  });
  test("variables are called so wherever they go", () => {
    app.put(
      "vars/hooks/vars.ts",
      'import { defineHook } from "bridge-hooks";\nexport default defineHook({ event: "SessionStart", handler: () => ({ session_env: { A: "1" } }) });\n',
    );
    const { stdout } = app.run(["try", "--hooks", "vars", "--event", "SessionStart", "--host", "claude,opencode"]);
    expect(timeless(stdout)).toBe(`hooks: ./vars/hooks (1: vars)
event: SessionStart

host      host event       decision   exit      ms
--------------------------------------------------
claude    SessionStart     variables     0 #.#
opencode  session.created  variables     0 #.#

claude
  appended to the file that CLAUDE_ENV_FILE names:
          export A='1'

opencode
  stdout  {"env":{"A":"1"}}
`);
  });
  test("why each hook did what it did", () => {
    const { stdout } = run("--command", "cd /tmp && sudo git push --force", "--explain", "--host", "claude,gemini");
    expect(timeless(stdout.slice(stdout.indexOf("\nguard\n")))).toBe(
      `
guard
    options   branch = "release" (project: .bridge-hooks.json)
              level = nothing (default)
  every host: asked, # ms
    decision  deny
    reason    Never force release.
    log       asked about cd /tmp && sudo git push --force

other
  claude: not asked: it wants Write, Edit, and this is Bash
  gemini: not asked: it wants Write, Edit, and this is Bash (run_shell_command)
`,
    );
  });

  test("at Stop a denial makes the agent go on, and how a call fails is the host's matter", () => {
    const { stdout } = run("--event", "Stop", "--host", "claude,opencode");
    expect(timeless(stdout)).toContain(`
claude    Stop          go on        2 #.#
opencode  session.idle  go on        0 #.#
`);
    const failing = run("--command", "git push --throw", "--host", "claude,copilot");
    expect(timeless(failing.stdout)).toContain(`
claude   PreToolUse  deny         2 #.#
copilot  preToolUse  deny         2 #.#

claude
  stdout  {"hookSpecificOutput":{"hookEventName":"PreToolUse",
          "permissionDecision":"deny","permissionDecisionReason":"The hook
          \\"guard\\" failed (broken), and its policy is to deny then."}}
  stderr  The hook "guard" failed (broken), and its policy is to deny then.
          bridge-hooks: claude PreToolUse: hook "guard" failed: broken
`);
    expect(failing.code).toBe(1);
  });
  test("what is several calls on a host is shown as such", () => {
    const { stdout } = run("--tool", "Edit", "--path", "a.ts", "--path", "b.ts", "--host", "claude,codex", "--explain");
    expect(timeless(stdout)).toContain(`
claude 1/2  PreToolUse  deny         2 #.#
claude 2/2  PreToolUse  deny         2 #.#
codex       PreToolUse  deny         2 #.#

claude
  stdout  {`);
    expect(stdout).toContain('\n    rewrite   {"content":"changed"}\n');
  });
  test("nothing is left behind, and nothing of the call is run", () => {
    expect(existsSync(join(app.home, "state"))).toBe(false);
    const put = ["vars", "broken.json", "codex.json", "native.json", "nobody.json", "two.jsonl"];
    expect(
      readdirSync(app.at)
        .filter((name) => !put.includes(name))
        .sort(),
    ).toEqual([".bridge-hooks.json", "hooks"]);
  });
});

const HOOKS: Record<string, string> = {
  "hooks/all.ts": `import { defineHook, deny } from "bridge-hooks";
export default defineHook({
  event: ${JSON.stringify(EVENTS)},
  handler: (event) => deny(event.event === "PreToolUse" ? "\u001b[31mred\u202e \t Widths: 日本語のテキストは二桁幅です。".repeat(20) : "no"),
});
`,
};

describe("in a terminal", () => {
  const wide = project(HOOKS);
  afterAll(wide.end);
  const CASES: string[][] = [
    ["--command", "echo 日本語 ".repeat(30)],
    ["--command", "ls", "--explain"],
    ["--prompt", "x".repeat(500)],
    ["--tool", "MCP", "--input", '{"server":"memory","tool":"search","arguments":{}}', "--explain"],
    ["--event", "Stop"],
  ];
  for (const args of CASES) {
    test(`no line is wider than 80 columns, and nothing of a hook moves the cursor: ${args.join(" ").slice(0, 40)}`, () => {
      const { code, stdout } = wide.run(["try", "--hooks", ".", ...args]);
      expect(code).toBe(0);
      expect(widest(stdout)).toBeLessThanOrEqual(80);
      expect(widest(stdout)).toBeGreaterThan(60);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    });
  }
  for (const COLUMNS of ["", "80"]) {
    test(`nothing ends with a space, and what goes to a program is not cut: ${COLUMNS}`, () => {
      for (const args of CASES) {
        const { stdout } = wide.run(["try", "--hooks", ".", ...args], { env: { COLUMNS } });
        expect(stdout).not.toMatch(/[ \t]$/m);
        if (args[0] === "--command" && args.length === 2) expect(widest(stdout) > 300).toBe(COLUMNS === "");
      }
      const { stdout } = run("--command", "git push --force", "--host", "claude");
      const cut = timeless(
        app.run(["try", "--hooks", ".", "--command", "git push --force", "--host", "claude"], { env: { COLUMNS } })
          .stdout,
      );
      expect(timeless(stdout).replaceAll(/\s+/g, "")).toBe(cut.replaceAll(/\s+/g, ""));
      expect(
        cut.includes('  stdout  {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"'),
      ).toBe(COLUMNS === "");
    });
  }
  test("as wide as the terminal is", () => {
    expect(
      widest(wide.run(["try", "--hooks", ".", "--command", "ls"], { env: { COLUMNS: "120" } }).stdout),
    ).toBeLessThanOrEqual(120);
    expect(
      widest(wide.run(["try", "--hooks", ".", "--command", "ls"], { env: { COLUMNS: "120" } }).stdout),
    ).toBeGreaterThan(100);
  });
  test("colours only there, and never with NO_COLOR", async () => {
    const shown = async (env: Record<string, string>) => {
      let text = "";
      const child = Bun.spawn([...wide.command, "try", "--hooks", ".", "--command", "ls", "--host", "claude"], {
        cwd: wide.at,
        env: { ...wide.env, ...env },
        terminal: { cols: 80, rows: 24, data: (_, chunk) => void (text += new TextDecoder().decode(chunk)) },
      });
      await child.exited;
      child.terminal?.close();
      return text;
    };
    expect(await shown({ TERM: "xterm" })).toContain("\u001b[31mdeny\u001b[0m");
    expect(await shown({ TERM: "xterm", NO_COLOR: "1" })).not.toContain("\u001b[");
    expect(await shown({ TERM: "dumb" })).not.toContain("\u001b[");
    expect(wide.run(["try", "--hooks", ".", "--command", "ls"], { env: { FORCE_COLOR: "1" } }).stdout).not.toContain(
      "\u001b[",
    );
  });
});

describe("for programs", () => {
  test("--json is as its schema says, and holds the very bytes", () => {
    const { code, stdout } = run("--json", "--command", "git push --force");
    const report = z.strictObject(Report.shape).parse(JSON.parse(stdout));
    expect([code, report.hosts.map(({ host }) => host)]).toEqual([0, hosts.map(({ id }) => id)]);
    expect(report.hooks).toEqual({
      from: "./hooks",
      names: ["guard", "other"],
      options: {
        guard: [
          { name: "branch", value: "release", scope: "project", file: join(app.at, ".bridge-hooks.json") },
          { name: "level" },
        ],
      },
      notes: {},
    });
    const [claude] = report.hosts.find(({ host }) => host === "claude")?.calls ?? [];
    expect({
      ...claude,
      payload: claude?.payload.tool_input,
      ms: 0,
      hooks: claude?.hooks.map(({ ms, ...hook }) => ({ ...hook, ms: ms >= 0 })),
    }).toEqual({
      native_event: "PreToolUse",
      payload: { command: "git push --force" },
      decision: "deny",
      response: { decision: "deny", reason: "Never force release." },
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Never force release."}}\n',
      stderr: "Never force release.\n",
      exit_code: 2,
      warnings: [],
      ms: 0,
      hooks: [
        {
          name: "guard",
          matched: true,
          response: { decision: "deny", reason: "Never force release." },
          log: ["asked about git push --force"],
          ms: true,
        },
        {
          name: "other",
          matched: false,
          why: "it wants Write, Edit, and this is Bash",
          response: {},
          log: [],
          ms: true,
        },
      ],
    });
  });
  test("--schema is a JSON Schema", () => {
    const { stdout } = run("--schema");
    expect(JSON.parse(stdout)).toEqual(z.toJSONSchema(Report));
  });
});

describe("a recorded payload", () => {
  const payload = payloadOf("codex", "PreToolUse-Bash");
  app.put("codex.json", JSON.stringify({ ...payload, tool_input: { command: "git push --force" } }, null, 2));
  app.put("native.json", JSON.stringify(payloadOf("gemini", "BeforeModel")));
  app.put("two.jsonl", `${JSON.stringify(payload)}\n${JSON.stringify(payload)}\n`);
  test("is told to every host, and to its own as it came", () => {
    const report = Report.parse(JSON.parse(run("--payload", "codex.json", "--json").stdout));
    const denied = report.hosts.flatMap(({ host, calls }) =>
      calls.some(({ decision }) => decision === "deny") ? [host] : [],
    );
    expect(denied).toEqual(hosts.map(({ id }) => id));
    expect(report.hosts.find(({ host }) => host === "codex")?.calls[0]?.payload).toEqual({
      ...payload,
      tool_input: { command: "git push --force" },
    });
  });
  test("from stdin", () => {
    const { code, stdout } = app.run(["try", "--hooks", ".", "--payload", "-", "--host", "codex"], {
      stdin: JSON.stringify(payload),
    });
    expect([code, timeless(stdout)]).toEqual([0, expect.stringContaining("codex  PreToolUse  none         0 #.#")]);
  });
  test("of an event that only its host has goes to that alone", () => {
    const report = Report.parse(JSON.parse(run("--payload", "native.json", "--json").stdout));
    expect(report.hosts.map(({ host, calls }) => [host, calls.map(({ native_event }) => native_event)])).toEqual([
      ["gemini", ["BeforeModel"]],
    ]);
  });
});

describe("a matcher that is most likely a slip is told", () => {
  const slip = project({
    "hooks/a.ts": `import { defineHook, deny } from "bridge-hooks";
export default defineHook({ event: ["PreToolUse", "Stop"], matcher: "Bsh(git push*)|Raed|Write", handler: () => deny("no") });
`,
    "hooks/b.ts": `import { defineHook } from "bridge-hooks";
export default defineHook({ event: "PostToolUse", matcher: "Bsh", handler() {} });
`,
  });
  afterAll(slip.end);
  const note = (...args: string[]) =>
    slip
      .run(["try", "--hooks", ".", "--host", "claude", ...args])
      .stdout.split("\n")
      .filter((line) => line.startsWith("note"));
  test("where it kept its hook from being asked, and nowhere else", () => {
    const told = [`"Bsh" fits no tool; write Bash(git push*)`, '"Raed" fits no tool; did you mean Read?'].map(
      (text) => `matcher: ${text}`,
    );
    const lines = told.map((text) => `note   a: ${text}`);
    expect(note("--command", "git push")).toEqual(lines);
    expect(note("--command", "git push", "--explain")).toEqual(lines);
    expect(note("--tool", "Write", "--path", "x")).toEqual([]);
    expect(note("--event", "Stop")).toEqual([]);
    expect(note("--prompt", "hello")).toEqual([]);
    const { notes } = Report.parse(
      JSON.parse(slip.run(["try", "--hooks", ".", "--command", "git push", "--json"]).stdout),
    ).hooks;
    expect(notes).toEqual({ a: told });
  });
});

describe("what makes no sense is said in a line", () => {
  app.put("broken.json", '{\n  "a": 1,\n  "b": }\n');
  app.put("nobody.json", '{"a":1}');
  const CASES: [args: string[], message: string][] = [
    [[], "PreToolUse is about a tool call: name it with --command LINE, --path FILE, or --tool TOOL --input JSON"],
    [["--event", "Native"], "a Native event is one that only its host has; give what that sends with --payload FILE"],
    [["--event", "UserPromptSubmit"], "UserPromptSubmit is about a prompt: name it with --prompt TEXT"],
    [["--tool", "Glob", "--command", "x"], "--command is for Bash"],
    [["--tool", "Bash", "--prompt", "x"], "--prompt is for Task, WebFetch"],
    [["--tool", "MCP", "--path", "x"], "--path is for Read, Write, Edit, Glob, Grep"],
    [["--command", ""], "--command is empty; give a shell line"],
    [["--command", "x", "--timeout-ms", "0"], '--timeout-ms takes milliseconds, a whole number above 0, not "0"'],
    [["--comand", "x"], 'try: "--comand" is not understood; did you mean --command? see bridge-hooks try --help'],
    [["--comand=x"], 'try: "--comand=x" is not understood; did you mean --command? see bridge-hooks try --help'],
    [
      ["npm publish"],
      'try: "npm publish" is an argument too many; did you mean --command LINE? see bridge-hooks try --help',
    ],
    [
      ["claude", "--command", "x"],
      'try: "claude" is an argument too many; did you mean --host claude? see bridge-hooks try --help',
    ],
    [
      ["--payload", "hooks"],
      "hooks can't be read (it is a folder); name a file in it; bridge-hooks replay takes folders",
    ],
    [
      ["--payload", "broken.json/x"],
      "broken.json/x can't be read (what it would lie in is a file); name a file that can be read",
    ],
    [["x", "y"], 'try: "x" is an argument too many; did you mean --command LINE? see bridge-hooks try --help'],
    [["--tool", "Bash"], "--tool Bash needs --command or --input"],
    [["--tool", "Write"], "--tool Write needs --path or --input"],
    [["--tool", "WebFetch"], `--tool WebFetch needs --input '{"url":"…"}'`],
    [["--tool", "MCP"], `--tool MCP needs --input '{"tool":"…","arguments":{}}'`],
    [["--tool", "bash"], 'there is no tool "bash"; did you mean Bash?'],
    [["--tool", "Write", "--path", "a", "--path", "b"], "--tool Write takes one --path"],
    [["--event", "PreTolUse", "--command", "x"], 'there is no event "PreTolUse"; did you mean PreToolUse?'],
    [["--event", "x"], `there is no event "x"; known: ${EVENTS.join(", ")}`],
    [["--event", "Stop", "--command", "x"], "--command is about a tool call, which Stop is not"],
    [["--command", "x", "--input", "{a"], "--input is no JSON: column 2: invalid symbol"],
    [["--command", "x", "--input", '{"command":"x",}'], "--input is no JSON: column 16: property name expected"],
    [["--command", "x", "--input", "[]"], "--input is no JSON object"],
    [["--command", "x", "--input", " "], "--input is empty; give a JSON object"],
    [
      ["--tool", "Bash", "--input", '{"cmd":"x"}'],
      "a call of Bash has no input.cmd; known: command, description, cwd, timeout_ms, run_in_background",
    ],
    [["--tool", "Bash", "--input", '{"command":1}'], "a call of Bash: input.command: expected string, received number"],
    [
      ["--event", "Notification", "--fields", '{"mesage":"x"}'],
      "a Notification event has no mesage; did you mean message?",
    ],
    [["--command", "x", "--host", "clade"], 'there is no host "clade"; did you mean claude?'],
    [["--command", "x", "--from", "claude"], "--from says whose --payload it is; give that, too"],
    [["--command", "x", "--timeout-ms", "soon"], '--timeout-ms takes milliseconds, a whole number above 0, not "soon"'],
    [["--command", "x", "--on-error", "ask"], '--on-error takes allow or deny, not "ask"'],
    [["--command", "x", "--hooks", "nowhere"], "there is no folder nowhere"],
    [["--payload", "nowhere.json"], "there is no file nowhere.json"],
    [["--payload", "broken.json"], "broken.json is no JSON: line 3, column 8: value expected"],
    [["--payload", "two.jsonl"], "two.jsonl has several payloads; bridge-hooks replay takes those"],
    [["--payload", "codex.json", "--command", "x"], "--payload says all of the event; leave out --command"],
    [["--payload", "codex.json", "--from", "claude"], "codex.json: it is a payload of codex, not of claude"],
  ];
  for (const [args, message] of CASES) {
    test(`try ${args.join(" ")}`, () =>
      expect(run(...args)).toEqual({ code: 1, stdout: "", stderr: `bridge-hooks: ${message}\n` }));
  }
  test("a host that is named twice is shown once", () => {
    const report = Report.parse(
      JSON.parse(run("--command", "x", "--host", "claude,claude", "--host", "claude", "--json").stdout),
    );
    expect(report.hosts.map(({ host }) => host)).toEqual(["claude"]);
  });
  test("commands that there are not", () => {
    const said = (...args: string[]) => app.run(args).stderr;
    expect(said("trie")).toBe('bridge-hooks: unknown command "trie"; did you mean try? see bridge-hooks --help\n');
    expect(said("bogus", "--hots", "claude")).toBe(
      'bridge-hooks: unknown command "bogus --hots claude"; did you mean --host claude? see bridge-hooks --help\n',
    );
    expect(said("install", "--hots", "claude")).toBe(
      'bridge-hooks: install: "--hots" is not understood; did you mean --host? see bridge-hooks install --help\n',
    );
    expect(said("doctor", "x")).toBe(
      'bridge-hooks: doctor: "x" is an argument too many; see bridge-hooks doctor --help\n',
    );
    expect(said("list", "x")).toBe(
      'bridge-hooks: list: "x" is an argument too many; did you mean --hooks DIR? see bridge-hooks list --help\n',
    );
    expect(app.run(["matrix", "cladue"])).toEqual({
      code: 1,
      stdout: "",
      stderr: 'bridge-hooks: there is no host "cladue"; did you mean claude?\n',
    });
    expect(said("build", "a", "b")).toBe(
      "bridge-hooks: build: it takes one directory; see bridge-hooks build --help\n",
    );
    expect(said("test", "hooks/guard.ts")).toBe(
      "bridge-hooks: hooks/guard.ts is a file; name the folder that it lies in\n",
    );
  });
  test("--help has no colours, names what options take, and lists events and tools", () => {
    const { code, stdout } = run("--help");
    expect([
      code,
      stdout.split("\n").filter((line) => /^(Usage|  --(host|command|json|timeout-ms))/.test(line)),
    ]).toEqual([
      0,
      [
        "Usage: $ bridge-hooks try [OPTIONS]",
        "  --command LINE         The shell line of a Bash call",
        `  --host ID              Show only this host: ${hosts.map(({ id }) => id).join(", ")}; may be repeated`,
        "  --timeout-ms MS        As for a call: its time (default 4000)",
        "  --json                 As JSON",
      ],
    ]);
    for (const name of [...EVENTS, ...TOOLS]) expect(stdout).toContain(name);
    expect(app.run(["build", "--help"]).stdout).toContain("\nUsage: $ bridge-hooks build [OPTIONS] [DIR]\n");
  });
  test("a payload of no host", () => {
    const { code, stdout, stderr } = run("--payload", "nobody.json");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^bridge-hooks: nobody\.json: it looks like no known host; name it with --from ID\n$/);
  });
});

describe("a handler that fails", () => {
  const handler = (body: string) =>
    `import { defineHook } from "bridge-hooks";\nexport default defineHook({\n  event: "PreToolUse",\n  handler(event) {\n    ${body}\n  },\n});\n`;
  const failing = project({
    "hooks/reads.ts": handler("return event.input.a.b;"),
    "hooks/writes.ts": handler('event.input.command = "x";'),
    "hooks/_lib.ts": "\nexport const broken = (): never => {\n  throw new Error('broken');\n};\n",
    "hooks/calls.ts": `import { broken } from "./_lib.ts";\n${handler("return broken();")}`,
    "hooks/waits.ts": handler("await 1;\n    throw new Error('later');").replace("handler", "async handler"),
  });
  afterAll(failing.end);
  const FAILURES = {
    calls: ["broken", "hooks/_lib.ts:3:13"],
    reads: ["undefined is not an object (evaluating 'event.input.a.b')", "hooks/reads.ts:5:24"],
    waits: ["later", "hooks/waits.ts:6:15"],
    writes: ["Attempted to assign to readonly property; return modify(…) to change the input", "hooks/writes.ts:5:11"],
  };
  test("is told with its place", () => {
    const { code, stdout } = failing.run(["try", "--hooks", ".", "--command", "ls", "--host", "copilot"], {
      env: { COLUMNS: "200" },
    });
    const warnings = Object.entries(FAILURES).map(
      ([name, [what]]) => `bridge-hooks: copilot preToolUse: hook "${name}" failed: ${what}`,
    );
    expect([code, timeless(stdout.slice(stdout.indexOf("\ncopilot\n")))]).toEqual([
      1,
      `
copilot
  stderr  ${warnings.join("\n          ")}

${Object.entries(FAILURES)
  .map(([name, [, at]]) => `${name} failed at ${at}\n`)
  .join("")}`,
    ]);
  });
  test("of a call that the host counts as failed, the failure stands there once", () => {
    const { stdout } = failing.run(["try", "--hooks", ".", "--command", "ls", "--host", "claude"], {
      env: { COLUMNS: "200" },
    });
    expect(stdout).toContain("\n  means   it exited with code 1\n");
    expect(stdout.split("failed: later").length).toBe(2);
    const opencode = failing.run(["try", "--hooks", ".", "--command", "ls", "--host", "opencode"], {
      env: { COLUMNS: "200" },
    });
    expect(opencode.stdout.split("failed: later").length).toBe(2);
  });
  test("with --explain and --json", () => {
    const { stdout } = failing.run(["try", "--hooks", ".", "--command", "ls", "--host", "claude", "--explain"], {
      env: { COLUMNS: "200" },
    });
    for (const [what, at] of Object.values(FAILURES)) expect(stdout).toContain(`\n    failed    ${what} (${at})\n`);
    const report = Report.parse(
      JSON.parse(failing.run(["try", "--hooks", ".", "--command", "ls", "--host", "claude", "--json"]).stdout),
    );
    const asked = report.hosts[0]?.calls[0]?.hooks ?? [];
    expect(Object.fromEntries(asked.map(({ name, failure, at }) => [name, [failure, at]]))).toEqual(FAILURES);
  });
});

describe("hooks that are wrong", () => {
  const CASES: [name: string, text: string, message: string][] = [
    ["syntax", "export default {;", 'hooks/a.ts:1:17: error: Expected identifier but found ";"'],
    [
      "an import of nothing",
      'import x from "nothing";\nexport default x;',
      "hooks/a.ts:1:15: error: Cannot find package 'nothing' imported from $/hooks/a.ts",
    ],
    ["a throw", "\nthrow new Error('at\\nload');", "hooks/a.ts:2:11: error: at load"],
    [
      "no default export",
      "export const x = 1;",
      'hooks/a.ts:1:1: error: there is no default export; write "export default defineHook({ … })"',
    ],
    [
      "a field that is none",
      'export default { event: "Stop", handlr: 1, handler() {} };',
      'hooks/a.ts:1:33: error: a hook has no field "handlr"; did you mean handler?',
    ],
    [
      "it ends the process",
      "process.exit(0);",
      "hooks/a.ts:1:9: error: it called process.exit(0); return a response instead",
    ],
  ];
  for (const [name, text, message] of CASES) {
    test(name, () => {
      const wrong = project({ "hooks/a.ts": text });
      const { code, stdout, stderr } = wrong.run(["try", "--command", "x", "--hooks", "."]);
      wrong.end();
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toStartWith(message.replace("$", wrong.at));
      expect(stderr).toEndWith("\nbridge-hooks: an error in the hooks\n");
    });
  }
  test("a loop is stopped", () => {
    const wrong = project({ "hooks/a.ts": 'import "bridge-hooks"; for (;;) {}' });
    const { code, stderr } = wrong.run(["try", "--hooks", ".", "--command", "x"]);
    wrong.end();
    expect([code, stderr]).toEqual([
      1,
      "hooks/a.ts:1:1: error: this never finishes loading (it took longer than 5000 ms)\nbridge-hooks: an error in the hooks\n",
    ]);
  });
  const NONE = 'there is no default export; write "export default defineHook({ … })"';
  const ODD: [name: string, text: string, message: string][] = [
    ["an empty file", "", `hooks/a.ts:1:1: error: ${NONE}`],
    ["something else", "export default { hello: 1 };", "hooks/a.ts:1:1: error: "],
    ["no default export", "export const useThing = () => {};", `hooks/a.ts:1:1: error: ${NONE}`],
  ];
  for (const [name, text, message] of ODD) {
    test(`--hooks takes what is there, and tells of it: ${name}`, () => {
      const wrong = project({ "hooks/a.ts": text });
      for (const args of [
        ["try", "--hooks", ".", "--command", "x"],
        ["list", "--hooks", "."],
        ["replay", "--hooks", ".", "-"],
      ]) {
        const { code, stdout, stderr } = wrong.run(args);
        expect([args, code, stdout, stderr.startsWith(message) || stderr]).toEqual([args, 1, "", true]);
      }
      wrong.end();
    });
  }
  test("--hooks takes modules that say nothing of bridge-hooks themselves", () => {
    const module =
      'import { defineHook } from "bridge-hooks";\nexport default defineHook({ event: "Stop", handler() {} });\n';
    const indirect = project({ "hooks/a.ts": 'export { default } from "./_a.ts";\n', "hooks/_a.ts": module });
    const { code, stdout } = indirect.run(["try", "--hooks", ".", "--event", "Stop"]);
    indirect.end();
    expect([code, stdout.split("\n")[0]]).toEqual([0, "hooks: ./hooks (1: a)"]);
  });
  test("nothing of ./hooks is evaluated unless somebody asks for it", () => {
    const evil = 'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "");\n';
    const clone = project({ "hooks/a.ts": evil, "hooks/b.js": evil, "hooks/_c.ts": evil, "hooks/d.test.ts": evil });
    const text =
      "bridge-hooks: this executable has no hooks in it; ./hooks has 2 modules that were not loaded; pass --hooks ./hooks to run them\n";
    for (const args of [["try", "--command", "x"], ["list"], ["list", "--json"], ["replay", "-"]])
      expect([args, clone.run(args)]).toEqual([args, { code: 1, stdout: "", stderr: text }]);
    expect(existsSync(join(clone.at, "ran"))).toBe(false);
    clone.run(["list", "--hooks", "./hooks"]);
    expect(existsSync(join(clone.at, "ran"))).toBe(true);
    clone.end();
  });
  test("without any module there", () => {
    const other = project({ "hooks/pre-commit.sample": "", "hooks/_helper.ts": "" });
    const { code, stderr } = other.run(["try", "--command", "x"]);
    other.end();
    expect([code, stderr]).toEqual([
      1,
      "bridge-hooks: this executable has no hooks in it; name their folder with --hooks DIR\n",
    ]);
  });
});

describe("every event, of every tool, on every host", () => {
  const INPUTS: Record<Tool, object> = {
    Bash: { command: "ls -l" },
    Read: { file_path: "a.txt" },
    Write: { file_path: "a.txt", content: "text" },
    Edit: { files: [{ file_path: "a.txt", operation: "update", edits: [{ old_string: "a", new_string: "b" }] }] },
    Glob: { pattern: "*.ts" },
    Grep: { pattern: "x", path: "src" },
    WebFetch: { url: "https://example.com" },
    WebSearch: { query: "q" },
    Task: { prompt: "do it" },
    MCP: { server: "memory", tool: "search", arguments: { q: 1 } },
    Other: { a: 1 },
  };
  const given = EVENTS.flatMap((event): Record<string, unknown>[] =>
    isAboutCall(event)
      ? TOOLS.map((tool) => ({ event, tool, input: INPUTS[tool] }))
      : [event === "UserPromptSubmit" ? { event, prompt: "hello" } : { event }],
  );
  const eventOf = (one: object) => completed(one, { host: "bridge-hooks", session_id: "s", cwd: app.at });
  test("is told and answered, or the host has none of it", async () => {
    const counts = { told: 0, silent: 0, calls: 0 };
    await apart(async () => {
      for (const event of given.map(eventOf)) {
        for (const host of hosts) {
          const told = (await host.speech()).payloads(event);
          counts[told.length === 0 ? "silent" : "told"]++;
          if (told.length === 0) expect(silence(host, event)).not.toBe("");
          for (const { native_event, payload } of told) {
            const { answer, seen } = await call(
              [],
              ["--host", host.id, "--event", native_event],
              JSON.stringify(payload),
              {},
            );
            const name: EventName | undefined = seen?.event.event;
            expect([host.id, native_event, answer.exit_code, answer.stderr, name]).toEqual([
              host.id,
              native_event,
              0,
              "",
              event.event,
            ]);
            counts.calls++;
          }
        }
      }
    });
    expect([given.length, counts.told + counts.silent]).toEqual([54, 54 * hosts.length]);
    expect(counts.told).toBeGreaterThan(250);
    expect(counts.calls).toBeGreaterThan(counts.told);
  });
  test("is shown in 80 columns", async () => {
    const hook = defineHook({ event: EVENTS, handler: ({ event }) => deny(`no ${event} ${"wide ".repeat(40)}`) });
    const hooks = { entries: [entryOf(hook, "a-hook-with-a-name")], files: new Map<string, string>() };
    const paper = { width: 80, paint: painter(false) };
    let shown = 0;
    for (const event of given.map(eventOf)) {
      const report = await tried(hooks, { event, hosts, flags: [] });
      const text = `${tryText(report, event, paper)}\n${explainText(report, hooks.entries, paper)}`;
      expect([event.event, widest(text) <= 80, report.hosts.length]).toEqual([event.event, true, hosts.length]);
      expect(Report.safeParse(JSON.parse(JSON.stringify(report))).error).toBeUndefined();
      shown++;
    }
    expect(shown).toBe(54);
  });
});
