import { expect } from "bun:test";
import { context, deny } from "bridge-hooks";
import type { ClaimSection } from "../../claim.ts";
import { buildOpenCodePayload } from "../calls.ts";
import { getHost, expectRow } from "../checks.ts";
import { expectHeardByOpenCode, withOpenCodePlugin } from "../plugins.ts";

const part = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text: "go" };

export const events: ClaimSection = {
  title: "OpenCode: events",
  claims: [
    {
      says: "Tool events: `tool.execute.before`, `tool.execute.after`",
      check() {
        expectRow("opencode", "tool.execute.before", "PreToolUse", {
          deny: "native",
          modified_input: "native",
          additional_context: "native",
        });
        expectRow("opencode", "tool.execute.after", "PostToolUse", { deny: "emulated", additional_context: "native" });
      },
    },
    {
      says: "`session.created`",
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("session.created", { properties: { sessionID: "ses_1" } }),
          sees: { event: "SessionStart", session_id: "ses_1" },
          answer: context("It is Monday."),
          stdout: { context: "It is Monday." },
        },
      ],
    },
    {
      says: "`session.idle`, when the agent has stopped",
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("session.idle", { properties: { sessionID: "ses_1" } }),
          sees: { event: "Stop", session_id: "ses_1" },
          answer: deny("The tests have not run."),
          stdout: { go_on: "The tests have not run." },
        },
      ],
    },
    {
      says: "`session.deleted`",
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("session.deleted", { properties: { sessionID: "ses_1" } }),
          sees: { event: "SessionEnd" },
          exit_code: 0,
        },
      ],
    },
    {
      says: "`session.compacted`",
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("session.compacted", { properties: { sessionID: "ses_1" } }),
          sees: { event: "PostCompact" },
        },
      ],
    },
    {
      says: "`permission.updated`",
      differs: "it is `permission.asked`, which arrives as `Notification` [seen 1.18.33, 2026-11-22]",
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("permission.asked", {
            properties: { sessionID: "ses_1", permission: "bash", patterns: ["git push"] },
          }),
          sees: { event: "Notification", message: "OpenCode asks for permission: bash: git push" },
        },
      ],
    },
    {
      says: "`lsp.client.diagnostics`",
      differs:
        "release 1.18.33 names it but never fires it; `lsp.updated` arrives as `Native`, and a PostToolUse hook can run a checker on edited files [shipped 1.18.33]",
      check(executable) {
        expectRow("opencode", "lsp.client.diagnostics", "Native");
        return expectHeardByOpenCode(executable, ["lsp.updated"]);
      },
    },
    {
      says: "Session events: `session.updated`, `session.status`",
      check: (executable) => expectHeardByOpenCode(executable, ["session.updated", "session.status"]),
    },
    {
      says: "Message events: `message.updated`, `message.removed`, `message.part.removed`",
      check: (executable) =>
        expectHeardByOpenCode(executable, ["message.updated", "message.removed", "message.part.removed"]),
    },
    {
      says: "File events: `file.edited`, `file.watcher.updated`",
      check: (executable) => expectHeardByOpenCode(executable, ["file.edited", "file.watcher.updated"]),
    },
    {
      says: "`permission.replied`",
      check: (executable) => expectHeardByOpenCode(executable, ["permission.replied"]),
    },
    {
      says: "`command.executed`",
      check: (executable) => expectHeardByOpenCode(executable, ["command.executed"]),
    },
    {
      says: "There are more than twenty events",
      check: () => expect(Object.keys(getHost("opencode").capabilities).length).toBeGreaterThan(20),
    },
    {
      says: "`message.part.updated`",
      differs:
        "it fires for each piece of an answer; only failed calls are passed on, as `PostToolUseFailure`, since PostToolUse and Stop cover the rest [seen 1.18.33, 2026-11-22]",
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("message.part.updated", {
            properties: {
              part: {
                type: "tool",
                tool: "bash",
                callID: "call_1",
                sessionID: "ses_1",
                state: {
                  status: "error",
                  input: { command: "ls" },
                  error: "It was aborted",
                  time: { start: 1, end: 5 },
                },
              },
            },
          }),
          sees: { event: "PostToolUseFailure", tool: "Bash", error: "It was aborted", duration_ms: 4 },
        },
      ],
    },
    {
      says: "`experimental.session.compacting` observes or controls compaction",
      cases: [
        {
          host: "opencode",
          stdin: buildOpenCodePayload("experimental.session.compacting", {
            input: { sessionID: "ses_1" },
            output: { context: [] },
          }),
          sees: { event: "PreCompact", session_id: "ses_1" },
          answer: context("Keep the plan."),
          stdout: { context: "Keep the plan." },
        },
      ],
      check: (executable) =>
        withOpenCodePlugin(executable, context("Keep the plan."), async ({ call }) => {
          const output = { context: [] as string[] };
          await call("experimental.session.compacting", { sessionID: "ses_1" }, output);
          expect(output.context).toEqual(["Keep the plan."]);
        }),
    },
    {
      says: "`experimental.chat.messages.transform` changes all messages before the model gets them",
      missing:
        "an answer has no field for messages, so the event only arrives as `Native`, if an entry names it; give context at UserPromptSubmit or PreToolUse",
      check: () =>
        expectRow("opencode", "experimental.chat.messages.transform", "Native", {
          deny: "unenforceable",
          additional_context: "drop",
        }),
    },
    {
      says: "`experimental.chat.system.transform` changes the system prompt",
      missing:
        "an answer has no field for the system prompt, so the event only arrives as `Native`; give context at SessionStart, which goes into the session's first prompt",
      check(executable) {
        expectRow("opencode", "experimental.chat.system.transform", "Native", {
          deny: "unenforceable",
          additional_context: "drop",
        });
        return withOpenCodePlugin(executable, context("It is Monday."), async ({ call }) => {
          const output = { message: { id: "msg_1", sessionID: "ses_1" }, parts: [{ ...part }] as object[] };
          await call("chat.message", { sessionID: "ses_1" }, output);
          expect(output.parts.slice(1)).toMatchObject([
            { type: "text", text: expect.stringContaining("It is Monday."), synthetic: true },
          ]);
        });
      },
    },
    {
      says: "Config may name commands for `file_edited` and `session_completed` under `experimental.hook`",
      differs:
        "current releases have no such block; a PostToolUse hook for `Edit` and `Write` (such as format-after-edit) and a Stop hook do the same on every host [shipped 1.18.33]",
      check() {
        expectRow("opencode", "tool.execute.after", "PostToolUse");
        expectRow("opencode", "session.idle", "Stop");
      },
    },
  ],
};
