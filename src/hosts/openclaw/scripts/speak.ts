import { type AnyEvent, type EventName, isCall } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { Speech } from "../../../protocol/host/scripts.ts";
import type { FileChange } from "../../../protocol/tool.ts";
import { objectOf, rowIn } from "../../check.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import {
  around,
  type Call,
  given,
  known,
  mcpReadings,
  type Native,
  type Output,
  resultAt,
  sessionFields,
  spoken,
  told,
} from "../../speak.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { decode } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { understand } from "./understand.ts";

const HOST = "openclaw";

const hear = (payload: Payload, native_event: string): AnyEvent =>
  decode(payload, native_event, rowIn(capabilities, unknown, native_event)).event;

const EVENTS: Partial<Record<EventName, string>> = {
  SessionStart: "session_start",
  PreToolUse: "before_tool_call",
  PostToolUse: "tool_result",
  UserPromptSubmit: "before_agent_run",
  Stop: "before_agent_finalize",
  SessionEnd: "session_end",
  PostToolUseFailure: "tool_failure",
  SubagentStart: "subagent_spawned",
  SubagentStop: "subagent_ended",
  PreCompact: "before_compaction",
  PostCompact: "after_compaction",
};

// Results [seen 2026.9.6, 2026-11-22].
const result =
  (details: Payload) =>
  ({ text }: Output) => ({ content: [{ type: "text", text }], details });
const shell = (output: Output) =>
  result({ status: "completed", exitCode: output.exit_code ?? 0, aggregated: output.stdout ?? output.text })(output);

/** Changes of one file that is there, or else a patch. */
function edits(files: readonly FileChange[]): Native[] {
  if (files.some(({ operation }) => operation !== "update"))
    return [{ tool_name: "apply_patch", tool_input: { input: renderPatch(files) } }];
  return files.map(({ file_path: path, edits }) => ({
    tool_name: "edit",
    tool_input: { path, edits: edits.map(({ old_string: oldText, new_string: newText }) => ({ oldText, newText })) },
  }));
}

/** An event's call as OpenClaw makes it; it has no tool that searches files. */
function calls(event: Call): Native[] {
  switch (event.tool) {
    case "Bash": {
      const { timeout_ms } = event.input;
      const timeoutSeconds = timeout_ms === undefined ? undefined : timeout_ms / 1000;
      return told(TOOLS, event.tool, event.input, { result: shell, beside: { timeoutSeconds } });
    }
    case "Edit":
      return edits(event.input.files);
    case "MCP":
      return mcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `${server}__${tool}`,
        tool_input: event.input.arguments,
        result: result({ mcpServer: server, mcpTool: tool }),
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return told(TOOLS, event.tool, event.input);
  }
}

/** A subagent is told by the key of its session [seen 2026.9.6, 2026-11-22]. */
function keyed(recorded: Payload, { agent_id }: AnyEvent): Payload {
  if (!agent_id) return recorded;
  const key = agent_id.includes(":subagent:") ? agent_id : `agent:main:subagent:${agent_id}`;
  const keys = { sessionKey: key, childSessionKey: key, targetSessionKey: key };
  return {
    ...recorded,
    ...known(recorded, keys),
    ctx: { ...objectOf(recorded.ctx), ...known(objectOf(recorded.ctx), keys) },
  };
}

function tell(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const base = keyed(recorded, event);
  const ctx = { ...objectOf(base.ctx), ...known(objectOf(base.ctx), { modelId: event.model }) };
  if (isCall(event)) {
    const { id: toolCallId, error } = around(event);
    return calls(event).map(({ tool_name: toolName, tool_input: params, result: made = result({}) }) => {
      const failed =
        error === undefined
          ? undefined
          : result({ status: "error", tool: toolName, error })({ text: error, raw: undefined });
      const own = { ...ctx, ...known(ctx, { toolName, toolCallId }) };
      return given({
        ...base,
        ...known(base, { toolCallId }),
        toolName,
        params,
        ctx: own,
        result: failed ?? resultAt(event, HOST, native_event, made),
      });
    });
  }
  const {
    stop_hook_active: _,
    last_assistant_message: lastAssistantMessage,
    trigger: __,
    ...fields
  } = sessionFields(event);
  const stop =
    event.event === "Stop" || event.event === "SubagentStop"
      ? { lastAssistantMessage, continuations: event.continuations }
      : {};
  const label = event.event === "SubagentStart" ? event.task : undefined;
  return [given({ ...base, ctx, ...fields, label, ...stop })];
}

export const speech: Speech = {
  payloads: (event) =>
    spoken(
      { host: HOST, recorded: samples, hear, events: ({ event }) => (EVENTS[event] ? [EVENTS[event]] : []), tell },
      event,
    ),
  understand,
  // The plugin adds none.
  variables: () => ({}),
};
