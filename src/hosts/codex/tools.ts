import type { ToolTable } from "../codec/tool-table.ts";

/**
 * Codex's tools as hooks see them [seen 0.169.0, 2026-11-21]. If the shell runs `apply_patch`, hooks see a Bash call.
 */
export const TOOLS: ToolTable = {
  Bash: ["Bash", { command: "command", description: "description" }, { rewritableFields: ["command"] }],
  apply_patch: ["Edit"],
  view_image: ["Read", { file_path: "path" }],
  spawn_agent: ["Task", { prompt: "message", agent_type: "agent_type" }, { defaults: { prompt: "" } }],
};

/** Tools that don't map to a unified tool, even if their input has a field such as `command`. */
export const UNMAPPED_TOOLS = ["multi_agent_v1wait_agent", "update_plan"];
