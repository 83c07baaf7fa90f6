import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runInTempDir } from "../../../src/author/testing/temp-dir.ts";
import { runHookCall } from "../../../src/author/testing/call.ts";
import { completeEvent, isToolCallEvent } from "../../../src/author/testing/event.ts";
import { paintPlain } from "../../../src/cli/terminal/colors.ts";
import { TryReport } from "../../../src/cli/try/report.ts";
import { formatExplanation, formatTryReport } from "../../../src/cli/try/text.ts";
import { tryHooks } from "../../../src/cli/try/try.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { defineHook, deny } from "../../../src/index.ts";
import { type EventName, EVENTS } from "../../../src/protocol/event.ts";
import { createHookEntry } from "../../../src/protocol/hook.ts";
import { explainMissingPayload } from "../../../src/protocol/host/missing-payload.ts";
import { type Tool, TOOLS } from "../../../src/protocol/tool.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";
import { createProject, HOOKLESS, removeTimes, measureWidth } from "../../support/projects.ts";
import { app, runTry } from "./app.ts";

describe("the note on a mistyped matcher", () => {
  const slip = createProject({
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
  test("appears only if the matcher kept its hook from running", () => {
    const told = [`"Bsh" matches no tool; write Bash(git push*)`, '"Raed" matches no tool; did you mean Read?'].map(
      (text) => `matcher: ${text}`,
    );
    const lines = told.map((text) => `note   a: ${text}`);
    expect(note("--command", "git push")).toEqual(lines);
    expect(note("--command", "git push", "--explain")).toEqual(lines);
    expect(note("--tool", "Write", "--path", "x")).toEqual([]);
    expect(note("--event", "Stop")).toEqual([]);
    expect(note("--prompt", "hello")).toEqual([]);
    const { notes } = TryReport.parse(
      JSON.parse(slip.run(["try", "--hooks", ".", "--command", "git push", "--json"]).stdout),
    ).hooks;
    expect(notes).toEqual({ a: told });
  });
});

describe("bridge-hooks", () => {
  app.put("broken.json", '{\n  "a": 1,\n  "b": }\n');
  app.put("nobody.json", '{"a":1}');
  const CASES: [args: string[], message: string][] = [
    [[], "PreToolUse needs a tool call: pass --command LINE, --path FILE, or --tool TOOL --input JSON"],
    [["--event", "Native"], "a Native event belongs to one host; pass that host's payload: --payload FILE"],
    [["--event", "UserPromptSubmit"], "UserPromptSubmit needs a prompt: pass --prompt TEXT"],
    [["--tool", "Glob", "--command", "x"], "--command is for Bash"],
    [["--tool", "Bash", "--prompt", "x"], "--prompt is for Task, WebFetch"],
    [["--tool", "MCP", "--path", "x"], "--path is for Read, Write, Edit, Glob, Grep"],
    [["--command", ""], "--command is empty; pass a shell command"],
    [["--command", "x", "--timeout-ms", "0"], '--timeout-ms takes a whole number of milliseconds above 0, not "0"'],
    [["--comand", "x"], 'try: unknown option "--comand"; did you mean --command? see bridge-hooks try --help'],
    [["--comand=x"], 'try: unknown option "--comand=x"; did you mean --command? see bridge-hooks try --help'],
    [
      ["npm publish", "--command", "x"],
      'try: unexpected argument "npm publish"; pass the command only once; see bridge-hooks try --help',
    ],
    [
      ["claude", "--command", "x"],
      'try: unexpected argument "claude"; did you mean --host claude? see bridge-hooks try --help',
    ],
    [["claude"], 'try: unexpected argument "claude"; did you mean --host claude? see bridge-hooks try --help'],
    [
      ["git", "push", "--force"],
      `try: unknown option "--force"; quote the whole command: 'git push --force'; see bridge-hooks try --help`,
    ],
    [["npm publish", "--hots", "x"], 'try: unknown option "--hots"; did you mean --host? see bridge-hooks try --help'],
    [
      ["--payload", "hooks"],
      "hooks can't be read (it is a directory); pass a file, or use bridge-hooks replay for a directory",
    ],
    [
      ["--payload", "broken.json/x"],
      "broken.json/x can't be read (its parent is a file, not a directory); pass a readable file",
    ],
    [["x", "y"], "try: unexpected argument; quote the whole command: 'x y'; see bridge-hooks try --help"],
    [["--tool", "Bash"], "--tool Bash needs --command or --input"],
    [["--tool", "Write"], "--tool Write needs --path or --input"],
    [["--tool", "WebFetch"], `--tool WebFetch needs --input '{"url":"…"}'`],
    [["--tool", "MCP"], `--tool MCP needs --input '{"tool":"…","arguments":{}}'`],
    [["--tool", "bash"], 'unknown tool "bash"; did you mean Bash?'],
    [["--tool", "Write", "--path", "a", "--path", "b"], "--tool Write takes one --path"],
    [["--event", "PreTolUse", "--command", "x"], 'unknown event "PreTolUse"; did you mean PreToolUse?'],
    [["--event", "x"], `unknown event "x"; known: ${EVENTS.join(", ")}`],
    [["--event", "Stop", "--command", "x"], "--command describes a tool call, but Stop is not a tool call"],
    [["--command", "x", "--input", "{a"], "--input is not valid JSON: column 2: invalid symbol"],
    [["--command", "x", "--input", '{"command":"x",}'], "--input is not valid JSON: column 16: property name expected"],
    [["--command", "x", "--input", "[]"], "--input is not a JSON object"],
    [["--command", "x", "--input", " "], "--input is empty; pass a JSON object"],
    [
      ["--tool", "Bash", "--input", '{"cmd":"x"}'],
      "a call of Bash has no input.cmd; known: command, description, cwd, timeout_ms, run_in_background",
    ],
    [["--tool", "Bash", "--input", '{"command":1}'], "a call of Bash: input.command: expected string, received number"],
    [
      ["--event", "Notification", "--fields", '{"mesage":"x"}'],
      "a Notification event has no mesage; did you mean message?",
    ],
    [["--command", "x", "--host", "clade"], 'unknown host "clade"; did you mean claude?'],
    [["--command", "x", "--from", "claude"], "--from requires --payload"],
    [
      ["--command", "x", "--timeout-ms", "soon"],
      '--timeout-ms takes a whole number of milliseconds above 0, not "soon"',
    ],
    [["--command", "x", "--on-error", "ask"], '--on-error takes allow or deny, not "ask"'],
    [["--command", "x", "--hooks", "nowhere"], "no such directory: nowhere"],
    [["--payload", "nowhere.json"], "no such file: nowhere.json"],
    [["--payload", "broken.json"], "broken.json is not valid JSON: line 3, column 8: value expected"],
    [["--payload", "two.jsonl"], "two.jsonl contains several payloads; to run them all: bridge-hooks replay"],
    [["--payload", "codex.json", "--command", "x"], "--payload contains the whole event; leave out --command"],
    [["--payload", "codex.json", "--from", "claude"], "codex.json: this is a codex payload, not a claude payload"],
  ];
  for (const [args, message] of CASES) {
    test(`${["try", ...args].join(" ")} fails with one line that gives the reason`, () =>
      expect(runTry(...args)).toEqual({ code: 1, stdout: "", stderr: `bridge-hooks: ${message}\n` }));
  }
  test("try shows a host once if it is named twice", () => {
    const report = TryReport.parse(
      JSON.parse(runTry("--command", "x", "--host", "claude,claude", "--host", "claude", "--json").stdout),
    );
    expect(report.hosts.map(({ host }) => host)).toEqual(["claude"]);
  });
  test("suggests a fix for unknown commands, options and arguments", () => {
    const said = (...args: string[]) => app.run(args).stderr;
    expect(said("tri")).toBe('bridge-hooks: unknown command "tri"; did you mean try? see bridge-hooks --help\n');
    expect(said("bogus", "--hots", "claude")).toBe(
      'bridge-hooks: unknown command "bogus"; did you mean --host claude? see bridge-hooks --help\n',
    );
    expect(said("install", "--hots", "claude")).toBe(
      'bridge-hooks: install: unknown option "--hots"; did you mean --host? see bridge-hooks install --help\n',
    );
    expect(said("doctor", "x")).toBe('bridge-hooks: doctor: unexpected argument "x"; see bridge-hooks doctor --help\n');
    expect(said("list", "x")).toBe(
      'bridge-hooks: list: unexpected argument "x"; did you mean --hooks DIR? see bridge-hooks list --help\n',
    );
    expect(app.run(["matrix", "cladue"])).toEqual({
      code: 1,
      stdout: "",
      stderr: 'bridge-hooks: unknown host "cladue"; did you mean claude?\n',
    });
    expect(said("build", "a", "b")).toBe(
      "bridge-hooks: build: pass only one directory; see bridge-hooks build --help\n",
    );
    expect(said("test", "hooks/guard.ts")).toBe("bridge-hooks: hooks/guard.ts is a file; pass its directory\n");
  });
  test("try --help has no colors, lists the values of options, and lists events and tools", () => {
    const { code, stdout } = runTry("--help");
    expect([
      code,
      stdout.split("\n").filter((line) => /^(Usage|  --(from|command|json|timeout-ms))/.test(line)),
    ]).toEqual([
      0,
      [
        "Usage: bridge-hooks try [OPTIONS] [LINE]",
        "  --command LINE         Shell command of a Bash call",
        "  --from ID              Host that sent the payload, if the payload doesn't name",
        "  --timeout-ms MS        Time limit of a call in milliseconds (default: 4000)",
        "  --json                 Print JSON",
      ],
    ]);
    for (const name of [...EVENTS, ...TOOLS]) expect(stdout).toContain(name);
    expect(app.run(["build", "--help"]).stdout).toContain("\nUsage: bridge-hooks build [OPTIONS] [DIR]\n");
  });
  test("try rejects a payload that matches no host", () => {
    const { code, stdout, stderr } = runTry("--payload", "nobody.json");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^bridge-hooks: nobody\.json: it matches no known host; name the host with --from ID\n$/);
  });
});

describe("a failing handler", () => {
  const handler = (body: string) =>
    `import { defineHook } from "bridge-hooks";\nexport default defineHook({\n  event: "PreToolUse",\n  handler(event) {\n    ${body}\n  },\n});\n`;
  const failing = createProject({
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
  test("is reported with file, line and column", () => {
    const { code, stdout } = failing.run(
      ["try", "--hooks", ".", "--command", "ls", "--host", "copilot", "--on-error", "allow"],
      {
        env: { COLUMNS: "200" },
      },
    );
    const warnings = Object.entries(FAILURES).map(
      ([name, [what]]) => `bridge-hooks: copilot preToolUse: hook "${name}" failed: ${what}`,
    );
    expect([code, removeTimes(stdout.slice(stdout.indexOf("\ncopilot\n")))]).toEqual([
      1,
      `
copilot
  stderr  ${warnings.join("\n          ")}

${Object.entries(FAILURES)
  .map(([name, [, at]]) => `${name} failed at ${at}\n`)
  .join("")}`,
    ]);
  });
  test("is reported once if the host counts the call as failed", () => {
    const { stdout } = failing.run(
      ["try", "--hooks", ".", "--command", "ls", "--host", "claude", "--on-error", "allow"],
      {
        env: { COLUMNS: "200" },
      },
    );
    expect(stdout).toContain("\n  means   it exited with code 1\n");
    expect(stdout.split("failed: later").length).toBe(2);
    const opencode = failing.run(
      ["try", "--hooks", ".", "--command", "ls", "--host", "opencode", "--on-error", "allow"],
      {
        env: { COLUMNS: "200" },
      },
    );
    expect(opencode.stdout.split("failed: later").length).toBe(2);
  });
  test("denies by default, and fails the call with --on-error allow", () => {
    const report = (...words: string[]) => {
      const { stdout } = failing.run(["try", "--hooks", ".", "--json", "--host", "claude,codex", ...words]);
      return TryReport.parse(JSON.parse(stdout)).hosts.map(({ calls: [call] }) => [call?.decision, call?.exit_code]);
    };
    expect(report("--command", "ls")).toEqual([
      ["deny", 2],
      ["deny", 2],
    ]);
    expect(report("--command", "ls", "--on-error", "allow")).toEqual([
      ["failed", 1],
      ["failed", 1],
    ]);
  });
  test("is reported with its position by --explain and --json", () => {
    const { stdout } = failing.run(
      ["try", "--hooks", ".", "--command", "ls", "--host", "claude", "--on-error", "allow", "--explain"],
      {
        env: { COLUMNS: "200" },
      },
    );
    for (const [what, at] of Object.values(FAILURES)) expect(stdout).toContain(`\n    failed    ${what} (${at})\n`);
    const report = TryReport.parse(
      JSON.parse(failing.run(["try", "--hooks", ".", "--command", "ls", "--host", "claude", "--json"]).stdout),
    );
    const asked = report.hosts[0]?.calls[0]?.hooks ?? [];
    expect(Object.fromEntries(asked.map(({ name, failure, at }) => [name, [failure, at]]))).toEqual(FAILURES);
  });
});

describe("--hooks", () => {
  const CASES: [name: string, text: string, message: string][] = [
    ["a syntax error", "export default {;", 'hooks/a.ts:1:17: error: Expected identifier but found ";"'],
    [
      "an import that can't be resolved",
      'import x from "nothing";\nexport default x;',
      'hooks/a.ts:1:15: error: "nothing" was not found; install your own packages in a node_modules next to the hooks',
    ],
    ["an error that a module throws", "\nthrow new Error('at\\nload');", "hooks/a.ts:2:11: error: at load"],
    [
      "a missing default export",
      "export const x = 1;",
      'hooks/a.ts:1:1: error: no default export; write "export default defineHook({ … })"',
    ],
    [
      "an unknown field of a hook",
      'export default { event: "Stop", handlr: 1, handler() {} };',
      'hooks/a.ts:1:33: error: a hook has no field "handlr"; did you mean handler?',
    ],
    [
      "a call of process.exit",
      "process.exit(0);",
      "hooks/a.ts:1:9: error: it called process.exit(0); return a response instead",
    ],
  ];
  for (const [name, text, message] of CASES) {
    test(`reports ${name} with file, line and column`, () => {
      const wrong = createProject({ "hooks/a.ts": text });
      const { code, stdout, stderr } = wrong.run(["try", "--command", "x", "--hooks", "."]);
      wrong.end();
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toStartWith(message);
      expect(stderr).toEndWith("\nbridge-hooks: an error in the hooks\n");
    });
  }
  test("stops a module that never finishes loading", () => {
    const wrong = createProject({ "hooks/a.ts": 'import "bridge-hooks"; for (;;) {}' });
    const { code, stderr } = wrong.run(["try", "--hooks", ".", "--command", "x"]);
    wrong.end();
    expect([code, stderr]).toEqual([
      1,
      "hooks/a.ts:1:1: error: the module never finishes loading (it took longer than 5000 ms)\nbridge-hooks: an error in the hooks\n",
    ]);
  });
  test.skipIf(process.platform === "win32")("is ended by SIGALRM if a module blocks its thread while it loads", () => {
    const wrong = createProject({ "hooks/a.ts": "Bun.sleepSync(600_000);\nexport default 1;\n" });
    const { exitCode, signalCode, stdout } = Bun.spawnSync([EXECUTABLE, "try", "--hooks", ".", "--command", "x"], {
      cwd: wrong.at,
      env: wrong.env,
      stderr: "ignore",
    });
    wrong.end();
    expect([exitCode, signalCode, `${stdout}`]).toEqual([null as never, "SIGALRM", ""]);
  });
  const NONE = 'no default export; write "export default defineHook({ … })"';
  const ODD: [name: string, text: string, message: string][] = [
    ["an empty file", "", `hooks/a.ts:1:1: error: ${NONE}`],
    ["a default export that is not a hook", "export default { hello: 1 };", "hooks/a.ts:1:1: error: "],
    ["a missing default export", "export const useThing = () => {};", `hooks/a.ts:1:1: error: ${NONE}`],
  ];
  for (const [name, text, message] of ODD) {
    test(`makes try, list and replay fail for ${name}`, () => {
      const wrong = createProject({ "hooks/a.ts": text });
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
  test("accepts modules that only re-export a hook", () => {
    const module =
      'import { defineHook } from "bridge-hooks";\nexport default defineHook({ event: "Stop", handler: () => undefined });\n';
    const indirect = createProject({ "hooks/a.ts": 'export { default } from "./_a.ts";\n', "hooks/_a.ts": module });
    const { code, stdout } = indirect.run(["try", "--hooks", ".", "--event", "Stop"]);
    indirect.end();
    expect([code, stdout.split("\n")[0]]).toEqual([0, "hooks: ./hooks (1: a)"]);
  });
  test("is required to evaluate modules in ./hooks, which are otherwise only counted", () => {
    const evil = 'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "");\n';
    const clone = createProject({
      "hooks/a.ts": evil,
      "hooks/b.js": evil,
      "hooks/_c.ts": evil,
      "hooks/d.test.ts": evil,
    });
    const text =
      "bridge-hooks: this executable has no hooks; ./hooks has 2 modules that were not loaded; pass --hooks . to run them\n";
    for (const args of [["try", "--command", "x"], ["list"], ["list", "--json"], ["replay", "-"]])
      expect([args, clone.run(args, { command: HOOKLESS })]).toEqual([args, { code: 1, stdout: "", stderr: text }]);
    expect(existsSync(join(clone.at, "ran"))).toBe(false);
    clone.run(["list", "--hooks", "./hooks"]);
    expect(existsSync(join(clone.at, "ran"))).toBe(true);
    clone.end();
  });
  test("is requested by an executable without hooks", () => {
    const other = createProject({ "hooks/pre-commit.sample": "", "hooks/_helper.ts": "" });
    const { code, stderr } = other.run(["try", "--command", "x"], { command: HOOKLESS });
    other.end();
    expect([code, stderr]).toEqual([
      1,
      "bridge-hooks: this executable has no hooks; pass a hooks directory with --hooks DIR\n",
    ]);
  });
});

describe("every event of every tool on every host", () => {
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
    isToolCallEvent(event)
      ? TOOLS.map((tool) => ({ event, tool, input: INPUTS[tool] }))
      : [event === "UserPromptSubmit" ? { event, prompt: "hello" } : { event }],
  );
  const eventOf = (one: object) => completeEvent(one, { host: "bridge-hooks", session_id: "s", cwd: app.at });
  test("has a payload that is decoded and answered, or a reason why the host has none", async () => {
    const counts = { told: 0, silent: 0, calls: 0 };
    await runInTempDir(async () => {
      for (const event of given.map(eventOf)) {
        for (const host of hosts) {
          const told = (await host.loadScriptCodec()).buildPayloads(event);
          counts[told.length === 0 ? "silent" : "told"]++;
          if (told.length === 0) expect(explainMissingPayload(host, event)).not.toBe("");
          for (const { native_event, payload } of told) {
            const { answer, observedCall } = await runHookCall(
              [],
              ["--host", host.id, "--event", native_event],
              JSON.stringify(payload),
              {},
            );
            const name: EventName | undefined = observedCall?.event.event;
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
    const hooks = { entries: [createHookEntry(hook, "a-hook-with-a-name")], files: new Map<string, string>() };
    const paper = { width: 80, paint: paintPlain };
    let shown = 0;
    for (const event of given.map(eventOf)) {
      const report = await tryHooks(hooks, { event, hosts, flags: [] });
      const text = `${formatTryReport(report, event, paper)}\n${formatExplanation(report, hooks.entries, paper)}`;
      expect([event.event, measureWidth(text) <= 80, report.hosts.length]).toEqual([event.event, true, hosts.length]);
      expect(TryReport.safeParse(JSON.parse(JSON.stringify(report))).error).toBeUndefined();
      shown++;
    }
    expect(shown).toBe(54);
  });
});
