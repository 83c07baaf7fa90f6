import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TryReport } from "../../../src/cli/try/report.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { EVENTS } from "../../../src/protocol/event.ts";
import { EXECUTABLE, getPayload } from "../../support/fixtures.ts";
import { createProject, removeTimes, measureWidth } from "../../support/projects.ts";
import { app, runTry } from "./app.ts";
import * as z from "zod";

describe("try", () => {
  test("shows the exact answer that each named host gets", () => {
    const { code, stdout, stderr } = runTry("--command", "git push", "--host", "claude,cursor", "--host", "copilot");
    expect(removeTimes(stdout)).toBe(`hooks: ./hooks (2: guard, other)
event: PreToolUse Bash  git push

host     host event  decision  exit      ms
-------------------------------------------
claude   PreToolUse  ask          0 #.#
cursor   preToolUse  ask→deny     0 #.#
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
          sends "ask" anyway

copilot
  stdout  {"permissionDecision":"ask","permissionDecisionReason":"Pushing needs
          a person."}
`);
    // A hook's output goes to the same stream as on a real call.
    expect([code, stderr]).toEqual([0, "noise\nnoise\nnoise\n"]);
  });
  test("--raw groups hosts with equal answers, and names hosts that lack the event", () => {
    const { code, stdout } = runTry("--event", "PostCompact", "--raw");
    expect(removeTimes(stdout)).toBe(`hooks: ./hooks (2: guard, other)
event: PostCompact

host      host event         decision  exit      ms
---------------------------------------------------
claude    PostCompact        none         0 #.#
cursor    Cursor has no such event
codex     PostCompact        none         0 #.#
gemini    Gemini CLI has no such event
copilot   GitHub Copilot has no such event
grok      PostCompact        none         0 #.#
opencode  session.compacted  none         0 #.#
openclaw  after_compaction   none         0 #.#
pi        session_compact    none         0 #.#
auggie    Auggie has no such event
crush     Crush has no such event
droid     Factory Droid has no such event
kimi      PostCompact        none         0 #.#
qwen      PostCompact        none         0 #.#
cline     Cline has no such event

claude, codex, grok, opencode, openclaw, pi, kimi, qwen
  nothing on stdout, nothing on stderr
`);
    expect(code).toBe(0);
  });
  test("shows variables as such, whether they are written to a file or to stdout", () => {
    app.put(
      "vars/hooks/vars.ts",
      'import { defineHook } from "bridge-hooks";\nexport default defineHook({ event: "SessionStart", handler: () => ({ session_env: { A: "1" } }) });\n',
    );
    const { stdout } = app.run(["try", "--hooks", "vars", "--event", "SessionStart", "--host", "claude,opencode"]);
    expect(removeTimes(stdout)).toBe(`hooks: ./vars/hooks (1: vars)
event: SessionStart

host      host event       decision   exit      ms
--------------------------------------------------
claude    SessionStart     variables     0 #.#
opencode  session.created  variables     0 #.#

claude
  appended to the file named by CLAUDE_ENV_FILE:
          export A='1'

opencode
  stdout  {"env":{"A":"1"}}
`);
  });
  test("--explain shows each hook's settings, decision and log, or why it did not run", () => {
    const { stdout } = runTry("--command", "cd /tmp && sudo git push --force", "--explain", "--host", "claude,gemini");
    expect(removeTimes(stdout.slice(stdout.indexOf("\nguard\n")))).toBe(
      `
guard
    options   branch = "release" (project: .bridge-hooks.json)
              level = nothing (default)
  every host: asked, # ms
    decision  deny
    reason    Never force release.
    log       asked about cd /tmp && sudo git push --force

other
  claude: not asked: the hook subscribes to Write, Edit, but the call is Bash
  gemini: not asked: the hook subscribes to Write, Edit, but the call is Bash
  (run_shell_command)
`,
    );
  });

  test("shows that a denial on Stop makes the agent continue, and that a failed hook denies", () => {
    const { stdout } = runTry("--event", "Stop", "--host", "claude,opencode");
    expect(removeTimes(stdout)).toContain(`
claude    Stop          go on        2 #.#
opencode  session.idle  go on        0 #.#
`);
    const failing = runTry("--command", "git push --throw", "--host", "claude,copilot");
    expect(removeTimes(failing.stdout)).toContain(`
claude   PreToolUse  deny         2 #.#
copilot  preToolUse  deny         2 #.#

claude
  stdout  {"hookSpecificOutput":{"hookEventName":"PreToolUse",
          "permissionDecision":"deny","permissionDecisionReason":"The hook
          \\"guard\\" failed (broken), and its failure policy is to deny."}}
  stderr  The hook "guard" failed (broken), and its failure policy is to deny.
          bridge-hooks: claude PreToolUse: hook "guard" failed: broken
`);
    expect(failing.code).toBe(1);
  });
  test("shows each call of an event that a host splits into several calls", () => {
    const { stdout } = runTry(
      "--tool",
      "Edit",
      "--path",
      "a.ts",
      "--path",
      "b.ts",
      "--host",
      "claude,codex",
      "--explain",
    );
    expect(removeTimes(stdout)).toContain(`
claude 1/2  PreToolUse  deny         2 #.#
claude 2/2  PreToolUse  deny         2 #.#
codex       PreToolUse  deny         2 #.#

claude
  stdout  {`);
    expect(stdout).toContain('\n    rewrite   {"content":"changed"}\n');
  });
  test("leaves no file behind, and does not run the call", () => {
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

describe("the output of try", () => {
  const wide = createProject(HOOKS);
  afterAll(wide.end);
  const CASES: string[][] = [
    ["--command", "echo 日本語 ".repeat(30)],
    ["--command", "ls", "--explain"],
    ["--prompt", "x".repeat(500)],
    ["--tool", "MCP", "--input", '{"server":"memory","tool":"search","arguments":{}}', "--explain"],
    ["--event", "Stop"],
  ];
  for (const args of CASES) {
    test(`fits 80 columns and has no control characters for ${args.join(" ").slice(0, 40)}`, () => {
      const { code, stdout } = wide.run(["try", "--hooks", ".", ...args]);
      expect(code).toBe(0);
      expect(measureWidth(stdout)).toBeLessThanOrEqual(80);
      expect(measureWidth(stdout)).toBeGreaterThan(60);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    });
  }
  for (const COLUMNS of ["", "80"]) {
    test(`has no trailing spaces, and is ${COLUMNS === "" ? "not wrapped in a pipe" : "wrapped at 80 columns"}`, () => {
      for (const args of CASES) {
        const { stdout } = wide.run(["try", "--hooks", ".", ...args], { env: { COLUMNS } });
        expect(stdout).not.toMatch(/[ \t]$/m);
        if (args[0] === "--command" && args.length === 2) expect(measureWidth(stdout) > 300).toBe(COLUMNS === "");
      }
      const { stdout } = runTry("--command", "git push --force", "--host", "claude");
      const cut = removeTimes(
        app.run(["try", "--hooks", ".", "--command", "git push --force", "--host", "claude"], { env: { COLUMNS } })
          .stdout,
      );
      expect(removeTimes(stdout).replaceAll(/\s+/g, "")).toBe(cut.replaceAll(/\s+/g, ""));
      expect(
        cut.includes('  stdout  {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"'),
      ).toBe(COLUMNS === "");
    });
  }
  test("is as wide as the terminal", () => {
    expect(
      measureWidth(wide.run(["try", "--hooks", ".", "--command", "ls"], { env: { COLUMNS: "120" } }).stdout),
    ).toBeLessThanOrEqual(120);
    expect(
      measureWidth(wide.run(["try", "--hooks", ".", "--command", "ls"], { env: { COLUMNS: "120" } }).stdout),
    ).toBeGreaterThan(100);
  });
  test("has colors only in a terminal, and never with NO_COLOR", async () => {
    const shown = async (env: Record<string, string>) => {
      let text = "";
      const child = Bun.spawn([EXECUTABLE, "try", "--hooks", ".", "--command", "ls", "--host", "claude"], {
        cwd: wide.at,
        env: { ...wide.env, ...env },
        terminal: { cols: 80, rows: 200, data: (_, chunk) => void (text += new TextDecoder().decode(chunk)) },
      });
      await child.exited;
      child.terminal?.close();
      return text;
    };
    expect(await shown({ TERM: "xterm" })).toContain("\u001b[1;31mdeny\u001b[0m");
    expect(await shown({ TERM: "xterm", NO_COLOR: "1" })).not.toContain("\u001b[");
    expect(await shown({ TERM: "dumb" })).not.toContain("\u001b[");
    const piped = (env: Record<string, string>) => wide.run(["try", "--hooks", ".", "--command", "ls"], { env }).stdout;
    expect(piped({})).not.toContain("\u001b[");
    expect(piped({ FORCE_COLOR: "1" })).toContain("\u001b[1;31mdeny\u001b[0m");
  });
});

describe("try", () => {
  test("--json prints a report that matches its schema, with the exact answers", () => {
    const { code, stdout } = runTry("--json", "--command", "git push --force");
    const report = z.strictObject(TryReport.shape).parse(JSON.parse(stdout));
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
          why: "the hook subscribes to Write, Edit, but the call is Bash",
          response: {},
          log: [],
          ms: true,
        },
      ],
    });
  });
  test("--schema prints the JSON Schema of the report", () => {
    const { stdout } = runTry("--schema");
    expect(JSON.parse(stdout)).toEqual(z.toJSONSchema(TryReport));
  });
});

describe("a recorded payload", () => {
  const payload = getPayload("codex", "PreToolUse-Bash");
  test("is converted for every host, and passed unchanged for its own", () => {
    const report = TryReport.parse(JSON.parse(runTry("--payload", "codex.json", "--json").stdout));
    const denied = report.hosts.flatMap(({ host, calls }) =>
      calls.some(({ decision }) => decision === "deny") ? [host] : [],
    );
    expect(denied).toEqual(hosts.map(({ id }) => id));
    expect(report.hosts.find(({ host }) => host === "codex")?.calls[0]?.payload).toEqual({
      ...payload,
      tool_input: { command: "git push --force" },
    });
  });
  test("is read from stdin", () => {
    const { code, stdout } = app.run(["try", "--hooks", ".", "--payload", "-", "--host", "codex"], {
      stdin: JSON.stringify(payload),
    });
    expect([code, removeTimes(stdout)]).toEqual([0, expect.stringContaining("codex  PreToolUse  none         0 #.#")]);
  });
  test("of a host-specific event is passed only to that host", () => {
    const report = TryReport.parse(JSON.parse(runTry("--payload", "native.json", "--json").stdout));
    expect(report.hosts.map(({ host, calls }) => [host, calls.map(({ native_event }) => native_event)])).toEqual([
      ["gemini", ["BeforeModel"]],
    ]);
  });
});
