import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import type { MCPOutput, ToolCall } from "../../protocol/tool.ts";
import { mergeMcpArguments, patchCall } from "../codec/patch-call.ts";
import {
  buildCallEvent,
  decodeSessionEvent,
  isCallEventName,
  listReferencedFiles,
  readEventBase,
} from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import { createNumberSchema, formatOutput, parseToolInput, parseWith, toRecord } from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** String fields that every event has [seen 0.61.0, 2026-11-21]. */
const COMMON_FIELDS = ["session_id", "transcript_path"] as const;

const createCallSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_input: v.optional(v.unknown()),
    // The original server and tool names of an MCP call.
    mcp_context: v.nullish(v.object({ server_name: v.string(), tool_name: v.string() }), () => undefined),
  });

/** Schemas for tool inputs that the tool table can't describe [shipped 0.61.0]. */
export const inputs = {
  read_file: () => v.object({ end_line: createNumberSchema() }),
  read_many_files: () => v.object({ include: v.array(v.string()) }),
};

/** Schema for a tool result [seen 0.61.0, 2026-11-21]. Failed calls have an `error`. */
const createResultSchema = () => v.object({ llmContent: v.unknown(), error: v.optional(v.unknown()) });

type McpContext = v.InferOutput<ReturnType<typeof createCallSchema>>["mcp_context"];

/** Returns all URLs in a string, joined by spaces, so that policies can check each one. */
const findAddresses = (prompt: string) => prompt.match(/https?:\/\/[^\s"'<>`]+/g)?.join(" ") ?? "";

/** Decodes a tool call from Gemini CLI. */
export function decodeToolCall(tool_name: string, rawInput: unknown, mcp?: McpContext): ToolCall {
  const location = `tool_input of ${tool_name}`;
  // Check MCP tools first, because an MCP tool can have any name.
  if (mcp)
    return {
      tool: "MCP",
      tool_name,
      input: { server: mcp.server_name, tool: mcp.tool_name, arguments: toRecord(rawInput) },
    };
  if (tool_name === "read_many_files") {
    const { include } = parseToolInput(inputs.read_many_files, rawInput, location);
    return { tool: "Read", tool_name, input: { file_path: include.join(" ") } };
  }
  const call = decodeTableCall(TOOLS, tool_name, rawInput, location);
  if (call?.tool === "Read") {
    const { end_line } = parseToolInput(inputs.read_file, rawInput, location);
    call.input.limit = end_line && end_line - (call.input.offset ?? 1) + 1;
  } else if (call?.tool === "WebFetch") {
    // Gemini CLI might fetch the URL in the input or any URL in the prompt, so keep them all.
    const { url, prompt = "" } = call.input;
    call.input.url = [url, findAddresses(prompt)].filter(Boolean).join(" ");
  }
  if (call) return call;
  // Without mcp_context, there is no way to tell where the server's name ends.
  const server = tool_name.startsWith("mcp_") ? { tool: tool_name.slice(4) } : undefined;
  return decodeOtherCall(tool_name, rawInput, server, UNMAPPED_TOOLS);
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): MCPOutput {
  if (!v.is(createResultSchema(), raw)) return { text: formatOutput(raw), raw };
  return { text: formatOutput(raw.llmContent), raw, ...(tool === "MCP" && { is_error: raw.error !== undefined }) };
}

/** Decodes a payload from Gemini CLI. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("gemini", native_event, payload, COMMON_FIELDS);
  const { event } = row;
  if (!isCallEventName(event)) {
    const decoded = decodeSessionEvent(event, base, { ...payload, last_assistant_message: payload.prompt_response });
    // Gemini CLI reads files referenced in a prompt without a tool call [seen 0.61.0, 2026-11-22].
    if (decoded.event.event === "UserPromptSubmit") decoded.event.attachments = listReferencedFiles(payload.prompt);
    return decoded;
  }
  const { tool_name, tool_input, mcp_context } = parseWith(createCallSchema, payload, native_event);
  const call = decodeToolCall(tool_name, tool_input, mcp_context);
  return buildCallEvent(event, base, call, { output: () => decodeOutput(call.tool, payload.tool_response) });
}

/**
 * Returns the complete patched input, which works whether a release replaces the original input or merges the new one
 * into it. 0.61.0 replaces it [seen 2026-11-22], although its documentation describes merging, as in earlier releases
 * [shipped 0.61.0].
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const input = event._native.tool_input as Payload;
  if (event.tool !== "MCP") return patchCall(TOOLS, event, input, patch);
  return mergeMcpArguments(
    event.input.arguments,
    patch,
    (removedField) =>
      `some releases of Gemini CLI keep the argument "${removedField}" even if a hook removes it; deny instead`,
  );
}
