import type { HostHint } from "../../protocol/host/host.ts";
import { hasPathPart, isIsoDate } from "../codec/value-tests.ts";

/** Characteristics of payloads from Copilot CLI and VS Code. */
export const hints: readonly HostHint[] = [
  {
    points: 2,
    all: ["transcript_path"],
    test: ({ transcript_path }) => hasPathPart(transcript_path, "/session-state/"),
  },
  { points: 2, all: ["tool_result"] },
  // VS Code sends neither a prompt id nor a permission mode, unlike Claude Code on most events [docs
  // https://code.visualstudio.com/docs/agents/reference/hooks-reference].
  {
    points: 2,
    all: ["timestamp"],
    test: ({ timestamp, prompt_id, permission_mode }) =>
      isIsoDate(timestamp) && prompt_id === undefined && permission_mode === undefined,
  },
  { points: -5, any: ["prompt_id", "turn_id", "cursor_version", "conversation_id", "workspace_roots"] },
];
