import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { toObject } from "../../protocol/object.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import { patchCall } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName, readEventBase } from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import {
  createFieldError,
  formatOutput,
  joinUnique,
  parseMcpName,
  pickStringFields,
  readStringField,
} from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** String fields that can occur on any event [seen 2.1.0, 2026-11-27]. */
const COMMON_FIELDS = ["session_id", "model"] as const;

const pickStrings = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === "string");

/** Lists the prompts in a call that starts multiple subagents. Each item and each resumed agent has its own prompt. */
function listSwarmPrompts(toolInput: unknown): string[] {
  const { items, resume_agent_ids } = toObject(toolInput);
  return pickStrings([...(Array.isArray(items) ? items : []), ...Object.values(toObject(resume_agent_ids))]);
}

/** Decodes a tool call from Kimi Code. */
export function decodeToolCall(tool_name: string, rawInput: unknown): ToolCall {
  const call = decodeTableCall(TOOLS, tool_name, rawInput, `tool_input of ${tool_name}`);
  if (call?.tool === "Task") call.input.prompt = joinUnique(call.input.prompt, ...listSwarmPrompts(rawInput));
  return call ?? decodeOtherCall(tool_name, rawInput, parseMcpName(tool_name), UNMAPPED_TOOLS);
}

/**
 * Returns the text of a prompt, which is a list of parts [seen 2.1.0, 2026-11-27]. Parts without text, such as images,
 * are skipped.
 * @throws Error when the prompt is neither a list nor a string.
 */
function readPrompt(prompt: unknown, location: string): string {
  if (typeof prompt === "string") return prompt;
  if (!Array.isArray(prompt)) throw createFieldError(location, "prompt", prompt, "Array");
  return pickStrings(prompt.map((part) => toObject(part).text)).join("\n");
}

/** Renames a session event's fields to the names that most hosts use. */
function renameSessionFields(payload: Payload, { event }: CapabilityRow, native_event: string): Payload {
  const { prompt, response, title, body } = payload;
  switch (event) {
    case "UserPromptSubmit":
      return { ...payload, prompt: readPrompt(prompt, native_event) };
    case "SubagentStart":
      return { ...payload, task: prompt };
    case "SubagentStop":
      return { ...payload, last_assistant_message: response };
    case "Notification":
      return { ...payload, message: joinUnique(...pickStrings([title, body])) };
    default:
      return payload;
  }
}

/** Decodes a payload from Kimi Code. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const { agent_name: agent_type, tool_call_id: tool_use_id } = pickStringFields(payload, [
    "agent_name",
    "tool_call_id",
  ]);
  const base = {
    ...readEventBase("kimi", native_event, payload, COMMON_FIELDS),
    ...(agent_type !== undefined && { agent_type }),
  };
  const { event } = row;
  if (!isCallEventName(event)) return decodeSessionEvent(event, base, renameSessionFields(payload, row, native_event));
  const call = decodeToolCall(readStringField(payload, "tool_name", native_event), payload.tool_input);
  const raw = payload.tool_output;
  return buildCallEvent(
    event,
    base,
    { ...(tool_use_id !== undefined && { tool_use_id }), ...call },
    // If a call fails, the model reads the error message.
    { output: () => ({ text: formatOutput(raw), raw }), error: toObject(payload.error).message ?? payload.error },
  );
}

/**
 * Returns the patched input. The capability table turns every rewrite into a denial, because Kimi Code would run the
 * original input [seen 2.1.0, 2026-11-27].
 */
export const rewriteInput = (event: CallEvent, patch: Payload): RewriteResult =>
  patchCall(TOOLS, event, event._native.tool_input as Payload, patch);
