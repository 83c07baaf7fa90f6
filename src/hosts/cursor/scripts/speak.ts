import { type AnyEvent, type EventName, isCall } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { Speech } from "../../../protocol/host/scripts.ts";
import { rowIn } from "../../check.ts";
import { around, type Call, given, known, resultAt, sessionFields, spoken } from "../../speak.ts";
import { calls, HOST, specifically, success } from "../call/calls.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { decode } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { understand } from "./understand.ts";

const hear = (payload: Payload, native_event: string): AnyEvent =>
  decode(payload, native_event, rowIn(capabilities, unknown, native_event)).event;

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

/** Events that tell of a call once more, in words of their own. */
function specific(event: AnyEvent): string[] {
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

const events = (event: AnyEvent) => [
  ...(EVENTS[event.event] ? [EVENTS[event.event] as string] : []),
  ...specific(event),
];

/** What an event of the session says, as far as Cursor names it otherwise than others do. */
function sessionWords(event: Exclude<AnyEvent, Call>): Payload {
  const { source: _, stop_hook_active: __, last_assistant_message: summary, ...rest } = sessionFields(event);
  switch (event.event) {
    case "SessionEnd":
      return given({ ...rest, final_status: event.reason });
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

function tell(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const {
    model = "unknown",
    agent_id: subagent_id,
    agent_type: subagent_type,
    transcript_path,
    host_version: cursor_version,
  } = event;
  const base = {
    ...recorded,
    ...known(recorded, { model, model_id: event.model, subagent_id, subagent_type }),
    ...(event.host === HOST && given({ transcript_path, cursor_version })),
  };
  if (!isCall(event)) return [given({ ...base, ...sessionWords(event) })];
  const { id: tool_use_id, error: error_message, duration_ms: duration } = around(event);
  if (native_event !== EVENTS[event.event])
    return specifically(event, native_event, duration).map((fields) =>
      given({ ...base, duration: undefined, ...fields }),
    );
  return calls(event).map(({ tool_name, tool_input, result = success }) => {
    const output = resultAt(event, HOST, native_event, result);
    // Of tools that run nowhere in particular it names no folder [seen @cursor/sdk 1.0.32, 2026-11-21].
    const cwd = tool_name === "Shell" ? tool_input.cwd : undefined;
    const tool_output = output === undefined ? undefined : JSON.stringify(output);
    return given({
      ...base,
      ...known(base, { tool_use_id }),
      cwd,
      tool_name,
      tool_input,
      tool_output,
      error_message,
      duration,
    });
  });
}

export const speech: Speech = {
  payloads: (event) => spoken({ host: HOST, recorded: samples, hear, events, tell }, event),
  understand,
  // As in all of its documentation's examples [docs https://cursor.com/docs/hooks.md].
  habitual_allow: true,
  variables: (root, { cursor_version }) => ({
    CURSOR_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
    ...(typeof cursor_version === "string" && { CURSOR_VERSION: cursor_version }),
  }),
};
