import * as v from "valibot";
import type { CapabilityRow } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { DecodedPayload, Payload } from "../../../protocol/host/host.ts";
import type { EditInput, FileChange, ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { buildOutcome, decodeSessionEvent, isCallEventName, readEventBase } from "../../codec/session-events.ts";
import { decodeUnlistedCall } from "../../codec/unlisted-tools.ts";
import { parsePatch } from "../../../protocol/patch.ts";
import { getToolRow } from "../../codec/tool-table.ts";
import { parseToolInput, readText, parseMcpName, formatOutput, toRecord, pickTexts } from "../../codec/wire.ts";
import { UNMAPPED_TOOLS, TOOLS } from "../tools.ts";
import { COMMON_FIELDS, parseInput, inputs, createResultSchema, toSnakeCase, unifyInput } from "./wire.ts";

/** Returns the lines that a diff removes and adds, each as one text; approvals have nothing else. */
function parseDiffEdits(diff: string): FileChange["edits"] {
  const lines = (sign: string) =>
    diff
      .split("\n")
      .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  return [{ old_string: lines("-"), new_string: lines("+") }];
}

/** Returns the files that an edit changes; each tool has its own format. */
function parseEditInput(tool_name: string, input: unknown, where: string): EditInput {
  if (typeof input === "string") return { files: parsePatch(input) };
  const update = (given: unknown, name = tool_name): FileChange => {
    const { file_path, old_string, new_string, diff } = parseToolInput(inputs.Change, unifyInput(name, given), where);
    // An approval only has the diff.
    if (diff !== undefined && old_string === undefined && new_string === undefined)
      return {
        file_path,
        operation: diff.includes("\n--- a/dev/null\n") ? "add" : "update",
        edits: parseDiffEdits(diff),
      };
    return { file_path, operation: "update", edits: [{ old_string: old_string ?? "", new_string: new_string ?? "" }] };
  };
  switch (tool_name) {
    case "multi_replace_string_in_file":
      return {
        files: parseToolInput(inputs.Replacements, input, where).replacements.map((one) =>
          update(one, "replace_string_in_file"),
        ),
      };
    case "editFiles":
      return {
        files: parseToolInput(inputs.Files, input, where).files.map((file_path) => ({
          file_path,
          operation: "update",
          edits: [],
        })),
      };
    case "apply_patch":
      // A patch inside an object [unverified].
      return { files: parsePatch(parseToolInput(inputs.Patch, input, where).input) };
    default:
      return { files: [update(input)] };
  }
}

/**
 * Server and tool are joined by a hyphen, which either name may contain; an approval has "/" there
 * [seen 1.0.102, 2026-11-22].
 */
function decodeMcpCall(tool_name: string, input: Payload): ToolCall {
  const slash = tool_name.indexOf("/");
  const named =
    slash > 0
      ? { server: tool_name.slice(0, slash), tool: tool_name.slice(slash + 1) }
      : (parseMcpName(tool_name) ?? { tool: tool_name });
  return { tool: "MCP", tool_name, input: { ...named, arguments: input } };
}

/**
 * Copilot's own tools have no hyphen or slash in their names [seen 1.0.102, 2026-11-22]; VS Code's servers begin with
 * "mcp_" [unverified].
 */
const isMcpTool = (tool_name: string) =>
  tool_name.includes("-") || tool_name.includes("/") || tool_name.startsWith("mcp_");

/** Decodes a tool call of Copilot CLI or VS Code. */
export function decodeToolCall(tool_name: string, given: unknown): ToolCall {
  const raw = parseInput(given);
  const [tool = isMcpTool(tool_name) ? "MCP" : "Other"] = getToolRow(TOOLS, tool_name);
  const where = `the input of ${tool_name}`;
  const read = <S extends v.GenericSchema>(schema: () => S) =>
    parseToolInput(schema, unifyInput(tool_name, raw), where);
  switch (tool) {
    case "Bash":
      return { tool, tool_name, input: read(inputs.Bash) };
    case "Read": {
      const { file_path, view_range = [], offset, limit } = read(inputs.Read);
      const [from, to] = view_range;
      const lines = from !== undefined && to !== undefined && to >= from ? to - from + 1 : undefined;
      return { tool, tool_name, input: { file_path, offset: offset ?? from, limit: limit ?? lines } };
    }
    case "Write":
      return { tool, tool_name, input: read(inputs.Write) };
    case "Edit":
      return { tool, tool_name, input: parseEditInput(tool_name, raw, where) };
    case "Glob": {
      const { pattern = "*", path } = read(inputs.Search);
      return { tool, tool_name, input: { pattern, path } };
    }
    case "Grep": {
      const { pattern = "", path, glob } = read(inputs.Search);
      return { tool, tool_name, input: { pattern, path, glob } };
    }
    case "WebFetch":
      return { tool, tool_name, input: read(inputs.WebFetch) };
    case "WebSearch":
      return { tool, tool_name, input: read(inputs.WebSearch) };
    case "Task":
      return { tool, tool_name, input: read(inputs.Task) };
    case "MCP":
      return decodeMcpCall(tool_name, toRecord(raw));
    case "Other":
      return decodeUnlistedCall(tool_name, toRecord(raw), UNMAPPED_TOOLS);
  }
}

function decodeOutput(raw: unknown): ToolOutput {
  if (!v.is(createResultSchema(), raw)) return { text: formatOutput(raw), raw };
  return { text: "text_result_for_llm" in raw ? raw.text_result_for_llm : raw.textResultForLlm, raw };
}

/** Decodes a payload of Copilot. */
export function decodePayload(given: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const payload = toSnakeCase(given);
  const base = { ...readEventBase("copilot", native_event, payload, COMMON_FIELDS), _native: given };
  const { event } = row;
  if (isCallEventName(event)) {
    const tool_name = readText(payload, "tool_name", native_event);
    const { tool_use_id } = pickTexts(payload, ["tool_use_id"]);
    const call = decodeToolCall(tool_name, payload.tool_input);
    const output = () => decodeOutput(payload.tool_result ?? payload.tool_response);
    const result = buildOutcome(event, { output, error: payload.error });
    return { event: { ...base, event, tool_use_id, ...call, ...result } as AnyEvent };
  }
  // Reported again as the subagent's own stop [seen 1.0.102, 2026-11-22].
  if (event === "Stop" && payload.agent_id !== undefined) return { event: { ...base, event: "Native" } };
  return decodeSessionEvent(event, base, payload);
}
