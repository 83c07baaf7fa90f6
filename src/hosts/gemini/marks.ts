import type { Mark } from "../../core/host.ts";
import { hasPart, isPascal } from "../marks.ts";

/** Events that no other host has by these names. */
const OWN = ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress"];

/** What tells a payload of Gemini CLI. */
export const marks: readonly Mark[] = [
  { points: 5, all: ["hook_event_name"], test: ({ hook_event_name }) => OWN.includes(hook_event_name as string) },
  // Its chats lie in ~/.gemini/tmp [seen 0.61.0, 2026-11-21].
  { points: 5, all: ["timestamp", "transcript_path"], test: ({ transcript_path }) => hasPart(transcript_path, "/.gemini/tmp/") },
  // The environment is inherited by other hosts, so it counts only where it agrees with the payload.
  { points: 5, all: ["session_id", "timestamp"], test: ({ session_id }, env) => env.GEMINI_SESSION_ID === session_id },
  {
    points: 2,
    all: ["session_id", "transcript_path", "cwd"],
    test: ({ hook_event_name, timestamp }) => isPascal(hook_event_name) && typeof timestamp === "string",
  },
  { points: -5, any: ["prompt_id", "turn_id", "permission_mode", "cursor_version", "conversation_id", "tool_use_id"] },
  // Qwen Code sets Gemini CLI's variables as well [seen Qwen Code 0.24.4, 2026-11-21].
  { points: -5, test: (_, env) => env.QWEN_PROJECT_DIR !== undefined },
];
