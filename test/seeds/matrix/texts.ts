import type { ClaimSection } from "../claim.ts";
import { createRecordedCase, assertSupport } from "../host.ts";

const deny = { decision: "deny", reason: "R" } as const;
const message = { user_message: "M" } as const;
const context = { additional_context: "C" } as const;
const hookContext = (hookEventName: string) => ({ hookSpecificOutput: { hookEventName, additionalContext: "C" } });
/** Replaces the recorded command. */
const rewritten = { modified_input: { command: "ls" } } as const;

const CURSOR_GATES = ["preToolUse.Shell", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];

export const texts: ClaimSection = {
  title: "Response: reason, messages, context, rewrites",
  claims: [
    {
      says: "reason, Claude Code: `permissionDecisionReason` or `reason`",
      cases: [
        createRecordedCase("claude", "PreToolUse-Bash", {
          answer: deny,
          stdout: {
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              permissionDecision: "deny",
              permissionDecisionReason: "R",
            },
          },
        }),
        createRecordedCase("claude", "PostToolUse-Bash", { answer: deny, stdout: { decision: "block", reason: "R" } }),
      ],
    },
    {
      says: "reason, Cursor: `agent_message` on permission events, dropped on beforeSubmitPrompt",
      differs:
        "it is sent as `agent_message`, and as `user_message` too unless the hook gave one: when one of Cursor's own tools is denied, only `user_message` reaches the model [seen @cursor/sdk 1.0.32, 2026-11-21]. At beforeSubmitPrompt the reason of a denial becomes the `user_message`, with a warning; the reason of an approval is dropped, with a warning",
      cases: [
        ...CURSOR_GATES.map((recording) =>
          createRecordedCase("cursor", recording, {
            answer: deny,
            stdout: { permission: "deny", agent_message: "R", user_message: "R" },
          }),
        ),
        createRecordedCase("cursor", "preToolUse.Shell", {
          answer: { ...deny, ...message },
          stdout: { permission: "deny", agent_message: "R", user_message: "M" },
        }),
        createRecordedCase("cursor", "beforeSubmitPrompt", {
          answer: deny,
          stdout: { continue: false, user_message: "R" },
          stderr: /reason was sent another way/,
        }),
        createRecordedCase("cursor", "beforeSubmitPrompt", {
          answer: { decision: "allow", reason: "R" },
          stdout: { continue: true },
          stderr: /the reason for "allow" was dropped/,
        }),
      ],
    },
    {
      says: "reason, Codex: `permissionDecisionReason` or `reason`",
      differs:
        "a denial puts it on stderr as well as in those fields: with exit code 2 Codex reads nothing but stderr [seen 0.169.0, 2026-11-21]",
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: deny,
          stdout: {
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              permissionDecision: "deny",
              permissionDecisionReason: "R",
            },
          },
          stderr: /^R\n?$/,
        }),
        createRecordedCase("codex", "PostToolUse-Bash", {
          answer: deny,
          stdout: { decision: "block", reason: "R" },
          stderr: /^R\n?$/,
        }),
      ],
    },
    {
      says: "user_message, Claude Code: dropped with a warning",
      differs: "it is sent as `systemMessage`, which the user is shown [seen 2.1.330, 2026-11-22]",
      cases: [
        createRecordedCase("claude", "PreToolUse-Bash", {
          answer: message,
          stdout: { systemMessage: "M" },
          stderr: "",
          exit_code: 0,
        }),
      ],
    },
    {
      says: "user_message, Cursor: `user_message` on permission events",
      cases: CURSOR_GATES.map((recording) =>
        createRecordedCase("cursor", recording, {
          answer: { decision: "allow", ...message },
          stdout: { permission: "allow", user_message: "M" },
        }),
      ),
    },
    {
      says: "user_message, Codex: dropped with a warning",
      differs: "it is sent as `systemMessage`, which the user is shown [seen 0.169.0, 2026-11-22]",
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: message,
          stdout: { systemMessage: "M" },
          stderr: "",
          exit_code: 0,
        }),
      ],
    },
    {
      says: "additional_context, Claude Code: SessionStart, PreToolUse, UserPromptSubmit and PostToolUse",
      cases: (
        [
          ["SessionStart-startup", "SessionStart"],
          ["PreToolUse-Bash", "PreToolUse"],
          ["UserPromptSubmit", "UserPromptSubmit"],
          ["PostToolUse-Bash", "PostToolUse"],
        ] as const
      ).map(([recording, event]) =>
        createRecordedCase("claude", recording, {
          answer: context,
          stdout: hookContext(event),
          stderr: "",
          exit_code: 0,
        }),
      ),
    },
    {
      says: "additional_context, Cursor: sessionStart and postToolUse, dropped on beforeSubmitPrompt",
      differs:
        "preToolUse and postToolUseFailure take it as well [seen @cursor/sdk 1.0.32, 2026-11-22]; at beforeSubmitPrompt it is sent with a warning, since Cursor takes it but was not seen to show it to the model; at sessionStart it is dropped with a warning for the SDK, which reports version 1.0.0 and does not pass it on",
      cases: [
        createRecordedCase(
          "cursor",
          "sessionStart",
          { answer: context, stdout: { additional_context: "C" }, stderr: "" },
          { cursor_version: "3.2.16" },
        ),
        createRecordedCase("cursor", "sessionStart", {
          answer: context,
          stdout: {},
          stderr: /additional_context was dropped/,
        }),
        ...["postToolUse.Shell", "preToolUse.Shell", "postToolUseFailure.Shell"].map((recording) =>
          createRecordedCase("cursor", recording, { answer: context, stdout: { additional_context: "C" }, stderr: "" }),
        ),
        createRecordedCase("cursor", "beforeSubmitPrompt", {
          answer: context,
          stdout: { additional_context: "C" },
          stderr: /was sent another way/,
        }),
      ],
    },
    {
      says: "additional_context, Codex: SessionStart, UserPromptSubmit and PostToolUse, `systemMessage` on Stop",
      differs:
        "PreToolUse and SubagentStart take it as well [seen 0.169.0, 2026-11-22]; the rest holds, with a warning on Stop",
      cases: [
        ...(
          [
            ["SessionStart-startup", "SessionStart"],
            ["PreToolUse-Bash", "PreToolUse"],
            ["UserPromptSubmit", "UserPromptSubmit"],
            ["PostToolUse-Bash", "PostToolUse"],
            ["SubagentStart-in-subagent", "SubagentStart"],
          ] as const
        ).map(([recording, event]) =>
          createRecordedCase("codex", recording, {
            answer: context,
            stdout: hookContext(event),
            stderr: "",
            exit_code: 0,
          }),
        ),
        createRecordedCase("codex", "Stop", {
          answer: context,
          stdout: { systemMessage: "C" },
          stderr: /additional_context was sent another way/,
        }),
      ],
    },
    {
      says: "modified_input, Claude Code: `updatedInput` on PreToolUse, dropped with a warning elsewhere",
      cases: [
        createRecordedCase(
          "claude",
          "PreToolUse-Write",
          {
            answer: { modified_input: { content: "new" } },
            stdout: {
              hookSpecificOutput: {
                hookEventName: "PreToolUse",
                updatedInput: { file_path: "/home/dev/app/n.txt", content: "new" },
              },
            },
            exit_code: 0,
          },
          { tool_input: { file_path: "/home/dev/app/n.txt", content: "old" } },
        ),
        ...["PostToolUse-Bash", "UserPromptSubmit", "SessionStart-startup", "Stop"].map((recording) =>
          createRecordedCase("claude", recording, {
            answer: rewritten,
            stdout: "",
            stderr: /modified_input was dropped/,
            exit_code: 0,
          }),
        ),
      ],
    },
    {
      says: "modified_input, Cursor: `updated_input` on preToolUse, dropped on the specific events",
      differs:
        "at the specific events before a call it becomes a denial, since Cursor would run the original [seen @cursor/sdk 1.0.32, 2026-11-22]; after a call it is dropped with a warning",
      cases: [
        createRecordedCase("cursor", "preToolUse.Shell", {
          answer: rewritten,
          stdout: { updated_input: { command: "ls", cwd: "/home/dev/app" } },
          exit_code: 0,
        }),
        createRecordedCase("cursor", "beforeShellExecution", {
          answer: rewritten,
          stderr: /modified_input became a denial/,
        }),
        createRecordedCase("cursor", "afterShellExecution", {
          answer: rewritten,
          stdout: {},
          stderr: /modified_input was dropped/,
          exit_code: 0,
        }),
      ],
      check: () =>
        assertSupport(
          "cursor",
          ["beforeShellExecution", "beforeMCPExecution", "beforeReadFile"],
          "modified_input",
          "downgrade",
        ),
    },
    {
      says: "modified_input, Codex: dropped with a warning",
      differs:
        'before a call it is sent as permissionDecision "allow" with the whole input in `updatedInput`, and the rewritten call runs [seen 0.169.0, 2026-11-22]; elsewhere it is dropped with a warning',
      cases: [
        createRecordedCase("codex", "PreToolUse-Bash", {
          answer: rewritten,
          stdout: {
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              permissionDecision: "allow",
              updatedInput: { command: "ls" },
            },
          },
          stderr: "",
          exit_code: 0,
        }),
        createRecordedCase("codex", "PostToolUse-Bash", {
          answer: rewritten,
          stdout: "",
          stderr: /modified_input was dropped/,
          exit_code: 0,
        }),
      ],
    },
  ],
};
