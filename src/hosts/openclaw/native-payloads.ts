import type { AnyEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { toObject } from "../../protocol/object.ts";
import { renderPatch } from "../../protocol/patch.ts";
import type { FileChange } from "../../protocol/tool.ts";
import {
  buildTableCall,
  type CallOutput,
  createScriptCodec,
  type NativeCall,
  pickPresentFields,
  readCallMetadata,
} from "../codec/native-payloads.ts";
import { buildReplacementCalls } from "../codec/replacements.ts";
import { buildTimeout } from "../codec/seconds.ts";
import { openclaw } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

// Result formats [seen 2026.9.6, 2026-11-22].
const createResultFormatter =
  (details: Payload) =>
  ({ text }: CallOutput) => ({ content: [{ type: "text", text }], details });
const formatShellResult = (output: CallOutput) =>
  createResultFormatter({
    status: "completed",
    exitCode: output.exit_code ?? 0,
    aggregated: output.stdout ?? output.text,
  })(output);

/** Builds the calls for an edit: a patch if the edit adds, moves or deletes files, otherwise replacements. */
function buildEditCalls(files: readonly FileChange[]): NativeCall[] {
  if (files.some(({ operation }) => operation !== "update"))
    return [{ tool_name: "apply_patch", tool_input: { input: renderPatch(files) } }];
  return buildReplacementCalls(files);
}

/**
 * Replaces the fields that identify the session and the model. A subagent is identified by its session key [seen
 * 2026.9.6, 2026-11-22].
 */
function replaceSessionKeys({ agent_id, model }: AnyEvent, base: Payload, extraFields: Payload = {}): Payload {
  const key = agent_id?.includes(":subagent:") ? agent_id : `agent:main:subagent:${agent_id}`;
  const keys = agent_id ? { sessionKey: key, childSessionKey: key, targetSessionKey: key } : {};
  const ctx = toObject(base.ctx);
  return {
    ...base,
    ...pickPresentFields(base, keys),
    ctx: { ...ctx, ...pickPresentFields(ctx, { ...keys, modelId: model, ...extraFields }) },
  };
}

export const scriptCodec = createScriptCodec({
  host: openclaw,
  samples,
  tools: TOOLS,
  formatResult: createResultFormatter({}),
  mcp: ({ server, tool }) => ({
    tool_name: `${server}__${tool}`,
    result: createResultFormatter({ mcpServer: server, mcpTool: tool }),
  }),
  // OpenClaw has no tool that searches files.
  calls: {
    Bash({ tool, input }) {
      const timeoutField = buildTimeout(input.timeout_ms, "timeoutSeconds");
      return buildTableCall(TOOLS, tool, input, { result: formatShellResult, extraInput: timeoutField });
    },
    Edit: ({ input }) => buildEditCalls(input.files),
  },
  buildCall({ tool_name: toolName, tool_input: params, result }, event, recording) {
    const { id: toolCallId, error } = readCallMetadata(event);
    const base = replaceSessionKeys(event, recording, { toolName, toolCallId });
    const isFailed =
      error === undefined
        ? undefined
        : createResultFormatter({ status: "error", tool: toolName, error })({ text: error, raw: undefined });
    return { ...base, ...pickPresentFields(base, { toolCallId }), toolName, params, result: isFailed ?? result };
  },
  buildSession(
    event,
    { stop_hook_active: _, last_assistant_message: lastAssistantMessage, trigger: __, ...fields },
    base,
  ) {
    const isStop = event.event === "Stop" || event.event === "SubagentStop";
    return {
      ...replaceSessionKeys(event, base),
      ...fields,
      label: event.event === "SubagentStart" ? event.task : undefined,
      ...(isStop && { lastAssistantMessage, continuations: event.continuations }),
    };
  },
  parseAnswer,
  translatePatch,
  // The plugin doesn't add environment variables.
  buildScriptEnv: () => ({}),
});
