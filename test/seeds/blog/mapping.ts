import { expect } from "bun:test";
import { hasContinuingDenial } from "../../../src/protocol/capability.ts";
import { type EventName, EVENTS } from "../../../src/protocol/event.ts";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import type { Claim, ClaimSection } from "../claim.ts";
import { buildOpenClawPayload, buildOpenCodePayload } from "./calls.ts";
import { getHost, expectRow } from "./checks.ts";

const COMPARED = ["claude", "cursor", "opencode", "openclaw"];

/** The names that several hosts have for one moment, which a hook sees as one event. */
const named = (moment: string, event: EventName, names: Readonly<Record<string, readonly string[]>>): Claim => ({
  says: `${moment}: ${Object.entries(names)
    .map(([id, all]) => `${getHost(id).name} ${all.map((name) => `\`${name}\``).join(", ")}`)
    .join("; ")}`,
  check() {
    for (const [id, all] of Object.entries(names)) for (const name of all) expectRow(id, name, event);
  },
});

export const mapping: ClaimSection = {
  title: "One moment, four names",
  claims: [
    named("Before a tool runs", "PreToolUse", {
      claude: ["PreToolUse"],
      cursor: ["beforeShellExecution", "beforeMCPExecution"],
      opencode: ["tool.execute.before"],
      openclaw: ["before_tool_call"],
    }),
    named("After it has run", "PostToolUse", {
      claude: ["PostToolUse"],
      cursor: ["afterShellExecution", "afterMCPExecution"],
      opencode: ["tool.execute.after"],
    }),
    {
      says: "After a tool has run: OpenClaw `tool_result_persist`",
      differs:
        "it is OpenClaw's result middleware, since the running turn does not see what `tool_result_persist` changes [seen 2026.9.6, 2026-11-22]",
      check: () =>
        expectRow("openclaw", "tool_result", "PostToolUse", { deny: "native", additional_context: "native" }),
    },
    named("The agent stops", "Stop", { claude: ["Stop"], cursor: ["stop"], opencode: ["session.idle"] }),
    {
      says: "The agent stops: OpenClaw `command:stop`",
      differs:
        "that is a user's `/stop` command, which arrives as `Native`; the agent's own stop is `before_agent_finalize` [seen 2026.9.6, 2026-11-22]",
      check() {
        expectRow("openclaw", "before_agent_finalize", "Stop", { deny: "emulated" });
        expect(hasContinuingDenial(getCapabilityRow(getHost("openclaw"), "before_agent_finalize"))).toBeTrue();
      },
      cases: [
        {
          host: "openclaw",
          stdin: buildOpenClawPayload("command:stop", { type: "command", action: "stop" }),
          sees: { event: "Native", native_event: "command:stop" },
        },
      ],
    },
    named("The user sends a prompt", "UserPromptSubmit", {
      claude: ["UserPromptSubmit"],
      cursor: ["beforeSubmitPrompt"],
    }),
    {
      says: "The user sends a prompt: message events on OpenCode",
      differs: "it is `chat.message`, which can refuse the prompt [seen 1.18.33, 2026-11-22]",
      check: () =>
        expectRow("opencode", "chat.message", "UserPromptSubmit", { deny: "native", additional_context: "native" }),
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("chat.message", {
            input: { sessionID: "ses_1" },
            output: { message: { id: "msg_1", sessionID: "ses_1" }, parts: [{ type: "text", text: "go" }] },
          }),
          sees: { event: "UserPromptSubmit", prompt: "go", session_id: "ses_1" },
        },
      ],
    },
    {
      says: "The user sends a prompt: not exposed by OpenClaw",
      differs: "it is `before_agent_run`, which can stop the prompt [seen 2026.9.6, 2026-11-22]",
      check: () =>
        expectRow("openclaw", "before_agent_run", "UserPromptSubmit", { deny: "native", additional_context: "native" }),
    },
    {
      says: "A file has changed: Claude Code PostToolUse of `Edit` and `Write`; Cursor `afterFileEdit`",
      check() {
        expectRow("claude", "PostToolUse", "PostToolUse");
        expectRow("cursor", "afterFileEdit", "PostToolUse");
      },
      cases: [
        {
          host: "claude",
          stdin: {
            hook_event_name: "PostToolUse",
            session_id: "s",
            cwd: "/w",
            tool_name: "Write",
            tool_input: { file_path: "/w/a", content: "" },
          },
          sees: { event: "PostToolUse", tool: "Write", input: { file_path: "/w/a" } },
        },
      ],
    },
    {
      says: "A file has changed: not exposed by OpenClaw",
      differs:
        "as on the other hosts, an edit arrives as PostToolUse with the file in its input [seen 2026.9.6, 2026-11-22]",
      cases: [
        {
          host: "openclaw",
          stdin: buildOpenClawPayload("tool_result", {
            toolName: "write",
            toolCallId: "t",
            params: { path: "a", content: "" },
            result: { content: [] },
          }),
          sees: { event: "PostToolUse", tool: "Write", input: { file_path: "a" } },
        },
      ],
    },
    named("A session begins", "SessionStart", { claude: ["SessionStart"], opencode: ["session.created"] }),
    named("A session ends", "SessionEnd", { claude: ["SessionEnd"], opencode: ["session.deleted"] }),
    {
      says: "A session begins or ends: not supported by Cursor",
      differs: "it is, as `sessionStart` and `sessionEnd` [docs https://cursor.com/docs/hooks.md]",
      check() {
        expectRow("cursor", "sessionStart", "SessionStart");
        expectRow("cursor", "sessionEnd", "SessionEnd");
      },
    },
    {
      says: "A session begins or ends: OpenClaw `command:new`, `command:reset`",
      differs:
        "they are `session_start` and `session_end`; these two are a user's commands and arrive as `Native` [seen 2026.9.6, 2026-11-22]",
      check() {
        expectRow("openclaw", "session_start", "SessionStart");
        expectRow("openclaw", "command:new", "Native");
      },
      cases: [
        {
          host: "openclaw",
          stdin: buildOpenClawPayload("command:reset", { type: "command", action: "reset" }),
          sees: { event: "Native", native_event: "command:reset" },
        },
      ],
    },
    named("A gateway starts, on one host only", "Native", { openclaw: ["gateway:startup"] }),
    named("An agent is bootstrapped, on one host only", "Native", { openclaw: ["agent:bootstrap"] }),
    {
      says: "The prompt is built: OpenCode `experimental.chat.system.transform`; OpenClaw `before_prompt_build`; not exposed by the others",
      differs:
        "an answer can't change a system prompt; the plugins add a hook's context at this event (OpenClaw) or at the prompt's own event (OpenCode), and the other hosts have an event for context as well [seen 2026.9.6 and 1.18.33, 2026-11-22]",
      check() {
        expectRow("claude", "UserPromptSubmit", "UserPromptSubmit", { additional_context: "native" });
        expectRow("opencode", "chat.message", "UserPromptSubmit", { additional_context: "native" });
        expectRow("openclaw", "before_agent_run", "UserPromptSubmit", { additional_context: "native" });
      },
    },
    {
      says: "The same moment has a different name on each host",
      check() {
        for (const id of COMPARED)
          for (const make of Object.values(getHost(id).capabilities))
            expect(EVENTS as readonly string[]).toContain(make().event);
      },
    },
  ],
};
