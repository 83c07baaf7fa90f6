import type { HostHint } from "../../protocol/host/host.ts";
import { isIsoDate, isPascalCase } from "../codec/value-tests.ts";

/** Characteristics of Qwen Code's payloads. */
export const hints: readonly HostHint[] = [
  // Claude Code sends no timestamp, and other hosts with these event names send no permission mode.
  {
    points: 3,
    all: ["session_id", "transcript_path", "permission_mode"],
    test: ({ hook_event_name, timestamp }) => isPascalCase(hook_event_name) && isIsoDate(timestamp),
  },
  { points: -5, any: ["turn_id", "cursor_version", "conversation_id", "sessionId"] },
];
