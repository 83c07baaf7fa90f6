import { type AnyEvent, type EventName, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ScriptCodec } from "../../../protocol/host/scripts.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import {
  readCallMetadata,
  type CallEvent,
  omitUndefined,
  pickPresentFields,
  buildNativeResult,
  buildSessionFields,
  buildNativePayloads,
} from "../../native-payloads.ts";
import { buildNativeCalls, HOST, buildSpecificPayloads, formatSuccess } from "../call/calls.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodePayload } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { parseAnswer } from "../read-answers.ts";

const decodeEvent = (payload: Payload, native_event: string): AnyEvent =>
  decodePayload(payload, native_event, findCapabilityRow(capabilities, createUnknownEventRow, native_event)).event;

const EVENTS: Partial<Record<EventName, string>> = {
  SessionStart: "sessionStart",
  PreToolUse: "preToolUse",
  PostToolUse: "postToolUse",
  UserPromptSubmit: "beforeSubmitPrompt",
  Stop: "stop",
  SessionEnd: "sessionEnd",
  PostToolUseFailure: "postToolUseFailure",
  SubagentStart: "subagentStart",
  SubagentStop: "subagentStop",
  PreCompact: "preCompact",
};

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

const listNativeEvents = (event: AnyEvent) => [
  ...(EVENTS[event.event] ? [EVENTS[event.event] as string] : []),
  ...listSpecificEvents(event),
];

/** A session event's fields that have other names in Cursor than on other hosts. */
function buildCursorSessionFields(event: Exclude<AnyEvent, CallEvent>): Payload {
  const { source: _, stop_hook_active: __, last_assistant_message: summary, ...rest } = buildSessionFields(event);
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

function buildPayloadsAt(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const {
    model = "unknown",
    agent_id: subagent_id,
    agent_type: subagent_type,
    transcript_path,
    host_version: cursor_version,
  } = event;
  const base = {
    ...recorded,
    ...pickPresentFields(recorded, { model, model_id: event.model, subagent_id, subagent_type }),
    ...(event.host === HOST && omitUndefined({ transcript_path, cursor_version })),
  };
  if (!isToolCallEvent(event)) return [omitUndefined({ ...base, ...buildCursorSessionFields(event) })];
  const { id: tool_use_id, error: error_message, duration_ms: duration } = readCallMetadata(event);
  if (native_event !== EVENTS[event.event])
    return buildSpecificPayloads(event, native_event, duration).map((fields) =>
      omitUndefined({ ...base, duration: undefined, ...fields }),
    );
  return buildNativeCalls(event).map(({ tool_name, tool_input, result = formatSuccess }) => {
    const output = buildNativeResult(event, HOST, native_event, result);
    // Cursor sends a directory only for tools that run in one [seen @cursor/sdk 1.0.32, 2026-11-21].
    const cwd = tool_name === "Shell" ? tool_input.cwd : undefined;
    const tool_output = output === undefined ? undefined : JSON.stringify(output);
    return omitUndefined({
      ...base,
      ...pickPresentFields(base, { tool_use_id }),
      cwd,
      tool_name,
      tool_input,
      tool_output,
      error_message,
      duration,
    });
  });
}

export const scriptCodec: ScriptCodec = {
  buildPayloads: (event) =>
    buildNativePayloads({ host: HOST, recorded: samples, decodeEvent, listNativeEvents, buildPayloadsAt }, event),
  parseAnswer,
  // Like all examples in its documentation [docs https://cursor.com/docs/hooks.md].
  allowsByHabit: true,
  buildScriptEnv: (root, { cursor_version }) => ({
    CURSOR_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
    ...(typeof cursor_version === "string" && { CURSOR_VERSION: cursor_version }),
  }),
};
