import type { HostHint } from "../../protocol/host/host.ts";

/** Characteristics of Kimi Code's payloads. */
export const hints: readonly HostHint[] = [
  // Format of Kimi Code's session IDs [seen 2.1.0, 2026-11-27]. Releases without a "client_type" use the same format
  // [unverified].
  {
    points: 3,
    all: ["session_id", "hook_event_name"],
    test: ({ session_id }) => typeof session_id === "string" && /^session_[\da-f]{8}-/.test(session_id),
  },
  { points: -5, any: ["transcript_path", "timestamp", "cursor_version", "conversation_id"] },
];
