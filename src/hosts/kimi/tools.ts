import type { ToolTable } from "../codec/tool-table.ts";

/** Kimi Code's tools [seen 2.1.0, 2026-11-29; WebSearch needs a service: shipped 2.1.0]. */
export const TOOLS: ToolTable = {
  // Bash's `timeout` is in seconds.
  Bash: [
    "Bash",
    { command: "command", description: "description", cwd: "cwd", run_in_background: "run_in_background" },
  ],
  Read: ["Read", { file_path: "path", offset: "line_offset", limit: "n_lines" }],
  Write: ["Write", { file_path: "path", content: "content" }],
  Edit: ["Edit", { file_path: "path", old_string: "old_string", new_string: "new_string" }],
  Glob: ["Glob", { pattern: "pattern", path: "path" }],
  Grep: ["Grep", { pattern: "pattern", path: "path", glob: "glob" }],
  FetchURL: ["WebFetch", { url: "url" }],
  WebSearch: ["WebSearch", { query: "query" }],
  Agent: ["Task", { prompt: "prompt", description: "description", agent_type: "subagent_type" }],
  // This tool starts one subagent per item.
  AgentSwarm: [
    "Task",
    { prompt: "prompt_template", description: "description", agent_type: "subagent_type" },
    { defaults: { prompt: "" } },
  ],
};

/**
 * Known tools without a unified equivalent. They are decoded as `Other` even if their input has a field such as
 * `command` [seen 2.1.0, 2026-11-29].
 */
export const UNMAPPED_TOOLS = [
  "AskUserQuestion",
  "CreateGoal",
  "CronCreate",
  "CronDelete",
  "CronList",
  "EnterPlanMode",
  "ExitPlanMode",
  "GetGoal",
  "SetGoalBudget",
  "Skill",
  "TaskList",
  "TaskOutput",
  "TaskStop",
  "TodoList",
  "UpdateGoal",
  "WaitFor",
];
