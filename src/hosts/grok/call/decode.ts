import type { CapabilityRow } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { DecodedPayload, Payload } from "../../../protocol/host/host.ts";
import type { ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { buildOutcome, decodeSessionEvent, isCallEventName } from "../../codec/session-events.ts";
import { decodeUnlistedCall } from "../../codec/unlisted-tools.ts";
import { decodeTableCall, getToolRow } from "../../codec/tool-table.ts";
import { parseWith, parseMcpName, formatOutput, pickTexts } from "../../codec/wire.ts";
import { UNMAPPED_TOOLS, TOOLS } from "../tools.ts";
import { createCallSchema, COMMON_FIELDS, toSnakeCase, textsIn } from "./wire.ts";
import { isObject } from "../../../protocol/object.ts";

/** Decodes a tool call of Grok Build. */
export function decodeToolCall(tool_name: string, input: Payload): ToolCall {
  const where = `toolInput of ${tool_name}`;
  switch (getToolRow(TOOLS, tool_name)[0]) {
    case "Edit":
      return edited(tool_name, input, where);
    case "Read":
      // It is unknown which of several paths the tool reads.
      return pathsOf(input, where).length > 1
        ? { tool: "Other", tool_name, input }
        : (decodeTableCall(TOOLS, tool_name, input, where) as ToolCall);
    case "Write": {
      const [file_path, ...others] = pathsOf(input, where);
      const content = textsIn(input, "content").join("\n");
      return others.length > 0
        ? edited(tool_name, input, where)
        : { tool: "Write", tool_name, input: { file_path, content } };
    }
  }
  const known = decodeTableCall(TOOLS, tool_name, input, where);
  if (known) return known;
  // `<server>__<tool>` of an MCP server [shipped 1.0.41, read and not run].
  const mcp = parseMcpName(tool_name.startsWith("mcp__") ? tool_name : `mcp__${tool_name}`);
  return mcp
    ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } }
    : decodeUnlistedCall(tool_name, input, UNMAPPED_TOOLS);
}

function pathsOf(input: Payload, where: string): [string, ...string[]] {
  const [first, ...others] = textsIn(input, "path");
  if (first === undefined) throw new Error(`${where}: file_path is missing`);
  return [first, ...others];
}

/** An edit with an empty old text creates the file. */
function edited(tool_name: string, input: Payload, where: string): ToolCall {
  const old_string = textsIn(input, "old").join("\n");
  const new_string = [...textsIn(input, "new"), ...textsIn(input, "content")].join("\n");
  const operation = tool_name === "search_replace" && old_string === "" ? "add" : "update";
  const files = pathsOf(input, where).map(
    (file_path) => ({ file_path, operation, edits: [{ old_string, new_string }] }) as const,
  );
  return { tool: "Edit", tool_name, input: { files: [...files].map((file) => ({ ...file, edits: [...file.edits] })) } };
}

/**
 * Returns a tool's input.
 * @throws Error when the input was truncated: what the call does is unknown.
 */
function inputOf({ tool_input }: Payload, truncated: boolean | undefined, where: string): Payload {
  if (truncated || !isObject(tool_input))
    throw new Error(`${where}: Grok Build cut its input or sent none, so it can't be judged; split the call up`);
  return tool_input;
}

/**
 * Decodes a call's result: for Grok Build's own tools an object that contains the model's text
 * [shipped 1.0.41, read and not run].
 */
function decodeOutput(raw: unknown): ToolOutput {
  const text = isObject(raw) ? raw.output_for_prompt : undefined;
  return { text: typeof text === "string" ? text : formatOutput(raw), raw };
}

/** Decodes a payload of Grok Build. */
export function decodePayload(given: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const payload = toSnakeCase(given);
  const base = {
    native_event,
    host: "grok",
    session_id: "",
    cwd: "",
    ...pickTexts(payload, COMMON_FIELDS),
    _native: given,
  };
  const { event } = row;
  if (!isCallEventName(event)) {
    // Reported again when the session ends and can't be continued [shipped 1.0.41, read and not run].
    const isOver = event === "Stop" && typeof payload.reason === "string" && payload.reason !== "end_turn";
    return isOver ? { event: { ...base, event: "Native" } } : decodeSessionEvent(event, base, payload);
  }
  const {
    tool_name,
    tool_use_id,
    duration_ms,
    error = "",
    tool_input_truncated,
  } = parseWith(createCallSchema, payload, native_event);
  const call = decodeToolCall(tool_name, inputOf(payload, tool_input_truncated, tool_name));
  const result = buildOutcome(event, { output: () => decodeOutput(payload.tool_response), error, duration_ms });
  return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
}
