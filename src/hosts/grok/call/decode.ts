import type * as v from "valibot";
import type { CapabilityRow } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { DecodedPayload, Payload } from "../../../protocol/host/host.ts";
import type { ToolCall } from "../../../protocol/tool.ts";
import { isCallEventName, decodeSessionEvent } from "../../lifecycle.ts";
import { decodeUnlistedCall } from "../../other.ts";
import { parseWith, joinUnique, parseMcpName, requireOneValue, formatOutput, pickTexts } from "../../wire.ts";
import { Call, COMMON, fieldsIn, inputs, OTHERS, snaked, textsIn } from "./wire.ts";
import { isObject } from "../../../protocol/object.ts";

/** Grok Build's tools by unified tool; of a field that several names may have, each of them counts. */
export function toolCall(tool_name: string, input: Payload): ToolCall {
  const where = `toolInput of ${tool_name}`;
  const read = <S extends v.GenericSchema>(schema: () => S) => parseWith(schema, input, where);
  switch (tool_name) {
    case "run_terminal_command":
    // Its older name.
    case "run_terminal_cmd": {
      const { command, description, background: run_in_background } = read(inputs.Shell);
      return { tool: "Bash", tool_name, input: { command, description, run_in_background } };
    }
    case "read_file": {
      const [file_path, ...others] = pathsOf(input, where);
      return others.length > 0
        ? { tool: "Other", tool_name, input }
        : { tool: "Read", tool_name, input: { file_path } };
    }
    case "search_replace":
    case "edit_file":
      return edited(tool_name, input, where);
    case "write":
    case "write_file":
    case "create_file": {
      const [file_path, ...others] = pathsOf(input, where);
      const content = textsIn(input, "content").join("\n");
      return others.length > 0
        ? edited(tool_name, input, where)
        : { tool: "Write", tool_name, input: { file_path, content } };
    }
    case "grep": {
      const pattern = requireOneValue(fieldsIn(input, "pattern"), where) ?? "";
      const path = requireOneValue(fieldsIn(input, "folder"), where);
      return { tool: "Grep", tool_name, input: { pattern, path } };
    }
    case "list_dir":
      return {
        tool: "Glob",
        tool_name,
        input: { pattern: "*", path: requireOneValue(fieldsIn(input, "folder"), where) },
      };
    case "web_fetch":
      return { tool: "WebFetch", tool_name, input: read(inputs.Fetch) };
    case "web_search":
      return { tool: "WebSearch", tool_name, input: read(inputs.Search) };
    case "spawn_subagent": {
      const { prompt, task, description, subagent_type: agent_type } = read(inputs.Subagent);
      return { tool: "Task", tool_name, input: { prompt: joinUnique(prompt, task), description, agent_type } };
    }
    default: {
      // `<server>__<tool>` of an MCP server [unverified].
      const mcp = parseMcpName(tool_name.startsWith("mcp__") ? tool_name : `mcp__${tool_name}`);
      return mcp
        ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } }
        : decodeUnlistedCall(tool_name, input, OTHERS);
    }
  }
}

function pathsOf(input: Payload, where: string): [string, ...string[]] {
  const [first, ...others] = textsIn(input, "path");
  if (first === undefined) throw new Error(`${where}: file_path is missing`);
  return [first, ...others];
}

/** An edit with nothing to replace makes the file. */
function edited(tool_name: string, input: Payload, where: string): ToolCall {
  const old_string = textsIn(input, "old").join("\n");
  const new_string = [...textsIn(input, "new"), ...textsIn(input, "content")].join("\n");
  const operation = tool_name === "search_replace" && old_string === "" ? "add" : "update";
  const files = pathsOf(input, where).map(
    (file_path) => ({ file_path, operation, edits: [{ old_string, new_string }] }) as const,
  );
  return { tool: "Edit", tool_name, input: { files: [...files].map((file) => ({ ...file, edits: [...file.edits] })) } };
}

/** A tool's input. @throws Error where it was cut: nobody can say what the call does. */
function inputOf({ tool_input }: Payload, truncated: boolean | undefined, where: string): Payload {
  if (truncated || !isObject(tool_input))
    throw new Error(`${where}: Grok Build cut its input or sent none, so it can't be judged; split the call up`);
  return tool_input;
}

/** A payload of Grok Build as a unified event. */
export function decode(given: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const payload = snaked(given);
  const base = { native_event, host: "grok", session_id: "", cwd: "", ...pickTexts(payload, COMMON), _native: given };
  const { event } = row;
  if (!isCallEventName(event)) {
    // Told once more when the session ends, when there is nothing left to go on with [unverified].
    const isOver = event === "Stop" && typeof payload.reason === "string" && payload.reason !== "end_turn";
    return isOver ? { event: { ...base, event: "Native" } } : decodeSessionEvent(event, base, payload);
  }
  const {
    tool_name,
    tool_use_id,
    duration_ms,
    error = "",
    tool_input_truncated,
  } = parseWith(Call, payload, native_event);
  const call = toolCall(tool_name, inputOf(payload, tool_input_truncated, tool_name));
  const raw = payload.tool_response;
  const result =
    event === "PostToolUse"
      ? { output: { text: formatOutput(raw), raw }, duration_ms }
      : event === "PostToolUseFailure"
        ? { error, duration_ms }
        : {};
  return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
}
