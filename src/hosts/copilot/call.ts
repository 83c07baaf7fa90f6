import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { parsePatch } from "../../protocol/patch.ts";
import type { Decision } from "../../protocol/response.ts";
import type { EditInput, FileChange, ToolCall, ToolOutput } from "../../protocol/tool.ts";
import { patchInput, patchMcpArguments, patchSingleEdit, patchUnlistedCall } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName, readEventBase } from "../codec/session-events.ts";
import { getToolRow } from "../codec/tool-table.ts";
import { decodeUnlistedCall } from "../codec/unlisted-tools.ts";
import {
  createBooleanSchema,
  createNumberSchema,
  createPolicyTextSchema,
  createStringSchema,
  formatOutput,
  parseMcpName,
  parseToolInput,
  pickStringFields,
  readStringField,
  toRecord,
} from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * Maps Copilot CLI's camelCase field names to snake_case, which the CLI and VS Code use in payloads with Claude Code's
 * event names.
 */
const SNAKE_CASE_NAMES: Readonly<Record<string, string>> = {
  sessionId: "session_id",
  transcriptPath: "transcript_path",
  agentId: "agent_id",
  agentType: "agent_type",
  toolName: "tool_name",
  toolArgs: "tool_input",
  toolInput: "tool_input",
  toolResult: "tool_result",
  toolUseId: "tool_use_id",
  stopHookActive: "stop_hook_active",
  notificationType: "notification_type",
  response: "last_assistant_message",
};

/** Maps snake_case field names to camelCase, using the first one if there are several. */
export const CAMEL_FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries(SNAKE_CASE_NAMES)
    .reverse()
    .map(([camel, snake]) => [snake, camel]),
);

/**
 * Converts a payload's field names to snake_case. If a field appears in both spellings, the first one wins, so a later
 * one can't hide it.
 */
export function toSnakeCase(payload: Payload): Payload {
  const converted: Payload = {};
  for (const key in payload) {
    const name = Object.hasOwn(SNAKE_CASE_NAMES, key) ? (SNAKE_CASE_NAMES[key] as string) : key;
    if (!Object.hasOwn(converted, name)) converted[name] = payload[key];
  }
  return converted;
}

/**
 * Fields that identify the event of a camelCase payload, which doesn't contain an event name [seen 1.0.102,
 * 2026-11-21]. The first match applies.
 */
const SHAPES: readonly [key: string, event: string][] = [
  ["notification_type", "notification"],
  ["serverName", "preMcpToolCall"],
  ["toolResult", "postToolUse"],
  ["errorContext", "errorOccurred"],
  ["error", "postToolUseFailure"],
  ["toolName", "preToolUse"],
  ["transformedPrompt", "userPromptTransformed"],
  ["prompt", "userPromptSubmitted"],
  ["source", "sessionStart"],
  ["reason", "sessionEnd"],
  ["response", "subagentStop"],
  ["agentName", "subagentStart"],
  ["stopReason", "agentStop"],
  ["trigger", "preCompact"],
];

/**
 * Returns the event's name. For a camelCase payload, the entry's event takes precedence, because some of these payloads
 * have no event name and others use the other spelling [seen 1.0.102, 2026-11-22: permissionRequest under both keys,
 * Notification under both].
 */
export function getEventName(payload: Payload, hint: string | undefined): string {
  const { hook_event_name, hookEventName, hookName } = payload;
  if (
    hint !== undefined &&
    payload.session_id === undefined &&
    hookEventName === undefined &&
    payload.sessionId !== undefined
  )
    return hint;
  for (const name of [hook_event_name, hookEventName, hookName]) if (typeof name === "string") return name;
  if (hint !== undefined) return hint;
  for (const [key, event] of SHAPES) if (payload[key] !== undefined) return event;
  return "";
}

/** Text fields that can appear on any event. */
const COMMON_FIELDS = ["session_id", "transcript_path", "agent_id", "agent_type"] as const;

/** Lists a tool's unified field names that differ from its native names. */
export function ownNames(tool_name: string): [field: string, native: string][] {
  const [, names = {}] = getToolRow(TOOLS, tool_name);
  const renamedFields: [string, string][] = [];
  for (const field in names) {
    const nativeNames = names[field] ?? [];
    for (const native of typeof nativeNames === "string" ? [nativeNames] : nativeNames)
      if (native !== field) renamedFields.push([field, native]);
  }
  return renamedFields;
}

/** Adds the fields' unified names to an input. */
function unifyInput(tool_name: string, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const allFields: Payload = { ...input };
  for (const [field, native] of ownNames(tool_name))
    if (Object.hasOwn(input, native)) allFields[field] = (input as Payload)[native];
  return allFields;
}

/**
 * Parses a tool's input, which can be an object, a JSON string (older releases) or the text of a patch. Any other value
 * is returned unchanged.
 */
export function parseInput(rawInput: unknown): unknown {
  if (typeof rawInput !== "string") return rawInput;
  try {
    return JSON.parse(rawInput) as unknown;
  } catch {
    return rawInput;
  }
}

/** Schema for a string or a list of strings, which are joined with spaces. */
const createStringOrListSchema = () =>
  v.union([
    v.string(),
    v.pipe(
      v.array(v.string()),
      v.transform((strings) => strings.join(" ")),
    ),
  ]);
/**
 * Schemas for tool inputs that only need their fields renamed. They contain only the fields that policies use, under
 * unified names.
 */
const plainInputs = {
  Bash: () =>
    v.object({ command: v.string(), description: createStringSchema(), run_in_background: createBooleanSchema() }),
  Write: () => v.object({ file_path: v.string(), content: v.nullish(v.string(), "") }),
  WebFetch: () => v.object({ url: createStringOrListSchema(), prompt: createPolicyTextSchema() }),
  WebSearch: () => v.object({ query: v.nullish(v.string(), "") }),
  Task: () =>
    v.object({
      prompt: v.nullish(v.string(), ""),
      description: createStringSchema(),
      agent_type: createPolicyTextSchema(),
    }),
};

/** Schemas for all tool inputs, in unified names. */
export const inputs = {
  ...plainInputs,
  Read: () =>
    v.object({
      file_path: v.string(),
      view_range: v.fallback(v.optional(v.array(v.number())), undefined),
      offset: createNumberSchema(),
      limit: createNumberSchema(),
    }),
  Change: () =>
    v.object({
      file_path: v.string(),
      old_string: createPolicyTextSchema(),
      new_string: createPolicyTextSchema(),
      diff: createPolicyTextSchema(),
    }),
  Patch: () => v.object({ input: v.string() }),
  /**
   * Schemas for the inputs of VS Code's tools [docs
   * https://code.visualstudio.com/docs/agents/reference/hooks-reference; Replacements unverified].
   */
  Files: () => v.object({ files: v.array(v.string()) }),
  Replacements: () => v.object({ replacements: v.array(v.looseObject({})) }),
  Search: () =>
    v.object({
      pattern: createPolicyTextSchema(),
      path: v.nullish(createStringOrListSchema(), () => undefined),
      glob: createPolicyTextSchema(),
    }),
};

/** Schema for the CLI's call results, in both spellings. VS Code sends a string instead. */
const createResultSchema = () =>
  v.union([v.object({ text_result_for_llm: v.string() }), v.object({ textResultForLlm: v.string() })]);

/**
 * Returns a diff's removed lines and its added lines, each joined into one string. Approval payloads contain only a
 * diff.
 */
function parseDiffEdits(diff: string): FileChange["edits"] {
  const lines = (sign: string) =>
    diff
      .split("\n")
      .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  return [{ old_string: lines("-"), new_string: lines("+") }];
}

/** Returns the files that an edit changes. Each edit tool has its own input format. */
function parseEditInput(tool_name: string, input: unknown, location: string): EditInput {
  if (typeof input === "string") return { files: parsePatch(input) };
  const update = (rawChange: unknown, name = tool_name): FileChange => {
    const { file_path, old_string, new_string, diff } = parseToolInput(
      inputs.Change,
      unifyInput(name, rawChange),
      location,
    );
    // An approval payload contains only the diff.
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
        files: parseToolInput(inputs.Replacements, input, location).replacements.map((replacement) =>
          update(replacement, "replace_string_in_file"),
        ),
      };
    case "editFiles":
      return {
        files: parseToolInput(inputs.Files, input, location).files.map((file_path) => ({
          file_path,
          operation: "update",
          edits: [],
        })),
      };
    case "apply_patch":
      // Some calls contain the patch inside an object [unverified].
      return { files: parsePatch(parseToolInput(inputs.Patch, input, location).input) };
    default:
      return { files: [update(input)] };
  }
}

/**
 * Decodes an MCP call. Its tool name joins the names of the server and the tool with a hyphen, although either can
 * contain hyphens. Approval payloads use "/" instead [seen 1.0.102, 2026-11-22].
 */
function decodeMcpCall(tool_name: string, input: Payload): ToolCall {
  const slash = tool_name.indexOf("/");
  const parts =
    slash > 0
      ? { server: tool_name.slice(0, slash), tool: tool_name.slice(slash + 1) }
      : (parseMcpName(tool_name) ?? { tool: tool_name });
  return { tool: "MCP", tool_name, input: { ...parts, arguments: input } };
}

/**
 * Whether a tool belongs to an MCP server. The names of Copilot's built-in tools contain neither a hyphen nor a slash
 * [seen 1.0.102, 2026-11-22]. In VS Code, the names of MCP tools start with "mcp_" [unverified].
 */
const isMcpTool = (tool_name: string) =>
  tool_name.includes("-") || tool_name.includes("/") || tool_name.startsWith("mcp_");

/** Decodes a tool call from Copilot CLI or VS Code. */
export function decodeToolCall(tool_name: string, rawInput: unknown): ToolCall {
  const raw = parseInput(rawInput);
  const [tool = isMcpTool(tool_name) ? "MCP" : "Other"] = getToolRow(TOOLS, tool_name);
  const location = `the input of ${tool_name}`;
  const read = <S extends v.GenericSchema>(schema: () => S) =>
    parseToolInput(schema, unifyInput(tool_name, raw), location);
  if (Object.hasOwn(plainInputs, tool)) {
    const schema: () => v.GenericSchema = plainInputs[tool as keyof typeof plainInputs];
    return { tool, tool_name, input: read(schema) } as ToolCall;
  }
  switch (tool) {
    case "Read": {
      const { file_path, view_range = [], offset, limit } = read(inputs.Read);
      const [start, end] = view_range;
      const lines = start !== undefined && end !== undefined && end >= start ? end - start + 1 : undefined;
      return { tool, tool_name, input: { file_path, offset: offset ?? start, limit: limit ?? lines } };
    }
    case "Edit":
      return { tool, tool_name, input: parseEditInput(tool_name, raw, location) };
    case "Glob": {
      const { pattern = "*", path } = read(inputs.Search);
      return { tool, tool_name, input: { pattern, path } };
    }
    case "Grep": {
      const { pattern = "", path, glob } = read(inputs.Search);
      return { tool, tool_name, input: { pattern, path, glob } };
    }
    case "MCP":
      return decodeMcpCall(tool_name, toRecord(raw));
    default:
      return decodeUnlistedCall(tool_name, toRecord(raw), UNMAPPED_TOOLS);
  }
}

function decodeOutput(raw: unknown): ToolOutput {
  if (!v.is(createResultSchema(), raw)) return { text: formatOutput(raw), raw };
  return { text: "text_result_for_llm" in raw ? raw.text_result_for_llm : raw.textResultForLlm, raw };
}

export function decodePayload(rawPayload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const payload = toSnakeCase(rawPayload);
  const base = { ...readEventBase("copilot", native_event, payload, COMMON_FIELDS), _native: rawPayload };
  const { event } = row;
  if (isCallEventName(event)) {
    const tool_name = readStringField(payload, "tool_name", native_event);
    const { tool_use_id } = pickStringFields(payload, ["tool_use_id"]);
    const call = decodeToolCall(tool_name, payload.tool_input);
    const output = () => decodeOutput(payload.tool_result ?? payload.tool_response);
    return buildCallEvent(event, base, { tool_use_id, ...call }, { output, error: payload.error });
  }
  // Copilot reports this stop again, as a subagent event [seen 1.0.102, 2026-11-22].
  if (event === "Stop" && payload.agent_id !== undefined) return { event: { ...base, event: "Native" } };
  return decodeSessionEvent(event, base, payload);
}

/**
 * Returns the whole input with the patch applied, because Copilot replaces the original input [seen 1.0.102,
 * 2026-11-22].
 */
export function rewriteInput(event: CallEvent, patch: Payload, decision: Decision | undefined): RewriteResult {
  if (decision === "ask")
    return { unsupported: "Copilot has not been observed to ask about a changed call; deny or allow it instead" };
  const originalInput = parseInput(toSnakeCase(event._native).tool_input);
  if (typeof originalInput === "string")
    return {
      unsupported: "Copilot doesn't accept modified patches from hooks; deny the call, and explain what to do instead",
    };
  const input = toRecord(originalInput);
  if (event.tool === "MCP") return patchMcpArguments(patch);
  if (getToolRow(TOOLS, event.tool_name).length === 0) return patchUnlistedCall(event, input, patch);
  // A call can contain a field under either its unified or its native name.
  const names = Object.fromEntries(ownNames(event.tool_name).filter(([, native]) => Object.hasOwn(input, native)));
  return event.tool === "Edit"
    ? patchSingleEdit(input, patch, names, "this edit makes one change in one file; return one such change, or deny")
    : patchInput(input, patch, names);
}
