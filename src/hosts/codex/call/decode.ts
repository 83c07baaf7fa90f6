import type { Row } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { Decoded, Payload } from "../../../protocol/host/host.ts";
import type { MCPOutput, ToolCall } from "../../../protocol/tool.ts";
import { isCallEvent, sessionEvent } from "../../lifecycle.ts";
import { otherCall } from "../../other.ts";
import { knownCall } from "../../tools.ts";
import { checked, checkedInput, cwdOf, joined, mcpName, outputText, recordOf, texts } from "../../wire.ts";
import { parsePatch } from "../../../protocol/patch.ts";
import { OTHERS, TOOLS } from "../tools.ts";
import { Call, COMMON, inputs } from "./wire.ts";

/** A tool of Codex by unified tool. */
export function toolCall(tool_name: string, given: unknown): ToolCall {
  const where = `tool_input of ${tool_name}`;
  if (tool_name === "apply_patch") {
    const { command } = checkedInput(inputs.apply_patch, given, where);
    return { tool: "Edit", tool_name, input: { files: parsePatch(command) } };
  }
  const call = knownCall(TOOLS, tool_name, given, where);
  if (call?.tool === "Task") {
    const { items } = checkedInput(inputs.spawn_agent, given, where);
    call.input.prompt = joined(call.input.prompt, outputText(items));
  }
  if (call) return call;
  const input = recordOf(given);
  const mcp = mcpName(tool_name);
  return mcp ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } } : otherCall(tool_name, input, OTHERS);
}

function output(tool: ToolCall["tool"], raw: unknown): MCPOutput {
  const is_error = (raw as Payload | undefined)?.isError;
  return { text: outputText(raw), raw, ...(tool === "MCP" && typeof is_error === "boolean" && { is_error }) };
}

/** A payload of Codex as a unified event. */
export function decode(payload: Payload, native_event: string, row: Row): Decoded {
  const base = {
    native_event,
    host: "codex",
    session_id: "",
    ...texts(payload, COMMON),
    cwd: cwdOf(payload),
    _native: payload,
  };
  const { event } = row;
  if (!isCallEvent(event)) return sessionEvent(event, base, payload);
  const { tool_name, tool_input, tool_use_id } = checked(Call, payload, native_event);
  const call = toolCall(tool_name, tool_input);
  const result = event === "PostToolUse" ? { output: output(call.tool, payload.tool_response) } : {};
  return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
}
