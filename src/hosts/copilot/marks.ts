import type { Mark } from "../../core/host.ts";
import { hasPart, isPascal } from "../marks.ts";

/** An ISO date; camelCase payloads have milliseconds there. */
const isDate = (timestamp: unknown) => typeof timestamp === "string" && timestamp.slice(4, 5) === "-";

/** Claude Code's names that VS Code sends, with a date as Claude Code never does; Gemini CLI has the session's alone. */
const CLAUDES: readonly unknown[] = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
];

/** What tells a payload of Copilot CLI, and of VS Code. */
export const marks: readonly Mark[] = [
  { points: 5, all: ["sessionId", "timestamp", "cwd"], test: ({ timestamp }) => typeof timestamp === "number" },
  // Older releases, and the cloud agent, tell no session [docs https://docs.github.com/en/copilot/reference/hooks-configuration].
  { points: 5, all: ["toolName", "toolArgs", "timestamp", "cwd"], test: ({ timestamp }) => typeof timestamp === "number" },
  { points: 5, all: ["sessionId", "hookEventName", "timestamp"], test: ({ timestamp }) => isDate(timestamp) },
  {
    points: 5,
    all: ["session_id", "timestamp", "hook_event_name"],
    test: ({ timestamp, hook_event_name, transcript_path }) =>
      transcript_path === undefined && isPascal(hook_event_name) && isDate(timestamp),
  },
  {
    points: 5,
    all: ["session_id", "timestamp", "hook_event_name"],
    test: ({ timestamp, hook_event_name }, { QWEN_PROJECT_DIR }) =>
      CLAUDES.includes(hook_event_name) && isDate(timestamp) && QWEN_PROJECT_DIR === undefined,
  },
  { points: 2, all: ["transcript_path"], test: ({ transcript_path }) => hasPart(transcript_path, "/session-state/") },
  { points: 2, all: ["tool_result"] },
  { points: -5, any: ["prompt_id", "turn_id", "cursor_version", "conversation_id", "workspace_roots"] },
];
