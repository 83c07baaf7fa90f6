import type { ClaimSection } from "../claim.ts";
import { createNativeCase, createSeenCase, shellTool } from "./shared.ts";

export const sessionInput: ClaimSection[] = [
  {
    title: "postToolUse and postToolUseFailure: input",
    claims: [
      {
        says: "`postToolUse` has the tool and its input again, and the call's `tool_use_id`",
        cases: [
          createSeenCase(
            "postToolUse",
            { ...shellTool, tool_output: "{}" },
            {
              event: "PostToolUse",
              tool: "Bash",
              input: { command: "npm install" },
              tool_use_id: "abc123",
              cwd: "/project",
            },
          ),
        ],
      },
      {
        says: "`tool_output` is the tool's result as a JSON string, not the terminal's output",
        cases: [
          createSeenCase(
            "postToolUse",
            { ...shellTool, tool_output: '{"exitCode":0,"stdout":"All tests passed"}' },
            {
              output: {
                text: "All tests passed",
                stdout: "All tests passed",
                exit_code: 0,
                raw: { exitCode: 0, stdout: "All tests passed" },
              },
            },
          ),
          // As the SDK sends it.
          createSeenCase(
            "postToolUse",
            { ...shellTool, tool_output: '{"output":"ok","exitCode":3}' },
            { output: { stdout: "ok", exit_code: 3 } },
          ),
        ],
      },
      {
        says: "`duration` of a tool is in milliseconds",
        cases: [
          createSeenCase("postToolUse", { ...shellTool, tool_output: "{}", duration: 5432 }, { duration_ms: 5432 }),
        ],
      },
      {
        says: "`postToolUseFailure` has the tool and its input again, and the call's `tool_use_id`",
        cases: [
          createSeenCase(
            "postToolUseFailure",
            { ...shellTool, error_message: "no" },
            {
              event: "PostToolUseFailure",
              tool: "Bash",
              input: { command: "npm install" },
              tool_use_id: "abc123",
              cwd: "/project",
            },
          ),
        ],
      },
      {
        says: "`error_message` describes the failure",
        cases: [
          createSeenCase(
            "postToolUseFailure",
            { ...shellTool, error_message: "Command timed out after 30s" },
            { error: "Command timed out after 30s" },
          ),
        ],
      },
      {
        says: "`failure_type` is `error`, `timeout` or `permission_denied`",
        cases: ["error", "timeout", "permission_denied"].map((failure_type) =>
          createNativeCase("postToolUseFailure", { ...shellTool, error_message: "", failure_type }),
        ),
      },
      {
        says: "`duration` of a failed call is in milliseconds",
        cases: [
          createSeenCase(
            "postToolUseFailure",
            { ...shellTool, error_message: "", duration: 5000 },
            { duration_ms: 5000 },
          ),
        ],
      },
      {
        says: "`is_interrupt` says whether the user stopped it",
        cases: [createNativeCase("postToolUseFailure", { ...shellTool, error_message: "", is_interrupt: true })],
      },
    ],
  },
  {
    title: "Subagents: input",
    claims: [
      {
        says: "`subagent_id` names a subagent",
        cases: [createSeenCase("subagentStart", { subagent_id: "abc-123" }, { agent_id: "abc-123" })],
      },
      {
        says: "`subagent_type` is `generalPurpose`, `explore`, `shell` or another",
        cases: [
          createSeenCase(
            "subagentStart",
            { subagent_id: "abc-123", subagent_type: "explore" },
            { agent_type: "explore" },
          ),
        ],
      },
      {
        says: "`task` is what the subagent is to do",
        cases: [createSeenCase("subagentStart", { task: "Explore auth" }, { task: "Explore auth" })],
      },
      ...Object.entries({
        parent_conversation_id: ["conv-456", "is the conversation of its parent"],
        tool_call_id: ["tc-789", "is the call that started the subagent"],
        subagent_model: ["claude-sonnet-4-20250514", "is its model"],
        is_parallel_worker: [true, "says whether it runs in parallel with others"],
        git_branch: ["feature/auth", "is its branch, if it has one"],
      }).map(([field, [value, what]]) => ({
        says: `\`${field}\` ${what}`,
        cases: [createNativeCase("subagentStart", { [field]: value })],
      })),
      {
        says: "`status` of a subagent is `completed`, `error` or `aborted`",
        cases: ["completed", "error", "aborted"].map((status) => createNativeCase("subagentStop", { status })),
      },
      {
        says: "At its end, `task` and `description` say what it was to do",
        cases: [createNativeCase("subagentStop", { task: "Explore auth", description: "Exploring" })],
      },
      {
        says: "At its end, `subagent_type` says which type it was; there is no `subagent_id`",
        cases: [createSeenCase("subagentStop", { subagent_type: "generalPurpose" }, { agent_type: "generalPurpose" })],
      },
      {
        says: "`summary` is what it returned",
        cases: [createSeenCase("subagentStop", { summary: "Found it." }, { last_message: "Found it." })],
      },
      {
        says: "`duration_ms`, `message_count` and `tool_call_count` say what it took",
        cases: [createNativeCase("subagentStop", { duration_ms: 45_000, message_count: 12, tool_call_count: 8 })],
      },
      {
        says: "`loop_count` of a subagent counts how often it went on",
        cases: [createSeenCase("subagentStop", { status: "completed", loop_count: 3 }, { continuations: 3 })],
      },
      {
        says: "`modified_files` are the files that it changed",
        cases: [createNativeCase("subagentStop", { modified_files: ["src/auth.ts"] })],
      },
      {
        says: "`agent_transcript_path` is its own transcript, or null",
        cases: [
          createNativeCase("subagentStop", { agent_transcript_path: "/t.txt" }),
          createNativeCase("subagentStop", { agent_transcript_path: null }),
        ],
      },
    ],
  },
  {
    title: "Prompts, answers, sessions: input",
    claims: [
      {
        says: "`prompt` is what the user is about to send",
        cases: [
          createSeenCase("beforeSubmitPrompt", { prompt: "Fix it" }, { event: "UserPromptSubmit", prompt: "Fix it" }),
        ],
      },
      {
        says: "`attachments` of a prompt are files and rules",
        cases: [
          createSeenCase(
            "beforeSubmitPrompt",
            {
              prompt: "",
              attachments: [
                { type: "file", file_path: "/a" },
                { type: "rule", file_path: "/b.mdc" },
              ],
            },
            { attachments: ["/a", "/b.mdc"], _native: { attachments: [{ type: "file" }, { type: "rule" }] } },
          ),
        ],
      },
      { says: "`text` is the answer of the agent", cases: [createNativeCase("afterAgentResponse", { text: "Done." })] },
      { says: "`text` is the whole thought", cases: [createNativeCase("afterAgentThought", { text: "Hm." })] },
      {
        says: "`duration_ms` of a thought is optional",
        cases: [createNativeCase("afterAgentThought", { text: "Hm.", duration_ms: 5000 })],
      },
      {
        says: "`status` at `stop` is `completed`, `aborted` or `error`",
        cases: ["completed", "aborted", "error"].map((status) => createNativeCase("stop", { status })),
      },
      {
        says: "`loop_count` at `stop` counts from 0 how often a hook made the agent go on",
        cases: [
          createSeenCase("stop", { loop_count: 0 }, { continuations: 0 }),
          createSeenCase("stop", { loop_count: 2 }, { continuations: 2 }),
        ],
      },
      {
        says: "`session_id` is the same as `conversation_id`",
        cases: [createSeenCase("sessionStart", { session_id: "conv-456" }, { session_id: "conv-456" })],
      },
      {
        says: "`is_background_agent` tells background agents at the start",
        cases: [createNativeCase("sessionStart", { is_background_agent: true })],
      },
      {
        says: "`composer_mode` is `agent`, `ask` or `edit`",
        cases: ["agent", "ask", "edit"].map((composer_mode) => createNativeCase("sessionStart", { composer_mode })),
      },
      {
        says: "`reason` says how a session ended: `completed`, `aborted`, `error`, `window_close`, `user_close`",
        cases: ["completed", "aborted", "error", "window_close", "user_close"].map((reason) =>
          createSeenCase("sessionEnd", { reason }, { event: "SessionEnd", reason }),
        ),
      },
      {
        says: "`duration_ms` of a session is in milliseconds",
        cases: [createNativeCase("sessionEnd", { reason: "completed", duration_ms: 45_000 })],
      },
      {
        says: "`is_background_agent` tells background agents at the end",
        cases: [createNativeCase("sessionEnd", { is_background_agent: false })],
      },
      {
        says: "`final_status` is the session's last status",
        cases: [createNativeCase("sessionEnd", { final_status: "completed" })],
      },
      {
        says: "`error_message` is present if the reason is `error`",
        cases: [createNativeCase("sessionEnd", { reason: "error", error_message: "no network" })],
      },
      {
        says: "`trigger` of a compaction is `auto` or `manual`",
        cases: ["auto", "manual"].map((trigger) => createSeenCase("preCompact", { trigger }, { trigger })),
      },
      {
        says: "`context_usage_percent`, `context_tokens` and `context_window_size` say how full the context is",
        cases: [
          createNativeCase("preCompact", {
            context_usage_percent: 85,
            context_tokens: 120_000,
            context_window_size: 128_000,
          }),
        ],
      },
      {
        says: "`message_count` and `messages_to_compact` say how much is compacted",
        cases: [createNativeCase("preCompact", { message_count: 45, messages_to_compact: 30 })],
      },
      {
        says: "`is_first_compaction` tells the first of a conversation",
        cases: [createNativeCase("preCompact", { is_first_compaction: true })],
      },
    ],
  },
];
