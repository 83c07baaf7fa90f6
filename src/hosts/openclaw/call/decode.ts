import type { CapabilityRow } from "../../../protocol/capability.ts";
import type { AnyEvent, EventName } from "../../../protocol/event.ts";
import type { DecodedPayload, Payload } from "../../../protocol/host/host.ts";
import type { ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { type CallEventName, isCallEventName, decodeSessionEvent } from "../../codec/session-events.ts";
import { decodeUnlistedCall } from "../../codec/unlisted-tools.ts";
import { parsePatch } from "../../../protocol/patch.ts";
import { decodeTableCall } from "../../codec/tool-table.ts";
import { parseWith, parseToolInput, readCwd, formatOutput, toRecord } from "../../codec/wire.ts";
import { UNMAPPED_TOOLS, TOOLS } from "../tools.ts";
import { createCallSchema, createFinalizeSchema, inputs, getObject, createResultSchema } from "./wire.ts";

/** Decodes a tool call of OpenClaw. */
export function decodeToolCall(tool_name: string, given: unknown, kind?: string): ToolCall {
  const where = `params of ${tool_name}`;
  // A code-mode call under the shell's name: its input is a program, whose own calls are reported separately.
  if (kind !== undefined) return { tool: "Other", tool_name, input: toRecord(given) };
  if (tool_name === "edit") {
    const { path: file_path, edits } = parseToolInput(inputs.edit, given, where);
    const changes = edits.map(({ oldText, newText }) => ({ old_string: oldText, new_string: newText }));
    return { tool: "Edit", tool_name, input: { files: [{ file_path, operation: "update", edits: changes }] } };
  }
  if (tool_name === "apply_patch") {
    const { input } = parseToolInput(inputs.apply_patch, given, where);
    return { tool: "Edit", tool_name, input: { files: parsePatch(input) } };
  }
  const call = decodeTableCall(TOOLS, tool_name, given, where);
  if (call?.tool === "Bash") {
    const { timeoutSeconds } = parseToolInput(inputs.exec, given, where);
    call.input.timeout_ms = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  }
  if (call) return call;
  const input = toRecord(given);
  // `<server>__<tool>`; OpenClaw's own tools never have two underscores [seen 2026.9.6, 2026-11-22].
  const at = tool_name.indexOf("__");
  if (at < 1) return decodeUnlistedCall(tool_name, input, UNMAPPED_TOOLS);
  return {
    tool: "MCP",
    tool_name,
    input: { server: tool_name.slice(0, at), tool: tool_name.slice(at + 2), arguments: input },
  };
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): ToolOutput & { exit_code?: number } {
  const { exitCode } = parseWith(createResultSchema, toRecord(raw), "result").details;
  return { text: formatOutput(raw), raw, ...(tool === "Bash" && exitCode !== undefined && { exit_code: exitCode }) };
}

/** Returns the first value that is a text. */
const findFirstText = (...values: unknown[]) =>
  values.find((value): value is string => typeof value === "string" && value !== "") ?? "";

/** Decodes a payload of the plugin: OpenClaw's event, with its context under `ctx`. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const ctx = getObject(payload, "ctx");
  const key = findFirstText(ctx.sessionKey, payload.sessionKey, payload.childSessionKey, payload.targetSessionKey);
  const base = {
    native_event,
    host: "openclaw",
    session_id: findFirstText(ctx.sessionId, payload.sessionId, ctx.requesterSessionKey, key),
    cwd: readCwd(payload),
    ...(typeof ctx.modelId === "string" && { model: ctx.modelId }),
    // A subagent is identified by the key of its session [seen 2026.9.6, 2026-11-22].
    ...(key.includes(":subagent:") && { agent_id: key }),
    _native: payload,
  };
  const { event } = row;
  return isCallEventName(event) ? decodeCall(event, base, payload) : decodeSession(event, base, payload);
}

type SessionEventBase = { native_event: string; host: string; session_id: string; cwd: string; _native: Payload };

function decodeCall(event: CallEventName, base: SessionEventBase, payload: Payload): DecodedPayload {
  const {
    toolName,
    params,
    toolCallId: tool_use_id,
    toolKind,
  } = parseWith(createCallSchema, payload, base.native_event);
  const call = decodeToolCall(toolName, params, toolKind);
  const finished = {
    ...(event === "PostToolUse" && { output: decodeOutput(call.tool, payload.result) }),
    ...(event === "PostToolUseFailure" && { error: formatOutput(payload.result) }),
  };
  return { event: { ...base, event, tool_use_id, ...call, ...finished } as AnyEvent };
}

function decodeSession(
  event: Exclude<EventName, CallEventName>,
  base: SessionEventBase,
  payload: Payload,
): DecodedPayload {
  if (event !== "Stop" && event !== "SubagentStop")
    return decodeSessionEvent(event, base, { ...payload, task: payload.label });
  const { lastAssistantMessage: last_message, continuations } = parseWith(
    createFinalizeSchema,
    payload,
    base.native_event,
  );
  return { event: { ...base, event, last_message, continuations }, continuations };
}
