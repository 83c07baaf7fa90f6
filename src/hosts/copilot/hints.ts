import type { HostHint } from "../../protocol/host/host.ts";
import { hasPathPart, isIsoDate } from "../codec/value-tests.ts";

/** Typical traits of the payloads of Copilot CLI and VS Code. */
export const hints: readonly HostHint[] = [
  {
    points: 2,
    all: ["transcript_path"],
    test: ({ transcript_path }) => hasPathPart(transcript_path, "/session-state/"),
  },
  { points: 2, all: ["tool_result"] },
  // VS Code sends neither a prompt nor a mode, unlike Claude Code at most of its events
  // [docs https://code.visualstudio.com/docs/agents/reference/hooks-reference].
  {
    points: 2,
    all: ["timestamp"],
    test: ({ timestamp, prompt_id, permission_mode }) =>
      isIsoDate(timestamp) && prompt_id === undefined && permission_mode === undefined,
  },
  { points: -5, any: ["prompt_id", "turn_id", "cursor_version", "conversation_id", "workspace_roots"] },
];
