import { expect } from "bun:test";
import { allow, ask, context, deny, modify, type IHookResponse } from "bridge-hooks";
import { getCapabilityRow } from "../../../../src/protocol/host/host.ts";
import { getPayload } from "../../../support/fixtures.ts";
import type { ClaimSection } from "../../claim.ts";
import { openclawCall, openclawCommand, openclawRun, openclawShell } from "../calls.ts";
import { getHost, expectRow } from "../checks.ts";
import { withOpenClawPlugin } from "../plugins.ts";

const tools = { exec: "Bash", web_fetch: "WebFetch", write: "Write", edit: "Edit", read: "Read", apply_patch: "Edit" };

export const plugin: ClaimSection = {
  title: "OpenClaw: the plugin API",
  claims: [
    {
      says: "`before_tool_call` fires before any tool call: exec, web_fetch, write, edit, read, apply_patch",
      cases: Object.entries(tools).map(([name, tool]) => ({
        host: "openclaw",
        stdin: getPayload("openclaw", `before_tool_call-${name}`),
        sees: { event: "PreToolUse", tool, tool_name: name },
      })),
    },
    {
      says: "`before_tool_call` gets the tool's name, its input and the session",
      cases: [
        {
          host: "openclaw",
          stdin: openclawShell,
          sees: { tool_name: "exec", input: { command: "ls" }, session_id: "s", tool_use_id: "t" },
        },
      ],
    },
    {
      says: "`before_tool_call` can allow a call",
      cases: [{ host: "openclaw", stdin: openclawShell, answer: allow(), exit_code: 0 }],
      check: (executable) =>
        withOpenClawPlugin(executable, allow(), async ({ call }) =>
          expect(await call("policy", openclawCall, openclawRun)).toBeUndefined(),
        ),
    },
    {
      says: "`before_tool_call` can block a call, with a reason",
      cases: [
        {
          host: "openclaw",
          stdin: openclawShell,
          answer: deny("Not here."),
          stdout: { block: true, blockReason: "Not here." },
          exit_code: 2,
        },
      ],
      check: (executable) =>
        withOpenClawPlugin(executable, deny("Not here."), async ({ call }) => {
          const blocked = { block: true, blockReason: "Not here." };
          expect(await call("policy", { ...openclawCall, toolCallId: "denied" }, openclawRun)).toEqual(blocked);
          expect(await call("before_tool_call", { ...openclawCall, toolCallId: "denied" }, openclawRun)).toEqual(
            blocked,
          );
        }),
    },
    {
      says: "`before_tool_call` can demand an approval, with `requireApproval`",
      cases: [
        {
          host: "openclaw",
          stdin: openclawShell,
          answer: ask("Push?"),
          stdout: {
            requireApproval: expect.objectContaining({
              description: "Push?",
              allowedDecisions: ["allow-once", "deny"],
            }),
          },
          exit_code: 0,
        },
      ],
    },
    {
      says: "Approvals appear as buttons in Telegram, components in Discord, or `/approve`",
      differs:
        "the same request is made, and OpenClaw chooses the client that shows it; where none can (agent --local, agent exec, cron), it denies the call " +
        "[seen 2026.9.6, 2026-11-22]",
      check: (executable) =>
        withOpenClawPlugin(executable, ask("Push?"), async ({ call }) =>
          expect(await call("policy", openclawCall, openclawRun)).toMatchObject({
            requireApproval: { pluginId: "bridge-hooks", severity: "warning" },
          }),
        ),
    },
    {
      says: "`tool_result_persist` changes a result before it is written into the transcript",
      differs:
        "the running turn does not see that change; a result middleware is used instead, through which the model reads a hook's `modified_output` or `additional_context` [seen 2026.9.6, 2026-11-22]",
      async check(executable) {
        const finished = {
          toolName: "exec",
          args: { command: "ls" },
          result: { content: [{ type: "text", text: "a" }] },
          isError: false,
        };
        const after = (answer: IHookResponse, texts: string[]) =>
          withOpenClawPlugin(executable, answer, async ({ call }) => {
            const content = texts.map((text) => ({ type: "text", text }));
            expect(await call("middleware", { ...finished, toolCallId: texts.join() }, openclawRun)).toMatchObject({
              result: { content },
            });
          });
        await after(context("Two files are new."), ["a", "Two files are new."]);
        await after({ modified_output: "[redacted]" }, ["[redacted]"]);
        expectRow("openclaw", "tool_result_persist", "Native", { deny: "unenforceable" });
      },
    },
    {
      says: "`before_agent_start` is deprecated in favour of `before_model_resolve` and `before_prompt_build`",
      differs: "release 2026.9.6 has removed it; the other two arrive as `Native` [shipped 2026.9.6]",
      check() {
        expect(getCapabilityRow(getHost("openclaw"), "before_agent_start").untold).toHaveLength(1);
        expectRow("openclaw", "before_model_resolve", "Native");
        expectRow("openclaw", "before_prompt_build", "Native");
      },
    },
    {
      says: "`before_model_resolve` intercepts the choice of a model",
      missing:
        "the event only arrives as `Native`: an answer has no field for a model, and no other host lets a hook choose one; set it in the host's own config",
      cases: [
        {
          host: "openclaw",
          stdin: getPayload("openclaw", "before_model_resolve"),
          sees: { event: "Native", native_event: "before_model_resolve" },
          answer: deny("No."),
          stderr: /OpenClaw can't stop this event/,
        },
      ],
    },
    {
      says: "`before_prompt_build` changes the prompt",
      check: (executable) =>
        withOpenClawPlugin(executable, context("It is Monday."), async ({ call }) =>
          expect(await call("before_prompt_build", { prompt: "go", messages: [] }, openclawRun)).toEqual({
            prependContext: expect.stringContaining("It is Monday."),
          }),
        ),
    },
    {
      says: "`commandSource` and `senderId` say who asked, and on which channel",
      cases: [
        {
          host: "openclaw",
          stdin: openclawCommand,
          sees: { _native: { context: { commandSource: "telegram", senderId: "7" } } },
        },
      ],
    },
    {
      says: "On text channels, a paranoid mode turns every `ask` into a denial",
      differs:
        "release 2026.9.6 has no such mode; a question that nobody can answer becomes a denial, and a hook that must not ask answers `deny` [shipped 2026.9.6]",
      check: () => expectRow("openclaw", "before_tool_call", "PreToolUse", { ask: "native", deny: "native" }),
    },
    {
      says: "Inputs can be changed only at `agent:bootstrap` and `before_prompt_build`",
      differs: "a call's parameters can be changed at `before_tool_call`, too [seen 2026.9.6, 2026-11-22]",
      check: (executable) =>
        withOpenClawPlugin(executable, modify({ command: "ls -a" }), async ({ call }) =>
          expect(await call("policy", openclawCall, openclawRun)).toEqual({ params: { command: "ls -a" } }),
        ),
    },
  ],
};
