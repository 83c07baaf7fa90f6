import { type AnyEvent, type EventName, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ScriptCodec } from "../../../protocol/host/scripts.ts";
import type { FileChange } from "../../../protocol/tool.ts";
import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import {
  readCallMetadata,
  type CallEvent,
  omitUndefined,
  pickPresentFields,
  listMcpReadings,
  type NativeCall,
  type CallOutput,
  buildNativeResult,
  buildSessionFields,
  buildNativePayloads,
  buildTableCall,
} from "../../native-payloads.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodePayload } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { parseAnswer } from "../read-answers.ts";

const HOST = "openclaw";

const decodeEvent = (payload: Payload, native_event: string): AnyEvent =>
  decodePayload(payload, native_event, findCapabilityRow(capabilities, createUnknownEventRow, native_event)).event;

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

// Result formats [seen 2026.9.6, 2026-11-22].
const createResultFormatter =
  (details: Payload) =>
  ({ text }: CallOutput) => ({ content: [{ type: "text", text }], details });
const formatShellResult = (output: CallOutput) =>
  createResultFormatter({
    status: "completed",
    exitCode: output.exit_code ?? 0,
    aggregated: output.stdout ?? output.text,
  })(output);

/** Changes of one existing file, or else a patch. */
function buildEditCalls(files: readonly FileChange[]): NativeCall[] {
  if (files.some(({ operation }) => operation !== "update"))
    return [{ tool_name: "apply_patch", tool_input: { input: renderPatch(files) } }];
  return files.map(({ file_path: path, edits }) => ({
    tool_name: "edit",
    tool_input: { path, edits: edits.map(({ old_string: oldText, new_string: newText }) => ({ oldText, newText })) },
  }));
}

/** Builds OpenClaw's calls for an event. OpenClaw has no tool that searches files. */
function buildNativeCalls(event: CallEvent): NativeCall[] {
  switch (event.tool) {
    case "Bash": {
      const { timeout_ms } = event.input;
      const timeoutSeconds = timeout_ms === undefined ? undefined : timeout_ms / 1000;
      return buildTableCall(TOOLS, event.tool, event.input, { result: formatShellResult, beside: { timeoutSeconds } });
    }
    case "Edit":
      return buildEditCalls(event.input.files);
    case "MCP":
      return listMcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `${server}__${tool}`,
        tool_input: event.input.arguments,
        result: createResultFormatter({ mcpServer: server, mcpTool: tool }),
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return buildTableCall(TOOLS, event.tool, event.input);
  }
}

/** A subagent is identified by the key of its session [seen 2026.9.6, 2026-11-22]. */
function setSubagentKey(recorded: Payload, { agent_id }: AnyEvent): Payload {
  if (!agent_id) return recorded;
  const key = agent_id.includes(":subagent:") ? agent_id : `agent:main:subagent:${agent_id}`;
  const keys = { sessionKey: key, childSessionKey: key, targetSessionKey: key };
  return {
    ...recorded,
    ...pickPresentFields(recorded, keys),
    ctx: { ...toObject(recorded.ctx), ...pickPresentFields(toObject(recorded.ctx), keys) },
  };
}

function buildPayloadsAt(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const base = setSubagentKey(recorded, event);
  const ctx = { ...toObject(base.ctx), ...pickPresentFields(toObject(base.ctx), { modelId: event.model }) };
  if (isToolCallEvent(event)) {
    const { id: toolCallId, error } = readCallMetadata(event);
    return buildNativeCalls(event).map(
      ({ tool_name: toolName, tool_input: params, result: made = createResultFormatter({}) }) => {
        const failed =
          error === undefined
            ? undefined
            : createResultFormatter({ status: "error", tool: toolName, error })({ text: error, raw: undefined });
        const own = { ...ctx, ...pickPresentFields(ctx, { toolName, toolCallId }) };
        return omitUndefined({
          ...base,
          ...pickPresentFields(base, { toolCallId }),
          toolName,
          params,
          ctx: own,
          result: failed ?? buildNativeResult(event, HOST, native_event, made),
        });
      },
    );
  }
  const {
    stop_hook_active: _,
    last_assistant_message: lastAssistantMessage,
    trigger: __,
    ...fields
  } = buildSessionFields(event);
  const stop =
    event.event === "Stop" || event.event === "SubagentStop"
      ? { lastAssistantMessage, continuations: event.continuations }
      : {};
  const label = event.event === "SubagentStart" ? event.task : undefined;
  return [omitUndefined({ ...base, ctx, ...fields, label, ...stop })];
}

export const scriptCodec: ScriptCodec = {
  buildPayloads: (event) =>
    buildNativePayloads(
      {
        host: HOST,
        recorded: samples,
        decodeEvent,
        listNativeEvents: ({ event }) => (EVENTS[event] ? [EVENTS[event]] : []),
        buildPayloadsAt,
      },
      event,
    ),
  parseAnswer,
  // The plugin adds no variables.
  buildScriptEnv: () => ({}),
};
