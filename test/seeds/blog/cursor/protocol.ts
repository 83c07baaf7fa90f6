import { expect } from "bun:test";
import { allow, ask, deny } from "bridge-hooks";
import type { ClaimSection } from "../../claim.ts";
import { buildCursorPayload, buildCursorDenial, cursorMCP, cursorShell, cursorTool } from "../calls.ts";
import { installEntries, judgeAnswer } from "../checks.ts";

const FILE = ".cursor/hooks.json";
const json = (document: object) => ({ stdout: JSON.stringify(document) });

export const config: ClaimSection = {
  title: "Cursor: configuration",
  claims: [
    {
      says: "Hooks are declared in a project's `.cursor/hooks.json`",
      check: async (executable) =>
        expect(await installEntries(executable, { host: "cursor", scope: "project", events: ["stop"] })).toMatchObject({
          [FILE]: { hooks: { stop: [{ command: expect.stringContaining("--host cursor") }] } },
        }),
    },
    {
      says: "Hooks for all projects are declared in the user's Cursor folder",
      check: async (executable) =>
        expect(Object.keys(await installEntries(executable, { host: "cursor", events: ["stop"] }))).toContain(FILE),
    },
    {
      says: 'The form is `"version": 1` and `hooks` → event → a list of `command`s',
      async check(executable) {
        const files = await installEntries(executable, {
          host: "cursor",
          events: ["beforeShellExecution", "afterFileEdit", "stop"],
        });
        const list = [{ command: expect.any(String) }];
        expect(files[FILE]).toMatchObject({
          version: 1,
          hooks: { beforeShellExecution: list, afterFileEdit: list, stop: list },
        });
      },
    },
    {
      says: "All hooks of an event run, whoever configured them",
      async check(executable) {
        const theirs = { command: "./hooks/guard.sh" };
        const before = { [FILE]: { version: 1, hooks: { stop: [theirs] } } };
        const files = await installEntries(executable, { host: "cursor", events: ["stop"], before });
        expect(files[FILE]).toMatchObject({
          hooks: { stop: [theirs, { command: expect.stringContaining("--host cursor") }] },
        });
      },
    },
  ],
};

export const protocol: ClaimSection = {
  title: "Cursor: protocol",
  claims: [
    {
      says: "`beforeShellExecution` has `conversation_id`, `generation_id`, `command`, `cwd`, `hook_event_name`, `workspace_roots`",
      cases: [
        {
          host: "cursor",
          stdin: cursorShell,
          sees: {
            event: "PreToolUse",
            native_event: "beforeShellExecution",
            session_id: "c",
            cwd: "/w",
            tool: "Bash",
            input: { command: "git status", cwd: "/w" },
            _native: { generation_id: "g", workspace_roots: ["/w"] },
          },
        },
        { stdin: { ...cursorShell, cursor_version: undefined }, sees: { host: "cursor", tool: "Bash" } },
      ],
    },
    {
      says: "`beforeMCPExecution` has `tool_name`, `tool_input` and the server's `command`",
      cases: [
        {
          host: "cursor",
          stdin: buildCursorPayload("beforeMCPExecution", cursorMCP),
          sees: {
            tool: "MCP",
            input: { server: "tiny", tool: "echo", arguments: { text: "hey" } },
            _native: { command: "node tiny.js" },
          },
        },
      ],
    },
    {
      says: "The answer is JSON on stdout",
      cases: [
        {
          host: "cursor",
          stdin: cursorShell,
          answer: deny("Not here."),
          stdout: buildCursorDenial("Not here."),
          exit_code: 0,
        },
        { host: "cursor", stdin: cursorShell, stdout: {}, exit_code: 0 },
      ],
    },
    {
      says: '`permission` may be "allow"',
      cases: [{ host: "cursor", stdin: cursorShell, answer: allow(), stdout: { permission: "allow" }, exit_code: 0 }],
    },
    {
      says: '`permission` may be "deny", which blocks',
      cases: [{ host: "cursor", stdin: cursorTool, answer: deny("No."), stdout: buildCursorDenial("No.") }],
      check: async () =>
        expect(await judgeAnswer("cursor", "beforeShellExecution", json(buildCursorDenial("No.")))).toBe("denied"),
    },
    {
      says: '`permission` may be "ask"',
      differs:
        'Cursor runs the call without asking, so it gets a denial that says so; "ask" is sent with `--cursor-ask-fallback ask`, and to releases before 2.4.21 [seen @cursor/sdk 1.0.32, 2026-11-21]',
      cases: [
        {
          host: "cursor",
          stdin: cursorShell,
          answer: ask("Push?"),
          stdout: expect.objectContaining({ permission: "deny" }),
          stderr: /without asking/,
        },
        {
          host: "cursor",
          args: ["--cursor-ask-fallback", "ask"],
          stdin: cursorShell,
          answer: ask("Push?"),
          stdout: expect.objectContaining({ permission: "ask" }),
        },
        {
          host: "cursor",
          stdin: { ...cursorShell, cursor_version: "2.4.20" },
          answer: ask("Push?"),
          stdout: expect.objectContaining({ permission: "ask" }),
        },
      ],
    },
    {
      says: "The messages are called `userMessage` and `agentMessage`",
      differs:
        "they are `user_message` and `agent_message`: with the other names Cursor blocks without showing the text [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        {
          host: "cursor",
          stdin: cursorShell,
          answer: { ...deny("Use CI."), user_message: "Stopped a push." },
          stdout: { permission: "deny", user_message: "Stopped a push.", agent_message: "Use CI." },
        },
      ],
    },
    {
      says: "One message goes to the user, the other to the model",
      differs:
        "both are sent, from a hook's `reason` and `user_message`; but for its own tools Cursor gives the model only `user_message`, so that carries the reason unless the hook gave another message [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        {
          host: "cursor",
          stdin: cursorShell,
          answer: { decision: "allow", reason: "Audit passed.", user_message: "Audited." },
          stdout: { permission: "allow", user_message: "Audited.", agent_message: "Audit passed." },
        },
        { host: "cursor", stdin: cursorShell, answer: deny("Use CI."), stdout: buildCursorDenial("Use CI.") },
      ],
    },
    {
      says: '`"continue": false` ends the whole task, at every event',
      differs:
        "Cursor reads it at `beforeSubmitPrompt` and `sessionStart` and ignores it before a call; it is sent at these two events [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        {
          host: "cursor",
          stdin: buildCursorPayload("beforeSubmitPrompt", { prompt: "go" }),
          answer: deny("No."),
          stdout: { continue: false, user_message: "No." },
        },
      ],
      check: async () =>
        expect(await judgeAnswer("cursor", "beforeShellExecution", json({ continue: false }))).toBe("passed"),
    },
  ],
};
