import type { HostHint } from "../../protocol/host/host.ts";
import { hasPathPart, isIsoDate } from "../value-tests.ts";

/** What payloads of Copilot CLI, and of VS Code look like. */
export const hints: readonly HostHint[] = [
  {
    points: 2,
    all: ["transcript_path"],
    test: ({ transcript_path }) => hasPathPart(transcript_path, "/session-state/"),
  },
  { points: 2, all: ["tool_result"] },
  // VS Code names neither a prompt nor a mode, as Claude Code does beside most of its events
  // [docs https://code.visualstudio.com/docs/agents/reference/hooks-reference].
  {
    points: 2,
    all: ["timestamp"],
    test: ({ timestamp, prompt_id, permission_mode }) =>
      isIsoDate(timestamp) && prompt_id === undefined && permission_mode === undefined,
  },
  { points: -5, any: ["prompt_id", "turn_id", "cursor_version", "conversation_id", "workspace_roots"] },
];
