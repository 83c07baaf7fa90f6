import { expect } from "bun:test";
import { context, deny, modify } from "bridge-hooks";
import type { ClaimCase, ClaimSection } from "../../claim.ts";
import { buildCursorPayload, buildCursorDenial, cursorMCP, cursorTool } from "../calls.ts";
import { getHost, installEntries } from "../checks.ts";

const observed = (event: string, more: object, sees: Record<string, unknown>): ClaimCase => ({
  host: "cursor",
  stdin: buildCursorPayload(event, more as Record<string, unknown>),
  sees: { native_event: event, ...sees },
  answer: deny("No."),
  stdout: {},
  stderr: /^bridge-hooks: cursor \w+: .*can't be enforced; Cursor can't stop this event/m,
  exit_code: 0,
});
const gate = (
  event: string,
  more: object,
  sees: Record<string, unknown>,
  stdout: unknown = buildCursorDenial("No."),
): ClaimCase => ({
  host: "cursor",
  stdin: buildCursorPayload(event, more as Record<string, unknown>),
  sees: { native_event: event, ...sees },
  answer: deny("No."),
  stdout,
});
const edit = { file_path: "/w/a.ts", edits: [{ old_string: "1", new_string: "2" }] };
const edited = {
  event: "PostToolUse",
  tool: "Edit",
  input: { files: [{ file_path: "/w/a.ts", edits: [{ old_string: "1", new_string: "2" }] }] },
};

export const events: ClaimSection = {
  title: "Cursor: events",
  claims: [
    {
      says: "`beforeSubmitPrompt` fires before the model gets the prompt, and can block",
      cases: [
        gate(
          "beforeSubmitPrompt",
          { prompt: "go" },
          { event: "UserPromptSubmit", prompt: "go" },
          { continue: false, user_message: "No." },
        ),
      ],
    },
    {
      says: "`beforeShellExecution` can block",
      cases: [
        gate(
          "beforeShellExecution",
          { command: "ls" },
          { event: "PreToolUse", tool: "Bash", input: { command: "ls" } },
        ),
      ],
    },
    {
      says: "`beforeShellExecution` is the main place to enforce policies",
      differs:
        "`preToolUse` fires first, for every tool, and is the only one that can change a call; `install` subscribes to both, and a shell call gets one decision " +
        "[seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        {
          host: "cursor",
          stdin: cursorTool,
          answer: modify({ command: "git status -s" }),
          stdout: expect.objectContaining({ updated_input: { command: "git status -s", cwd: "/w" } }),
        },
      ],
      check: async (executable) =>
        expect(
          (await installEntries(executable, { host: "cursor", events: ["PreToolUse"] }))[".cursor/hooks.json"],
        ).toMatchObject({
          hooks: {
            preToolUse: [{ failClosed: true }],
            beforeShellExecution: [{ command: expect.stringContaining("--after preToolUse") }],
          },
        }),
    },
    {
      says: "`afterShellExecution` only observes",
      cases: [
        observed(
          "afterShellExecution",
          { command: "ls", output: "a\n", duration: 5 },
          { event: "PostToolUse", output: { text: "a\n" } },
        ),
      ],
    },
    {
      says: "`beforeMCPExecution` can block calls of MCP tools",
      cases: [gate("beforeMCPExecution", cursorMCP, { event: "PreToolUse", tool: "MCP" })],
    },
    {
      says: "`afterMCPExecution` only observes",
      cases: [
        observed(
          "afterMCPExecution",
          { ...cursorMCP, result_json: '{"isError":false}', duration: 5 },
          { event: "PostToolUse", tool: "MCP", duration_ms: 5 },
        ),
      ],
    },
    {
      says: "`beforeReadFile` can block",
      cases: [
        gate(
          "beforeReadFile",
          { file_path: "/w/.env", content: "A=1" },
          { event: "PreToolUse", tool: "Read", input: { file_path: "/w/.env", content: "A=1" } },
        ),
      ],
    },
    {
      says: "`beforeReadFile` can redact the content before the model reads it",
      differs:
        "it accepts a permission and messages, but no changed content: deny the read, and say what the model may read instead " +
        "[docs https://cursor.com/docs/hooks.md]",
      cases: [
        {
          host: "cursor",
          stdin: buildCursorPayload("beforeReadFile", { file_path: "/w/.env", content: "A=1" }),
          answer: modify({ file_path: "/w/.env.example" }),
          stdout: expect.objectContaining({ permission: "deny" }),
        },
      ],
    },
    {
      says: "`afterFileEdit` only observes: formatters, version control",
      cases: [observed("afterFileEdit", edit, edited)],
    },
    {
      says: "`beforeTabFileRead` can block what Tab reads",
      cases: [
        {
          host: "cursor",
          stdin: buildCursorPayload("beforeTabFileRead", { file_path: "/w/.env", content: "A=1" }),
          sees: { event: "PreToolUse", tool: "Read", tool_name: "TabRead" },
          answer: deny("No."),
          stdout: expect.objectContaining({ permission: "deny" }),
        },
      ],
    },
    {
      says: "`afterTabFileEdit` only observes",
      cases: [observed("afterTabFileEdit", edit, { ...edited, tool_name: "TabWrite" })],
    },
    {
      says: "`afterAgentResponse` only observes",
      cases: [observed("afterAgentResponse", { text: "Done." }, { event: "Native", _native: { text: "Done." } })],
    },
    {
      says: "`afterAgentThought` only observes",
      cases: [
        observed(
          "afterAgentThought",
          { text: "Hm.", duration_ms: 5 },
          { event: "Native", _native: { text: "Hm.", duration_ms: 5 } },
        ),
      ],
    },
    {
      says: "`stop` can't block; it is for notifications and cleanup",
      differs:
        "a denial makes the agent go on, with the reason as `followup_message` [seen @cursor/sdk 1.0.32, 2026-11-21]",
      cases: [
        {
          host: "cursor",
          stdin: buildCursorPayload("stop", { status: "completed", loop_count: 0 }),
          sees: { event: "Stop", continuations: 0 },
          answer: deny("The tests have not run."),
          stdout: { followup_message: "The tests have not run." },
          exit_code: 0,
        },
      ],
    },
    {
      says: "There is no `sessionStart`",
      differs: "it exists, and `additional_context` is sent there [docs https://cursor.com/docs/hooks.md]",
      cases: [
        {
          host: "cursor",
          stdin: buildCursorPayload("sessionStart", { session_id: "s", is_background_agent: false }),
          sees: { event: "SessionStart", session_id: "s" },
          answer: context("It is Monday."),
          stdout: { additional_context: "It is Monday." },
        },
      ],
    },
    {
      says: "There is no `sessionEnd`",
      differs: "there is [docs https://cursor.com/docs/hooks.md]",
      cases: [
        {
          host: "cursor",
          stdin: buildCursorPayload("sessionEnd", { reason: "completed" }),
          sees: { event: "SessionEnd", reason: "completed" },
          exit_code: 0,
        },
      ],
    },
    {
      says: "Cursor has these twelve events",
      differs:
        "there are 21, with `preToolUse`, `postToolUse`, `postToolUseFailure`, `subagentStart`, `subagentStop`, `preCompact`, `sessionStart`, " +
        "`sessionEnd` and `workspaceOpen` [shipped @cursor/sdk 1.0.32]",
      check: () => expect(Object.keys(getHost("cursor").capabilities)).toHaveLength(21),
    },
  ],
};
