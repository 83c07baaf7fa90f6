import type { Payload } from "../../../src/protocol/host/host.ts";
import type { ClaimSection } from "../claim.ts";
import { createAnswerCase, createNativeCase, createSeenCase, shellTool } from "./shared.ts";

const inherited = (variable: string, value: string) => ({
  ...createSeenCase("stop", {}, { variables: { [variable]: value } }),
  env: { [variable]: value },
});

const empty = {
  conversation_id: "string",
  generation_id: "string",
  model: "string",
  cursor_version: "string",
  workspace_roots: ["<path>"],
  user_email: null,
  transcript_path: null,
};
const attachments = [{ type: "file", file_path: "" }];
const verbatim: Record<string, Payload[]> = {
  beforeShellExecution: [{ command: "", cwd: "", sandbox: false }],
  beforeMCPExecution: [
    { tool_name: "", tool_input: "", url: "" },
    { tool_name: "", tool_input: "", command: "" },
  ],
  afterShellExecution: [{ command: "", output: "", duration: 1234, sandbox: false }],
  afterMCPExecution: [{ tool_name: "", tool_input: "", result_json: "", duration: 1234 }],
  afterFileEdit: [{ file_path: "", edits: [{ old_string: "", new_string: "" }] }],
  beforeReadFile: [{ file_path: "", content: "", attachments }],
  beforeTabFileRead: [{ file_path: "", content: "" }],
  afterTabFileEdit: [{ file_path: "", edits: [{ old_string: "", new_string: "", old_line: "", new_line: "" }] }],
  beforeSubmitPrompt: [{ prompt: "", attachments }],
  afterAgentResponse: [{ text: "" }],
  afterAgentThought: [{ text: "", duration_ms: 5000 }],
  stop: [{ status: "completed", loop_count: 0 }],
  sessionStart: [{ session_id: "", is_background_agent: true, composer_mode: "agent" }],
  sessionEnd: [{ session_id: "", reason: "completed", duration_ms: 45_000, final_status: "", error_message: "" }],
};

export const common: ClaimSection[] = [
  {
    title: "Input of all events",
    claims: [
      {
        says: "`conversation_id` stays the same over many turns",
        cases: [
          createSeenCase("stop", {}, { session_id: "conv-456" }),
          // Further fields that the SDK sends.
          createSeenCase(
            "stop",
            { session_id: "session-1" },
            { session_id: "session-1", _native: { conversation_id: "conv-456" } },
          ),
        ],
      },
      {
        says: "The page's example inputs, with their empty strings, are accepted unchanged",
        cases: Object.entries(verbatim).flatMap(([native_event, fields]) =>
          fields.map((one) => ({
            args: ["--on-error", "deny"],
            stdin: { ...empty, hook_event_name: native_event, ...one },
            sees: { host: "cursor", native_event },
            stdout: {},
            exit_code: 0,
          })),
        ),
      },
      {
        says: "`generation_id` changes with every prompt",
        cases: [createNativeCase("stop", { generation_id: "gen-2" })],
      },
      {
        says: "`model` is the model set in the composer",
        cases: [createSeenCase("stop", {}, { model: "claude-sonnet-4-20250514" })],
      },
      {
        says: "`hook_event_name` says which event it is",
        cases: [
          createSeenCase("preCompact", {}, { native_event: "preCompact", event: "PreCompact" }),
          {
            stdin: { hook_event_name: "stop", workspace_roots: ["/p"], cursor_version: "1.7.2" },
            sees: { host: "cursor", event: "Stop" },
          },
        ],
      },
      {
        says: "`cursor_version` is Cursor's version",
        cases: [createSeenCase("stop", { cursor_version: "1.7.2" }, { host_version: "1.7.2" })],
      },
      {
        says: "`workspace_roots` are the folders of the workspace, one or more",
        cases: [
          createSeenCase(
            "stop",
            { workspace_roots: ["/one", "/two"] },
            { cwd: "/one", _native: { workspace_roots: ["/one", "/two"] } },
          ),
        ],
      },
      {
        says: "`user_email` is the user's address, or null",
        cases: [
          createNativeCase("stop", { user_email: "dev@example.com" }),
          createNativeCase("stop", { user_email: null }),
        ],
      },
      {
        says: "`transcript_path` is the transcript's file, or null",
        cases: [
          createSeenCase("stop", { transcript_path: "/home/dev/t.jsonl" }, { transcript_path: "/home/dev/t.jsonl" }),
          createSeenCase("stop", { transcript_path: null }, { event: "Stop", _native: { transcript_path: null } }),
        ],
      },
    ],
  },
  {
    title: "Environment variables",
    claims: [
      {
        says: "`CURSOR_PROJECT_DIR` is the root of the workspace",
        cases: [
          inherited("CURSOR_PROJECT_DIR", "/project"),
          // It helps to detect the host.
          {
            stdin: { hook_event_name: "stop", workspace_roots: ["/project"], status: "completed" },
            env: { CURSOR_PROJECT_DIR: "/project" },
            sees: { host: "cursor", event: "Stop" },
          },
        ],
      },
      { says: "`CURSOR_VERSION` is Cursor's version, as a string", cases: [inherited("CURSOR_VERSION", "3.2.16")] },
      {
        says: "`CURSOR_USER_EMAIL` is set if the user is logged in",
        cases: [inherited("CURSOR_USER_EMAIL", "dev@example.com")],
      },
      {
        says: "`CURSOR_TRANSCRIPT_PATH` is set if transcripts are on",
        cases: [inherited("CURSOR_TRANSCRIPT_PATH", "/home/dev/t.jsonl")],
      },
      {
        says: '`CURSOR_CODE_REMOTE` is `"true"` in a remote workspace',
        cases: [inherited("CURSOR_CODE_REMOTE", "true")],
      },
      {
        says: "Variables of a `sessionStart` hook reach all later hooks of the session",
        differs:
          "they reach hooks at `stop` and similar events, but neither hooks of tool calls nor the shell tool; for those, keep values with `state(event)` [seen @cursor/sdk 1.0.32, 2026-11-21]",
        cases: [
          inherited("CURSOR_STAGE_OF_SESSION", "test"),
          createAnswerCase(
            "sessionStart",
            { cursor_version: "1.0.0" },
            { session_env: { STAGE: "test" } },
            { env: { STAGE: "test" } },
            { stderr: /the run's later hooks get it, except those of tool calls; the shell does not/ },
          ),
        ],
      },
      {
        says: "`CLAUDE_PROJECT_DIR` is an alias for the project's folder",
        cases: [
          inherited("CLAUDE_PROJECT_DIR", "/project"),
          // It does not make the call look like Claude Code's.
          {
            ...createSeenCase("preToolUse", shellTool, { host: "cursor" }),
            host: undefined,
            env: { CLAUDE_PROJECT_DIR: "/project" },
          },
        ],
      },
    ],
  },
];
