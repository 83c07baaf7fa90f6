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
  createFlagSchema,
  createNumberSchema,
  createTextSchema,
  parseMcpName,
  parseWith,
  pickTexts,
  toRecord,
} from "../codec/wire.ts";
import { capabilities } from "./capabilities.ts";
import { decodeOutput } from "./results.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * Fields that are sent in both spellings [seen 1.0.41, 2026-11-27], by other releases perhaps in either [unverified].
 * The first one is the host's own, and counts.
 */
export const SPELLINGS: readonly (readonly [camel: string, snake: string])[] = [
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

/** Converts the payload to snake_case. */
export function toSnakeCase(payload: Payload): Payload {
  const found: Payload = { ...payload };
  for (const [camel, snake] of SPELLINGS)
    if (payload[camel] !== undefined && payload[camel] !== null) found[snake] = payload[camel];
  return found;
}

/** Normalizes event names: `pre_tool_use`, `preToolUse` and `PreToolUse` are the same event. */
const plain = (name: string) => name.replaceAll("_", "").toLowerCase();

/** Returns the table's name for the event, whatever the payload's spelling. */
export function getEventName({ hookEventName, hook_event_name }: Payload, hint?: string): string {
  const names = [hookEventName, hook_event_name, hint].filter((name) => typeof name === "string");
  const known = names.map((name) => Object.keys(capabilities).find((event) => plain(event) === plain(name)));
  return known.find((name) => name !== undefined) ?? names[0] ?? "";
}

/** Text fields of any event. */
const COMMON_FIELDS = ["session_id", "cwd", "transcript_path", "permission_mode", "agent_id", "agent_type"] as const;

const createCallSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_use_id: createTextSchema(),
    duration_ms: createNumberSchema(),
    error: createTextSchema(),
    tool_input_truncated: createFlagSchema(),
  });

/**
 * Returns the tool's own input: MCP tools are called by a dispatcher, and hooks receive its input
 * [seen 1.0.41, 2026-11-27].
 */
const unwrapInput = (input: Payload): Payload =>
  isDispatched(input)
    ? toRecord((typeof input.tool_input === "string" && parseJsonObject(input.tool_input)) || input.tool_input)
    : input;

const isDispatched = (input: Payload): boolean => typeof input.tool_name === "string" && "tool_input" in input;

/** Decodes a tool call of Grok Build. */
export function decodeToolCall(tool_name: string, given: Payload): ToolCall {
  const input = unwrapInput(given);
  const known = decodeTableCall(TOOLS, tool_name, input, `toolInput of ${tool_name}`);
  if (known) return known;
  // `<server>__<tool>` of an MCP server [seen 1.0.41, 2026-11-27].
  const mcp = parseMcpName(tool_name.startsWith("mcp__") ? tool_name : `mcp__${tool_name}`);
  return decodeOtherCall(tool_name, input, mcp, UNMAPPED_TOOLS);
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

/** Decodes a payload of Grok Build. */
export function decodePayload(given: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const payload = toSnakeCase(given);
  const texts = pickTexts(payload, COMMON_FIELDS);
  // Inside a subagent, the session is the subagent's [seen 1.0.41, 2026-11-27].
  const { session_id = "", agent_type, agent_id = agent_type && session_id } = texts;
  const base = {
    native_event,
    host: "grok",
    session_id,
    cwd: "",
    ...texts,
    ...(agent_id && { agent_id }),
    _native: given,
  };
  const { event } = row;
  if (!isCallEventName(event)) {
    // Reported again when the session ends and can't be continued [seen 1.0.41, 2026-11-27].
    const isOver = event === "Stop" && typeof payload.reason === "string" && payload.reason !== "end_turn";
    // A compaction has its trigger in "source" [seen 1.0.41, 2026-11-27].
    const { source, trigger = source } = payload;
    return isOver ? { event: { ...base, event: "Native" } } : decodeSessionEvent(event, base, { ...payload, trigger });
  }
  const {
    tool_name,
    tool_use_id,
    duration_ms,
    error = "",
    tool_input_truncated,
  } = parseWith(createCallSchema, payload, native_event);
  const call = decodeToolCall(tool_name, inputOf(payload, tool_input_truncated, tool_name));
  const output = () => decodeOutput(call.tool, payload.tool_response);
  return buildCallEvent(event, base, { tool_use_id, ...call }, { output, error, duration_ms });
}

/**
 * Returns the whole patched input, which replaces the call's: Grok Build denies the call if a required field is missing
 * [seen 1.0.41, 2026-11-27].
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const given = toRecord(toSnakeCase(event._native).tool_input);
  const result = patchCall(TOOLS, event, unwrapInput(given), patch);
  return isDispatched(given) && "input" in result ? { input: { ...given, tool_input: result.input } } : result;
}
