import * as v from "valibot";
import type { Payload } from "../../../protocol/host/host.ts";
import { createFlagSchema, createNumberSchema, createTextSchema, pickTexts } from "../../codec/wire.ts";
import { capabilities } from "../capabilities.ts";
import { FIELDS } from "../tools.ts";

/**
 * Fields that newer releases send in both spellings and older ones in either [unverified]: the first one is the host's
 * own, and counts.
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
export const COMMON_FIELDS = [
  "session_id",
  "cwd",
  "transcript_path",
  "permission_mode",
  "agent_id",
  "agent_type",
] as const;

export const createCallSchema = () =>
  v.object({
    tool_name: v.string(),
    tool_use_id: createTextSchema(),
    duration_ms: createNumberSchema(),
    error: createTextSchema(),
    tool_input_truncated: createFlagSchema(),
  });

/** Returns the distinct texts in an input's fields of that kind. */
export const textsIn = (input: Payload, field: keyof typeof FIELDS): string[] => [
  ...new Set(Object.values(pickTexts(input, FIELDS[field]))),
];
