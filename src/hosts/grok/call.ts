import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { isObject, parseJsonObject } from "../../protocol/object.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import { patchCall } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName } from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import {
  createBooleanSchema,
  createNumberSchema,
  createStringSchema,
  parseMcpName,
  parseWith,
  pickStringFields,
  toRecord,
} from "../codec/wire.ts";
import { capabilities } from "./capabilities.ts";
import { decodeOutput } from "./results.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * Fields that 1.0.41 sends in both spellings [seen 1.0.41, 2026-11-27]. Other releases might send only one
 * [unverified]. Grok Build's own spelling, camelCase, takes precedence.
 */
export const FIELD_NAME_PAIRS: readonly (readonly [camel: string, snake: string])[] = [
  ["sessionId", "session_id"],
  ["transcriptPath", "transcript_path"],
  ["permissionMode", "permission_mode"],
  ["toolName", "tool_name"],
  ["toolInput", "tool_input"],
  ["toolInputTruncated", "tool_input_truncated"],
  ["toolResult", "tool_response"],
  ["toolUseId", "tool_use_id"],
  ["durationMs", "duration_ms"],
  ["subagentId", "agent_id"],
  ["subagentType", "agent_type"],
  ["stopHookActive", "stop_hook_active"],
  ["lastAssistantMessage", "last_assistant_message"],
  ["notificationType", "notification_type"],
];

/** Adds the snake_case spelling of each field. */
export function toSnakeCase(payload: Payload): Payload {
  const allFields: Payload = { ...payload };
  for (const [camel, snake] of FIELD_NAME_PAIRS)
    if (payload[camel] !== undefined && payload[camel] !== null) allFields[snake] = payload[camel];
  return allFields;
}

/** Normalizes event names, so `pre_tool_use`, `preToolUse` and `PreToolUse` compare as equal. */
const normalizeName = (name: string) => name.replaceAll("_", "").toLowerCase();

/** Returns an event's name as spelled in the capability table. */
export function getEventName({ hookEventName, hook_event_name }: Payload, hint?: string): string {
  const names = [hookEventName, hook_event_name, hint].filter((name) => typeof name === "string");
  const knownNames = names.map((name) =>
    Object.keys(capabilities).find((event) => normalizeName(event) === normalizeName(name)),
  );
  return knownNames.find((name) => name !== undefined) ?? names[0] ?? "";
}

/** String fields that can occur on any event. */
const COMMON_FIELDS = ["session_id", "cwd", "transcript_path", "permission_mode", "agent_id", "agent_type"] as const;

const createCallSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_use_id: createStringSchema(),
    duration_ms: createNumberSchema(),
    error: createStringSchema(),
    tool_input_truncated: createBooleanSchema(),
  });

/**
 * Returns the tool's own input. For an MCP tool, it is nested in the input of the dispatcher that the model calls [seen
 * 1.0.41, 2026-11-27].
 */
const unwrapInput = (input: Payload): Payload =>
  isDispatched(input)
    ? toRecord((typeof input.tool_input === "string" && parseJsonObject(input.tool_input)) || input.tool_input)
    : input;

const isDispatched = (input: Payload): boolean => typeof input.tool_name === "string" && "tool_input" in input;

/** Decodes a tool call from Grok Build. */
export function decodeToolCall(tool_name: string, rawInput: Payload): ToolCall {
  const input = unwrapInput(rawInput);
  const tableCall = decodeTableCall(TOOLS, tool_name, input, `toolInput of ${tool_name}`);
  if (tableCall) return tableCall;
  // MCP tools are named `<server>__<tool>` [seen 1.0.41, 2026-11-27].
  const mcp = parseMcpName(tool_name.startsWith("mcp__") ? tool_name : `mcp__${tool_name}`);
  return decodeOtherCall(tool_name, input, mcp, UNMAPPED_TOOLS);
}

/**
 * Returns a tool's input.
 * @throws Error when the input is truncated or missing, since the call's effects are then unknown.
 */
function getInput({ tool_input }: Payload, isTruncated: boolean | undefined, location: string): Payload {
  if (isTruncated || !isObject(tool_input))
    throw new Error(
      `${location}: Grok Build truncated or omitted the input, so the call can't be judged; split the call`,
    );
  return tool_input;
}

/** Decodes a payload from Grok Build. */
export function decodePayload(rawPayload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const payload = toSnakeCase(rawPayload);
  const texts = pickStringFields(payload, COMMON_FIELDS);
  // Inside a subagent, the session ID is the subagent's own [seen 1.0.41, 2026-11-27].
  const { session_id = "", agent_type, agent_id = agent_type && session_id } = texts;
  const base = {
    native_event,
    host: "grok",
    session_id,
    cwd: "",
    ...texts,
    ...(agent_id && { agent_id }),
    _native: rawPayload,
  };
  const { event } = row;
  if (!isCallEventName(event)) {
    // When a session ends and can't continue, Grok Build reports the same stop again [seen 1.0.41, 2026-11-27].
    const isRepeatedStop = event === "Stop" && typeof payload.reason === "string" && payload.reason !== "end_turn";
    // In compaction events, the trigger is in the "source" field [seen 1.0.41, 2026-11-27].
    const { source, trigger = source } = payload;
    return isRepeatedStop
      ? { event: { ...base, event: "Native" } }
      : decodeSessionEvent(event, base, { ...payload, trigger });
  }
  const {
    tool_name,
    tool_use_id,
    duration_ms,
    error = "",
    tool_input_truncated,
  } = parseWith(createCallSchema, payload, native_event);
  const call = decodeToolCall(tool_name, getInput(payload, tool_input_truncated, tool_name));
  const output = () => decodeOutput(call.tool, payload.tool_response);
  return buildCallEvent(event, base, { tool_use_id, ...call }, { output, error, duration_ms });
}

/**
 * Returns the whole patched input, which replaces the original. Grok Build denies the call if a required field is
 * missing [seen 1.0.41, 2026-11-27].
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const originalInput = toRecord(toSnakeCase(event._native).tool_input);
  const result = patchCall(TOOLS, event, unwrapInput(originalInput), patch);
  return isDispatched(originalInput) && "input" in result
    ? { input: { ...originalInput, tool_input: result.input } }
    : result;
}
