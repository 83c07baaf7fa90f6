import * as v from "valibot";
import type { Row } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { Decoded, Payload } from "../../../protocol/host/host.ts";
import type { EditInput, ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { isCallEvent, sessionEvent } from "../../lifecycle.ts";
import { otherCall } from "../../other.ts";
import { knownCall } from "../../tools.ts";
import { checked, checkedInput, cwdOf, mcpName, outputText, recordOf, texts } from "../../wire.ts";
import { OTHERS, TOOLS } from "../tools.ts";
import { BashResult, Call, COMMON, inputs, ReadResult } from "./wire.ts";

/** Edit and its older form: each form of an edit counts, whichever the tool reads. */
function editOf(given: unknown, where: string): EditInput {
  const { file_path, old_string, new_string, edits } = checkedInput(inputs.Edit, given, where);
  const isOne = old_string !== undefined || new_string !== undefined || edits.length === 0;
  const one = isOne ? [{ old_string: old_string ?? "", new_string: new_string ?? "" }] : [];
  return { files: [{ file_path, operation: "update", edits: [...edits, ...one] }] };
}

/** A tool of Claude Code by unified tool. */
export function toolCall(tool_name: string, given: unknown, server?: string): ToolCall {
  const where = `tool_input of ${tool_name}`;
  if (tool_name === "Edit" || tool_name === "MultiEdit")
    return { tool: "Edit", tool_name, input: editOf(given, where) };
  const call = knownCall(TOOLS, tool_name, given, where);
  if (call) return call;
  const input = recordOf(given);
  const mcp = mcpName(tool_name, server);
  return mcp ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } } : otherCall(tool_name, input, OTHERS);
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
  const base = {
    native_event,
    host: "claude",
    session_id: "",
    ...texts(payload, COMMON),
    cwd: cwdOf(payload),
    _native: payload,
  };
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
