import type { HostHint } from "../../protocol/host/host.ts";
import { isPascalCase } from "../codec/value-tests.ts";

/** Characteristics of Gemini CLI's payloads. */
export const hints: readonly HostHint[] = [
  // For events with Claude Code's names, Copilot CLI sends the same fields.
  {
    points: 2,
    isShared: true,
    all: ["session_id", "transcript_path", "cwd"],
    test: ({ hook_event_name, timestamp }) => isPascalCase(hook_event_name) && typeof timestamp === "string",
  },
  { points: -5, any: ["prompt_id", "turn_id", "permission_mode", "cursor_version", "conversation_id", "tool_use_id"] },
  // Qwen Code also sets Gemini CLI's variables [seen Qwen Code 0.24.4, 2026-11-21].
  { points: -5, test: (_, env) => env.QWEN_PROJECT_DIR !== undefined },
];
