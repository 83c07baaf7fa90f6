import * as v from "valibot";
import type { AnyEvent, EventName } from "../../protocol/event.ts";
import type { DecodedPayload } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import type { ToolCall, ToolOutput } from "../../protocol/tool.ts";
import {
  createBooleanSchema,
  createPolicyTextSchema,
  createStringSchema,
  formatOutput,
  parseWith,
  pickStringFields,
  readCwd,
} from "./wire.ts";

/** Events that report a tool call. All other events are about the session. */
export type CallEventName = "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionRequest";

const CALL_EVENT_NAMES: readonly EventName[] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];
export const isCallEventName = (event: EventName): event is CallEventName => CALL_EVENT_NAMES.includes(event);

const createPromptSchema = () => v.object({ prompt: v.string() });
const createStopSchema = () =>
  v.object({ stop_hook_active: createBooleanSchema(), last_assistant_message: createStringSchema() });
const createSubagentSchema = () => v.object({ task: createPolicyTextSchema() });
const createSessionSchema = () =>
  v.object({
    source: createStringSchema(),
    reason: createStringSchema(),
    trigger: createStringSchema(),
    message: v.fallback(v.string(), ""),
    notification_type: createStringSchema(),
  });

/** Fields that all of a host's events have, under their unified names. */
export interface SessionEventBase {
  native_event: string;
  host: string;
  session_id: string;
  cwd: string;
  _native: Payload;
}

/**
 * Reads the fields that all events have, under the names that most hosts share.
 * @param texts additional text fields, which keep their native names.
 */
export const readEventBase = <K extends string>(
  host: string,
  native_event: string,
  payload: Payload,
  texts: readonly K[],
): SessionEventBase => ({
  native_event,
  host,
  session_id: "",
  ...pickStringFields(payload, texts),
  cwd: readCwd(payload),
  _native: payload,
});

/** What the host reports about the outcome of a call. */
interface CallOutcome {
  output: () => ToolOutput;
  error?: unknown;
  duration_ms?: number | undefined;
}

export const buildCallEvent = (
  event: CallEventName,
  base: object,
  call: ToolCall & { tool_use_id?: string | undefined },
  outcome: CallOutcome,
): DecodedPayload => ({ event: { ...base, event, ...call, ...buildOutcome(event, outcome) } as AnyEvent });

/** Returns the event fields that describe a call's outcome. */
function buildOutcome(event: CallEventName, { output, error, duration_ms }: CallOutcome): object {
  const time = duration_ms === undefined ? {} : { duration_ms };
  if (event === "PostToolUse") return { output: output(), ...time };
  return event === "PostToolUseFailure" ? { error: formatOutput(error), ...time } : {};
}

/** Decodes a session event whose fields have the names that most hosts share. */
export function decodeSessionEvent(
  event: Exclude<EventName, CallEventName>,
  base: SessionEventBase,
  payload: Payload,
): DecodedPayload {
  switch (event) {
    case "UserPromptSubmit":
      return { event: { ...base, event, ...parseWith(createPromptSchema, payload, base.native_event) } };
    case "Stop":
    case "SubagentStop": {
      const { stop_hook_active: continuing, last_assistant_message: last_message } = parseWith(
        createStopSchema,
        payload,
        base.native_event,
      );
      return { event: { ...base, event, last_message, continuations: 0 }, isContinuing: continuing };
    }
    case "SubagentStart":
      return { event: { ...base, event, ...parseWith(createSubagentSchema, payload, base.native_event) } };
    case "SessionStart":
    case "SessionEnd":
    case "PreCompact":
    case "PostCompact":
    case "Notification": {
      const { source, reason, trigger, message, notification_type } = parseWith(
        createSessionSchema,
        payload,
        base.native_event,
      );
      switch (event) {
        case "SessionStart":
          return { event: { ...base, event, source } };
        case "SessionEnd":
          return { event: { ...base, event, reason } };
        case "PreCompact":
        case "PostCompact":
          return { event: { ...base, event, trigger } };
        case "Notification":
          return { event: { ...base, event, message, notification_type } };
      }
    }
    case "Native":
      return { event: { ...base, event } };
  }
}

/**
 * Lists the files that a prompt references with "@", for hosts that append the contents of these files to the prompt.
 */
export function listReferencedFiles(prompt: unknown): string[] {
  const [, appendix = ""] = typeof prompt === "string" ? prompt.split("\n--- Content from referenced files ---\n") : [];
  return [...appendix.matchAll(/^Content from @?(.+):$/gm)].map(([, path = ""]) => path);
}
