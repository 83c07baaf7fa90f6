import type { PayloadProfile } from "../../protocol/host/payload.ts";
import { TOOLS } from "./tools.ts";

const CALL_FIELDS = ["tool_name", "tool_input"];
const IDENTIFIED_CALL_FIELDS = [...CALL_FIELDS, "tool_use_id"];

/**
 * Fields that every recorded payload has [seen 2.1.197, 2.1.330 and 2.1.332, 2026-11-29]. If a payload lacks them, it
 * comes from another program that runs the entries in Claude Code's settings (docs/hosts/strangers.md).
 */
export const payloadProfile: PayloadProfile = {
  fields: ["session_id", "transcript_path", "cwd", "hook_event_name"],
  eventFields: {
    PreToolUse: IDENTIFIED_CALL_FIELDS,
    PreSkillShellCommand: IDENTIFIED_CALL_FIELDS,
    PermissionRequest: CALL_FIELDS,
    PostToolUse: [...IDENTIFIED_CALL_FIELDS, "tool_response"],
    PostToolUseFailure: [...IDENTIFIED_CALL_FIELDS, "error"],
    UserPromptSubmit: ["prompt"],
    Stop: ["stop_hook_active"],
    SubagentStop: ["stop_hook_active"],
    SessionStart: [],
    SessionEnd: [],
    SubagentStart: [],
    PreCompact: [],
    PostCompact: [],
    Notification: [],
  },
  // Matches tool names in Claude Code's style, such as `Bash`, `TodoWrite` and `mcp__server__tool`. Other programs use
  // names such as `run_shell_command`, `read_file` and `server__tool`.
  mayNameTool: (tool_name) => /^(?:[A-Z][A-Za-z0-9]*$|mcp__)/.test(tool_name),
  listInputFields: (tool_name) =>
    Object.hasOwn(TOOLS, tool_name) ? Object.values(TOOLS[tool_name]?.[1] ?? {}).flat() : undefined,
};
