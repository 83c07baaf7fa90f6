import type { HostHint } from "../../protocol/host/host.ts";

/** Tool names that only this host uses. */
const OWN_TOOL_NAMES: readonly unknown[] = ["run_terminal_command", "search_replace", "spawn_subagent"];

/** Characteristics of Grok Build's payloads. */
export const hints: readonly HostHint[] = [
  // In a snake_case payload, nothing else distinguishes Grok Build from Claude Code.
  { points: 3, all: ["tool_name", "tool_input"], test: ({ tool_name }) => OWN_TOOL_NAMES.includes(tool_name) },
  { points: -5, any: ["prompt_id", "turn_id", "cursor_version", "conversation_id", "toolArgs"] },
];
