import type { Mark } from "../../core/host.ts";
import { hasPart, isPascal } from "../marks.ts";

/** What tells a payload of Claude Code. */
export const marks: readonly Mark[] = [
  { points: 5, all: ["prompt_id"] },
  // The environment is inherited by other hosts, so it counts only where it agrees with the payload.
  {
    points: 5,
    all: ["session_id"],
    test: ({ session_id }, env) => env.CLAUDECODE === "1" && env.CLAUDE_CODE_SESSION_ID === session_id,
  },
  { points: 2, all: ["session_id", "transcript_path", "cwd"], test: ({ hook_event_name }) => isPascal(hook_event_name) },
  { points: 2, all: ["transcript_path"], test: ({ transcript_path }) => hasPart(transcript_path, "/projects/") },
  { points: 2, any: ["background_tasks", "session_crons", "effort"] },
  { points: 2, all: ["tool_response"], test: ({ tool_response }) => typeof tool_response === "object" && !Array.isArray(tool_response) },
  { points: -5, any: ["timestamp", "cursor_version", "conversation_id"] },
  { points: -5, all: ["turn_id"], test: ({ hook_event_name }) => hook_event_name !== "MessageDisplay" },
];
