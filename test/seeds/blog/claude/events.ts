import { expect } from "bun:test";
import { context, deny } from "bridge-hooks";
import type { ClaimSection } from "../../claim.ts";
import { buildClaudePayload, buildClaudeDenial, claudeShell } from "../calls.ts";
import { getHost, expectRow } from "../checks.ts";

const tool = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t" };
const blocked = { decision: "block", reason: "No." };
const unenforceable = /^bridge-hooks: claude \w+: .*can't be enforced; Claude Code can't stop this event/m;

export const events: ClaimSection = {
  title: "Claude Code: events",
  claims: [
    {
      says: "PreToolUse: takes a matcher, can block",
      cases: [
        { host: "claude", stdin: claudeShell, answer: deny("No."), stdout: buildClaudeDenial("No."), exit_code: 2 },
      ],
      check: () =>
        expectRow("claude", "PreToolUse", "PreToolUse", { deny: "native", ask: "native", modified_input: "native" }),
    },
    {
      says: "PostToolUse: takes a matcher, can't block the call, which has run",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("PostToolUse", { ...tool, tool_response: { stdout: "a\n", stderr: "" } }),
          answer: deny("No."),
          sees: { event: "PostToolUse", tool: "Bash", output: { text: "a\n" } },
          stdout: blocked,
        },
      ],
    },
    {
      says: "PermissionRequest: takes a matcher, can block",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("PermissionRequest", tool),
          answer: deny("No."),
          stdout: {
            hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message: "No." } },
          },
        },
      ],
    },
    {
      says: "PostToolUseFailure: takes a matcher, can't block",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("PostToolUseFailure", { ...tool, error: "Exit code 3" }),
          sees: { event: "PostToolUseFailure", tool: "Bash", error: "Exit code 3" },
          answer: context("The server is down."),
          stdout: {
            hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: "The server is down." },
          },
          exit_code: 0,
        },
      ],
    },
    {
      says: "UserPromptSubmit: no matcher, can block and can add context",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("UserPromptSubmit", { prompt: "go" }),
          sees: { prompt: "go" },
          answer: deny("No."),
          stdout: blocked,
        },
        {
          host: "claude",
          stdin: buildClaudePayload("UserPromptSubmit", { prompt: "go" }),
          answer: context("It is Monday."),
          stdout: { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "It is Monday." } },
        },
      ],
    },
    {
      says: "Stop: no matcher, can make the agent go on",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("Stop"),
          sees: { event: "Stop", continuations: 0 },
          answer: deny("No."),
          stdout: blocked,
          exit_code: 2,
        },
      ],
    },
    {
      says: "SubagentStop: no matcher, can make the subagent go on",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("SubagentStop", { agent_id: "a1", agent_type: "Explore" }),
          sees: { event: "SubagentStop", agent_id: "a1", agent_type: "Explore" },
          answer: deny("No."),
          stdout: blocked,
        },
      ],
    },
    {
      says: "Notification: can't block",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("Notification", { message: "waiting", notification_type: "idle_prompt" }),
          sees: { event: "Notification", message: "waiting" },
          answer: deny("No."),
          stderr: unenforceable,
          exit_code: 0,
        },
      ],
    },
    {
      says: "SessionStart: can't block",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("SessionStart", { source: "startup" }),
          sees: { event: "SessionStart", source: "startup" },
          answer: deny("No."),
          stderr: unenforceable,
          exit_code: 0,
        },
      ],
    },
    {
      says: "SessionEnd: can't block",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("SessionEnd", { reason: "clear" }),
          sees: { event: "SessionEnd", reason: "clear" },
          answer: deny("No."),
          stderr: unenforceable,
          exit_code: 0,
        },
      ],
    },
    {
      says: "PreCompact: can't block",
      differs: "a denial prevents the compaction [seen 2.1.330, 2026-11-22]",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("PreCompact", { trigger: "manual" }),
          sees: { trigger: "manual" },
          answer: deny("No."),
          stdout: blocked,
          exit_code: 2,
        },
      ],
    },
    {
      says: "InstructionsLoaded: can't block",
      cases: [
        {
          host: "claude",
          stdin: buildClaudePayload("InstructionsLoaded", { file_path: "/w/CLAUDE.md" }),
          sees: { event: "Native", native_event: "InstructionsLoaded", _native: { file_path: "/w/CLAUDE.md" } },
          answer: deny("No."),
          stderr: unenforceable,
          exit_code: 0,
        },
      ],
    },
    {
      says: "Claude Code has these twelve events",
      differs: "there are 33; those without a unified event arrive as `Native` [shipped 2.1.330, 2026-11-20]",
      check: () => expect(Object.keys(getHost("claude").capabilities)).toHaveLength(33),
    },
    {
      says: "UserPromptSubmit, Stop and the session's events have no matchers in the config",
      async check() {
        const { planSubscriptions } = await getHost("claude").setup();
        const names = [
          "UserPromptSubmit",
          "Stop",
          "SubagentStop",
          "SessionStart",
          "SessionEnd",
          "PreCompact",
          "Notification",
        ] as const;
        expect(planSubscriptions(names.map((event) => ({ event }))).map(({ matcher }) => matcher)).toEqual(
          names.map(() => undefined),
        );
      },
    },
  ],
};
