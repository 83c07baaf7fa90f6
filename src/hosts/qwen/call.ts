import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { isObject } from "../../protocol/object.ts";
import type { ToolCall, ToolOutput } from "../../protocol/tool.ts";
import { patchCall } from "../codec/patch-call.ts";
import {
  buildCallEvent,
  decodeSessionEvent,
  isCallEventName,
  listReferencedFiles,
  readEventBase,
} from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import { formatOutput, parseMcpName, pickStringFields, readStringField, toRecord } from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** String fields that can occur on any event [seen 0.24.4, 2026-11-27]. */
const COMMON_FIELDS = ["session_id", "transcript_path", "permission_mode", "model", "agent_id", "agent_type"] as const;

/** Decodes a tool call from Qwen Code. */
export function decodeToolCall(tool_name: string, rawInput: unknown): ToolCall {
  const call = decodeTableCall(TOOLS, tool_name, rawInput, `tool_input of ${tool_name}`);
  return call ?? decodeOtherCall(tool_name, rawInput, parseMcpName(tool_name), UNMAPPED_TOOLS);
}

/**
 * Decodes a result. It has one field for the model, which is a string or a list of parts, and another for display [seen
 * 0.24.4, 2026-11-27].
 */
export const decodeOutput = (raw: unknown): ToolOutput => ({
  text: formatOutput(isObject(raw) && raw.llmContent !== undefined ? raw.llmContent : raw),
  raw,
});

/** Decodes a payload from Qwen Code. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("qwen", native_event, payload, COMMON_FIELDS);
  const { event } = row;
  if (!isCallEventName(event)) return decodeSession(event, base, payload);
  const { tool_use_id } = pickStringFields(payload, ["tool_use_id"]);
  const duration_ms = typeof payload.duration_ms === "number" ? payload.duration_ms : undefined;
  const call = decodeToolCall(readStringField(payload, "tool_name", native_event), payload.tool_input);
  const output = () => decodeOutput(payload.tool_response);
  return buildCallEvent(event, base, { tool_use_id, ...call }, { output, error: payload.error, duration_ms });
}

function decodeSession(
  event: Parameters<typeof decodeSessionEvent>[0],
  base: Parameters<typeof decodeSessionEvent>[1],
  payload: Payload,
): DecodedPayload {
  // This prompt was not typed by the user; it only returns tool results to the model [seen 0.24.4, 2026-11-27].
  if (event === "UserPromptSubmit" && payload.prompt === "" && payload.submitted_prompt === undefined)
    return { event: { ...base, event: "Native" } };
  const decoded = decodeSessionEvent(event, base, payload);
  // Qwen Code reads files referenced in a prompt without a tool call [seen 0.24.4, 2026-11-29].
  if (decoded.event.event === "UserPromptSubmit") decoded.event.attachments = listReferencedFiles(payload.prompt);
  return decoded;
}

/** Returns the complete patched input, although Qwen Code ignores modified inputs [seen 0.24.4, 2026-11-27]. */
export const rewriteInput = (event: CallEvent, patch: Payload): RewriteResult =>
  patchCall(TOOLS, event, toRecord(event._native.tool_input), patch);
