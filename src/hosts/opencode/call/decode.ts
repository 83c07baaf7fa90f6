import type { Row } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { Decoded, Payload } from "../../../protocol/host/host.ts";
import type { BashOutput, MCPOutput, ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { isCallEvent, sessionEvent } from "../../lifecycle.ts";
import { parsePatch } from "../../../protocol/patch.ts";
import { otherCall } from "../../other.ts";
import { knownCall } from "../../tools.ts";
import { checked, checkedInput, cwdOf, outputText, recordOf, texts } from "../../wire.ts";
import { OTHERS, TOOLS } from "../tools.ts";
import { Call, Common, ENVELOPE, FailedPart, Gate, inputs, Prompt, Result } from "./wire.ts";

/** A tool of OpenCode by unified tool; `servers` are the configured MCP servers. */
export function toolCall(tool_name: string, given: unknown, servers: readonly string[]): ToolCall {
  const where = `args of ${tool_name}`;
  if (tool_name === "apply_patch") {
    const { patchText } = checkedInput(inputs.apply_patch, given, where);
    return { tool: "Edit", tool_name, input: { files: parsePatch(patchText) } };
  }
  const call = knownCall(TOOLS, tool_name, given, where);
  if (call) return call;
  const input = recordOf(given);
  const mcp = mcpTool(tool_name, servers);
  return mcp ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } } : otherCall(tool_name, input, OTHERS);
}

/** `<server>_<tool>`, both with "_" for what is no letter, digit, "_" or "-" [shipped 1.18.33]; the longest server's name that fits. */
function mcpTool(tool_name: string, servers: readonly string[]): { server: string; tool: string } | undefined {
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

function output(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  const { output: given, content, isError, metadata } = checked(Result, raw ?? {}, "output");
  const text = outputText(given ?? content);
  if (tool === "Bash") return { text, raw, stdout: text, exit_code: metadata.exit } as BashOutput;
  return { text, raw, ...(typeof isError === "boolean" && { is_error: isError }) } as MCPOutput;
}

const objectOf = (value: unknown): Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : {};

/** A call before it runs, after it ran, or after it failed. */
function callEvent(
  base: object,
  event: "PreToolUse" | "PostToolUse" | "PostToolUseFailure",
  payload: Payload,
  where: string,
): AnyEvent {
  if (event === "PostToolUseFailure") {
    const { part, mcp } = checked(FailedPart, { ...payload, ...objectOf(payload.properties) }, where);
    const { input, error, time } = part.state;
    const duration_ms = time.start !== undefined && time.end !== undefined ? time.end - time.start : undefined;
    return {
      ...base,
      event,
      tool_use_id: part.callID,
      ...toolCall(part.tool, input, mcp),
      error: outputText(error),
      duration_ms,
    } as AnyEvent;
  }
  const { input, output: given, mcp } = checked(Call, payload, where);
  const args = event === "PreToolUse" ? checked(Gate, payload, where).output.args : input.args;
  const call = toolCall(input.tool, args, mcp);
  const result = event === "PostToolUse" ? { output: output(call.tool, given) } : {};
  return { ...base, event, tool_use_id: input.callID, ...call, ...result } as AnyEvent;
}

function promptEvent(base: object, payload: Payload, where: string): AnyEvent {
  const { parts } = checked(Prompt, payload, where).output;
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

/** A payload of plugin.js as a unified event. */
export function decode(payload: Payload, native_event: string, row: Row): Decoded {
  const { session_id, agent_id } = texts(payload, ENVELOPE);
  const { input, output, properties } = checked(Common, payload, native_event);
  const session =
    input.sessionID ?? properties?.sessionID ?? properties?.part?.sessionID ?? properties?.info?.sessionID ?? "";
  const { providerID, modelID } = output.message?.model ?? {};
  const base = {
    native_event,
    host: "opencode",
    session_id: session_id ?? session,
    cwd: cwdOf(payload),
    ...(providerID && modelID && { model: `${providerID}/${modelID}` }),
    ...(agent_id && { agent_id }),
    _native: payload,
  };
  const { event } = row;
  if (event === "PermissionRequest" || event === "Native") return { event: { ...base, event: "Native" } };
  if (isCallEvent(event)) return { event: callEvent(base, event, payload, native_event) };
  if (event === "UserPromptSubmit") return { event: promptEvent(base, payload, native_event) };
  if (event === "Notification") {
    const { permission = "", patterns = [] } = properties ?? {};
    const message = `OpenCode asks for permission: ${[permission, patterns.join(", ")].filter(Boolean).join(": ")}`;
    return { event: { ...base, event, message, notification_type: native_event } };
  }
  return sessionEvent(event, base, payload.resumed === true ? { ...payload, source: "resume" } : payload);
}
