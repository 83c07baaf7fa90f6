import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostRegistry } from "../../src/hosts/registry.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { getPayload } from "../support/fixtures.ts";
import { waitFor } from "../support/machine.ts";
import { callBySlowPipes, canUseSlowPipes } from "./slow-pipes.ts";
import { folder, probeBuild, starterBuild, callExecutable, HOST_CALLS, buildPayload } from "./executable-support.ts";

describe("an event with an unknown name", () => {
  test("in an unreadable payload of Cursor is denied by exit code and every field", async () => {
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
  test.each(calls)(
    "of %s is denied by exit code 2 even if --<host>-deny json requests a document",
    async (host, payload) => {
      const { stdout, code } = await callExecutable(
        ["--host", host, `--${host}-deny`, "json"],
        JSON.stringify(payload),
      );
      expect([code, stdout]).toEqual([2, expect.stringContaining('"deny"')]);
      const known = { ...payload, hook_event_name: host === "cursor" ? "preToolUse" : "BeforeTool" };
      expect((await callExecutable(["--host", host, `--${host}-deny`, "json"], JSON.stringify(known))).code).toBe(0);
    },
  );
});

describe("a host that treats exit code 1 as a denial", () => {
  const args = ["--host", "copilot", "--event", "preToolUse"];
  test("gets exit code 0 for a failure with --on-error allow", async () => {
    const { stdout, stderr, code } = await callExecutable([...args, "--on-error", "allow"], "{");
    expect([stdout, code, stderr]).toEqual([
      "",
      0,
      expect.stringMatching(/^bridge-hooks: copilot preToolUse: stdin is not valid JSON/),
    ]);
  });
  test("gets a denial for a failure with --on-error deny", async () => {
    const { stdout, code } = await callExecutable([...args, "--on-error", "deny"], "{");
    expect([JSON.parse(stdout), code]).toEqual([expect.objectContaining({ permissionDecision: "deny" }), 2]);
  });
});

describe("host detection", () => {
  test("fails if no host matches: exit code 1, or 2 with --on-error deny", async () => {
    const stderr = `bridge-hooks: stdin matches no known host; name the host with --host <id>\n`;
    expect(await callExecutable(["--on-error", "allow"], '{"hello":1}')).toEqual({ stdout: "", stderr, code: 1 });
    expect(await callExecutable(["--on-error", "deny"], '{"hello":1}')).toEqual({ stdout: "", stderr, code: 2 });
  });
  test("fails with the scores if several hosts match equally", async () => {
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
      /^bridge-hooks: stdin matches several hosts \(scores: claude 4, codex 4, .*\); name the host with --host <id>\n$/,
    );
  });
  test("denies for an unknown --host, except with --on-error allow", async () => {
    const stderr = `bridge-hooks: unknown host "emacs"; known: ${hostRegistry.map(({ id }) => id).join(", ")}\n`;
    expect(await callExecutable(["--host", "emacs"], "{}")).toEqual({ stdout: "", stderr, code: 2 });
    const allowing = await callExecutable(["--host", "emacs", "--on-error", "allow"], "{}");
    expect(allowing).toEqual({ stdout: "", stderr, code: 1 });
  });

  describe("with an entry from Claude's settings that Cursor calls", () => {
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
      "bridge-hooks: cursor beforeShellExecution: Cursor called bridge-hooks with --host claude, but the answer is for cursor; give Cursor its own entry with --host cursor\n";
    const denial = { stdout: HOST_CALLS.cursor?.denied("probe says no") as string, stderr: "probe says no\n", code: 0 };
    const clear = () => [project, home].forEach((place) => rmSync(place, { recursive: true, force: true }));

    test("answers as Cursor, with a warning", async () => {
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
      test(`stands down for Cursor's own entry ${name}, except for a denial`, async () => {
        clear();
        write(file, text());
        expect(await trapped("none")).toEqual({ stdout: "{}\n", stderr: "", code: 0 });
        expect(await trapped("throw")).toEqual({ stdout: "{}\n", stderr: "", code: 0 });
        expect(await trapped("deny")).toEqual(denial);
      });
    }
    test.skipIf(process.platform === "win32")(
      "denies immediately if Cursor's config is not a regular file",
      async () => {
        clear();
        mkdirSync(join(project, ".cursor"), { recursive: true });
        symlinkSync("/dev/zero", join(project, ".cursor/hooks.json"));
        expect(await trapped("deny")).toEqual({ ...denial, stderr: `${denial.stderr}${warning}` });
      },
    );
    test("stands down for an installed entry only in calls that its matcher matches", async () => {
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
        "give Cursor its own entry",
      );
    });
    const others: [name: string, text: () => string][] = [
      ["another program with the same name", () => cursorEntry("/elsewhere/bridge-hooks --host cursor")],
      ["a relative path", () => cursorEntry("./probe --host cursor")],
      ["an entry for another event", () => cursorEntry(`${probeBuild.outfile} --host cursor`, "stop")],
      [
        "an entry that does not receive every call",
        () => cursorEntry(`${probeBuild.outfile} --host cursor`, "beforeShellExecution", "curl"),
      ],
      [
        "an entry with its own matcher, which never runs",
        () => cursorEntry(`${probeBuild.outfile} --host cursor`, "beforeShellExecution", "(.?){400}z"),
      ],
      ["an entry for another host", () => cursorEntry(`${probeBuild.outfile} --host claude`)],
      ["an entry whose command continues after ours", () => cursorEntry(`${probeBuild.outfile} --host cursor || true`)],
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

describe("a denial that makes the agent continue", () => {
  const stop = (host: string, change: Payload) =>
    JSON.stringify(getPayload(host, host === "cursor" ? "stop" : "Stop", change));
  const more = ["--max-continuations", "3"];

  for (const host of ["claude", "codex"]) {
    const last_assistant_message = "probe:deny";
    const first = () => stop(host, { last_assistant_message, session_id: `${host}-${Math.random()}` });
    test(`works once at ${host}'s Stop with --max-continuations 1, and then the agent ends`, async () => {
      const once = ["--host", host, "--max-continuations", "1"];
      expect(await callExecutable(once, first())).toMatchObject({ code: 2, stderr: "probe says no\n" });
      const again = stop(host, { last_assistant_message, stop_hook_active: true });
      const { stdout, stderr, code } = await callExecutable(once, again);
      expect([stdout, code]).toEqual(["", 0]);
      expect(stderr).toBe(
        `bridge-hooks: ${host} Stop: hook "probe" could not make the agent continue: hooks already did so 1 time in a row; to allow more, raise maxContinuations (now 1)\n`,
      );
    });
    const limit = { claude: 8, codex: 1 }[host];
    test(`works at ${host}'s Stop as often as the host itself allows`, async () => {
      const session_id = `${host}-${Math.random()}`;
      const codes: (number | null)[] = [];
      for (let count = 0; count <= Number(limit); count++) {
        const payload = stop(host, { last_assistant_message, session_id, stop_hook_active: count > 0 });
        codes.push((await callExecutable(["--host", host], payload)).code);
      }
      expect(codes).toEqual([...Array(limit).fill(2), 0]);
    });
    test(`works at ${host}'s Stop --max-continuations times, and again after the agent has ended`, async () => {
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
    test(`works once at ${host}'s Stop if the count can't be stored`, async () => {
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

  test("is counted by loop_count at Cursor's stop", async () => {
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
  test("keeps its count while other executables share the session", async () => {
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
  test("is counted separately for each task at TaskCompleted", async () => {
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
  test("works every other time if the payload has neither a count nor a session", async () => {
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

test.skipIf(!canUseSlowPipes)(
  "a payload of 1 MB that arrives in parts, interrupted by signals, is read completely",
  async () => {
    const plain = await callBySlowPipes(starterBuild.outfile, writeCall(LINES));
    expect({ ...plain, cpuMs: 0 }).toEqual({ code: 0, stdout: "", stderr: "", cpuMs: 0 });
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`;
    const harmful = await callBySlowPipes(starterBuild.outfile, writeCall(`${LINES}const key = "${token}";\n`));
    expect(harmful.code).toBe(2);
    expect(JSON.parse(harmful.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  },
);

test.skipIf(!canUseSlowPipes)(
  "an answer of 1 MB that is read late arrives completely, and the wait takes no CPU time",
  async () => {
    const payload = getPayload("claude", "PreToolUse-Bash", {
      cwd: folder,
      tool_input: { command: "echo probe:huge" },
    });
    const atOnce = await callBySlowPipes(probeBuild.outfile, payload);
    const late = await callBySlowPipes(probeBuild.outfile, payload, 1_500);
    expect([late.code, late.stdout]).toEqual([0, atOnce.stdout]);
    expect(JSON.parse(late.stdout).hookSpecificOutput.updatedInput.command.length).toBe(1_000_000);
    // A busy wait would use most of the 1,500 ms.
    expect(late.cpuMs - atOnce.cpuMs).toBeLessThan(500);
  },
);

test.skipIf(process.platform !== "linux" || !existsSync("/sys/kernel/mm/transparent_hugepage/enabled"))(
  "huge pages are requested for a large payload and not for a small one",
  async () => {
    const start = async (bytes: number) => {
      const child = Bun.spawn([starterBuild.outfile, "--host", "claude"], { stdin: "pipe", stdout: "ignore" });
      child.stdin.write(`{"session_id": "${"x".repeat(bytes)}`);
      await child.stdin.flush();
      const areRequested = () => /^VmFlags:.* hg\b/m.test(readFileSync(`/proc/${child.pid}/smaps`, "utf8"));
      return { child, areRequested };
    };
    // By the time the second process has read its payload, the first has read its own.
    const [small, large] = [await start(1_000), await start(1_000_000)];
    await waitFor(large.areRequested, "the request for large pages");
    expect(small.areRequested()).toBe(false);
    for (const { child } of [small, large]) {
      child.kill();
      await child.exited;
    }
  },
);
