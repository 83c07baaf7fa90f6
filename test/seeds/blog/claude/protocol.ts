import { expect } from "bun:test";
import { allow, ask, context, deny } from "bridge-hooks";
import type { ClaimSection } from "../../claim.ts";
import { buildClaudePayload, buildClaudeDenial, claudeShell } from "../calls.ts";
import { judgeAnswer } from "../checks.ts";

const TRANSCRIPT = "/home/user/.claude/projects/app/transcript.jsonl";

export const protocol: ClaimSection = {
  title: "Claude Code: protocol",
  claims: [
    {
      says: "A hook gets JSON on stdin: `session_id`, `transcript_path`, `hook_event_name`, `tool_name`, `tool_input`",
      cases: [
        {
          host: "claude",
          stdin: claudeShell,
          sees: {
            event: "PreToolUse",
            session_id: "abc123",
            transcript_path: "/t.jsonl",
            tool: "Bash",
            tool_name: "Bash",
            input: { command: "rm -rf /tmp/build" },
            _native: claudeShell,
          },
        },
        // As shown there, without a directory, and without a named host.
        {
          stdin: { ...claudeShell, transcript_path: TRANSCRIPT, cwd: undefined },
          sees: { host: "claude", tool: "Bash" },
        },
      ],
    },
    {
      says: "Exit code 0 lets the action go on",
      cases: [
        { host: "claude", stdin: claudeShell, stdout: "", stderr: "", exit_code: 0 },
        { host: "claude", stdin: claudeShell, answer: allow(), exit_code: 0 },
      ],
    },
    {
      says: "With exit code 0, anything on stdout goes into the transcript",
      differs:
        "stdout is one JSON document or nothing, so that noise can't hide a denial: what a hook prints goes to stderr, and text for the model belongs in `additional_context` [seen 2.1.330, 2026-11-21]",
      cases: [
        {
          host: "claude",
          stdin: claudeShell,
          answer: context("the build folder is shared"),
          stdout: {
            hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "the build folder is shared" },
          },
          exit_code: 0,
        },
      ],
    },
    {
      says: "Exit code 1 is a warning: the action goes on",
      cases: [
        {
          host: "claude",
          args: ["--event", "PreToolUse"],
          stdin: "{",
          stdout: "",
          stderr: /^bridge-hooks: claude PreToolUse: /,
          exit_code: 1,
        },
      ],
      check: async () => expect(await judgeAnswer("claude", "PreToolUse", { exit_code: 1 })).toBe("let pass"),
    },
    {
      says: "Exit code 2 blocks the action, and the model reads stderr",
      cases: [
        { host: "claude", stdin: claudeShell, answer: deny("Not here."), stderr: /^Not here\.\n?$/, exit_code: 2 },
      ],
      check: async () => expect(await judgeAnswer("claude", "PreToolUse", { exit_code: 2 })).toBe("denied"),
    },
    {
      says: '`hookSpecificOutput` with `hookEventName`, `permissionDecision: "deny"` and `permissionDecisionReason` blocks with a reason',
      cases: [
        { host: "claude", stdin: claudeShell, answer: deny("Destructive."), stdout: buildClaudeDenial("Destructive.") },
      ],
      check: async () =>
        expect(
          await judgeAnswer("claude", "PreToolUse", { stdout: JSON.stringify(buildClaudeDenial("Destructive.")) }),
        ).toBe("denied"),
    },
    {
      says: 'At Stop the answer is `{"decision": "block", "reason": …}`',
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("Stop", { stop_hook_active: false }),
          answer: deny("The tests have not run."),
          stdout: { decision: "block", reason: "The tests have not run." },
        },
      ],
    },
    {
      says: "JSON on stdout is optional: only decisions finer than exit code 0 or 2 need it",
      check: async () => {
        expect(await judgeAnswer("claude", "PreToolUse", { exit_code: 2 })).toBe("denied");
        expect(await judgeAnswer("claude", "PreToolUse", { stdout: "" })).toBe("passed");
      },
      cases: [
        {
          host: "claude",
          stdin: claudeShell,
          answer: ask("Sure?"),
          stdout: { hookSpecificOutput: expect.objectContaining({ permissionDecision: "ask" }) },
        },
      ],
    },
  ],
};
