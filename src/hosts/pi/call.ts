import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent, EventName } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { toObject } from "../../protocol/object.ts";
import type { ToolCall, ToolOutput } from "../../protocol/tool.ts";
import { createReplacementsSchema, decodeReplacements, rewriteReplacements } from "../codec/replacements.ts";
import { patchTimedCall, readTimeout } from "../codec/seconds.ts";
import {
  buildCallEvent,
  type CallEventName,
  decodeSessionEvent,
  isCallEventName,
  readEventBase,
  type SessionEventBase,
} from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import {
  createNumberSchema,
  createStringSchema,
  formatOutput,
  parseMcpName,
  parseWith,
  pickStringFields,
  toRecord,
} from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** Fields of the envelope in which plugin.js wraps every event. */
const ENVELOPE_FIELDS = ["session_id", "transcript_path", "model"] as const;

const createCallSchema = () =>
  v.object({ toolName: v.string(), toolCallId: createStringSchema(), input: v.optional(v.unknown()) });

/** A tool's result. For a shell call, the exit code is in `structuredContent`. */
const createResultSchema = () =>
  v.looseObject({
    content: v.optional(v.unknown()),
    structuredContent: v.fallback(v.looseObject({ exit_code: createNumberSchema() }), {}),
  });

/**
 * Fields of the event that fires before the agent stops. The plugin adds `continuations`, because pi does not count
 * continuations.
 */
const createSettleSchema = () =>
  v.object({ last_assistant_message: createStringSchema(), continuations: v.fallback(v.number(), 0) });

/** Prefix of a notification's text. */
export const WAITING_PREFIX = "pi waits for the user: ";

/** Schemas for tool inputs that the tool table can't describe. */
export const inputs = { edit: createReplacementsSchema };

/** Decodes a tool call from pi. */
export function decodeToolCall(tool_name: string, rawInput: unknown): ToolCall {
  const location = `input of ${tool_name}`;
  if (tool_name === "edit") return decodeReplacements(tool_name, rawInput, location);
  const call = decodeTableCall(TOOLS, tool_name, rawInput, location);
  if (call) readTimeout(call, rawInput, "timeout");
  return call ?? decodeOtherCall(tool_name, rawInput, parseMcpName(tool_name), UNMAPPED_TOOLS);
}

function decodeOutput(tool: ToolCall["tool"], payload: Payload): ToolOutput & { exit_code?: number } {
  const { content, structuredContent } = parseWith(createResultSchema, payload, "result");
  const { exit_code } = structuredContent;
  const raw = {
    content,
    ...(payload.structuredContent !== undefined && { structuredContent: payload.structuredContent }),
  };
  return { text: formatOutput(content), raw, ...(tool === "Bash" && exit_code !== undefined && { exit_code }) };
}

/** Decodes a payload from plugin.js. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("pi", native_event, payload, ENVELOPE_FIELDS);
  const { event } = row;
  return isCallEventName(event) ? decodeCall(event, base, payload) : decodeSession(event, base, payload);
}

function decodeCall(event: CallEventName, base: SessionEventBase, payload: Payload): DecodedPayload {
  const { toolName, toolCallId: tool_use_id, input } = parseWith(createCallSchema, payload, base.native_event);
  const call = decodeToolCall(toolName, input);
  const output = () => decodeOutput(call.tool, payload);
  return buildCallEvent(event, base, { tool_use_id, ...call }, { output, error: toRecord(payload).content });
}

function decodeSession(
  event: Exclude<EventName, CallEventName>,
  base: SessionEventBase,
  payload: Payload,
): DecodedPayload {
  const { reason, kind, title } = pickStringFields(payload, ["reason", "kind", "title"]);
  switch (event) {
    case "Stop": {
      const { last_assistant_message: last_message, continuations } = parseWith(
        createSettleSchema,
        payload,
        base.native_event,
      );
      return { event: { ...base, event, last_message, continuations }, continuations };
    }
    case "UserPromptSubmit":
      return decodeSessionEvent(event, base, { ...payload, prompt: payload.text });
    case "Notification": {
      const message = WAITING_PREFIX + (title ?? "");
      return { event: { ...base, event, message, notification_type: kind } };
    }
    default:
      return decodeSessionEvent(event, base, { ...payload, source: reason, trigger: reason });
  }
}

/** Returns the complete patched input, because plugin.js replaces the original input with it. */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const input = toObject(event._native.input);
  if (event.tool === "Edit") return rewriteReplacements(input, patch);
  return patchTimedCall(TOOLS, event, { input, patch, field: "timeout" });
}
