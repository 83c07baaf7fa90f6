import * as v from "valibot";
import { flag, number, policyText, text } from "../../wire.ts";

/** Texts that any event may carry [seen 2.1.330, 2026-11-21]. */
export const COMMON = ["session_id", "transcript_path", "permission_mode", "model", "agent_id", "agent_type"] as const;

/** Tools without a unified name, whatever a model adds to their input. A "command" of one of them is not a shell's, and a "script" is in another language [unverified]. */
export const OTHERS = [
  "AskUserQuestion",
  "ExitPlanMode",
  "Skill",
  "SlashCommand",
  "StructuredOutput",
  "TaskCreate",
  "TaskUpdate",
  "TodoWrite",
  "Workflow",
];

export const Call = () =>
  v.object({
    tool_name: v.string(),
    tool_input: v.optional(v.unknown()),
    tool_use_id: text(),
    duration_ms: number(),
    mcp_server: v.nullish(v.object({ name: v.string() })),
  });

/** Inputs of the built-in tools, as far as policies need them. */
export const inputs = {
  Bash: () =>
    v.object({
      command: v.string(),
      description: text(),
      timeout: number(),
      run_in_background: flag(),
    }),
  Read: () => v.object({ file_path: v.string(), offset: number(), limit: number() }),
  Write: () => v.object({ file_path: v.string(), content: v.string() }),
  Edit: () =>
    v.object({
      file_path: v.string(),
      old_string: policyText(),
      new_string: policyText(),
      edits: v.nullish(v.array(v.object({ old_string: v.string(), new_string: v.string() })), () => []),
    }),
  NotebookEdit: () => v.object({ notebook_path: v.string(), new_source: policyText() }),
  NotebookRead: () => v.object({ notebook_path: v.string() }),
  Glob: () => v.object({ pattern: v.string(), path: policyText() }),
  Grep: () => v.object({ pattern: v.string(), path: policyText(), glob: policyText() }),
  WebFetch: () => v.object({ url: v.string(), prompt: policyText() }),
  WebSearch: () => v.object({ query: v.string() }),
  Agent: () => v.object({ prompt: policyText(), description: text(), subagent_type: policyText() }),
};

/** Results of Bash [seen 2.1.330, 2026-11-21]. */
export const BashResult = () => v.object({ stdout: v.string(), stderr: v.optional(v.string(), "") });

/** The result of Read on a text file [seen 2.1.330, 2026-11-21]. */
export const ReadResult = () => v.object({ file: v.object({ content: v.string() }) });
