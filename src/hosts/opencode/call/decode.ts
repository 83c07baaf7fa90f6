import type { CapabilityRow } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { DecodedPayload, Payload } from "../../../protocol/host/host.ts";
import type { BashOutput, MCPOutput, ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { isCallEventName, decodeSessionEvent } from "../../codec/session-events.ts";
import { parsePatch } from "../../../protocol/patch.ts";
import { decodeUnlistedCall } from "../../codec/unlisted-tools.ts";
import { decodeTableCall } from "../../codec/tool-table.ts";
import { parseWith, parseToolInput, readCwd, formatOutput, toRecord, pickTexts } from "../../codec/wire.ts";
import { UNMAPPED_TOOLS, TOOLS } from "../tools.ts";
import {
  createCallSchema,
  createCommonSchema,
  ENVELOPE_FIELDS,
  createFailedPartSchema,
  createGateSchema,
  inputs,
  createPromptSchema,
  createResultSchema,
} from "./wire.ts";

/** Decodes a tool call of OpenCode; `servers` are the configured MCP servers. */
export function decodeToolCall(tool_name: string, given: unknown, servers: readonly string[]): ToolCall {
  const where = `args of ${tool_name}`;
  if (tool_name === "apply_patch") {
    const { patchText } = parseToolInput(inputs.apply_patch, given, where);
    return { tool: "Edit", tool_name, input: { files: parsePatch(patchText) } };
  }
  const call = decodeTableCall(TOOLS, tool_name, given, where);
  if (call) return call;
  const input = toRecord(given);
  const mcp = parseMcpTool(tool_name, servers);
  return mcp
    ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } }
    : decodeUnlistedCall(tool_name, input, UNMAPPED_TOOLS);
}

/**
 * Splits `<server>_<tool>`, in which OpenCode replaces everything but letters, digits, "_" and "-" by "_"
 * [shipped 1.18.33]; the longest matching server name wins.
 */
function parseMcpTool(tool_name: string, servers: readonly string[]): { server: string; tool: string } | undefined {
  let found: { server: string; tool: string } | undefined;
  let longest = 0;
  for (const server of servers) {
    const start = `${server.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}_`;
    if (start.length > longest && tool_name.startsWith(start)) {
      found = { server, tool: tool_name.slice(start.length) };
      longest = start.length;
    }
  }
  return found;
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  const { output: given, content, isError, metadata } = parseWith(createResultSchema, raw ?? {}, "output");
  const text = formatOutput(given ?? content);
  if (tool === "Bash") return { text, raw, stdout: text, exit_code: metadata.exit } as BashOutput;
  return { text, raw, ...(typeof isError === "boolean" && { is_error: isError }) } as MCPOutput;
}

const toObject = (value: unknown): Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : {};

/** Decodes a call before it runs, after it ran, or after it failed. */
function decodeCallEvent(
  base: object,
  event: "PreToolUse" | "PostToolUse" | "PostToolUseFailure",
  payload: Payload,
  where: string,
): AnyEvent {
  if (event === "PostToolUseFailure") {
    const { part, mcp } = parseWith(createFailedPartSchema, { ...payload, ...toObject(payload.properties) }, where);
    const { input, error, time } = part.state;
    const duration_ms = time.start !== undefined && time.end !== undefined ? time.end - time.start : undefined;
    return {
      ...base,
      event,
      tool_use_id: part.callID,
      ...decodeToolCall(part.tool, input, mcp),
      error: formatOutput(error),
      duration_ms,
    } as AnyEvent;
  }
  const { input, output: given, mcp } = parseWith(createCallSchema, payload, where);
  const args = event === "PreToolUse" ? parseWith(createGateSchema, payload, where).output.args : input.args;
  const call = decodeToolCall(input.tool, args, mcp);
  const result = event === "PostToolUse" ? { output: decodeOutput(call.tool, given) } : {};
  return { ...base, event, tool_use_id: input.callID, ...call, ...result } as AnyEvent;
}

function decodePromptEvent(base: object, payload: Payload, where: string): AnyEvent {
  const { parts } = parseWith(createPromptSchema, payload, where).output;
  const prompt = parts
    .filter(({ type, synthetic }) => type === "text" && !synthetic)
    .map(({ text = "" }) => text)
    .join("\n");
  const files = parts
    .filter(({ type }) => type === "file")
    .map(
      ({ source, filename, url }) =>
        source?.path ?? (url?.startsWith("file://") ? decodeURIComponent(new URL(url).pathname) : filename),
    );
  return {
    ...base,
    event: "UserPromptSubmit",
    prompt,
    attachments: files.filter((path) => path !== undefined),
  } as AnyEvent;
}

/** Decodes a payload of plugin.js. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const { session_id, agent_id } = pickTexts(payload, ENVELOPE_FIELDS);
  const { input, output, properties } = parseWith(createCommonSchema, payload, native_event);
  const session =
    input.sessionID ?? properties?.sessionID ?? properties?.part?.sessionID ?? properties?.info?.sessionID ?? "";
  const { providerID, modelID } = output.message?.model ?? {};
  const base = {
    native_event,
    host: "opencode",
    session_id: session_id ?? session,
    cwd: readCwd(payload),
    ...(providerID && modelID && { model: `${providerID}/${modelID}` }),
    ...(agent_id && { agent_id }),
    _native: payload,
  };
  const { event } = row;
  if (event === "PermissionRequest" || event === "Native") return { event: { ...base, event: "Native" } };
  if (isCallEventName(event)) return { event: decodeCallEvent(base, event, payload, native_event) };
  if (event === "UserPromptSubmit") return { event: decodePromptEvent(base, payload, native_event) };
  if (event === "Notification") {
    const { permission = "", patterns = [] } = properties ?? {};
    const message = `OpenCode asks for permission: ${[permission, patterns.join(", ")].filter(Boolean).join(": ")}`;
    return { event: { ...base, event, message, notification_type: native_event } };
  }
  return decodeSessionEvent(event, base, payload.resumed === true ? { ...payload, source: "resume" } : payload);
}
