import * as v from "valibot";
import type { Row } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { Decoded, Payload } from "../../../protocol/host/host.ts";
import type { BashOutput, MCPOutput, ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { isCallEvent, sessionEvent } from "../../lifecycle.ts";
import { otherCall } from "../../other.ts";
import { knownCall } from "../../tools.ts";
import { checked, mcpName, outputText, recordOf, texts } from "../../wire.ts";
import { OTHERS, TOOLS } from "../tools.ts";
import { Call, Common, File, MCP, modern, Prompt, Shell, ShellResult, Stop } from "./wire.ts";

/** A tool of preToolUse and postToolUse by unified tool. */
export function toolCall(tool_name: string, given: unknown): ToolCall {
  const call = knownCall(TOOLS, tool_name, given, `tool_input of ${tool_name}`);
  // Of edits only the one that deletes a file is told of here.
  if (call?.tool === "Edit")
    call.input.files = call.input.files.map(({ file_path }) => ({ file_path, operation: "delete", edits: [] }));
  if (call) return call;
  const input = recordOf(given);
  if (tool_name.startsWith("MCP:"))
    return { tool: "MCP", tool_name, input: { tool: tool_name.slice(4), arguments: input } };
  const mcp = mcpName(tool_name);
  return mcp ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } } : otherCall(tool_name, input, OTHERS);
}

function output(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  if (tool === "Bash" && v.is(ShellResult(), raw)) {
    const { output: given, stdout = given, stderr, exitCode: exit_code } = checked(ShellResult, raw, "tool_output");
    const printed = [given, stdout, stderr].filter((part) => part !== undefined);
    const text = printed.length > 0 ? [...new Set(printed)].join("") : outputText(raw);
    return { text, raw, stdout, stderr, exit_code } as BashOutput;
  }
  const { isError, success } = recordOf(raw);
  const is_error = typeof isError === "boolean" ? isError : typeof success === "boolean" ? !success : undefined;
  return { text: outputText(raw), raw, ...(tool === "MCP" && is_error !== undefined && { is_error }) } as MCPOutput;
}

/** Cursor's specific events: the call they are about, and what it gave where it has run. */
function specificCall(native_event: string, payload: Payload) {
  switch (native_event) {
    case "beforeShellExecution":
    case "afterShellExecution": {
      const { command, cwd, output: given, duration } = checked(Shell, payload, native_event);
      const text = outputText(given);
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
      } = checked(MCP, payload, native_event);
      const call: ToolCall = {
        tool: "MCP",
        tool_name: `MCP:${tool_name}`,
        input: { server, tool: tool_name, arguments: recordOf(tool_input) },
      };
      return { call, output: output("MCP", result_json), duration_ms: duration };
    }
    case "beforeReadFile":
    case "beforeTabFileRead": {
      const { file_path, content } = checked(File, payload, native_event);
      const call: ToolCall = {
        tool: "Read",
        tool_name: native_event === "beforeReadFile" ? "Read" : "TabRead",
        input: { file_path, content },
      };
      return { call, output: output("Read", undefined), duration_ms: undefined };
    }
    case "afterFileEdit":
    case "afterTabFileEdit": {
      const { file_path, edits } = checked(File, payload, native_event);
      const tool_name = native_event === "afterFileEdit" ? "Write" : "TabWrite";
      const call: ToolCall = { tool: "Edit", tool_name, input: { files: [{ file_path, operation: "update", edits }] } };
      return { call, output: output("Edit", undefined), duration_ms: undefined };
    }
    default: {
      const { tool_name, tool_input, tool_output, duration } = checked(Call, payload, native_event);
      const call = toolCall(tool_name, tool_input);
      return { call, output: output(call.tool, tool_output), duration_ms: duration };
    }
  }
}

/** A payload of Cursor as a unified event. */
export function decode(given: Payload, native_event: string, row: Row): Decoded {
  const payload = modern(given);
  const {
    conversation_id,
    session_id = conversation_id ?? "",
    cursor_version,
    model,
    transcript_path,
    cwd,
    workspace_roots,
    context,
  } = checked(Common, payload, native_event);
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
  if (isCallEvent(event)) {
    const { call, output, duration_ms } = specificCall(native_event, payload);
    const { tool_use_id } = texts(payload, ["tool_use_id"]);
    const result =
      event === "PostToolUse"
        ? { output, duration_ms }
        : event === "PostToolUseFailure"
          ? { error: outputText(payload.error_message), duration_ms }
          : {};
    return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
  }
  if (event === "UserPromptSubmit") {
    const { prompt, attachments, context } = checked(Prompt, payload, native_event);
    const paths = [...attachments.map((item) => item.file_path), ...(context?.files ?? []).map((item) => item.path)];
    return { event: { ...base, event, prompt, attachments: paths.filter((path) => path !== undefined) } };
  }
  const { subagent_id: agent_id, subagent_type: agent_type } = texts(payload, ["subagent_id", "subagent_type"]);
  const decoded = sessionEvent(
    event,
    { ...base, ...(agent_id && { agent_id }), ...(agent_type && { agent_type }) },
    payload,
  );
  if (decoded.event.event !== "Stop" && decoded.event.event !== "SubagentStop") return decoded;
  const { loop_count: continuations, summary: last_message } = checked(Stop, payload, native_event);
  return { event: { ...decoded.event, last_message }, continuations };
}
