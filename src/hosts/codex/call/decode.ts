import type * as v from "valibot";
import type { Row } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { Decoded, Payload } from "../../../protocol/host/host.ts";
import type { MCPOutput, ToolCall } from "../../../protocol/tool.ts";
import { isCallEvent, sessionEvent } from "../../lifecycle.ts";
import { otherCall } from "../../other.ts";
import { checked, checkedInput, cwdOf, joined, mcpName, outputText, recordOf, texts } from "../../wire.ts";
import { parsePatch } from "../../patch.ts";
import { Call, COMMON, inputs, OTHERS } from "./wire.ts";

/** Codex's tools by unified tool. A patch that is fed to `apply_patch` through the shell arrives as Bash. */
export function toolCall(tool_name: string, given: unknown): ToolCall {
  const read = <S extends v.GenericSchema>(schema: () => S) => checkedInput(schema, given, `tool_input of ${tool_name}`);
  switch (tool_name) {
    case "Bash":
      return { tool: "Bash", tool_name, input: read(inputs.Bash) };
    case "apply_patch":
      return { tool: "Edit", tool_name, input: { files: parsePatch(read(inputs.apply_patch).command) } };
    case "view_image":
      return { tool: "Read", tool_name, input: { file_path: read(inputs.view_image).path } };
    case "spawn_agent": {
      const { message, items, agent_type } = read(inputs.spawn_agent);
      return { tool: "Task", tool_name, input: { prompt: joined(message, outputText(items)), agent_type } };
    }
    default: {
      const input = recordOf(given);
      const mcp = mcpName(tool_name);
      return mcp ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } } : otherCall(tool_name, input, OTHERS);
    }
  }
}

function output(tool: ToolCall["tool"], raw: unknown): MCPOutput {
  const is_error = (raw as Payload | undefined)?.isError;
  return { text: outputText(raw), raw, ...(tool === "MCP" && typeof is_error === "boolean" && { is_error }) };
}

/** A payload of Codex as a unified event. */
export function decode(payload: Payload, native_event: string, row: Row): Decoded {
  const base = { native_event, host: "codex", session_id: "", ...texts(payload, COMMON), cwd: cwdOf(payload), _native: payload };
  const { event } = row;
  if (!isCallEvent(event)) return sessionEvent(event, base, payload);
  const { tool_name, tool_input, tool_use_id } = checked(Call, payload, native_event);
  const call = toolCall(tool_name, tool_input);
  const result = event === "PostToolUse" ? { output: output(call.tool, payload.tool_response) } : {};
  return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
}
