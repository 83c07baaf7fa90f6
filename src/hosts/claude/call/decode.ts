import * as v from "valibot";
import type { CapabilityRow } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { DecodedPayload, Payload } from "../../../protocol/host/host.ts";
import type { EditInput, ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { buildOutcome, decodeSessionEvent, isCallEventName, readEventBase } from "../../codec/session-events.ts";
import { decodeUnlistedCall } from "../../codec/unlisted-tools.ts";
import { decodeTableCall } from "../../codec/tool-table.ts";
import {
  createFieldError,
  parseToolInput,
  readText,
  parseMcpName,
  formatOutput,
  toRecord,
  pickTexts,
} from "../../codec/wire.ts";
import { UNMAPPED_TOOLS, TOOLS } from "../tools.ts";
import { createBashResultSchema, COMMON_FIELDS, inputs, createReadResultSchema } from "./wire.ts";

/** Decodes Edit and its older form. Every form of an edit counts, whichever one the tool reads. */
function parseEditInput(given: unknown, where: string): EditInput {
  const { file_path, old_string, new_string, edits } = parseToolInput(inputs.Edit, given, where);
  const isOne = old_string !== undefined || new_string !== undefined || edits.length === 0;
  const one = isOne ? [{ old_string: old_string ?? "", new_string: new_string ?? "" }] : [];
  return { files: [{ file_path, operation: "update", edits: [...edits, ...one] }] };
}

/** Decodes a tool call of Claude Code. */
export function decodeToolCall(tool_name: string, given: unknown, server?: string): ToolCall {
  const where = `tool_input of ${tool_name}`;
  if (tool_name === "Edit" || tool_name === "MultiEdit")
    return { tool: "Edit", tool_name, input: parseEditInput(given, where) };
  const call = decodeTableCall(TOOLS, tool_name, given, where);
  if (call) return call;
  const input = toRecord(given);
  const mcp = parseMcpName(tool_name, server);
  return mcp
    ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } }
    : decodeUnlistedCall(tool_name, input, UNMAPPED_TOOLS);
}

export function decodeOutput(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  if (tool === "Bash" && v.is(createBashResultSchema(), raw)) {
    const { stdout, stderr = "" } = raw;
    return { text: stdout + stderr, raw, stdout, stderr } as ToolOutput;
  }
  if (tool === "Read" && v.is(createReadResultSchema(), raw)) return { text: raw.file.content, raw };
  return { text: formatOutput(raw), raw };
}

/** The MCP server, where the call names one. */
function readServerName({ mcp_server: server }: Payload, where: string): string | undefined {
  if (server === undefined || server === null) return undefined;
  if (typeof server !== "object") throw createFieldError(where, "mcp_server", server, "Object");
  const { name } = server as Payload;
  if (typeof name !== "string") throw createFieldError(where, "mcp_server.name", name, "string");
  return name;
}

/** Decodes a payload of Claude Code. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("claude", native_event, payload, COMMON_FIELDS);
  const { event } = row;
  if (!isCallEventName(event)) {
    const { task_id, teammate_name } = pickTexts(payload, ["task_id", "teammate_name"]);
    return { ...decodeSessionEvent(event, base, payload), subject: task_id ?? teammate_name };
  }
  // By hand: every call that is looked at has these, and the schema took longer than all other decoding.
  const tool_name = readText(payload, "tool_name", native_event);
  const server = readServerName(payload, native_event);
  const { tool_use_id } = pickTexts(payload, ["tool_use_id"]);
  const duration_ms = typeof payload.duration_ms === "number" ? payload.duration_ms : undefined;
  const call = decodeToolCall(tool_name, payload.tool_input, server);
  const output = () => decodeOutput(call.tool, payload.tool_response);
  const result = buildOutcome(event, { output, error: payload.error, duration_ms });
  return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
}
