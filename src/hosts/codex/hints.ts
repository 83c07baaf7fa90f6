import type { HostHint } from "../../protocol/host/host.ts";
import { hasPathPart } from "../codec/value-tests.ts";

/** Fields and values that suggest a payload comes from Codex. */
export const hints: readonly HostHint[] = [
  { points: 2, all: ["tool_name"], test: ({ tool_name }) => tool_name === "apply_patch" },
  {
    points: 2,
    all: ["transcript_path"],
    test: ({ transcript_path }) =>
      hasPathPart(transcript_path, "/.codex/") || hasPathPart(transcript_path, "/rollout-"),
  },
  { points: 2, all: ["model", "permission_mode"], test: ({ hook_event_name }) => hook_event_name === "SessionStart" },
  // A SessionEnd payload has five fields, one of which is null in an ephemeral session.
  {
    points: 2,
    all: ["reason"],
    test: (payload) =>
      payload.hook_event_name === "SessionEnd" &&
      payload.reason === "other" &&
      Object.keys(payload).length <= (payload.transcript_path === undefined ? 4 : 5),
  },
  // Claude Code always sends a transcript path; Codex sends null if the session has no transcript [shipped 0.169.0].
  {
    points: 1,
    isShared: true,
    all: ["session_id", "cwd"],
    test: ({ hook_event_name, transcript_path }) =>
      transcript_path === undefined && (hook_event_name === "SessionStart" || hook_event_name === "SessionEnd"),
  },
  { points: -5, any: ["prompt_id", "cursor_version", "conversation_id", "timestamp"] },
];
