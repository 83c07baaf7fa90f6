import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostRegistry } from "../../src/hosts/registry.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { getPayload } from "../support/fixtures.ts";
import { scaleMs, waitFor } from "../support/machine.ts";
import { callBySlowPipes, canUseSlowPipes } from "./slow-pipes.ts";
import { folder, probeBuild, starterBuild, callExecutable, HOST_CALLS, buildPayload } from "./executable-support.ts";

describe("an event that a host has not had yet", () => {
  test("of Cursor: is blocked by exit code and by every field there is, whatever --cursor-deny says", async () => {
    const { stdout, code } = await callExecutable(
      ["--host", "cursor", "--cursor-deny", "json", "--on-error", "deny"],
      "{",
    );
    expect([code, JSON.parse(stdout)]).toEqual([2, expect.objectContaining({ permission: "deny", continue: false })]);
  });
  const calls: [host: string, payload: Payload][] = [
    [
      "cursor",
      getPayload("cursor", "preToolUse.Shell", {
        hook_event_name: "beforeAnyTool",
        tool_input: { command: "probe:deny" },
      }),
    ],
    [
      "gemini",
      getPayload("gemini", "BeforeTool-run_shell_command", {
        hook_event_name: "Before",
        tool_input: { command: "probe:deny" },
      }),
    ],
  ];
  test.each(calls)("of %s, that is judged as another: it may not read a document there", async (host, payload) => {
    const { stdout, code } = await callExecutable(["--host", host, `--${host}-deny`, "json"], JSON.stringify(payload));
    expect([code, stdout]).toEqual([2, expect.stringContaining('"deny"')]);
    const known = { ...payload, hook_event_name: host === "cursor" ? "preToolUse" : "BeforeTool" };
    expect((await callExecutable(["--host", host, `--${host}-deny`, "json"], JSON.stringify(known))).code).toBe(0);
  });
});

describe("a host that takes exit code 1 for a denial", () => {
  const args = ["--host", "copilot", "--event", "preToolUse"];
  test("gets 0 for a failure that lets the call go on", async () => {
    const { stdout, stderr, code } = await callExecutable([...args, "--on-error", "allow"], "{");
    expect([stdout, code, stderr]).toEqual([
      "",
      0,
      expect.stringMatching(/^bridge-hooks: copilot preToolUse: stdin is not valid JSON/),
    ]);
  });
  test("gets its denial where failures are to deny", async () => {
    const { stdout, code } = await callExecutable([...args, "--on-error", "deny"], "{");
    expect([JSON.parse(stdout), code]).toEqual([expect.objectContaining({ permissionDecision: "deny" }), 2]);
  });
});

describe("whose payload it is", () => {
  test("nobody's: exit 1, or 2 where failures are to deny", async () => {
    const stderr = `bridge-hooks: stdin matches no known host; name it with --host <id>\n`;
    expect(await callExecutable(["--on-error", "allow"], '{"hello":1}')).toEqual({ stdout: "", stderr, code: 1 });
    expect(await callExecutable(["--on-error", "deny"], '{"hello":1}')).toEqual({ stdout: "", stderr, code: 2 });
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
    const { stderr, ...rest } = await callExecutable(["--on-error", "allow"], JSON.stringify(both));
    expect(rest).toEqual({ stdout: "", code: 1 });
    expect(stderr).toMatch(
      /^bridge-hooks: stdin matches several hosts \(scores: claude 4, codex 4, .*\); name it with --host <id>\n$/,
    );
  });
  test("an unknown host: a denial, whatever happens on failures", async () => {
    expect(await callExecutable(["--host", "emacs", "--on-error", "allow"], "{}")).toEqual({
      stdout: "",
      stderr: `bridge-hooks: unknown host "emacs"; known: ${hostRegistry.map(({ id }) => id).join(", ")}\n`,
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
      callExecutable(
        ["--host", "claude"],
        JSON.stringify({ ...JSON.parse(buildPayload("cursor", way)), workspace_roots: [project] }),
        {
          env: { HOME: home },
        },
      );
    const warning =
      "bridge-hooks: cursor beforeShellExecution: called with --host claude by Cursor; answered as cursor. Give Cursor its own entry with --host cursor\n";
    const denial = { stdout: HOST_CALLS.cursor?.denied("probe says no") as string, stderr: "probe says no\n", code: 0 };
    const clear = () => [project, home].forEach((place) => rmSync(place, { recursive: true, force: true }));

    test("answers as Cursor, and says so", async () => {
      clear();
      expect(await trapped("deny")).toEqual({ ...denial, stderr: `${denial.stderr}${warning}` });
      expect(await trapped("none")).toEqual({ stdout: "{}\n", stderr: warning, code: 0 });
    });
    const own: [name: string, file: string, text: () => string][] = [
      [
        "in the user's config",
        join(home, ".cursor/hooks.json"),
        () => cursorEntry(`"${probeBuild.outfile}" --host cursor`),
      ],
      [
        "in the project's config",
        join(project, ".cursor/hooks.json"),
        () => cursorEntry(`${probeBuild.outfile} --host=cursor`),
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
    test.skipIf(process.platform === "win32")("a config that is not a file does not hold a denial up", async () => {
      clear();
      mkdirSync(join(project, ".cursor"), { recursive: true });
      symlinkSync("/dev/zero", join(project, ".cursor/hooks.json"));
      expect(await trapped("deny")).toEqual({ ...denial, stderr: `${denial.stderr}${warning}` });
    });
    test("an entry with a matcher that an installation writes is one", async () => {
      clear();
      write(
        join(home, ".cursor/hooks.json"),
        cursorEntry(`"${probeBuild.outfile}" --host cursor`, "preToolUse", "^(Shell|MCP:.*|mcp__.*)$"),
      );
      const call_ = {
        ...JSON.parse(buildPayload("cursor", "none")),
        hook_event_name: "preToolUse",
        tool_name: "Shell",
        tool_input: { command: "x" },
      };
      const shell = JSON.stringify({ ...call_, workspace_roots: [project] });
      expect(await callExecutable(["--host", "claude"], shell, { env: { HOME: home } })).toEqual({
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
      expect((await callExecutable(["--host", "claude"], fetch, { env: { HOME: home } })).stderr).toContain(
        "Give Cursor its own entry",
      );
    });
    const others: [name: string, text: () => string][] = [
      ["another program of the same name", () => cursorEntry("/elsewhere/bridge-hooks --host cursor")],
      ["a relative path", () => cursorEntry("./probe --host cursor")],
      ["an entry for another event", () => cursorEntry(`${probeBuild.outfile} --host cursor`, "stop")],
      [
        "an entry that does not see every call",
        () => cursorEntry(`${probeBuild.outfile} --host cursor`, "beforeShellExecution", "curl"),
      ],
      [
        "a pattern, which is not even tried",
        () => cursorEntry(`${probeBuild.outfile} --host cursor`, "beforeShellExecution", "(.?){400}z"),
      ],
      ["an entry for another host", () => cursorEntry(`${probeBuild.outfile} --host claude`)],
      ["a command with more to it", () => cursorEntry(`${probeBuild.outfile} --host cursor || true`)],
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
    JSON.stringify(getPayload(host, host === "cursor" ? "stop" : "Stop", change));
  const more = ["--max-continuations", "3"];

  for (const host of ["claude", "codex"]) {
    const last_assistant_message = "probe:deny";
    const first = () => stop(host, { last_assistant_message, session_id: `${host}-${Math.random()}` });
    test(`${host}: the first time it goes on, the second it ends`, async () => {
      expect(await callExecutable(["--host", host], first())).toMatchObject({ code: 2, stderr: "probe says no\n" });
      const { stdout, stderr, code } = await callExecutable(
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
          (
            await callExecutable(
              ["--host", host, ...more],
              stop(host, { last_assistant_message, session_id, stop_hook_active }),
            )
          ).code,
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
            await callExecutable(
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
          await callExecutable(["--host", "cursor", ...more], stop("cursor", { summary: "probe:deny", loop_count }))
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
      await callExecutable(["--host", "codex"], stop("codex", { session_id, stop_hook_active }), {
        executable: starterBuild.outfile,
      });
      await callExecutable(["--host", "codex"], stop("codex", { session_id, stop_hook_active }));
      codes.push(
        (
          await callExecutable(
            ["--host", "codex", ...more],
            stop("codex", { last_assistant_message: "probe:deny", session_id, stop_hook_active }),
          )
        ).code,
      );
    }
    expect(codes).toEqual([2, 2, 2, 0]);
  });
  test("what one task or teammate is held for has no effect for another", async () => {
    const held = (change: Payload) =>
      callExecutable(
        ["--host", "claude", "--on-error", "deny"],
        JSON.stringify({ ...getPayload("claude", "Stop"), prompt: "probe:deny", ...change }),
      );
    const codes: (number | null)[] = [];
    for (const task_id of ["1", "2", "1", "2"])
      codes.push((await held({ hook_event_name: "TaskCompleted", task_id })).code);
    expect(codes).toEqual([2, 2, 0, 0]);
  });
  test("a host that has no effect at all", async () => {
    const said: string[] = [];
    for (let i = 0; i < 3; i++)
      said.push(
        (
          await callExecutable(
            ["--host", "cursor"],
            JSON.stringify({ reason: "complete", total_turns: 4, summary: "probe:deny" }),
          )
        ).stdout.trim(),
      );
    expect(said).toEqual(['{"followup_message":"probe says no"}', "{}", '{"followup_message":"probe says no"}']);
  });
});

const writeCall = (content: string) =>
  getPayload("claude", "PreToolUse-Write", { cwd: folder, tool_input: { file_path: `${folder}/a.ts`, content } });
const LINES = "export const answer = 42;\n".repeat(40_000);

test.skipIf(!canUseSlowPipes)("a payload of 1 MB that arrives in pieces, between signals, is read whole", async () => {
  const plain = await callBySlowPipes(starterBuild.outfile, writeCall(LINES));
  expect({ ...plain, cpuMs: 0 }).toEqual({ code: 0, stdout: "", stderr: "", cpuMs: 0 });
  const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`;
  const harmful = await callBySlowPipes(starterBuild.outfile, writeCall(`${LINES}const key = "${token}";\n`));
  expect(harmful.code).toBe(2);
  expect(JSON.parse(harmful.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
});

test.skipIf(!canUseSlowPipes)(
  "an answer of 1 MB that is read late arrives whole, without a processor's time for the wait",
  async () => {
    const payload = getPayload("claude", "PreToolUse-Bash", {
      cwd: folder,
      tool_input: { command: "echo probe:huge" },
    });
    const { code, stdout, cpuMs } = await callBySlowPipes(probeBuild.outfile, payload, 1_500);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hookSpecificOutput.updatedInput.command.length).toBe(1_000_000);
    expect(cpuMs).toBeLessThan(600);
  },
);

test.skipIf(process.platform !== "linux" || !existsSync("/sys/kernel/mm/transparent_hugepage/enabled"))(
  "the system is asked for large pages where a payload is large, and for a small one it is not",
  async () => {
    for (const [bytes, isAsked] of [
      [1_000_000, true],
      [1_000, false],
    ] as const) {
      const child = Bun.spawn([starterBuild.outfile, "--host", "claude"], { stdin: "pipe", stdout: "ignore" });
      child.stdin.write(`{"session_id": "${"x".repeat(bytes)}`);
      await child.stdin.flush();
      const areAsked = () => /^VmFlags:.* hg\b/m.test(readFileSync(`/proc/${child.pid}/smaps`, "utf8"));
      if (isAsked) await waitFor(areAsked, "large pages");
      // What does not happen is no event: too short a time would be green.
      else await Bun.sleep(scaleMs(200));
      expect([bytes, areAsked()]).toEqual([bytes, isAsked]);
      child.kill();
      await child.exited;
    }
  },
);
