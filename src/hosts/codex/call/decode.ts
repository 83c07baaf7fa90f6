import type { CapabilityRow } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { DecodedPayload, Payload } from "../../../protocol/host/host.ts";
import type { MCPOutput, ToolCall } from "../../../protocol/tool.ts";
import { buildOutcome, decodeSessionEvent, isCallEventName, readEventBase } from "../../codec/session-events.ts";
import { decodeUnlistedCall } from "../../codec/unlisted-tools.ts";
import { decodeTableCall } from "../../codec/tool-table.ts";
import {
  parseToolInput,
  readText,
  joinUnique,
  parseMcpName,
  formatOutput,
  toRecord,
  pickTexts,
} from "../../codec/wire.ts";
import { parsePatch } from "../../../protocol/patch.ts";
import { UNMAPPED_TOOLS, TOOLS } from "../tools.ts";
import { COMMON_FIELDS, inputs } from "./wire.ts";

/** Decodes a tool call of Codex. */
export function decodeToolCall(tool_name: string, given: unknown): ToolCall {
  const where = `tool_input of ${tool_name}`;
  if (tool_name === "apply_patch") {
    const { command } = parseToolInput(inputs.apply_patch, given, where);
    return { tool: "Edit", tool_name, input: { files: parsePatch(command) } };
  }
  const call = decodeTableCall(TOOLS, tool_name, given, where);
  if (call?.tool === "Task") {
    const { items } = parseToolInput(inputs.spawn_agent, given, where);
    call.input.prompt = joinUnique(call.input.prompt, formatOutput(items));
  }
  if (call) return call;
  const input = toRecord(given);
  const mcp = parseMcpName(tool_name);
  return mcp
    ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } }
    : decodeUnlistedCall(tool_name, input, UNMAPPED_TOOLS);
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): MCPOutput {
  const is_error = (raw as Payload | undefined)?.isError;
  return { text: formatOutput(raw), raw, ...(tool === "MCP" && typeof is_error === "boolean" && { is_error }) };
}

/** Decodes a payload of Codex. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("codex", native_event, payload, COMMON_FIELDS);
  const { event } = row;
  if (!isCallEventName(event)) return decodeSessionEvent(event, base, payload);
  const call = decodeToolCall(readText(payload, "tool_name", native_event), payload.tool_input);
  const { tool_use_id } = pickTexts(payload, ["tool_use_id"]);
  const result = buildOutcome(event, { output: () => decodeOutput(call.tool, payload.tool_response) });
  return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
}
