import type { Hint } from "../../core/host.ts";
import { hasPart } from "../marks.ts";

/** What payloads of Copilot CLI, and of VS Code look like. */
export const hints: readonly Hint[] = [
  { points: 2, all: ["transcript_path"], test: ({ transcript_path }) => hasPart(transcript_path, "/session-state/") },
  { points: 2, all: ["tool_result"] },
  { points: -5, any: ["prompt_id", "turn_id", "cursor_version", "conversation_id", "workspace_roots"] },
];
