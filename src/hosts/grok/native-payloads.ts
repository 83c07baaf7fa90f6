import type { AnyEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined } from "../../protocol/object.ts";
import {
  buildCreatingEdits,
  createScriptCodec,
  getShellFolder,
  pickPresentFields,
  readCallMetadata,
} from "../codec/native-payloads.ts";
import { getToolRow } from "../codec/tool-table.ts";
import { FIELD_NAME_PAIRS } from "./call.ts";
import { grok } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

// Native field and tool names [seen 1.0.41, 2026-11-27]. All results have the fields of a shell result, except MCP
// results.

/** Writes the fields in camelCase, and also in snake_case if the recorded payload has snake_case fields. */
function spellFields(base: Payload, fields: Payload): Payload {
  const allFields: Payload = { ...base };
  for (const [camel, snake] of FIELD_NAME_PAIRS) {
    // Fields missing from the event are omitted, because the recorded values belong to another session.
    if (!Object.hasOwn(fields, snake)) continue;
    allFields[camel] = fields[snake];
    if (Object.hasOwn(base, snake)) allFields[snake] = fields[snake];
  }
  const names = new Set(FIELD_NAME_PAIRS.map(([, snake]) => snake));
  return omitUndefined({
    ...allFields,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name))),
  });
}

const HOST = "grok";

function pickCommonFields({ host, transcript_path, permission_mode, agent_id, agent_type }: AnyEvent): Payload {
  // A transcript is in its host's own format, so only Grok Build's transcripts are passed on.
  return omitUndefined({ permission_mode, agent_id, agent_type, ...(host === HOST && { transcript_path }) });
}

export const scriptCodec = createScriptCodec({
  host: grok,
  samples,
  tools: TOOLS,
  // Replaces values recorded in another session with neutral ones.
  replace: () => ({ toolInputTruncated: false, toolResultTruncated: false, backgroundTasks: [], sessionCrons: [] }),
  // Keeps the recorded tool name if it maps to the same unified tool, as `monitor` does for a shell command.
  nameTool: (tool, { toolName }) => (getToolRow(TOOLS, String(toolName))[0] === tool ? String(toolName) : undefined),
  formatResult: ({ text, exit_code = 0 }) => ({ exit_code, output_for_prompt: text }),
  mcp: ({ server, tool }) => ({
    tool_name: `${server}__${tool}`,
    result: ({ text }) => ({ type: "MCP", tool_name: tool, server_name: server, output: { OkayOutput: text } }),
  }),
  // Grok Build has no tool that deletes or moves files or makes several edits at once.
  calls: { Edit: ({ input }) => buildCreatingEdits(TOOLS, input.files) },
  buildSession: (event, fields, base) => spellFields(base, { ...pickCommonFields(event), ...fields }),
  buildCall({ tool_name, tool_input: input, result: tool_response }, event, base) {
    const { id: tool_use_id, error, duration_ms } = readCallMetadata(event);
    // The model calls MCP tools through a dispatcher.
    const tool_input = event.tool === "MCP" ? { tool_name, tool_input: input } : input;
    const fields = { tool_name, tool_input, tool_response, tool_use_id, duration_ms, error };
    const callBase = { ...base, ...pickPresentFields(base, { cwd: getShellFolder(event) }) };
    return spellFields(callBase, { ...pickCommonFields(event), ...fields });
  },
  parseAnswer,
  translatePatch,
  buildScriptEnv: (root, { sessionId }) => ({
    GROK_WORKSPACE_ROOT: root,
    ...(typeof sessionId === "string" && { GROK_SESSION_ID: sessionId }),
    CLAUDE_PROJECT_DIR: root,
  }),
});
