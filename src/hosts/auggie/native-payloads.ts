import type { CallEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined } from "../../protocol/object.ts";
import { renderPatch } from "../../protocol/patch.ts";
import { createScriptCodec, getShellFolder, type NativeCall } from "../codec/native-payloads.ts";
import { buildReplacements } from "./edits.ts";
import { auggie } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { SUBAGENT_TOOL, TOOLS } from "./tools.ts";

// Native field and tool names [shipped 0.36.0].

type EditEvent = Extract<CallEvent, { tool: "Edit" }>;

/** Builds the calls for an edit: one call per file, or a patch if the edit adds, moves or removes files. */
const buildEditCalls = ({ input: { files } }: EditEvent): NativeCall[] =>
  files.every(({ operation }) => operation === "update")
    ? files.map((file) => ({ tool_name: "str-replace-editor", tool_input: buildReplacements(file) }))
    : [{ tool_name: "apply_patch", tool_input: { input: renderPatch(files) } }];

/** Builds the result fields. For a failed MCP call, the error repeats the result. */
const buildResult = (event: CallEvent, result: unknown): Payload => {
  if (event.event !== "PostToolUse") return {};
  const isFailed = "is_error" in event.output && event.output.is_error === true;
  return { tool_output: result, tool_error: isFailed ? result : null };
};

export const scriptCodec = createScriptCodec({
  host: auggie,
  samples,
  tools: TOOLS,
  mcp: ({ server, tool }) => ({
    tool_name: `${tool}_${server}`,
    extraFields: {
      is_mcp_tool: true,
      mcp_metadata: { mcpDecision: "yes", mcpExecutedToolName: tool, mcpExecutedToolServerName: server },
    },
  }),
  calls: {
    Edit: buildEditCalls,
    Task: ({ input: { prompt, agent_type } }) => [
      { tool_name: agent_type ? `${SUBAGENT_TOOL}-${agent_type}` : SUBAGENT_TOOL, tool_input: { instruction: prompt } },
    ],
  },
  formatResult: ({ text, exit_code }) =>
    exit_code === undefined
      ? text
      : `Here are the results from executing the command.\n<return-code>\n${exit_code}\n</return-code>\n<output>\n${text}\n</output>`,
  buildSession(event, { prompt, message, notification_type }, base) {
    const { user_prompt: _, ...fields } = base;
    return omitUndefined({
      ...fields,
      conversation_id: event.session_id,
      workspace_roots: [event.cwd],
      ...(event.event === "UserPromptSubmit" && { user_prompt: prompt }),
      ...(event.event === "Notification" && { notification_message: message, notification_type }),
    });
  },
  buildCall({ tool_name, tool_input, result, extraFields }, event, base) {
    const cwd = getShellFolder(event);
    const input = cwd !== undefined && typeof tool_input === "object" ? { ...tool_input, cwd } : tool_input;
    const { mcp_metadata: _, file_changes: __, ...fields } = base;
    return omitUndefined({
      ...fields,
      conversation_id: event.session_id,
      workspace_roots: [event.cwd],
      tool_name,
      tool_input: input,
      ...buildResult(event, result),
      is_mcp_tool: false,
      ...extraFields,
    });
  },
  parseAnswer,
  translatePatch,
  buildScriptEnv: (root, { conversation_id, hook_event_name, tool_name }) => ({
    AUGMENT_PROJECT_DIR: root,
    ...(typeof conversation_id === "string" && { AUGMENT_CONVERSATION_ID: conversation_id }),
    ...(typeof hook_event_name === "string" && { AUGMENT_HOOK_EVENT: hook_event_name }),
    ...(typeof tool_name === "string" && { AUGMENT_TOOL_NAME: tool_name }),
  }),
});
