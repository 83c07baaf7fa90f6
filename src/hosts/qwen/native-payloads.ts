import { buildCreatingEdits, buildTableCall, createScriptCodec } from "../codec/native-payloads.ts";
import { getToolRow } from "../codec/tool-table.ts";
import { qwen } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

export const scriptCodec = createScriptCodec({
  host: qwen,
  samples,
  tools: TOOLS,
  // Replaces values recorded in another session with neutral ones.
  replace: ({ permission_mode = "default", session_id, ...event }) => ({
    permission_mode,
    prompt_id: `${session_id}########0`,
    background_tasks: [],
    crons: [],
    ...("prompt" in event && { submitted_prompt: event.prompt }),
    ...("tool_use_id" in event && event.tool_use_id && { tool_call_id: event.tool_use_id }),
  }),
  add: ({ agent_id, agent_type }) => ({ agent_id, agent_type }),
  addOwn: ({ transcript_path, model }) => ({ transcript_path, model }),
  metadata: ["tool_use_id", "error", "duration_ms"],
  // Keeps the recorded tool name if it maps to the same unified tool, as `monitor` does for a shell command.
  nameTool: (tool, { tool_name }) => (getToolRow(TOOLS, String(tool_name))[0] === tool ? String(tool_name) : undefined),
  // Result formats [seen 0.24.4, 2026-11-27].
  formatResult: ({ text }) => ({ llmContent: text, returnDisplay: text }),
  mcp: ({ server, tool }) => ({
    tool_name: `mcp__${server}__${tool}`,
    result: ({ text }) => ({ llmContent: [{ text }], returnDisplay: text }),
  }),
  // Qwen Code has no tool that deletes or moves files or makes several edits at once.
  calls: {
    Edit: ({ input }) => buildCreatingEdits(TOOLS, input.files),
    Glob({ tool, input }) {
      const { pattern, path } = input;
      return pattern === "*" && path !== undefined
        ? [{ tool_name: "list_directory", tool_input: { path } }]
        : buildTableCall(TOOLS, tool, input);
    },
  },
  parseAnswer,
  translatePatch,
  buildScriptEnv: (root, { session_id }) => ({
    QWEN_PROJECT_DIR: root,
    ...(typeof session_id === "string" && { QWEN_CODE_SESSION_ID: session_id }),
    CLAUDE_PROJECT_DIR: root,
    GEMINI_PROJECT_DIR: root,
  }),
});
