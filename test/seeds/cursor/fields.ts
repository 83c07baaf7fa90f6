import type { Payload } from "../../../src/protocol/host/host.ts";

/** Fields documented for every event. */
const commonFields = {
  conversation_id: "conv-456",
  generation_id: "gen-1",
  model: "claude-sonnet-4-20250514",
  cursor_version: "3.2.16",
  workspace_roots: ["/project"],
  user_email: null,
  transcript_path: null,
};
export const buildPayload = (hook_event_name: string, fields: object = {}): Payload => ({
  ...commonFields,
  hook_event_name,
  ...fields,
});

/** Fields from the documentation's examples. */
export const shellFields = { command: "npm install", cwd: "/project", sandbox: false };
export const shellTool = {
  tool_name: "Shell",
  tool_input: { command: "npm install", working_directory: "/project" },
  tool_use_id: "abc123",
  cwd: "/project",
};
export const mcpFields = { tool_name: "search", tool_input: '{"query":"x"}', url: "https://mcp.example.com" };
export const fileFields = { file_path: "/project/src/auth.ts", content: "export {};\n" };
export const edited = { ...fileFields, edits: [] };

/** Documented events, with their fields. */
export const TOOL = ["preToolUse", shellTool] as const;
export const SHELL = ["beforeShellExecution", shellFields] as const;
export const MCP = ["beforeMCPExecution", mcpFields] as const;
export const READ = ["beforeReadFile", fileFields] as const;
export const TAB_READ = ["beforeTabFileRead", fileFields] as const;
export const EDIT = ["afterFileEdit", edited] as const;
export const TAB_EDIT = ["afterTabFileEdit", edited] as const;
