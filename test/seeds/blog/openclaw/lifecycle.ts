import { expect } from "bun:test";
import { context, deny } from "bridge-hooks";
import { getPayload } from "../../../support/fixtures.ts";
import type { ClaimSection } from "../../claim.ts";
import { buildOpenClawPayload, openclawCall, openclawCommand, openclawRun } from "../calls.ts";
import { installEntries, expectRow } from "../checks.ts";
import { withOpenClawPlugin } from "../plugins.ts";

const bootstrap = getPayload("openclaw", "agent-bootstrap");

export const lifecycle: ClaimSection = {
  title: "OpenClaw: commands and lifecycle",
  claims: [
    {
      says: "A handler is an async function that gets a typed event",
      differs:
        "the plugin's handler is one; a hook gets the event as `Native`, with the whole event in `event._native`, since no other host has anything similar [seen 2026.9.6, 2026-11-22]",
      cases: [
        {
          host: "openclaw",
          stdin: bootstrap,
          sees: { event: "Native", native_event: "agent:bootstrap", _native: { type: "agent" } },
        },
      ],
    },
    {
      says: "The event has `type`, `action`, `sessionKey` and `timestamp`",
      cases: [
        {
          host: "openclaw",
          stdin: openclawCommand,
          sees: {
            native_event: "command:new",
            session_id: "agent:main:x",
            cwd: "/w",
            _native: { type: "command", action: "new", timestamp: openclawCommand.timestamp },
          },
        },
      ],
    },
    {
      says: "The event has `messages`, to which a hook pushes text for the user",
      differs:
        "the list is not passed on; a `user_message` goes to OpenClaw's log, and with `agent --local` to stderr [seen 2026.9.6, 2026-11-22]",
      check: (executable) =>
        withOpenClawPlugin(executable, { user_message: "Started anew." }, async ({ call, event, told }) => {
          const messages: string[] = [];
          await call("command:new", { type: "command", action: "new", sessionKey: "agent:main:x", messages });
          expect([messages, told.at(-1)]).toEqual([[], "Started anew."]);
          expect(event()?._native).not.toHaveProperty("messages");
        }),
    },
    {
      says: "The event's `context` has `sessionId`, `commandSource`, `senderId`, `workspaceDir`",
      cases: [
        {
          host: "openclaw",
          stdin: openclawCommand,
          sees: {
            _native: { context: { commandSource: "telegram", senderId: "7", workspaceDir: "/w", sessionId: "s" } },
          },
        },
      ],
    },
    {
      says: "The event's `context` has `bootstrapFiles`",
      cases: [
        {
          host: "openclaw",
          stdin: bootstrap,
          sees: { _native: { context: { bootstrapFiles: [{ name: "AGENTS.md" }, {}, {}, {}] } } },
        },
      ],
    },
    {
      says: "The event's `context` has `sessionEntry` and the config, `cfg`",
      missing:
        "the plugin does not send them to the executable: they are long, hold secrets, and are not meant for other processes",
      check: (executable) =>
        withOpenClawPlugin(executable, {}, async ({ call, event }) => {
          await call("command:new", {
            type: "command",
            action: "new",
            sessionKey: "agent:main:x",
            context: { cfg: { token: "x" }, sessionEntry: {}, senderId: "7" },
          });
          expect(event()?._native).toMatchObject({ context: { senderId: "7" } });
          expect(JSON.stringify(event())).not.toContain("token");
        }),
    },
    {
      says: "Everything happens in one process, without stdin and exit codes",
      differs:
        "the plugin asks one long-lived process of the executable, which answers all calls [seen 2026.9.6, 2026-11-22]",
      check: (executable) =>
        withOpenClawPlugin(executable, {}, async ({ call, starts }) => {
          await call("policy", openclawCall, openclawRun);
          await call("policy", { ...openclawCall, toolCallId: "u" }, openclawRun);
          expect(starts()).toBe(1);
        }),
    },
    {
      says: "HOOK.md hooks neither block nor allow anything",
      cases: [
        {
          host: "openclaw",
          stdin: openclawCommand,
          answer: deny("No."),
          stdout: expect.not.objectContaining({ block: true }),
          stderr: /OpenClaw can't stop this event/,
          exit_code: 0,
        },
      ],
    },
    {
      says: "`command:new`, when somebody types `/new`",
      cases: [{ host: "openclaw", stdin: openclawCommand, sees: { event: "Native", native_event: "command:new" } }],
    },
    {
      says: "`command:reset` and `command:stop`, and `command` for all commands",
      async check(executable) {
        const names = ["command", "command:reset", "command:stop"];
        const files = await installEntries(executable, { host: "openclaw", events: names });
        for (const name of names)
          expect(files[".openclaw/extensions/bridge-hooks/index.mjs"]).toContain(`"${name}": [`);
        for (const name of names) expectRow("openclaw", name, "Native");
      },
    },
    {
      says: "`agent:bootstrap` may change the list of bootstrap files",
      missing:
        "an answer has no field for that, and no other host has such a list; give context at SessionStart, which goes into the first prompt",
      cases: [
        {
          host: "openclaw",
          stdin: bootstrap,
          answer: context("It is Monday."),
          stderr: /accepts none at this event/,
          exit_code: 0,
        },
      ],
    },
    {
      says: "`gateway:startup`, after the channels have started",
      cases: [
        {
          host: "openclaw",
          stdin: getPayload("openclaw", "gateway-startup"),
          sees: { event: "Native", native_event: "gateway:startup" },
        },
      ],
    },
    {
      says: "`session:start` and `session:end` are planned",
      differs:
        "plugins have `session_start` and `session_end`, which map to the unified events [seen 2026.9.6, 2026-11-22]",
      check() {
        expectRow("openclaw", "session_start", "SessionStart", { additional_context: "native" });
        expectRow("openclaw", "session_end", "SessionEnd");
      },
      cases: [{ host: "openclaw", stdin: getPayload("openclaw", "session_end-new"), sees: { event: "SessionEnd" } }],
    },
    {
      says: "`message:sent` and `message:received` are planned",
      differs: "they exist and arrive as `Native`, as do plugin hooks such as `message_received` [shipped 2026.9.6]",
      cases: [
        {
          host: "openclaw",
          stdin: getPayload("openclaw", "message_received"),
          sees: { event: "Native", native_event: "message_received" },
        },
        {
          host: "openclaw",
          stdin: buildOpenClawPayload("message:sent", { type: "message", action: "sent" }),
          sees: { event: "Native", native_event: "message:sent" },
        },
      ],
    },
    {
      says: "`agent:error` is planned",
      differs:
        "it does not exist yet; `agent_end` says how a run ended, and a failed call arrives as `PostToolUseFailure` [shipped 2026.9.6]",
      check() {
        expectRow("openclaw", "agent_end", "Native");
        expectRow("openclaw", "tool_failure", "PostToolUseFailure");
      },
    },
  ],
};
