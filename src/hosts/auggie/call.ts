import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { toObject } from "../../protocol/object.ts";
import { renderPatch } from "../../protocol/patch.ts";
import type { BashOutput, ToolCall, ToolOutput } from "../../protocol/tool.ts";
import { parseEditFiles, patchCall } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName } from "../codec/session-events.ts";
import { decodeTableCall, getToolRow } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import { formatOutput, pickStringFields, readStringField, requireObject } from "../codec/wire.ts";
import { buildReplacements, decodeEdit } from "./edits.ts";
import { SUBAGENT_TOOL, TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * Returns the server and tool names of an MCP call. Auggie sends them as separate fields because our entries ask it to.
 * Otherwise a payload contains only `<tool>_<server>`, which is ambiguous if the server name contains an underscore
 * [shipped 0.36.0].
 */
function readMcpName(tool_name: string, metadata: Payload): { server?: string; tool: string } {
  const { mcpExecutedToolServerName: server, mcpExecutedToolName: tool } = pickStringFields(metadata, [
    "mcpExecutedToolServerName",
    "mcpExecutedToolName",
  ]);
  // Separate server and tool names in the payload take precedence over the combined name.
  const isPrefix = tool !== undefined && tool_name.startsWith(`${tool}_`);
  const isSuffix = server !== undefined && tool_name.endsWith(`_${server}`);
  const at = isPrefix ? tool.length : isSuffix ? tool_name.length - server.length - 1 : tool_name.lastIndexOf("_");
  if (at <= 0) return { tool: tool ?? tool_name, ...(server !== undefined && { server }) };
  return { server: server ?? tool_name.slice(at + 1), tool: tool ?? tool_name.slice(0, at) };
}

/** Decodes a call to one of Auggie's own tools. */
export function decodeToolCall(tool_name: string, rawInput: unknown): ToolCall {
  const location = `tool_input of ${tool_name}`;
  const input = requireObject(rawInput, location);
  const [tool] = getToolRow(TOOLS, tool_name);
  if (tool === "Edit") return { tool, tool_name, input: decodeEdit(tool_name, input, location) };
  if (tool_name === SUBAGENT_TOOL || tool_name.startsWith(`${SUBAGENT_TOOL}-`)) {
    const { instruction = "", name } = pickStringFields(input, ["instruction", "name"]);
    const agent_type = tool_name.slice(SUBAGENT_TOOL.length + 1) || name;
    return { tool: "Task", tool_name, input: { prompt: instruction, ...(agent_type && { agent_type }) } };
  }
  return (
    decodeTableCall(TOOLS, tool_name, input, location) ?? decodeOtherCall(tool_name, input, undefined, UNMAPPED_TOOLS)
  );
}

/** Decodes the call in a payload, whether the tool is Auggie's own or an MCP tool. */
function decodeCall(payload: Payload, native_event: string): ToolCall {
  const { tool_input, is_mcp_tool, mcp_metadata } = payload;
  const tool_name = readStringField(payload, "tool_name", native_event);
  return is_mcp_tool === true
    ? decodeOtherCall(tool_name, tool_input, readMcpName(tool_name, toObject(mcp_metadata)), UNMAPPED_TOOLS)
    : decodeToolCall(tool_name, tool_input);
}

const [CODE, OUTPUT, END] = ["<return-code>", "<output>\n", "\n</output>"] as const;

/** Decodes the result of a finished command. The exit code and output are wrapped in tags [shipped 0.36.0]. */
function decodeShellOutput(raw: string): BashOutput {
  const [start, end] = [raw.indexOf(OUTPUT), raw.lastIndexOf(END)];
  const prefix = start < 0 ? "" : raw.slice(0, start);
  const exit_code = Number.parseInt(prefix.slice(prefix.indexOf(CODE) + CODE.length), 10);
  return !prefix.includes(CODE) || Number.isNaN(exit_code)
    ? { text: raw, raw }
    : { text: raw.slice(start + OUTPUT.length, end), raw, exit_code };
}

/** Decodes a call's result or error. Both are strings [shipped 0.36.0]. */
function decodeOutput(tool: ToolCall["tool"], { tool_output, tool_error }: Payload): ToolOutput {
  const raw = tool_output ?? tool_error;
  if (tool === "Bash" && typeof raw === "string") return decodeShellOutput(raw);
  return { text: formatOutput(raw), raw, ...(tool === "MCP" && { is_error: typeof tool_error === "string" }) };
}

export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const { conversation_id: session_id = "", user_prompt: prompt } = pickStringFields(payload, [
    "conversation_id",
    "user_prompt",
  ]);
  const [root] = [payload.workspace_roots].flat();
  // Auggie runs hooks in the first workspace root [shipped 0.36.0].
  const cwd = typeof root === "string" ? root : "";
  const base = { native_event, host: "auggie", session_id, cwd, _native: payload };
  const { event } = row;
  if (isCallEventName(event)) {
    const call = decodeCall(payload, native_event);
    return buildCallEvent(event, base, call, { output: () => decodeOutput(call.tool, payload) });
  }
  const { notification_message: message, agent_stop_cause } = payload;
  // Stop also fires when the user interrupts the turn, but an interrupted turn can't be continued.
  return decodeSessionEvent(event, base, { ...payload, prompt, message, reason: agent_stop_cause });
}

/** Returns the whole input with the patch applied, because Auggie replaces the original input [shipped 0.36.0]. */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const input = toObject(event._native.tool_input);
  if (event.tool !== "Edit") return patchCall(TOOLS, event, input, patch);
  const files = parseEditFiles(patch);
  if ("unsupported" in files) return files;
  if (event.tool_name === "apply_patch") return { input: { ...input, input: renderPatch(files) } };
  const [file, ...otherFiles] = files;
  return event.tool_name === "str-replace-editor" && file?.operation === "update" && otherFiles.length === 0
    ? { input: buildReplacements(file) }
    : { unsupported: `${event.tool_name} can't make this change; deny the call and explain the alternative` };
}
