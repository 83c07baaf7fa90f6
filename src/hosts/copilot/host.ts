import type { HostEntry } from "../../protocol/host/host.ts";
import { isDate, isPascal } from "../marks.ts";
import { guarded } from "./guarded.ts";

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

// Grok Build names the same events and times, and a "workspaceRoot" beside them [docs https://docs.x.ai/build/features/hooks].

/** GitHub Copilot as every call knows it: Copilot CLI, and VS Code. */
export const entry: HostEntry = {
  id: "copilot",
  name: "GitHub Copilot",
  options: {},
  signs: [
    // Payloads in camelCase have milliseconds there, the others an ISO date.
    {
      mark: '"sessionId" and a number in "timestamp"',
      marks: 2,
      all: ["sessionId", "timestamp", "cwd"],
      test: ({ timestamp }) => typeof timestamp === "number",
    },
    // Older releases, and the cloud agent, tell no session [docs https://docs.github.com/en/copilot/reference/hooks-configuration].
    {
      mark: '"toolArgs" and a number in "timestamp"',
      marks: 2,
      all: ["toolName", "toolArgs", "timestamp", "cwd"],
      test: ({ timestamp }) => typeof timestamp === "number",
    },
    {
      mark: '"hookEventName" and a date in "timestamp"',
      marks: 2,
      all: ["sessionId", "hookEventName", "timestamp"],
      test: ({ timestamp, workspaceRoot }) => isDate(timestamp) && workspaceRoot === undefined,
    },
    {
      mark: 'a date in "timestamp" without a "transcript_path"',
      marks: 2,
      all: ["session_id", "timestamp", "hook_event_name"],
      test: ({ timestamp, hook_event_name, transcript_path, workspaceRoot }) =>
        transcript_path === undefined && isPascal(hook_event_name) && isDate(timestamp) && workspaceRoot === undefined,
    },
    {
      mark: 'a date in "timestamp"',
      all: ["session_id", "timestamp", "hook_event_name"],
      test: ({ timestamp, hook_event_name, workspaceRoot }, { QWEN_PROJECT_DIR }) =>
        CLAUDES.includes(hook_event_name) &&
        isDate(timestamp) &&
        QWEN_PROJECT_DIR === undefined &&
        workspaceRoot === undefined,
    },
  ],
  hints: async () => (await import("./hints.ts")).hints,
  guarded,
  load: async () => (await import("./index.ts")).copilot,
};
