import * as v from "valibot";
import type { CapabilityRow } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { DecodedPayload, Payload } from "../../../protocol/host/host.ts";
import type { BashOutput, MCPOutput, ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { buildOutcome, decodeSessionEvent, isCallEventName } from "../../codec/session-events.ts";
import { decodeUnlistedCall } from "../../codec/unlisted-tools.ts";
import { decodeTableCall } from "../../codec/tool-table.ts";
import { parseWith, parseMcpName, formatOutput, toRecord, pickTexts } from "../../codec/wire.ts";
import { UNMAPPED_TOOLS, TOOLS } from "../tools.ts";
import {
  createCallSchema,
  createCommonSchema,
  createFileSchema,
  createMcpSchema,
  convertReferencePayload,
  createPromptSchema,
  createShellSchema,
  createShellResultSchema,
  createStopSchema,
} from "./wire.ts";

/** Decodes a tool call of preToolUse and postToolUse. */
export function decodeToolCall(tool_name: string, given: unknown): ToolCall {
  const call = decodeTableCall(TOOLS, tool_name, given, `tool_input of ${tool_name}`);
  // Of the edits, only deletions are reported here.
  if (call?.tool === "Edit")
    call.input.files = call.input.files.map(({ file_path }) => ({ file_path, operation: "delete", edits: [] }));
  if (call) return call;
  const input = toRecord(given);
  if (tool_name.startsWith("MCP:"))
    return { tool: "MCP", tool_name, input: { tool: tool_name.slice(4), arguments: input } };
  const mcp = parseMcpName(tool_name);
  return mcp
    ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } }
    : decodeUnlistedCall(tool_name, input, UNMAPPED_TOOLS);
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  if (tool === "Bash" && v.is(createShellResultSchema(), raw)) {
    const {
      output: given,
      stdout = given,
      stderr,
      exitCode: exit_code,
    } = parseWith(createShellResultSchema, raw, "tool_output");
    const printed = [given, stdout, stderr].filter((part) => part !== undefined);
    const text = printed.length > 0 ? [...new Set(printed)].join("") : formatOutput(raw);
    return { text, raw, stdout, stderr, exit_code } as BashOutput;
  }
  const { isError, success } = toRecord(raw);
  const is_error = typeof isError === "boolean" ? isError : typeof success === "boolean" ? !success : undefined;
  return { text: formatOutput(raw), raw, ...(tool === "MCP" && is_error !== undefined && { is_error }) } as MCPOutput;
}

/** Decodes Cursor's specific events: the call that they report, and its result if it has run. */
function decodeSpecificCall(native_event: string, payload: Payload) {
  switch (native_event) {
    case "beforeShellExecution":
    case "afterShellExecution": {
      const { command, cwd, output: given, duration } = parseWith(createShellSchema, payload, native_event);
      const text = formatOutput(given);
      const call: ToolCall = { tool: "Bash", tool_name: "Shell", input: { command, cwd } };
      return { call, output: { text, raw: payload.output, stdout: text }, duration_ms: duration };
    }
    case "beforeMCPExecution":
    case "afterMCPExecution": {
      const {
        tool_name,
        tool_input,
        mcp_server_name: server,
        result_json,
        duration,
      } = parseWith(createMcpSchema, payload, native_event);
      const call: ToolCall = {
        tool: "MCP",
        tool_name: `MCP:${tool_name}`,
        input: { server, tool: tool_name, arguments: toRecord(tool_input) },
      };
      return { call, output: decodeOutput("MCP", result_json), duration_ms: duration };
    }
    case "beforeReadFile":
    case "beforeTabFileRead": {
      const { file_path, content } = parseWith(createFileSchema, payload, native_event);
      const call: ToolCall = {
        tool: "Read",
        tool_name: native_event === "beforeReadFile" ? "Read" : "TabRead",
        input: { file_path, content },
      };
      return { call, output: decodeOutput("Read", undefined), duration_ms: undefined };
    }
    case "afterFileEdit":
    case "afterTabFileEdit": {
      const { file_path, edits } = parseWith(createFileSchema, payload, native_event);
      const tool_name = native_event === "afterFileEdit" ? "Write" : "TabWrite";
      const call: ToolCall = { tool: "Edit", tool_name, input: { files: [{ file_path, operation: "update", edits }] } };
      return { call, output: decodeOutput("Edit", undefined), duration_ms: undefined };
    }
    default: {
      const { tool_name, tool_input, tool_output, duration } = parseWith(createCallSchema, payload, native_event);
      const call = decodeToolCall(tool_name, tool_input);
      return { call, output: decodeOutput(call.tool, tool_output), duration_ms: duration };
    }
  }
}

/** Decodes a payload of Cursor. */
export function decodePayload(given: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const payload = convertReferencePayload(given);
  const {
    conversation_id,
    session_id = conversation_id ?? "",
    cursor_version,
    model,
    transcript_path,
    cwd,
    workspace_roots,
    context,
  } = parseWith(createCommonSchema, payload, native_event);
  const base = {
    native_event,
    host: "cursor",
    host_version: cursor_version,
    session_id,
    cwd: cwd || workspace_roots[0] || context?.workspaceFolder || "",
    transcript_path,
    model,
    _native: given,
  };
  const { event } = row;
  if (isCallEventName(event)) {
    const { call, output, duration_ms } = decodeSpecificCall(native_event, payload);
    const { tool_use_id } = pickTexts(payload, ["tool_use_id"]);
    const result = buildOutcome(event, { output: () => output, error: payload.error_message, duration_ms });
    return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
  }
  if (event === "UserPromptSubmit") {
    const { prompt, attachments, context } = parseWith(createPromptSchema, payload, native_event);
    const paths = [...attachments.map((item) => item.file_path), ...(context?.files ?? []).map((item) => item.path)];
    return { event: { ...base, event, prompt, attachments: paths.filter((path) => path !== undefined) } };
  }
  const { subagent_id: agent_id, subagent_type: agent_type } = pickTexts(payload, ["subagent_id", "subagent_type"]);
  const decoded = decodeSessionEvent(
    event,
    { ...base, ...(agent_id && { agent_id }), ...(agent_type && { agent_type }) },
    payload,
  );
  if (decoded.event.event !== "Stop" && decoded.event.event !== "SubagentStop") return decoded;
  const { loop_count: continuations, summary: last_message } = parseWith(createStopSchema, payload, native_event);
  return { event: { ...decoded.event, last_message }, continuations };
}
