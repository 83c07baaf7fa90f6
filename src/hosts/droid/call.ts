import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { parseJsonObject } from "../../protocol/object.ts";
import { parsePatch } from "../../protocol/patch.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import { mergeMcpArguments, patchCall, patchInput } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName, readEventBase } from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import { createPolicyTextSchema, formatOutput, parseToolInput, readStringField, toRecord } from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** Text fields that can appear on any event [seen 0.215.0, 2026-11-27]. */
const COMMON_FIELDS = ["session_id", "transcript_path", "permission_mode"] as const;

/** Schemas for tool inputs that don't fit the format of the tool table. */
export const inputs = {
  ApplyPatch: () => v.object({ input: v.string() }),
  Glob: () => v.object({ patterns: v.array(v.string()), folder: createPolicyTextSchema() }),
};

/** Separates the server from the tool in the name of an MCP tool [seen 0.215.0, 2026-11-27]. */
export const MCP_SEPARATOR = "___";

function parseMcpTool(tool_name: string): { server: string; tool: string } | undefined {
  const at = tool_name.indexOf(MCP_SEPARATOR);
  return at > 0 ? { server: tool_name.slice(0, at), tool: tool_name.slice(at + MCP_SEPARATOR.length) } : undefined;
}

/**
 * Returns the text of a patch, which is plain text or a string inside JSON, depending on the model [seen 0.215.0,
 * 2026-11-27: in JSON].
 */
function readPatchText(input: string): string {
  const patchText = input.trimStart().startsWith("{") ? parseJsonObject(input)?.input : undefined;
  return typeof patchText === "string" ? patchText : input;
}

export function decodeToolCall(tool_name: string, rawInput: unknown): ToolCall {
  const location = `tool_input of ${tool_name}`;
  if (tool_name === "ApplyPatch") {
    const { input } = parseToolInput(inputs.ApplyPatch, rawInput, location);
    return { tool: "Edit", tool_name, input: { files: parsePatch(readPatchText(input)) } };
  }
  if (tool_name === "Glob") {
    const { patterns, folder: path } = parseToolInput(inputs.Glob, rawInput, location);
    const pattern = patterns.length === 1 ? (patterns[0] as string) : `{${patterns.join(",")}}`;
    return { tool: "Glob", tool_name, input: { pattern, ...(path !== undefined && { path }) } };
  }
  return (
    decodeTableCall(TOOLS, tool_name, rawInput, location) ??
    decodeOtherCall(tool_name, rawInput, parseMcpTool(tool_name), UNMAPPED_TOOLS)
  );
}

export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("droid", native_event, payload, COMMON_FIELDS);
  const { event } = row;
  if (!isCallEventName(event)) return decodeSessionEvent(event, base, payload);
  const call = decodeToolCall(readStringField(payload, "tool_name", native_event), payload.tool_input);
  const { tool_response: raw } = payload;
  return buildCallEvent(event, base, call, { output: () => ({ text: formatOutput(raw), raw }) });
}

const explainUnchangeable = (field: string) =>
  `Droid merges a rewrite into the input, so "${field}" can't be removed; set it to a different value, or deny`;

/**
 * Applies a patch, which can't remove fields: Droid merges the new input into the original, so a removal would have no
 * effect [seen 0.215.0, 2026-11-27].
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const originalInput = toRecord(event._native.tool_input);
  if (event.tool === "MCP") return mergeMcpArguments(originalInput, patch, explainUnchangeable);
  const result =
    event.tool_name === "Glob" ? patchGlobInput(originalInput, patch) : patchCall(TOOLS, event, originalInput, patch);
  if ("unsupported" in result) return result;
  const removedField = Object.keys(originalInput).find((name) => !Object.hasOwn(result.input, name));
  return removedField === undefined ? result : { unsupported: explainUnchangeable(removedField) };
}

function patchGlobInput(input: Payload, { pattern, ...patch }: Payload): RewriteResult {
  const patterns = typeof pattern === "string" ? { patterns: [pattern] } : {};
  return patchInput(input, { ...patch, ...patterns }, { path: "folder" });
}
