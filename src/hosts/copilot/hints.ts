import type { HostHint } from "../../protocol/host/host.ts";
import { hasPathPart, isIsoDate } from "../codec/value-tests.ts";

/** Fields and values that suggest a payload comes from Copilot CLI or VS Code. */
export const hints: readonly HostHint[] = [
  {
    points: 2,
    all: ["transcript_path"],
    test: ({ transcript_path }) => hasPathPart(transcript_path, "/session-state/"),
  },
  { points: 2, all: ["tool_result"] },
  // Unlike Claude Code on most events, VS Code sends neither a prompt ID nor a permission mode [docs
  // https://code.visualstudio.com/docs/agents/reference/hooks-reference].
  {
    points: 2,
    all: ["timestamp"],
    test: ({ timestamp, prompt_id, permission_mode }) =>
      isIsoDate(timestamp) && prompt_id === undefined && permission_mode === undefined,
  },
  { points: -5, any: ["prompt_id", "turn_id", "cursor_version", "conversation_id", "workspace_roots"] },
];
