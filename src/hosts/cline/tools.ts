import type { ToolTable } from "../codec/tool-table.ts";

/**
 * Cline's tools. If a tool accepts a list, its row describes a single item, as in inputs.ts [seen 3.0.65, 2026-11-29;
 * apply_patch in place of editor for some models].
 */
export const TOOLS: ToolTable = {
  run_commands: ["Bash", { command: "command" }],
  read_files: ["Read", { file_path: "path", offset: "start_line" }, { rewritableFields: ["file_path", "offset"] }],
  editor: ["Edit", { file_path: "path", old_string: "old_text", new_string: "new_text" }],
  apply_patch: ["Edit"],
  search_codebase: ["Grep", { pattern: "query" }],
  fetch_web_content: ["WebFetch", { url: "url", prompt: "prompt" }],
  // A subagent reads the text of both fields.
  spawn_agent: ["Task", { prompt: ["task", "systemPrompt"] }],
};

/**
 * Tools that don't map to a unified tool, even if their input has a field such as `command` [shipped 3.0.65; the team_
 * ones seen].
 */
export const UNMAPPED_TOOLS = [
  "ask_question",
  "skills",
  "submit_and_exit",
  "tasks",
  "team_spawn_teammate",
  "team_shutdown_teammate",
  "team_status",
  "team_task",
  "team_run_task",
  "team_cancel_run",
  "team_list_runs",
  "team_await_runs",
  "team_send_message",
  "team_broadcast",
  "team_read_mailbox",
  "team_mission_log",
  "team_cleanup",
  "team_create_outcome",
  "team_attach_outcome_fragment",
  "team_review_outcome_fragment",
  "team_finalize_outcome",
  "team_list_outcomes",
];
