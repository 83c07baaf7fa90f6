import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Built } from "../../src/cli/build/build.ts";
import type { EventName } from "../../src/protocol/event.ts";
import { PROBE } from "../../src/protocol/probe.ts";
import { hostileDirectory, hostileVariables } from "../../src/cli/build/selftest.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { hosts, readers } from "../../src/hosts/index.ts";
import { registry } from "../../src/hosts/registry.ts";
import { payloadOf, ROOT } from "../support/fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-test-"));
let built: Built;
let starter: Built;

beforeAll(async () => {
  built = await build({ hooks: join(ROOT, "test/support/probe-hooks"), outfile: join(folder, "probe") });
  starter = await build({ hooks: join(ROOT, "hooks"), outfile: join(folder, "starter") });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  stdout: string;
  stderr: string;
  code: number | null;
}

interface Options {
  env?: Record<string, string>;
  cwd?: string;
  executable?: string;
  /** Leave stdin open after writing. */
  open?: boolean;
  /** Close stdout at once. */
  deaf?: boolean;
}

function call(args: string[], input: string | Uint8Array | undefined, options: Options = {}): Promise<Result> {
  const { env = {}, cwd = folder, executable = built.outfile, open, deaf } = options;
  return new Promise((resolve) => {
    const child = spawn(executable, args, {
      cwd,
      env: { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state"), ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      timeout: 15_000,
    });
    const result: Result = { stdout: "", stderr: "", code: null };
    child.stdout?.on("data", (chunk) => (result.stdout += chunk));
    child.stderr?.on("data", (chunk) => (result.stderr += chunk));
    if (deaf) child.stdout?.destroy();
    child.stdin?.on("error", () => {});
    if (open) child.stdin?.write(input);
    else child.stdin?.end(input);
    child.on("close", (code) => {
      child.stdin?.destroy();
      resolve({ ...result, code });
    });
  });
}

const CALLS: Record<
  string,
  {
    event: string;
    file: string;
    field: (command: string) => Payload;
    denied: (reason: string) => string;
    neutral: string;
  }
> = {
  claude: {
    event: "PreToolUse",
    file: "PreToolUse-Bash",
    field: (command) => ({ tool_input: { command } }),
    denied: (reason) =>
      `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason } })}\n`,
    neutral: "",
  },
  cursor: {
    event: "beforeShellExecution",
    file: "beforeShellExecution",
    field: (command) => ({ command }),
    denied: (reason) => `${JSON.stringify({ permission: "deny", user_message: reason, agent_message: reason })}\n`,
    neutral: "{}\n",
  },
  codex: {
    event: "PreToolUse",
    file: "PreToolUse-Bash",
    field: (command) => ({ tool_input: { command } }),
    denied: (reason) =>
      `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason } })}\n`,
    neutral: "",
  },
  gemini: {
    event: "BeforeTool",
    file: "BeforeTool-run_shell_command",
    field: (command) => ({ tool_input: { command } }),
    denied: (reason) => `${JSON.stringify({ decision: "deny", reason })}\n`,
    neutral: "",
  },
  openclaw: {
    event: "before_tool_call",
    file: "before_tool_call-exec",
    field: (command) => ({ params: { command } }),
    denied: (reason) => `${JSON.stringify({ block: true, blockReason: reason })}\n`,
    neutral: "",
  },
  opencode: {
    event: "tool.execute.before",
    file: "tool.execute.before.bash",
    field: (command) => ({ output: { args: { command, description: "d" } } }),
    denied: (reason) => `${JSON.stringify({ deny: reason })}\n`,
    neutral: "",
  },
};

/** The first native event that becomes a unified one. */
const nativeOf = (id: string, event: EventName) =>
  Object.entries(hosts.find((one) => one.id === id)?.capabilities ?? {}).find(
    ([, row]) => row().event === event,
  )?.[0] ?? "";

const payload = (host: string, way: string) =>
  JSON.stringify(payloadOf(host, CALLS[host]?.file ?? "", CALLS[host]?.field(`probe:${way}`)));

for (const [host, { event, denied, neutral, file }] of Object.entries(CALLS)) {
  const plain = ["--host", host];
  const closed = [...plain, "--on-error", "deny"];
  /** Of a denial that the document carries. */
  const DENIED = host === "cursor" ? 0 : 2;
  const aDenial = expect.stringContaining(denied("|").split("|")[0] as string);

  describe(`${host}: decisions`, () => {
    const denial = { stdout: denied("probe says no"), stderr: "probe says no\n", code: DENIED };
    test("nothing to say", async () =>
      expect(await call(plain, payload(host, "none"))).toEqual({ stdout: neutral, stderr: "", code: 0 }));
    test("a denial", async () => expect(await call(plain, payload(host, "deny"))).toEqual(denial));
    test("without a flag", async () => expect(await call([], payload(host, "deny"), { env: {} })).toEqual(denial));
    test("asked a second time: a denial is told again, and nothing else", async () => {
      const again = [...plain, "--after", "another"];
      expect(await call(again, payload(host, "deny"))).toEqual(denial);
      for (const way of ["none", "large"])
        expect(await call(again, payload(host, way))).toEqual({ stdout: neutral, stderr: "", code: 0 });
      // A failure is no opinion: an entry that fails closed is to see it.
      expect(await call(again, payload(host, "throw"))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("probe broke"),
      });
    });
    test("doctor's call is denied whatever the hooks say", async () => {
      const { stdout, code } = await call(plain, JSON.stringify(payloadOf(host, file, CALLS[host]?.field(PROBE))));
      expect([stdout, code]).toEqual([denied("bridge-hooks doctor asked for this denial."), DENIED]);
    });
    test("--host=<id>", async () => expect(await call([`--host=${host}`], payload(host, "deny"))).toEqual(denial));
    test("text that is not ASCII", async () => {
      expect(await call(plain, payload(host, "unicode"))).toEqual({
        stdout: denied("nein – 不 😀"),
        stderr: "nein – 不 😀\n",
        code: DENIED,
      });
    });
    test("nothing that a hook or its children print reaches stdout", async () => {
      const { stdout, stderr, code } = await call(plain, payload(host, "noise"));
      expect([stdout, code]).toEqual([denied("through the noise"), DENIED]);
      expect(stderr).toBe("noise 1\nnoise 2\nnoise 3\nnoise 4\nthrough the noise\n");
    });
    test("an answer larger than a pipe, or cut at the host's limit", async () => {
      const { stdout, code } = await call(plain, payload(host, "large"));
      // Before a call not every host takes a context.
      const { hookSpecificOutput } = JSON.parse(stdout || "{}");
      const length = { claude: 10_000, cursor: undefined, codex: 300_000 }[host];
      expect([code, hookSpecificOutput?.additionalContext.length]).toEqual([0, length]);
    });
  });

  describe(`${host}: bad input`, () => {
    const problems: [name: string, input: string | Uint8Array | undefined, problem: string][] = [
      ["bad JSON", '{"a":', "stdin is no JSON (JSON Parse error: Unexpected EOF); a host sends one JSON object there"],
      ["empty stdin", "", "stdin is empty; a host sends one JSON object there"],
      ["blank stdin", " \r\n", "stdin is empty; a host sends one JSON object there"],
      ["no stdin at all", undefined, "stdin is empty; a host sends one JSON object there"],
      ["an array", "[1]", "stdin is JSON, but no object; a host sends one JSON object there"],
      ["null", "null", "stdin is JSON, but no object; a host sends one JSON object there"],
      ["a BOM alone", "\ufeff", "stdin is empty; a host sends one JSON object there"],
    ];
    for (const [name, input, problem] of problems) {
      test(`${name}, allowed`, async () => {
        expect(await call([...plain, "--event", event], input)).toEqual({
          stdout: neutral,
          stderr: `bridge-hooks: ${host} ${event}: ${problem}\n`,
          code: 1,
        });
      });
      test(`${name}, denied`, async () => {
        const reason = `bridge-hooks: ${problem}. Nothing was decided, and the policy is to deny then.`;
        expect(await call([...closed, "--event", event], input)).toEqual({
          stdout: denied(reason),
          stderr: `${reason}\n`,
          code: DENIED,
        });
      });
    }
    test("broken JSON still tells its event", async () => {
      const broken = payload(host, "none").slice(0, -1);
      const { stdout, code } = await call(closed, broken);
      expect([code, stdout.includes("deny")]).toEqual([DENIED, true]);
    });
    test("a guard's own policy counts when the call fails before it runs", async () => {
      const bad = payload(host, "none").slice(0, -1);
      expect(await call(plain, bad, { executable: starter.outfile })).toMatchObject({
        code: DENIED,
        stdout: expect.stringContaining("deny"),
      });
      const end = nativeOf(host, "SessionEnd");
      expect(await call([...plain, "--event", end], "{", { executable: starter.outfile })).toMatchObject({ code: 1 });
    });
    test("without any event, denied all the same", async () => {
      const { stderr, code } = await call(closed, "{");
      expect([code, stderr]).toEqual([2, expect.stringContaining("stdin is no JSON")]);
    });
    test("at an event that can't block, told and let go", async () => {
      const end = nativeOf(host, "SessionEnd");
      const { stdout, stderr, code } = await call([...closed, "--event", end], "{");
      expect({ stdout, code }).toEqual({ stdout: neutral, code: 0 });
      expect(stderr).toStartWith(`bridge-hooks: ${host} ${end}: stdin is no JSON`);
    });
    test("at Stop, told and let go: a fault must not make the agent go on", async () => {
      expect(await call([...closed, "--event", nativeOf(host, "Stop")], "{")).toMatchObject({
        stdout: neutral,
        code: 0,
      });
    });
    test("a known event that lacks what it needs", async () => {
      const text = JSON.stringify(payloadOf(host, file, CALLS[host]?.field(1 as never)));
      expect(await call(closed, text)).toMatchObject({ stdout: expect.stringContaining("deny"), code: DENIED });
    });
    test("BOM, CRLF, a trailing newline or none", async () => {
      const text = payload(host, "deny");
      for (const variant of [
        `\ufeff${text}`,
        `${text}\n`,
        `${text}\r\n`,
        JSON.stringify(JSON.parse(text), null, 2).replaceAll("\n", "\r\n"),
      ]) {
        expect(await call(plain, variant)).toMatchObject({ stdout: denied("probe says no"), code: DENIED });
      }
    });
    test("10 MB", async () => {
      const text = JSON.stringify({ ...JSON.parse(payload(host, "deny")), padding: "ä".repeat(5 * 1024 * 1024) });
      expect(await call(plain, text)).toMatchObject({ stdout: denied("probe says no"), code: DENIED });
    });
    test("a value that got lost does not swallow the flag behind it", async () => {
      const args = [...plain, "--event", "--on-error", "deny"];
      expect(await call(args, payload(host, "none"))).toMatchObject({
        code: DENIED,
        stdout: aDenial,
        stderr: expect.stringContaining("--event takes the host's event name"),
      });
      expect(await call([...plain, "--timeout-ms", "9999999999"], payload(host, "none"))).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("--timeout-ms takes milliseconds"),
      });
    });
    test("stdin that stays open: what has come counts", async () => {
      expect(await call([...plain, "--timeout-ms", "600"], payload(host, "deny"), { open: true })).toMatchObject({
        stdout: denied("probe says no"),
        code: DENIED,
      });
    });
    test("stdin that stays open without a word", async () => {
      const { stdout, stderr, code } = await call([...closed, "--event", event, "--timeout-ms", "600"], "", {
        open: true,
      });
      expect([code, stdout, stderr]).toEqual([
        DENIED,
        aDenial,
        expect.stringContaining("stdin stayed open for 300 ms and nothing came"),
      ]);
    });
    test("stdout that the host has closed: a question blocks, since nobody can hear it", async () => {
      if (host === "claude")
        expect(await call(plain, payload(host, "ask"), { deaf: true })).toMatchObject({
          code: 2,
          stderr: expect.stringContaining("closed stdout"),
        });
      expect(await call(plain, payload(host, "deny"), { deaf: true })).toMatchObject({ code: 2 });
      expect(await call(plain, payload(host, "none"), { deaf: true })).toMatchObject({ code: 0 });
    });
    test("a flag nobody knows", async () => {
      expect(await call([...closed, "--nope"], payload(host, "none"))).toMatchObject({
        code: DENIED,
        stdout: aDenial,
        stderr: expect.stringContaining('unknown argument "--nope"; see bridge-hooks --help'),
      });
      expect(await call(["--on-error", "maybe"], payload(host, "none"))).toMatchObject({
        code: DENIED,
        stdout: aDenial,
        stderr: expect.stringContaining('--on-error takes allow or deny, not "maybe"'),
      });
    });
  });

  describe(`${host}: hooks that fail`, () => {
    const ways: [way: string, failure: string][] = [
      ["throw", "probe broke"],
      ["throw-later", "probe broke later"],
      ["reject-later", "probe rejected later"],
      ["rubbish", "it returned a string instead of a response object"],
      [
        "misspelt",
        'it returned an unknown field "permission" (known: decision, modified_input, reason, user_message, additional_context, modified_output, session_env)',
      ],
      ["never", "it took longer than N ms"],
      ["loop", "it took longer than N ms"],
      ["loop-async", "it took longer than N ms"],
      ["exit", "it called process.exit(0); return a response instead"],
    ];
    for (const way of ["stray", "stray-later"]) {
      test(`${way}: an error that nobody caught is told, and is not the next hook's`, async () => {
        const stderr = `second says no\nbridge-hooks: ${host} ${event}: no hook caught an error: telemetry\n`;
        expect(await call(plain, payload(host, way))).toEqual({
          stdout: denied("second says no"),
          stderr,
          code: DENIED,
        });
      });
    }
    const steady = (text: string) => text.replace(/\d+ ms/g, "N ms");
    for (const [way, failure] of ways) {
      test(`${way}, allowed`, async () => {
        const { stdout, stderr, code } = await call([...plain, "--timeout-ms", "400"], payload(host, way));
        expect({ stdout, stderr: steady(stderr), code }).toEqual({
          stdout: neutral,
          stderr: `bridge-hooks: ${host} ${event}: hook "probe" failed: ${failure}\n`,
          code: 1,
        });
      });
      test(`${way}, denied`, async () => {
        const { stdout, stderr, code } = await call([...closed, "--timeout-ms", "400"], payload(host, way));
        const reason = `The hook "probe" failed (${failure}), and its policy is to deny then.`;
        expect({ stdout: steady(stdout), stderr: steady(stderr), code }).toEqual({
          stdout: denied(reason),
          stderr: `${reason}\nbridge-hooks: ${host} ${event}: hook "probe" failed: ${failure}\n`,
          code: DENIED,
        });
      });
    }
  });
}

describe("an event that a host has not had yet", () => {
  test("of Cursor: is blocked by exit code and by every field there is, whatever --cursor-deny says", async () => {
    const { stdout, code } = await call(["--host", "cursor", "--cursor-deny", "json", "--on-error", "deny"], "{");
    expect([code, JSON.parse(stdout)]).toEqual([2, expect.objectContaining({ permission: "deny", continue: false })]);
  });
  const calls: [host: string, payload: Payload][] = [
    [
      "cursor",
      payloadOf("cursor", "preToolUse.Shell", {
        hook_event_name: "beforeAnyTool",
        tool_input: { command: "probe:deny" },
      }),
    ],
    [
      "gemini",
      payloadOf("gemini", "BeforeTool-run_shell_command", {
        hook_event_name: "Before",
        tool_input: { command: "probe:deny" },
      }),
    ],
  ];
  test.each(calls)("of %s, that is judged as another: it may not read a document there", async (host, payload) => {
    const { stdout, code } = await call(["--host", host, `--${host}-deny`, "json"], JSON.stringify(payload));
    expect([code, stdout]).toEqual([2, expect.stringContaining('"deny"')]);
    const known = { ...payload, hook_event_name: host === "cursor" ? "preToolUse" : "BeforeTool" };
    expect((await call(["--host", host, `--${host}-deny`, "json"], JSON.stringify(known))).code).toBe(0);
  });
});

describe("a host that takes exit code 1 for a denial", () => {
  const args = ["--host", "copilot", "--event", "preToolUse"];
  test("gets 0 for a failure that lets the call go on", async () => {
    const { stdout, stderr, code } = await call([...args, "--on-error", "allow"], "{");
    expect([stdout, code, stderr]).toEqual([
      "",
      0,
      expect.stringMatching(/^bridge-hooks: copilot preToolUse: stdin is no JSON/),
    ]);
  });
  test("gets its denial where failures are to deny", async () => {
    const { stdout, code } = await call([...args, "--on-error", "deny"], "{");
    expect([JSON.parse(stdout), code]).toEqual([expect.objectContaining({ permissionDecision: "deny" }), 2]);
  });
});

describe("whose payload it is", () => {
  test("nobody's: exit 1, or 2 where failures are to deny", async () => {
    const stderr = `bridge-hooks: stdin looks like no known host; name it with --host <id>\n`;
    expect(await call(["--on-error", "allow"], '{"hello":1}')).toEqual({ stdout: "", stderr, code: 1 });
    expect(await call(["--on-error", "deny"], '{"hello":1}')).toEqual({ stdout: "", stderr, code: 2 });
  });
  test("two hosts' alike", async () => {
    const transcript_path = "/x/projects/rollout-1.jsonl";
    const both = {
      session_id: "s",
      transcript_path,
      cwd: "/",
      hook_event_name: "SessionStart",
      model: "m",
      permission_mode: "default",
    };
    const { stderr, ...rest } = await call(["--on-error", "allow"], JSON.stringify(both));
    expect(rest).toEqual({ stdout: "", code: 1 });
    expect(stderr).toMatch(
      /^bridge-hooks: stdin looks like several hosts \(scores: claude 4, codex 4, .*\); name it with --host <id>\n$/,
    );
  });
  test("an unknown host: a denial, whatever happens on failures", async () => {
    expect(await call(["--host", "emacs", "--on-error", "allow"], "{}")).toEqual({
      stdout: "",
      stderr: `bridge-hooks: unknown host "emacs"; known: ${registry.map(({ id }) => id).join(", ")}\n`,
      code: 2,
    });
  });

  describe("Cursor running a command that it found in Claude's settings", () => {
    const project = join(folder, "project");
    const home = join(folder, "home");
    const write = (file: string, text: string) => {
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, text);
    };
    const cursorEntry = (command: string, event = "beforeShellExecution", matcher = "") =>
      `// ours\n${JSON.stringify({ version: 1, hooks: { [event]: [{ command, matcher }] } })}`;
    const trapped = (way: string) =>
      call(
        ["--host", "claude"],
        JSON.stringify({ ...JSON.parse(payload("cursor", way)), workspace_roots: [project] }),
        {
          env: { HOME: home },
        },
      );
    const warning =
      "bridge-hooks: cursor beforeShellExecution: called with --host claude by Cursor; answered as cursor. Give Cursor an entry of its own with --host cursor\n";
    const denial = { stdout: CALLS.cursor?.denied("probe says no") as string, stderr: "probe says no\n", code: 0 };
    const clear = () => [project, home].forEach((place) => rmSync(place, { recursive: true, force: true }));

    test("answers as Cursor, and says so", async () => {
      clear();
      expect(await trapped("deny")).toEqual({ ...denial, stderr: `${denial.stderr}${warning}` });
      expect(await trapped("none")).toEqual({ stdout: "{}\n", stderr: warning, code: 0 });
    });
    const own: [name: string, file: string, text: () => string][] = [
      ["in the user's config", join(home, ".cursor/hooks.json"), () => cursorEntry(`"${built.outfile}" --host cursor`)],
      [
        "in the project's config",
        join(project, ".cursor/hooks.json"),
        () => cursorEntry(`${built.outfile} --host=cursor`),
      ],
    ];
    for (const [name, file, text] of own) {
      test(`stands down for Cursor's own entry ${name}, but never from a denial`, async () => {
        clear();
        write(file, text());
        expect(await trapped("none")).toEqual({ stdout: "{}\n", stderr: "", code: 0 });
        expect(await trapped("throw")).toEqual({ stdout: "{}\n", stderr: "", code: 0 });
        expect(await trapped("deny")).toEqual(denial);
      });
    }
    test.skipIf(process.platform === "win32")("a config that is no file does not hold a denial up", async () => {
      clear();
      mkdirSync(join(project, ".cursor"), { recursive: true });
      symlinkSync("/dev/zero", join(project, ".cursor/hooks.json"));
      expect(await trapped("deny")).toEqual({ ...denial, stderr: `${denial.stderr}${warning}` });
    });
    test("an entry with a matcher that an installation writes is one", async () => {
      clear();
      write(
        join(home, ".cursor/hooks.json"),
        cursorEntry(`"${built.outfile}" --host cursor`, "preToolUse", "^(Shell|MCP:.*|mcp__.*)$"),
      );
      const call_ = {
        ...JSON.parse(payload("cursor", "none")),
        hook_event_name: "preToolUse",
        tool_name: "Shell",
        tool_input: { command: "x" },
      };
      const shell = JSON.stringify({ ...call_, workspace_roots: [project] });
      expect(await call(["--host", "claude"], shell, { env: { HOME: home } })).toEqual({
        stdout: "{}\n",
        stderr: "",
        code: 0,
      });
      const fetch = JSON.stringify({
        ...call_,
        tool_name: "Fetch",
        tool_input: { url: "x" },
        workspace_roots: [project],
      });
      expect((await call(["--host", "claude"], fetch, { env: { HOME: home } })).stderr).toContain(
        "Give Cursor an entry of its own",
      );
    });
    const others: [name: string, text: () => string][] = [
      ["another program of the same name", () => cursorEntry("/elsewhere/bridge-hooks --host cursor")],
      ["a relative path", () => cursorEntry("./probe --host cursor")],
      ["an entry for another event", () => cursorEntry(`${built.outfile} --host cursor`, "stop")],
      [
        "an entry that does not see every call",
        () => cursorEntry(`${built.outfile} --host cursor`, "beforeShellExecution", "curl"),
      ],
      [
        "a pattern, which is not even tried",
        () => cursorEntry(`${built.outfile} --host cursor`, "beforeShellExecution", "(.?){400}z"),
      ],
      ["an entry for another host", () => cursorEntry(`${built.outfile} --host claude`)],
      ["a command with more to it", () => cursorEntry(`${built.outfile} --host cursor || true`)],
      ["a config that can't be read", () => "{"],
    ];
    for (const [name, text] of others) {
      test(`does not stand down for ${name}`, async () => {
        clear();
        write(join(home, ".cursor/hooks.json"), text());
        expect(await trapped("none")).toEqual({ stdout: "{}\n", stderr: warning, code: 0 });
      });
    }
  });
});

describe("Stop goes on once in a row", () => {
  const stop = (host: string, change: Payload) =>
    JSON.stringify(payloadOf(host, host === "cursor" ? "stop" : "Stop", change));
  const more = ["--max-continuations", "3"];

  for (const host of ["claude", "codex"]) {
    const last_assistant_message = "probe:deny";
    const first = () => stop(host, { last_assistant_message, session_id: `${host}-${Math.random()}` });
    test(`${host}: the first time it goes on, the second it ends`, async () => {
      expect(await call(["--host", host], first())).toMatchObject({ code: 2, stderr: "probe says no\n" });
      const { stdout, stderr, code } = await call(
        ["--host", host],
        stop(host, { last_assistant_message, stop_hook_active: true }),
      );
      expect([stdout, code]).toEqual(["", 0]);
      expect(stderr).toBe(
        `bridge-hooks: ${host} Stop: hook "probe" could not make the agent go on: hooks already did so 1 time in a row; raise maxContinuations, now 1\n`,
      );
    });
    test(`${host}: --max-continuations counts, and starts anew`, async () => {
      const session_id = `${host}-${Math.random()}`;
      const codes: (number | null)[] = [];
      for (const stop_hook_active of [false, true, true, true, false, true]) {
        codes.push(
          (await call(["--host", host, ...more], stop(host, { last_assistant_message, session_id, stop_hook_active })))
            .code,
        );
      }
      expect(codes).toEqual([2, 2, 2, 0, 2, 2]);
    });
    test(`${host}: where the count can't be kept, it ends`, async () => {
      const session_id = `${host}-${Math.random()}`;
      writeFileSync(join(folder, "no-folder"), "");
      const env = { XDG_STATE_HOME: join(folder, "no-folder") };
      const codes: (number | null)[] = [];
      for (const stop_hook_active of [false, true]) {
        codes.push(
          (
            await call(
              ["--host", host, ...more],
              stop(host, { last_assistant_message, session_id, stop_hook_active }),
              { env },
            )
          ).code,
        );
      }
      expect(codes).toEqual([2, 0]);
    });
  }

  test("cursor: its own count is used", async () => {
    const said: string[] = [];
    for (const loop_count of [0, 1, 2, 3])
      said.push(
        (
          await call(["--host", "cursor", ...more], stop("cursor", { summary: "probe:deny", loop_count }))
        ).stdout.trim(),
      );
    expect(said).toEqual([
      '{"followup_message":"probe says no"}',
      '{"followup_message":"probe says no"}',
      '{"followup_message":"probe says no"}',
      "{}",
    ]);
  });
  test("two executables that share a session do not keep it going", async () => {
    const session_id = `shared-${Math.random()}`;
    const codes: (number | null)[] = [];
    for (const stop_hook_active of [false, true, true, true]) {
      await call(["--host", "codex"], stop("codex", { session_id, stop_hook_active }), { executable: starter.outfile });
      await call(["--host", "codex"], stop("codex", { session_id, stop_hook_active }));
      codes.push(
        (
          await call(
            ["--host", "codex", ...more],
            stop("codex", { last_assistant_message: "probe:deny", session_id, stop_hook_active }),
          )
        ).code,
      );
    }
    expect(codes).toEqual([2, 2, 2, 0]);
  });
  test("what one task or teammate is held for does not count for another", async () => {
    const held = (change: Payload) =>
      call(
        ["--host", "claude", "--on-error", "deny"],
        JSON.stringify({ ...payloadOf("claude", "Stop"), prompt: "probe:deny", ...change }),
      );
    const codes: (number | null)[] = [];
    for (const task_id of ["1", "2", "1", "2"])
      codes.push((await held({ hook_event_name: "TaskCompleted", task_id })).code);
    expect(codes).toEqual([2, 2, 0, 0]);
  });
  test("a host that does not count at all", async () => {
    const said: string[] = [];
    for (let i = 0; i < 3; i++)
      said.push(
        (
          await call(
            ["--host", "cursor"],
            JSON.stringify({ reason: "complete", total_turns: 4, summary: "probe:deny" }),
          )
        ).stdout.trim(),
      );
    expect(said).toEqual(['{"followup_message":"probe says no"}', "{}", '{"followup_message":"probe says no"}']);
  });
});

describe("a hostile directory and environment", () => {
  const dangerous = JSON.stringify(payloadOf("claude", "PreToolUse-Bash", { tool_input: { command: "rm -rf /" } }));
  let hostile: string;
  beforeAll(() => {
    hostile = hostileDirectory();
  });
  afterAll(() => rmSync(hostile, { recursive: true, force: true }));
  const holds = (result: Result) =>
    expect(result).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('"permissionDecision":"deny"'),
      stderr: expect.stringContaining('Blocked "rm -rf /": it can\'t be taken back'),
    });

  test("the directory alone", async () =>
    holds(
      await call(["--host", "claude"], dangerous, {
        cwd: hostile,
        env: { HOME: hostile },
        executable: starter.outfile,
      }),
    ));
  test("each variable, and all together", async () => {
    const variables = hostileVariables(hostile);
    for (const env of [...Object.entries(variables).map(([name, value]) => ({ [name]: value })), variables]) {
      holds(await call(["--host", "claude"], dangerous, { cwd: hostile, env, executable: starter.outfile }));
    }
    expect(Object.keys(variables).length).toBe(27);
  });
  test("what the system's loader prints before the document: the exit code denies beside it", async () => {
    const cases: [host: string, flags: string[], payload: Payload][] = [
      [
        "gemini",
        ["--gemini-deny", "json"],
        payloadOf("gemini", "BeforeTool-run_shell_command", CALLS.gemini?.field("probe:deny")),
      ],
      [
        "cursor",
        ["--cursor-deny", "json"],
        payloadOf("cursor", "beforeShellExecution", CALLS.cursor?.field("probe:deny")),
      ],
      ["copilot", [], payloadOf("copilot", "PascalCase-PreToolUse", { tool_input: { command: "probe:deny" } })],
    ];
    for (const [host, flags, given] of cases) {
      const run = (env: Record<string, string>) => call(["--host", host, ...flags], JSON.stringify(given), { env });
      expect([host, (await run({})).code]).toEqual([host, 0]);
      const { code, stdout } = await run({ LD_SHOW_AUXV: "" });
      expect([host, code, stdout.startsWith("AT_")]).toEqual([host, 2, process.platform === "linux"]);
    }
  });
  test("what the runtime would take for its own flags is ours to refuse", async () => {
    for (const flag of ["--preload=./foreign.js", "--inspect-wait", "--bun", "--eval=1"]) {
      expect(
        await call(["--host", "claude", "--on-error", "deny", flag], dangerous, {
          cwd: hostile,
          executable: starter.outfile,
        }),
      ).toMatchObject({ code: 2 });
    }
  });
});

describe("typed by a person", () => {
  const run = (args: string[]) => call(args, "", { executable: starter.outfile });
  test("--help, --version, matrix", async () => {
    const help = await run(["--help"]);
    expect([help.code, help.stderr]).toEqual([0, ""]);
    for (const flag of [
      "--host",
      "--event",
      "--on-error",
      "--timeout-ms",
      "--max-continuations",
      "--cursor-ask-fallback",
      "--cursor-deny",
      "--codex-ask-fallback",
      "matrix",
    ]) {
      expect(help.stdout).toContain(flag);
    }
    expect(await run(["--version"])).toEqual({
      stdout: `${(await Bun.file(join(ROOT, "package.json")).json()).version}\n`,
      stderr: "",
      code: 0,
    });
    expect(JSON.parse((await run(["matrix", "--json"])).stdout)).toHaveLength(hosts.length + readers.length);
    expect((await run(["matrix"])).stdout).not.toContain("\u001b");
  });
  test("a command that does not exist", async () => {
    expect(await run(["instal"])).toEqual({
      stdout: "",
      code: 1,
      stderr: 'bridge-hooks: unknown command "instal"; did you mean install? see bridge-hooks --help\n',
    });
    expect((await run(["claude"])).stderr).toBe(
      'bridge-hooks: unknown command "claude"; did you mean --host claude? see bridge-hooks --help\n',
    );
  });
});

describe("what the executable loads", () => {
  const cold = [
    "node_modules/clipanion",
    "node_modules/zod",
    "node_modules/typanion",
    "/setup.ts",
    "/evidence.json",
    "/speak.ts",
    "/samples.ts",
    "src/cli/",
    "src/run/double.ts",
    "src/run/stop.ts",
  ];

  /** The modules that a chunk of the starter executable loads before it runs. */
  function loadedWith(start: string): string[] {
    const { outputs } = starter.metafile;
    const reached = new Set<string>();
    const follow = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") follow(next);
    };
    follow(start);
    return [...reached].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
  }

  test("nothing cold on the way to an answer", () => {
    const { outputs } = starter.metafile;
    const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint?.endsWith("src/main.ts")) as string;
    const inputs = loadedWith(entry);
    expect(inputs.filter((input) => cold.some((part) => input.includes(part)))).toEqual([]);
    expect(inputs.filter((input) => input.startsWith("hooks/"))).toEqual([]);
    expect(inputs.some((input) => input.endsWith("src/run/run.ts"))).toBe(true);
    const everything = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
    for (const part of [
      "node_modules/clipanion",
      "/setup.ts",
      "/evidence.json",
      "src/cli/build/sources.zst",
      "hooks/block-destructive.ts",
    ])
      expect(everything.some((input) => input.includes(part))).toBe(true);
  });
  test("a call that looks for the host's own entry loads no editor and no check", () => {
    const chunks = Object.entries(starter.metafile.outputs).filter(([, { inputs }]) =>
      Object.keys(inputs).some((input) => /hosts\/\w+\/install\/setup\.ts$/.test(input)),
    );
    expect(chunks.length).toBeGreaterThan(0);
    for (const [path] of chunks) {
      const heavy = loadedWith(path).filter((input) =>
        /src\/cli\/|\/(check|examine|flaws|pack|samples|trust|verdict)\.ts$|node_modules\/(?!valibot)/.test(input),
      );
      expect([path, heavy]).toEqual([path, []]);
    }
  });
});
