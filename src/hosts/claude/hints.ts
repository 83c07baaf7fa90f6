import type { HostHint } from "../../protocol/host/host.ts";
import { hasPathPart, isPascalCase } from "../codec/value-tests.ts";

/** Fields and values that suggest a payload comes from Claude Code. */
export const hints: readonly HostHint[] = [
  {
    points: 2,
    isShared: true,
    all: ["session_id", "transcript_path", "cwd"],
    test: ({ hook_event_name }) => isPascalCase(hook_event_name),
  },
  { points: 2, all: ["transcript_path"], test: ({ transcript_path }) => hasPathPart(transcript_path, "/projects/") },
  // Other hosts also have a directory with this name, but in a different location.
  {
    points: 1,
    isShared: true,
    all: ["transcript_path"],
    test: ({ transcript_path }) => hasPathPart(transcript_path, "/.claude/projects/"),
  },
  { points: 2, any: ["background_tasks", "session_crons", "effort"] },
  {
    points: 2,
    all: ["tool_response"],
    test: ({ tool_response }) => typeof tool_response === "object" && !Array.isArray(tool_response),
  },
  { points: -5, any: ["timestamp", "cursor_version", "conversation_id"] },
  { points: -5, all: ["turn_id"], test: ({ hook_event_name }) => hook_event_name !== "MessageDisplay" },
];
