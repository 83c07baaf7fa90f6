import * as v from "valibot";
import type { Row } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { Decoded, Payload } from "../../../protocol/host/host.ts";
import type { ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { isCallEvent, sessionEvent } from "../../lifecycle.ts";
import { otherCall } from "../../other.ts";
import { checked, checkedInput, cwdOf, mcpName, outputText, recordOf, texts } from "../../wire.ts";
import { BashResult, Call, COMMON, inputs, OTHERS, ReadResult } from "./wire.ts";

/** Claude Code's tools by unified tool. `Task` is `Agent` before 2.1.330, `MultiEdit` and `NotebookRead` are older still. */
export function toolCall(tool_name: string, given: unknown, server?: string): ToolCall {
  const read = <S extends v.GenericSchema>(schema: () => S) => checkedInput(schema, given, `tool_input of ${tool_name}`);
  switch (tool_name) {
    case "Bash":
    case "PowerShell": {
      const { timeout: timeout_ms, ...rest } = read(inputs.Bash);
      return { tool: "Bash", tool_name, input: { ...rest, timeout_ms } };
    }
    case "Read":
      return { tool: "Read", tool_name, input: read(inputs.Read) };
    case "NotebookRead":
      return { tool: "Read", tool_name, input: { file_path: read(inputs.NotebookRead).notebook_path } };
    case "Write":
      return { tool: "Write", tool_name, input: read(inputs.Write) };
    case "Edit":
    case "MultiEdit": {
      // Each form of an edit counts, whichever the tool reads.
      const { file_path, old_string, new_string, edits } = read(inputs.Edit);
      const isOne = old_string !== undefined || new_string !== undefined || edits.length === 0;
      const one = isOne ? [{ old_string: old_string ?? "", new_string: new_string ?? "" }] : [];
      return { tool: "Edit", tool_name, input: { files: [{ file_path, operation: "update", edits: [...edits, ...one] }] } };
    }
    case "NotebookEdit": {
      const { notebook_path: file_path, new_source: new_string = "" } = read(inputs.NotebookEdit);
      return { tool: "Edit", tool_name, input: { files: [{ file_path, operation: "update", edits: [{ old_string: "", new_string }] }] } };
    }
    case "Glob":
      return { tool: "Glob", tool_name, input: read(inputs.Glob) };
    case "Grep":
      return { tool: "Grep", tool_name, input: read(inputs.Grep) };
    case "WebFetch":
      return { tool: "WebFetch", tool_name, input: read(inputs.WebFetch) };
    case "WebSearch":
      return { tool: "WebSearch", tool_name, input: read(inputs.WebSearch) };
    case "Agent":
    case "Task": {
      const { prompt = "", description, subagent_type: agent_type } = read(inputs.Agent);
      return { tool: "Task", tool_name, input: { prompt, description, agent_type } };
    }
    default: {
      const input = recordOf(given);
      const mcp = mcpName(tool_name, server);
      return mcp ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } } : otherCall(tool_name, input, OTHERS);
    }
  }
}

export function output(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  if (tool === "Bash" && v.is(BashResult(), raw)) {
    const { stdout, stderr = "" } = raw;
    return { text: stdout + stderr, raw, stdout, stderr } as ToolOutput;
  }
  if (tool === "Read" && v.is(ReadResult(), raw)) return { text: raw.file.content, raw };
  return { text: outputText(raw), raw };
}

/** A payload of Claude Code as a unified event. */
export function decode(payload: Payload, native_event: string, row: Row): Decoded {
  const base = { native_event, host: "claude", session_id: "", ...texts(payload, COMMON), cwd: cwdOf(payload), _native: payload };
  const { event } = row;
  if (!isCallEvent(event)) {
    const { task_id, teammate_name } = texts(payload, ["task_id", "teammate_name"]);
    return { ...sessionEvent(event, base, payload), subject: task_id ?? teammate_name };
  }
  const { tool_name, tool_input, tool_use_id, mcp_server, duration_ms } = checked(Call, payload, native_event);
  const call = toolCall(tool_name, tool_input, mcp_server?.name);
  const result =
    event === "PostToolUse"
      ? { output: output(call.tool, payload.tool_response), duration_ms }
      : event === "PostToolUseFailure"
        ? { error: outputText(payload.error), duration_ms }
        : {};
  return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
}
