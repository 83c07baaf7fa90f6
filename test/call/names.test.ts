import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyEvent, isToolCallEvent } from "../../src/protocol/event.ts";
import { defineHook, createHookEntry, type Hook, type HookMeta } from "../../src/protocol/hook.ts";
import { getCells, pickCell } from "../../src/protocol/capability.ts";
import { getCapabilityRow, type Payload } from "../../src/protocol/host/host.ts";
import { context, deny } from "../../src/protocol/response.ts";
import { hosts } from "../../src/hosts/index.ts";
import { omitNulls } from "../../src/protocol/object.ts";
import { detectHost } from "../../src/call/identify/detect.ts";
import { answerCall } from "../support/answer-call.ts";
import { changeRecordedCall, fixtures, getGateEvent, getPayload } from "../support/fixtures.ts";

const REASON = "no forced push";
const guard = createHookEntry(
  defineHook({
    event: "PreToolUse",
    tool: "Bash",
    handler: ({ input }) => (input.command === "ls" ? undefined : deny(REASON)),
  }),
  "guard",
);
const PROMPTED = "of the prompt hook";
const prompted = createHookEntry(
  defineHook({ event: "UserPromptSubmit", handler: () => context(PROMPTED) }),
  "prompted",
);

const asked = (flags: readonly string[], payload: object, env = {}) =>
  answerCall([guard, prompted], {}, flags, { env, read: () => JSON.stringify(payload) });

/** One shell call for each host whose payloads name the event: the host's recorded call with the command replaced. */
const CALLS: readonly [host: string, file: string, event: string, call: Payload][] = [
  ["claude", "PreToolUse-Bash", "PreToolUse", { tool_input: { command: "git push -f" } }],
  ["codex", "PreToolUse-Bash", "PreToolUse", { tool_input: { command: "git push -f" } }],
  ["cursor", "preToolUse.Shell", "preToolUse", { tool_input: { command: "git push -f" } }],
  ["gemini", "BeforeTool-run_shell_command", "BeforeTool", { tool_input: { command: "git push -f" } }],
  ["copilot", "PascalCase-PreToolUse", "PreToolUse", { tool_input: { command: "git push -f" } }],
];

/** Names an event could have in a future release, and malformed names. */
const renamed = (id: string, event: string) => {
  const known = hosts.find((host) => host.id === id)?.capabilities ?? {};
  const names = [`${event}V2`, `${event} `, "", event.replace(/^./, (first) => first.toLowerCase()), "constructor"];
  return names.filter((name) => !Object.hasOwn(known, name));
};

describe("an event", () => {
  for (const [host, file, event, call] of CALLS)
    for (const name of renamed(host, event)) {
      const payload = getPayload(host, file, { ...call, hook_event_name: name });
      test(`of ${host} with the unknown name "${name}" is judged as its entry's event`, async () => {
        const { stdout, stderr } = await asked(["--host", host, "--on-error", "deny", "--event", event], payload);
        expect(stdout).toContain(REASON);
        expect(stdout).toContain("deny");
        expect(stderr).toContain(`evaluated as ${event}`);
      });
      test(`of ${host} with the unknown name "${name}" is judged as a call before it runs if its entry names no event`, async () => {
        expect((await asked(["--host", host], payload)).stdout).toContain(REASON);
      });
      test(`of ${host} with the unknown name "${name}" is a failure if its call can't be read`, async () => {
        const unreadable = { ...payload, tool_input: { command: 5 } };
        for (const flags of [["--event", event], []]) {
          const { stdout, stderr } = await asked(["--host", host, "--on-error", "deny", ...flags], unreadable);
          expect([stdout, stderr]).toEqual([expect.stringContaining("deny"), expect.stringContaining("command")]);
          if (host !== "copilot") expect((await asked(["--host", host, ...flags], unreadable)).exit_code).toBe(1);
        }
      });
    }
  test("with an unknown name is allowed if its call is harmless", async () => {
    const payload = getPayload("claude", "PreToolUse-Bash", {
      tool_input: { command: "ls" },
      hook_event_name: "PreToolUseV2",
    });
    expect(await asked(["--host", "claude", "--on-error", "deny", "--event", "PreToolUse"], payload)).toMatchObject({
      stdout: "",
      exit_code: 0,
    });
  });
  test("with an unknown name and no call is judged by --event, and is Native without it", async () => {
    const payload = getPayload("claude", "UserPromptSubmit", { hook_event_name: "PromptSubmit" });
    expect((await asked(["--host", "claude", "--event", "UserPromptSubmit"], payload)).stdout).toContain(PROMPTED);
    const { stdout, stderr, exit_code } = await asked(["--host", "claude", "--on-error", "deny"], payload);
    expect([stdout, stderr, exit_code]).toEqual(["", expect.stringContaining("unknown Claude Code event"), 0]);
    const unreadable = await asked(["--host", "claude", "--on-error", "deny", "--event", "UserPromptSubmit"], {
      ...payload,
      prompt: 5,
    });
    expect(unreadable).toMatchObject({ exit_code: 2, stdout: expect.stringContaining("prompt is number, not string") });
  });
  test("with an unknown name after a call is Native", async () => {
    const payload = getPayload("claude", "PostToolUse-Bash", {
      hook_event_name: "ToolUsed",
      tool_input: { command: "git push -f" },
    });
    expect(await asked(["--host", "claude", "--on-error", "deny"], payload)).toMatchObject({
      stdout: "",
      exit_code: 0,
    });
  });
  test("with a known name is judged by that name instead of --event", async () => {
    const payload = getPayload("claude", "PreToolUse-Bash", { tool_input: { command: "git push -f" } });
    const { stdout, exit_code } = await asked(["--host", "claude", "--event", "PostToolUse"], payload);
    expect([exit_code, JSON.parse(stdout).hookSpecificOutput]).toEqual([
      2,
      expect.objectContaining({ hookEventName: "PreToolUse" }),
    ]);
  });
  test("with an unknown name turns an ask or a rewrite into a denial", async () => {
    const payload = getPayload("claude", "PreToolUse-Bash", { hook_event_name: "PreToolUseV2" });
    const flags = ["--host", "claude", "--event", "PreToolUse"];
    for (const response of [{ decision: "ask" as const, reason: "sure?" }, { modified_input: { command: "true" } }]) {
      const entry = createHookEntry(defineHook({ event: "PreToolUse", handler: () => response }), "careful");
      const { stdout, exit_code } = await answerCall([entry], {}, flags, { env: {}, read: () => payload });
      expect([exit_code, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([2, "deny"]);
    }
  });
});

describe("a payload", () => {
  /** Fields that identify another host, each with an example value. */
  const MARKS: readonly [name: string, more: Payload, host: string][] = [
    ["cursor_version", { cursor_version: "9.9.9" }, "cursor"],
    ["prompt_id", { prompt_id: "1" }, "claude"],
    ["timestamp", { timestamp: "2026-11-22T10:00:00.000Z" }, "copilot"],
    ["turn_id", { turn_id: "1", model: "m" }, "codex"],
  ];
  for (const [host, file, event, call] of CALLS)
    for (const [name, more, other] of MARKS) {
      const payload = getPayload(host, file, { ...call, ...more });
      const changed = Object.keys(more).some((key) => getPayload(host, file)[key] === undefined);
      // Claude Code's prompt_id never occurs together with Codex's turn_id.
      if (!changed || other === host) continue;
      test(`of ${host} with ${name} of ${other} is answered like a payload without it`, async () => {
        const flags = ["--host", host, "--on-error", "deny", "--event", event];
        const env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), "names-")) };
        const { stderr, ...answer } = await asked(flags, payload, env);
        const { stderr: plain, ...expected } = await asked(flags, getPayload(host, file, call));
        expect(answer).toEqual(expected);
        // The only message permitted says that the field is a marker of the other host.
        const name = hosts.find(({ id }) => id === other)?.name;
        expect(stderr.replace(plain, "")).toMatch(new RegExp(`^\\s*$|^\\s*.* which is typical of ${name}, .*\\s*$`));
      });
    }
  const payload = getPayload("codex", "PreToolUse-Bash", { cursor_version: "3.1.0" });
  test("with a field of another host matches several hosts if none is named", async () => {
    const found = await detectHost(hosts, omitNulls(payload), { env: {} });
    expect(found).toEqual({ problem: expect.stringContaining("matches several hosts") });
  });
});

describe("with --host claude, the payload of another host", () => {
  /**
   * Hosts that read another host's config: Cursor, Copilot CLI and VS Code read Claude Code's config [seen @cursor/sdk
   * 1.0.32, 1.0.102, 2026-11-22].
   */
  for (const { host, version, file, payload } of fixtures.filter(({ host }) => ["cursor", "copilot"].includes(host.id)))
    test(`is recognized by its signature: ${host.id} ${version} ${file}`, async () => {
      const named = hosts.find(({ id }) => id === "claude");
      expect(await detectHost(hosts, omitNulls(payload), { env: {} }, named)).toEqual({
        host,
        contradicted: named as never,
      });
    });
  test("is answered in its format, as for VS Code", async () => {
    const payload = {
      timestamp: "2026-11-22T10:00:00.000Z",
      cwd: "/w",
      session_id: "s",
      hook_event_name: "PreToolUse",
      transcript_path: "/t.json",
      tool_name: "run_in_terminal",
      tool_input: { command: "git push -f" },
      tool_use_id: "1",
    };
    const { stdout, stderr } = await asked(["--host", "claude", "--event", "PreToolUse"], payload);
    expect([stdout, stderr]).toEqual([
      expect.stringContaining(REASON),
      expect.stringContaining("the answer is for copilot"),
    ]);
  });
});

/** Builds a payload for a tool that isn't in the host's table. */
function callOf(host: string, tool_name: string, input: Payload): [flags: string[], payload: Payload] {
  const flags = ["--host", host, "--on-error", "deny", "--event", getGateEvent(host)];
  return [flags, changeRecordedCall(host, tool_name, input)];
}

describe("a tool call", () => {
  const seen = async (host: string, tool_name: string, input: Payload) => {
    const [flags, payload] = callOf(host, tool_name, input);
    const calls: unknown[] = [];
    const spy = defineHook({
      event: "PreToolUse",
      handler: ({ tool, tool_name, input }) => void calls.push([tool, tool_name, input]),
    });
    await answerCall([createHookEntry(spy, "spy")], {}, flags, { env: {}, read: () => payload });
    return calls[0];
  };
  // If the tool is guessed, the original fields are kept alongside the unified ones.
  const CASES: [name: string, input: Payload, tool: string, unified?: Payload][] = [
    // Inputs in Qwen Code's format [seen 0.24.4, 2026-11-22], and in other hosts' formats [unverified].
    ["shell_of_qwen", { command: "git push -f", is_background: false }, "Bash"],
    ["execute_line", { command: "git push -f", riskLevel: "low" }, "Bash"],
    ["exec_command", { cmd: "git push -f", workdir: "/w" }, "Bash", { command: "git push -f", cwd: "/w" }],
    ["runner", { script: "git push -f" }, "Bash", { command: "git push -f" }],
    ["local_shell", { command: ["bash", "-lc", "git push -f"] }, "Bash", { command: "bash -lc 'git push -f'" }],
    ["program", { command: "git", args: ["push", "-f", "a b"] }, "Bash", { command: "git push -f 'a b'" }],
    [
      "program",
      { command: "git push -f", args: ["--dry-run"] },
      "Bash",
      { command: "git push -f\ngit push -f --dry-run" },
    ],
    ["two", { command: "ls", cmd: "git push -f" }, "Bash", { command: "ls\ngit push -f" }],
    ["program_apart", { program: "git", args: ["push", "-f"] }, "Bash", { command: "git push -f" }],
    ["runProcess", { argv: ["git", "push", "-f"] }, "Bash", { command: "git push -f" }],
    ["terminal", { commands: ["ls", "git push -f"] }, "Bash", { command: "ls\ngit push -f" }],
    ["bash_tool", { bash: "git push -f" }, "Bash", { command: "git push -f" }],
    ["run_code", { language: "bash", code: "git push -f" }, "Bash", { command: "git push -f" }],
    ["fed", { command: "sh", stdin: "git push -f" }, "Bash", { command: "sh <<< 'git push -f'" }],
    ["nested", { params: { command: "git push -f", cwd: "/w" } }, "Bash", { command: "git push -f", cwd: "/w" }],
    ["nested_beside", { command: "ls", steps: [{ command: "git push -f" }] }, "Bash", { command: "ls\ngit push -f" }],
    // Input typed into a running shell.
    ["write_stdin", { session_id: 1, chars: "git push -f\r" }, "Bash", { command: "git push -f\n" }],
    ["send_keys", { keys: ["git", "Space", "push -f", "Enter"] }, "Bash", { command: "git push -f\n" }],
    ["write_stdin", { session_id: 1, chars: "import os\nprint(os.name)\n" }, "Other"],
    ["run_code", { language: "python", code: "print('git push -f')" }, "Other"],
    ["draw_code", { language: "bash", code: "git push -f" }, "Other"],
    ["shell_with_file", { command: "git push -f", path: "a", content: "b" }, "Bash"],
    ["Create", { file_path: "/a", content: "x" }, "Write", { file_path: "/a", content: "x" }],
    ["make_file", { target_file: "/a", contents: "" }, "Write", { file_path: "/a", content: "" }],
    ["text_editor", { command: "create", path: "/a", file_text: "x" }, "Write", { file_path: "/a", content: "x" }],
    ["text_editor", { command: "str_replace", path: "/a", old_str: "x", new_str: "y" }, "Other"],
    ["which_of_them", { path: "/a", file_path: "/b", content: "x" }, "Other"],
    ["note", { content: "x" }, "Other"],
    ["odd", { command: 5 }, "Other"],
    ["blank", { command: " " }, "Other"],
  ];
  for (const host of hosts) {
    for (const [name, input, tool, unified = {}] of CASES)
      test(`of ${host.id}'s unknown tool ${name} is decoded as ${tool}`, async () =>
        expect(await seen(host.id, name, input)).toEqual([tool, name, { ...input, ...unified }]));
    test(`of ${host.id}'s unknown tool is denied if its shell command is`, async () => {
      for (const [name, input, tool] of CASES.filter(([, { command }]) => command !== "create")) {
        const [flags, payload] = callOf(host.id, name, input);
        const { stdout, stderr } = await asked(flags, payload);
        expect([name, `${stdout}${stderr}`.includes(REASON)]).toEqual([name, tool === "Bash"]);
      }
    });
    test(`of ${host.id}'s unknown tool is rewritten in the host's own fields, or denied`, async () => {
      let rewritten = 0;
      const patches: Record<string, Payload> = { Bash: { command: "true" }, Write: { file_path: "/safe" }, Other: {} };
      for (const [name, input, tool] of CASES.filter(([, , tool]) => tool !== "Other")) {
        const [flags, payload] = callOf(host.id, name, input);
        const hook = defineHook({ event: "PreToolUse", handler: () => ({ modified_input: patches[tool] as Payload }) });
        const { stdout, exit_code } = await answerCall([createHookEntry(hook, "patch")], {}, flags, {
          env: {},
          read: () => payload,
        });
        if (exit_code === 2 || /deny|block|cancel/.test(stdout)) continue;
        rewritten++;
        // Nothing of the original remains in the rewritten call.
        expect([name, /git push|"\/a"/.test(stdout), /"(true|\/safe)"/.test(stdout)]).toEqual([name, false, true]);
        for (const key of Object.keys(input)) expect([name, stdout.includes(`"${key}"`)]).toEqual([name, true]);
      }
      // On a host that doesn't support rewrites, the call is denied instead. Cursor ignores rewritten input for most of
      // its tools.
      const row = getCapabilityRow(host, getGateEvent(host.id));
      const { support } = pickCell(getCells(row, "modified_input"), undefined);
      const takesNone = host.id === "cursor" || support === "downgrade";
      expect([host.id, rewritten]).toEqual([host.id, takesNone ? 0 : 10]);
    });
  }
  test("of OpenClaw that types into a running process is decoded as a shell command", async () => {
    for (const typed of [
      { action: "write", data: "git push -f\n" },
      { action: "send-keys", keys: ["git push -f", "Enter"] },
    ])
      expect(await seen("openclaw", "process", typed)).toEqual([
        "Bash",
        "process",
        { ...typed, command: "git push -f\n" },
      ]);
    const pieces = { action: "send-keys", literal: "git push ", keys: ["-f", "Enter"] };
    const [flags, payload] = callOf("openclaw", "process", pieces);
    expect((await asked(flags, payload)).stdout).toContain(REASON);
    for (const other of [{ action: "list" }, { action: "poll", sessionId: "git push -f" }])
      expect(await seen("openclaw", "process", other)).toEqual(["Other", "process", other]);
  });
  test("of a known tool of the kind Other stays Other despite a field named command", async () => {
    let count = 0;
    for (const { id, setup } of hosts)
      for (const name of (await setup()).tools.Other ?? []) {
        count++;
        for (const input of [{ command: "/review" }, { id: 1, path: "/a", content: "b", cwd: 5 }])
          expect([id, await seen(id, name, input)]).toEqual([id, ["Other", name, input]]);
      }
    expect(count).toBeGreaterThan(20);
  });
  test("of an unknown tool with conflicting or mistyped fields fails, or stays Other", async () => {
    for (const host of hosts) {
      for (const input of [
        { command: { a: 1 }, cmd: "ls" },
        { cmd: "ls", cwd: ["/w"] },
        { cmd: "ls", cwd: "/w", workdir: "/v" },
      ]) {
        const [flags, payload] = callOf(host.id, "deployer", input);
        const { stdout, stderr } = await asked(flags, payload);
        expect([host.id, input, stdout + stderr]).toEqual([
          host.id,
          input,
          expect.stringMatching(/is not a string|it is unclear which one applies/),
        ]);
      }
      for (const input of [
        { file_path: ["/b"], path: "/a", content: "x" },
        { path: "/a", content: { b: 1 }, contents: "x" },
      ])
        expect([host.id, await seen(host.id, "deployer", input)]).toEqual([host.id, ["Other", "deployer", input]]);
    }
  });
  test("of an unknown tool reaches hooks for its name, for Bash and for Other, with every field", async () => {
    const input = { command: "ls", path: "/a", target: "production" };
    const shown = async (host: string, asking: Partial<HookMeta>) => {
      const [flags, payload] = callOf(host, "deployer", input);
      const calls: unknown[] = [];
      const spy = {
        event: "PreToolUse",
        ...asking,
        handler: (event: AnyEvent) => void (isToolCallEvent(event) && calls.push([event.tool, event.input])),
      };
      await answerCall([createHookEntry(spy as Hook, "spy")], {}, flags, { env: {}, read: () => payload });
      return calls;
    };
    for (const { id } of hosts) {
      for (const asking of [
        {},
        { tool: "Bash" },
        { tool: ["Bash", "Other"] },
        { matcher: "deployer" },
        { matcher: "Other" },
      ] as const)
        expect([id, asking, await shown(id, asking)]).toEqual([id, asking, [["Bash", input]]]);
      for (const asking of [{ tool: "Other" }, { tool: ["MCP", "Other"], matcher: "deploy.*" }] as const)
        expect([id, asking, await shown(id, asking)]).toEqual([id, asking, [["Other", input]]]);
      for (const asking of [{ tool: "MCP" }, { tool: "Other", matcher: "other" }, { matcher: "Write" }] as const)
        expect([id, asking, await shown(id, asking)]).toEqual([id, asking, []]);
    }
  });
  test("of an unknown tool is denied if a hook rewrites the host's own command field", async () => {
    const [flags, payload] = callOf("claude", "exec_command", { cmd: "ls", workdir: "/w" });
    const answer = async (modified_input: Payload) => {
      const hook = defineHook({ event: "PreToolUse", handler: () => ({ modified_input }) });
      return answerCall([createHookEntry(hook, "patch")], {}, flags, { env: {}, read: () => payload });
    };
    const denied = await answer({ cmd: "true" });
    expect(denied.stdout).toContain('"deny"');
    // The advice is for the hook's author, so it appears in the log but not in the text the model reads.
    expect(denied.advice).toContain('in this call, "cmd" can only be changed as "command"');
    expect((await answer({ workdir: "/x" })).stdout).toContain('"updatedInput":{"cmd":"ls","workdir":"/x"}');
  });
});

describe("--host claude judges the calls of", () => {
  const common = {
    session_id: "s",
    cwd: "/w",
    hook_event_name: "PreToolUse",
    permission_mode: "default",
    tool_use_id: "1",
  };
  const command = "git push -f";
  // Modeled on payloads seen from Qwen Code 0.24.4, Droid 0.215.0 and Kimi Code 2.1.0, 2026-11-22.
  const CASES: [name: string, payload: Payload, env: Record<string, string>][] = [
    [
      "Qwen Code",
      {
        ...common,
        timestamp: "2026-11-22T10:00:00.000Z",
        transcript_path: "/h/.qwen/projects/w/chats/s.jsonl",
        tool_name: "run_shell_command",
        tool_input: { command },
      },
      { QWEN_PROJECT_DIR: "/w", GEMINI_PROJECT_DIR: "/w", GEMINI_SESSION_ID: "s" },
    ],
    [
      "Factory Droid",
      { ...common, transcript_path: "/h/.factory/sessions/s.jsonl", tool_name: "Execute", tool_input: { command } },
      {},
    ],
    ["Kimi Code", { ...common, tool_name: "Bash", tool_input: { command } }, {}],
  ];
  for (const [name, payload, env] of CASES)
    test(name, async () => {
      const { stdout, exit_code } = await asked(
        ["--host", "claude", "--on-error", "deny", "--event", "PreToolUse"],
        payload,
        env,
      );
      const { permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
      expect([exit_code, permissionDecisionReason]).toEqual([2, expect.stringContaining(REASON)]);
      const harmless = { ...payload, tool_input: { command: "ls" } };
      expect(
        await asked(["--host", "claude", "--on-error", "deny", "--event", "PreToolUse"], harmless, env),
      ).toMatchObject({
        exit_code: 0,
      });
    });
});
