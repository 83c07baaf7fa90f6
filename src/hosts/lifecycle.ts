import * as v from "valibot";
import type { EventName } from "../protocol/event.ts";
import type { Decoded, Payload } from "../protocol/host/host.ts";
import { checked, flag, policyText, text } from "./wire.ts";

/** The events about tool calls; the others are the session's. */
export type CallEvent = "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "PermissionRequest";

const CALLS: readonly EventName[] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];
export const isCallEvent = (event: EventName): event is CallEvent => CALLS.includes(event);

const Prompt = () => v.object({ prompt: v.string() });
const Stop = () => v.object({ stop_hook_active: flag(), last_assistant_message: text() });
const Subagent = () => v.object({ task: policyText() });
const Rest = () =>
  v.object({
    source: text(),
    reason: text(),
    trigger: text(),
    message: v.fallback(v.string(), ""),
    notification_type: text(),
  });

/** What every event of a host carries, in unified names. */
interface Base {
  native_event: string;
  host: string;
  session_id: string;
  cwd: string;
  _native: Payload;
}

/** An event of the session in the field names that most hosts share. */
export function sessionEvent(event: Exclude<EventName, CallEvent>, base: Base, payload: Payload): Decoded {
  switch (event) {
    case "UserPromptSubmit":
      return { event: { ...base, event, ...checked(Prompt, payload, base.native_event) } };
    case "Stop":
    case "SubagentStop": {
      const { stop_hook_active: continuing, last_assistant_message: last_message } = checked(
        Stop,
        payload,
        base.native_event,
      );
      return { event: { ...base, event, last_message, continuations: 0 }, continuing };
    }
    case "SubagentStart":
      return { event: { ...base, event, ...checked(Subagent, payload, base.native_event) } };
    case "SessionStart":
    case "SessionEnd":
    case "PreCompact":
    case "PostCompact":
    case "Notification": {
      const { source, reason, trigger, message, notification_type } = checked(Rest, payload, base.native_event);
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
