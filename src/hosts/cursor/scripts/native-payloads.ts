import type { AnyEvent } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import {
  createScriptCodec,
  listTableEvents,
  omitUndefined,
  pickPresentFields,
  readCallMetadata,
  type SessionEvent,
} from "../../codec/native-payloads.ts";
import { buildSpecificPayloads, CALLS, formatSuccess, HOST } from "../call/calls.ts";
import { decodePayload } from "../call/decode.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { parseAnswer } from "../read-answers.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";

/** Events that report the same call again in payloads of their own. */
function listSpecificEvents(event: AnyEvent): string[] {
  if (event.event !== "PreToolUse" && event.event !== "PostToolUse") return [];
  const before = event.event === "PreToolUse";
  switch (event.tool) {
    case "Bash":
      return [before ? "beforeShellExecution" : "afterShellExecution"];
    case "MCP":
      return [before ? "beforeMCPExecution" : "afterMCPExecution"];
    case "Read":
      return before ? ["beforeReadFile", "beforeTabFileRead"] : [];
    case "Write":
    case "Edit":
      return before ? [] : ["afterFileEdit"];
    default:
      return [];
  }
}

/** A session event's fields that have other names in Cursor than on other hosts. */
function renameSessionFields(event: SessionEvent, fields: Payload): Payload {
  const { source: _, stop_hook_active: __, last_assistant_message: summary, ...rest } = fields;
  switch (event.event) {
    case "SessionEnd":
      return omitUndefined({ ...rest, final_status: event.reason });
    case "UserPromptSubmit":
      return { ...rest, attachments: (event.attachments ?? []).map((file_path) => ({ type: "file", file_path })) };
    case "SubagentStart":
      return { task: event.task ?? "" };
    case "Stop":
      return { loop_count: event.continuations };
    case "SubagentStop":
      return { loop_count: event.continuations, summary, task: "", description: "", modified_files: [] };
    default:
      return rest;
  }
}

const SPECIFIC_EVENT = /^(before|after)(Shell|MCP|Read|File|Tab)/;

export const scriptCodec = createScriptCodec({
  host: HOST,
  samples,
  capabilities,
  createUnknownEventRow,
  decodePayload,
  tools: TOOLS,
  listNativeEvents: (event) => [
    ...listTableEvents({ capabilities }, event.event).filter((name) => !SPECIFIC_EVENT.test(name)),
    ...listSpecificEvents(event),
  ],
  replace: ({ model, agent_id: subagent_id, agent_type: subagent_type }) => ({
    model: model ?? "unknown",
    model_id: model,
    subagent_id,
    subagent_type,
  }),
  addOwn: ({ transcript_path, host_version: cursor_version }) => ({ transcript_path, cursor_version }),
  formatResult: formatSuccess,
  calls: CALLS,
  buildSpecificPayloads: (event, native_event, base) =>
    SPECIFIC_EVENT.test(native_event)
      ? buildSpecificPayloads(event, native_event).map((fields) => ({ ...base, duration: undefined, ...fields }))
      : undefined,
  buildCall({ tool_name, tool_input, result }, event, base) {
    const { id: tool_use_id, error: error_message, duration_ms: duration } = readCallMetadata(event);
    return {
      ...base,
      ...pickPresentFields(base, { tool_use_id }),
      // Cursor sends a directory only for tools that run in one [seen @cursor/sdk 1.0.32, 2026-11-21].
      cwd: tool_name === "Shell" ? (tool_input as Payload).cwd : undefined,
      tool_name,
      tool_input,
      tool_output: result === undefined ? undefined : JSON.stringify(result),
      error_message,
      duration,
    };
  },
  buildSession: (event, fields, base) => ({ ...base, ...renameSessionFields(event, fields) }),
  parseAnswer,
  // Like all examples in its documentation [docs https://cursor.com/docs/hooks.md].
  allowsByHabit: true,
  buildScriptEnv: (root, { cursor_version }) => ({
    CURSOR_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
    ...(typeof cursor_version === "string" && { CURSOR_VERSION: cursor_version }),
  }),
});
