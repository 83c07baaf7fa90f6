import * as v from "valibot";
import type { CapabilityRow } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { DecodedPayload, Payload } from "../../../protocol/host/host.ts";
import type { MCPOutput, ToolCall } from "../../../protocol/tool.ts";
import { buildOutcome, decodeSessionEvent, isCallEventName, readEventBase } from "../../codec/session-events.ts";
import { decodeUnlistedCall } from "../../codec/unlisted-tools.ts";
import { decodeTableCall } from "../../codec/tool-table.ts";
import { parseWith, parseToolInput, formatOutput, toRecord } from "../../codec/wire.ts";
import { UNMAPPED_TOOLS, TOOLS } from "../tools.ts";
import { createCallSchema, COMMON_FIELDS, inputs, createResultSchema } from "./wire.ts";

type McpContext = v.InferOutput<ReturnType<typeof createCallSchema>>["mcp_context"];

/** Returns the addresses in a text; several are joined to one text, so that a policy misses none. */
const findAddresses = (prompt: string) => prompt.match(/https?:\/\/[^\s"'<>`]+/g)?.join(" ") ?? "";

/** Decodes a tool call of Gemini CLI. */
export function decodeToolCall(tool_name: string, given: unknown, mcp?: McpContext): ToolCall {
  const where = `tool_input of ${tool_name}`;
  // Checked first, since a server's tool may have any name.
  if (mcp)
    return {
      tool: "MCP",
      tool_name,
      input: { server: mcp.server_name, tool: mcp.tool_name, arguments: toRecord(given) },
    };
  if (tool_name === "read_many_files") {
    const { include } = parseToolInput(inputs.read_many_files, given, where);
    return { tool: "Read", tool_name, input: { file_path: include.join(" ") } };
  }
  const call = decodeTableCall(TOOLS, tool_name, given, where);
  if (call?.tool === "Read") {
    const { end_line } = parseToolInput(inputs.read_file, given, where);
    call.input.limit = end_line && end_line - (call.input.offset ?? 1) + 1;
  } else if (call?.tool === "WebFetch") {
    // Either address may be the one that is fetched, so neither hides the other.
    const { url, prompt = "" } = call.input;
    call.input.url = [url, findAddresses(prompt)].filter(Boolean).join(" ");
  }
  if (call) return call;
  const input = toRecord(given);
  // Without the context it is ambiguous where the server's name ends.
  return tool_name.startsWith("mcp_")
    ? { tool: "MCP", tool_name, input: { tool: tool_name.slice(4), arguments: input } }
    : decodeUnlistedCall(tool_name, input, UNMAPPED_TOOLS);
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): MCPOutput {
  if (!v.is(createResultSchema(), raw)) return { text: formatOutput(raw), raw };
  return { text: formatOutput(raw.llmContent), raw, ...(tool === "MCP" && { is_error: raw.error !== undefined }) };
}

/**
 * Returns the files that the prompt names with "@": Gemini CLI has already read them, without a call, and appended
 * their content [seen 0.61.0, 2026-11-22].
 */
function listAttachedFiles(prompt: unknown): string[] {
  const [, behind = ""] = typeof prompt === "string" ? prompt.split("\n--- Content from referenced files ---\n") : [];
  return [...behind.matchAll(/^Content from @(.+):$/gm)].map(([, path = ""]) => path);
}

/** Decodes a payload of Gemini CLI. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("gemini", native_event, payload, COMMON_FIELDS);
  const { event } = row;
  if (!isCallEventName(event)) {
    const decoded = decodeSessionEvent(event, base, { ...payload, last_assistant_message: payload.prompt_response });
    if (decoded.event.event === "UserPromptSubmit") decoded.event.attachments = listAttachedFiles(payload.prompt);
    return decoded;
  }
  const { tool_name, tool_input, mcp_context } = parseWith(createCallSchema, payload, native_event);
  const call = decodeToolCall(tool_name, tool_input, mcp_context);
  const result = buildOutcome(event, { output: () => decodeOutput(call.tool, payload.tool_response) });
  return { event: { ...base, event, ...call, ...result } as AnyEvent };
}
