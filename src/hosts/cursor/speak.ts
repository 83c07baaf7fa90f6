import { resolve } from "node:path";
import { type AnyEvent, type EventName, isCall } from "../../core/event.ts";
import type { Payload } from "../../core/host.ts";
import type { Speech } from "../../core/speech.ts";
import type { FileChange, ReadInput } from "../../core/tool.ts";
import { rowIn } from "../check.ts";
import { readConfig } from "../setup.ts";
import { around, type Call, given, known, type Native, newText, type Output, resultAt, sessionFields, spoken } from "../speak.ts";
import { capabilities, unknown } from "./capabilities.ts";
import { decode } from "./decode.ts";
import { RECORDED } from "./samples.ts";
import { understand } from "./understand.ts";

const HOST = "cursor";

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

const events = (event: AnyEvent) => [...(EVENTS[event.event] ? [EVENTS[event.event] as string] : []), ...specific(event)];

// Results [seen @cursor/sdk 1.0.32, 2026-11-21].
const blocks = ({ text, is_error = false }: Output) => ({ content: [{ type: "text", text }], isError: is_error });
/** Of a form that nobody has recorded [unverified]. */
const success = ({ text: output }: Output) => ({ success: true, output });

const write = (file_path: string, content: string): Native => ({
  tool_name: "Write",
  tool_input: { file_path, content },
  result: () => ({ file_path, success: true }),
});
const remove = (file_path: string): Native => ({
  tool_name: "Delete",
  tool_input: { file_path },
  result: () => ({ file_path, deleted: true }),
});

/** Cursor writes whole files: of a change nothing is known but what it puts there. */
function edit(file: FileChange): Native[] {
  const { file_path, operation, moved_to = file_path } = file;
  switch (operation) {
    case "add":
    case "update":
      return [write(file_path, newText(file))];
    case "delete":
      return [remove(file_path)];
    case "move":
      return [write(moved_to, newText(file)), remove(file_path)];
  }
}

/** An event's call as Cursor makes it. */
function calls(event: Call): Native[] {
  switch (event.tool) {
    case "Bash": {
      const { command, cwd = event.cwd, timeout_ms: timeout } = event.input;
      const result = ({ text, stdout = text, exit_code: exitCode = 0 }: Output) => ({ output: stdout, exitCode });
      return [{ tool_name: "Shell", tool_input: given({ command, cwd, timeout }), result }];
    }
    case "Read": {
      const { file_path, offset, limit } = event.input;
      const result = ({ text }: Output) => ({ file_path, content_length: text.length });
      return [{ tool_name: "Read", tool_input: given({ file_path, offset, limit }), result }];
    }
    case "Write":
      return [write(event.input.file_path, event.input.content)];
    case "Edit":
      return event.input.files.flatMap(edit);
    case "Glob": {
      const { pattern, path = event.cwd } = event.input;
      // All of a folder [seen @cursor/sdk 1.0.32]; others [unverified].
      if (pattern === "*") return [{ tool_name: "List", tool_input: { file_path: path, ignore: [] } }];
      return [{ tool_name: "Glob", tool_input: given({ pattern, path: event.input.path }) }];
    }
    case "Grep": {
      const { pattern, path: file_path, glob } = event.input;
      return [{ tool_name: "Grep", tool_input: given({ pattern, file_path, glob, output_mode: "content" }) }];
    }
    case "WebFetch":
      return [{ tool_name: "Fetch", tool_input: { url: event.input.url } }];
    case "WebSearch":
      return [{ tool_name: "WebSearch", tool_input: { search_term: event.input.query } }];
    case "Task": {
      const { prompt, description, agent_type: subagent_type } = event.input;
      return [{ tool_name: "Task", tool_input: given({ description, prompt, subagent_type }) }];
    }
    case "MCP":
      return [{ tool_name: `MCP:${event.input.tool}`, tool_input: event.input.arguments, result: blocks }];
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
  }
}

/** A file as it stands, where it is plain text of a sensible size. */
function contentOf({ file_path, content }: ReadInput, cwd: string): string {
  try {
    return content ?? readConfig(resolve(cwd, file_path));
  } catch {
    return "";
  }
}

/** What the events of their own say of a call; of an edit one payload a file. */
function specifically(event: Call, native_event: string, duration: number | undefined): Payload[] {
  const output = (event.event === "PostToolUse" ? event.output : { text: "", raw: undefined }) as Output;
  switch (event.tool) {
    case "Bash": {
      const { command, cwd = event.cwd } = event.input;
      return [
        native_event === "beforeShellExecution" ? { command, cwd } : given({ command, output: output.stdout ?? output.text, duration }),
      ];
    }
    case "MCP": {
      const { server: mcp_server_name = "unknown", tool: tool_name, arguments: input } = event.input;
      const result = JSON.stringify(resultAt(event, HOST, native_event, blocks));
      return [given({ tool_name, tool_input: JSON.stringify(input), mcp_server_name, result_json: result, duration })];
    }
    case "Read":
      return [{ file_path: event.input.file_path, content: contentOf(event.input, event.cwd) }];
    case "Write": {
      const { file_path, content: new_string } = event.input;
      return [{ file_path, edits: [{ old_string: "", new_string }] }];
    }
    case "Edit":
      return event.input.files.map(({ file_path, moved_to = file_path, edits }) => ({
        file_path: moved_to,
        edits: edits.map(({ old_string, new_string }) => ({ old_string, new_string })),
      }));
    default:
      return [];
  }
}

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
  const { model = "unknown", agent_id: subagent_id, agent_type: subagent_type, transcript_path, host_version: cursor_version } = event;
  const base = {
    ...recorded,
    ...known(recorded, { model, model_id: event.model, subagent_id, subagent_type }),
    ...(event.host === HOST && given({ transcript_path, cursor_version })),
  };
  if (!isCall(event)) return [given({ ...base, ...sessionWords(event) })];
  const { id: tool_use_id, error: error_message, duration_ms: duration } = around(event);
  if (native_event !== EVENTS[event.event])
    return specifically(event, native_event, duration).map((fields) => given({ ...base, duration: undefined, ...fields }));
  return calls(event).map(({ tool_name, tool_input, result = success }) => {
    const output = resultAt(event, HOST, native_event, result);
    // Of tools that run nowhere in particular it names no folder [seen @cursor/sdk 1.0.32, 2026-11-21].
    const cwd = tool_name === "Shell" ? tool_input.cwd : undefined;
    const tool_output = output === undefined ? undefined : JSON.stringify(output);
    return given({ ...base, ...known(base, { tool_use_id }), cwd, tool_name, tool_input, tool_output, error_message, duration });
  });
}

export const speech: Speech = {
  payloads: (event) => spoken({ host: HOST, recorded: RECORDED, hear, events, tell }, event),
  understand,
  // As in all of its documentation's examples [docs https://cursor.com/docs/hooks.md].
  habitual_allow: true,
  variables: (root, { cursor_version }) => ({
    CURSOR_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
    ...(typeof cursor_version === "string" && { CURSOR_VERSION: cursor_version }),
  }),
};
