import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import { type AnyEvent, type CallEvent, isToolCallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, ReplaceResult, RewriteResult } from "../../protocol/host/host.ts";
import type { BashOutput, MCPOutput, ToolCall, ToolOutput } from "../../protocol/tool.ts";
import { getPatchableFields, mergeMcpArguments, patchInput } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName } from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import {
  createNumberSchema,
  createPolicyTextSchema,
  createStringSchema,
  formatOutput,
  parseMcpName,
  parseWith,
  pickStringFields,
  toRecord,
} from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * Fields that all events have [seen @cursor/sdk 1.0.32, 2026-11-21]. Payloads in the unofficial format, which lack
 * event names, have none of them.
 */
const createCommonSchema = () =>
  v.object({
    conversation_id: createStringSchema(),
    session_id: createStringSchema(),
    cursor_version: createStringSchema(),
    model: createStringSchema(),
    transcript_path: createStringSchema(),
    cwd: createPolicyTextSchema(),
    workspace_roots: v.nullish(v.array(v.string()), () => []),
    context: v.fallback(v.optional(v.looseObject({ workspaceFolder: createStringSchema() })), undefined),
  });

/** Parses JSON that Cursor sends as a string; returns the string unchanged if it isn't valid JSON. */
const createEmbeddedJsonSchema = () =>
  v.pipe(
    v.unknown(),
    v.transform((value) => {
      if (typeof value !== "string") return value;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        return value;
      }
    }),
  );
const createOptionalJsonSchema = () => v.optional(createEmbeddedJsonSchema());
/** Schema for a tool's input, which can be a JSON string. */
const createInputSchema = createOptionalJsonSchema;

const createCallSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_input: createInputSchema(),
    tool_output: createOptionalJsonSchema(),
    duration: createNumberSchema(),
  });

const createShellSchema = () =>
  v.object({
    command: v.string(),
    cwd: createPolicyTextSchema(),
    output: v.optional(v.unknown()),
    duration: createNumberSchema(),
  });

const createMcpSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_input: createInputSchema(),
    mcp_server_name: createPolicyTextSchema(),
    result_json: createOptionalJsonSchema(),
    duration: createNumberSchema(),
  });

const createFileSchema = () =>
  v.object({
    file_path: v.string(),
    content: createPolicyTextSchema(),
    edits: v.nullish(v.array(v.object({ old_string: v.string(), new_string: v.string() })), () => []),
  });

const createPromptSchema = () =>
  v.object({
    prompt: v.string(),
    attachments: v.nullish(v.array(v.looseObject({ file_path: createPolicyTextSchema() })), () => []),
    context: v.nullish(
      v.looseObject({ files: v.nullish(v.array(v.looseObject({ path: createPolicyTextSchema() })), () => []) }),
    ),
  });

const createStopSchema = () => v.object({ loop_count: createNumberSchema(), summary: createStringSchema() });

/**
 * Schema for a shell result, with `output` [seen @cursor/sdk 1.0.32, 2026-11-21] or with `stdout` and optional `stderr`
 * [docs https://cursor.com/docs/hooks.md].
 */
const createShellResultSchema = () =>
  v.object({
    output: createStringSchema(),
    stdout: createStringSchema(),
    stderr: createStringSchema(),
    exitCode: createNumberSchema(),
  });

/**
 * Required fields of each event, according to an unofficial reference in which payloads have no event names and use
 * different fields [no release is known to send that]. The first match applies.
 */
const SHAPES: readonly [event: string, keys: readonly string[]][] = [
  ["beforeMCPExecution", ["tool", "params"]],
  ["afterMCPExecution", ["tool", "result"]],
  ["afterFileEdit", ["file", "changes"]],
  ["afterAgentResponse", ["response"]],
  ["stop", ["total_turns"]],
  ["beforeSubmitPrompt", ["prompt"]],
  ["stop", ["reason"]],
];

/** Returns the event of a payload in the unofficial format. */
export function findEventByFields(payload: Payload): string | undefined {
  return SHAPES.find(([, keys]) => keys.every((key) => key in payload))?.[0];
}

/** Converts a payload in the unofficial format to Cursor's field names. Its results are not JSON strings. */
function convertReferencePayload(payload: Payload): Payload {
  if (payload.hook_event_name !== undefined) return payload;
  const { tool, params, result, file, changes, response, duration_ms, ...otherFields } = payload;
  const commonFields = {
    tool_name: tool,
    tool_input: params,
    result_json: typeof result === "string" ? JSON.stringify(result) : result,
    file_path: file,
    text: response,
    duration: duration_ms,
  };
  return {
    ...otherFields,
    ...Object.fromEntries(Object.entries(commonFields).filter(([, value]) => value !== undefined)),
  };
}

/** Decodes a tool call from preToolUse or postToolUse. */
export function decodeToolCall(tool_name: string, rawInput: unknown): ToolCall {
  const call = decodeTableCall(TOOLS, tool_name, rawInput, `tool_input of ${tool_name}`);
  // The only edits that these events report are deletions.
  if (call?.tool === "Edit")
    call.input.files = call.input.files.map(({ file_path }) => ({ file_path, operation: "delete", edits: [] }));
  if (call) return call;
  const mcp = tool_name.startsWith("MCP:") ? { tool: tool_name.slice(4) } : parseMcpName(tool_name);
  return decodeOtherCall(tool_name, rawInput, mcp, UNMAPPED_TOOLS);
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  if (tool === "Bash" && v.is(createShellResultSchema(), raw)) {
    const {
      output,
      stdout = output,
      stderr,
      exitCode: exit_code,
    } = parseWith(createShellResultSchema, raw, "tool_output");
    const outputs = [output, stdout, stderr].filter((part) => part !== undefined);
    const text = outputs.length > 0 ? [...new Set(outputs)].join("") : formatOutput(raw);
    return { text, raw, stdout, stderr, exit_code } as BashOutput;
  }
  const { isError, success } = toRecord(raw);
  const is_error = typeof isError === "boolean" ? isError : typeof success === "boolean" ? !success : undefined;
  return { text: formatOutput(raw), raw, ...(tool === "MCP" && is_error !== undefined && { is_error }) } as MCPOutput;
}

/** Decodes the call in a shell, MCP or file event, along with its result if it has already run. */
function decodeSpecificCall(native_event: string, payload: Payload) {
  switch (native_event) {
    case "beforeShellExecution":
    case "afterShellExecution": {
      const { command, cwd, output, duration } = parseWith(createShellSchema, payload, native_event);
      const text = formatOutput(output);
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

export function decodePayload(rawPayload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const payload = convertReferencePayload(rawPayload);
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
    _native: rawPayload,
  };
  const { event } = row;
  if (isCallEventName(event)) {
    const { call, output, duration_ms } = decodeSpecificCall(native_event, payload);
    const { tool_use_id } = pickStringFields(payload, ["tool_use_id"]);
    const outcome = { output: () => output, error: payload.error_message, duration_ms };
    return buildCallEvent(event, base, { tool_use_id, ...call }, outcome);
  }
  if (event === "UserPromptSubmit") {
    const { prompt, attachments, context } = parseWith(createPromptSchema, payload, native_event);
    const paths = [...attachments.map((item) => item.file_path), ...(context?.files ?? []).map((item) => item.path)];
    return { event: { ...base, event, prompt, attachments: paths.filter((path) => path !== undefined) } };
  }
  const { subagent_id: agent_id, subagent_type: agent_type } = pickStringFields(payload, [
    "subagent_id",
    "subagent_type",
  ]);
  const decoded = decodeSessionEvent(
    event,
    { ...base, ...(agent_id && { agent_id }), ...(agent_type && { agent_type }) },
    payload,
  );
  if (decoded.event.event !== "Stop" && decoded.event.event !== "SubagentStop") return decoded;
  const { loop_count: continuations, summary: last_message } = parseWith(createStopSchema, payload, native_event);
  return { event: { ...decoded.event, last_message }, continuations };
}

/**
 * Converts a modified MCP result to an object, as Cursor's documentation requires. An object that contains a list of
 * blocks is treated as an MCP result [seen @cursor/sdk 1.0.32, 2026-11-21].
 */
export function replaceOutput(event: AnyEvent, output: string | Payload): ReplaceResult {
  if (isToolCallEvent(event) && event.tool === "MCP")
    return { output: typeof output === "string" ? { content: [{ type: "text", text: output }] } : output };
  return {
    unsupported:
      "Cursor replaces only the results of MCP tools; deny the call in a PreToolUse hook, or rewrite it to return less",
  };
}

/** Apply the patch only if Cursor honors every changed key; otherwise the original call would run. */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const input = toRecord(parseWith(createInputSchema, event._native.tool_input, "tool_input"));
  // Cursor merges new arguments into the old ones [seen @cursor/sdk 1.0.32, 2026-11-21].
  if (event.tool === "MCP")
    return mergeMcpArguments(
      event.input.arguments,
      patch,
      (keptField) => `Cursor keeps the argument "${keptField}" even if a hook removes it; deny instead`,
    );
  const names = (event.guessed ? undefined : getPatchableFields(TOOLS, event.tool_name)) ?? {};
  const ignoredFields = Object.keys(patch).filter((key) => !Object.hasOwn(names, key) || patch[key] === null);
  if (ignoredFields.length === 0) {
    // Cursor's documentation calls the shell's directory `working_directory`. If this field kept its original value
    // next to a new cwd, it would be unclear where the command runs.
    const { cwd: working_directory } = patch;
    const hasDocumentedField = Object.hasOwn(input, "working_directory") && working_directory !== undefined;
    return patchInput(hasDocumentedField ? { ...input, working_directory } : input, patch, names);
  }
  const honoredFields = Object.keys(names).join(", ") || "nothing";
  return {
    unsupported: `Cursor ignores changes to ${ignoredFields.join(", ")} for ${event.tool_name} (it honors ${honoredFields}); deny and explain the alternative`,
  };
}
