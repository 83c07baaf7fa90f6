import { resolve } from "node:path";
import type { AnyEvent, CallEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { omitUndefined } from "../../protocol/object.ts";
import type { FileChange, ReadInput } from "../../protocol/tool.ts";
import {
  buildNativeResult,
  buildTableCall,
  type CallBuilders,
  type CallOutput,
  createScriptCodec,
  getShellFolder,
  joinNewText,
  listTableEvents,
  type NativeCall,
  pickPresentFields,
  readCallMetadata,
  type SessionEvent,
} from "../codec/native-payloads.ts";
import { readConfigText } from "../setup/entries.ts";
import { cursor } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

export const HOST = "cursor";

// Result formats [seen @cursor/sdk 1.0.32, 2026-11-21].
const formatMcpResult = ({ text, is_error = false }: CallOutput) => ({
  content: [{ type: "text", text }],
  isError: is_error,
});
/** Formats the results of tools for which there is no recording [unverified]. */
const formatSuccess = ({ text: output }: CallOutput) => ({ success: true, output });

const buildWriteCall = (file_path: string, content: string) =>
  buildTableCall(TOOLS, "Write", { file_path, content }, { result: () => ({ file_path, success: true }) });
const buildDeleteCall = (file_path: string) =>
  buildTableCall(TOOLS, "Edit", { file_path }, { result: () => ({ file_path, deleted: true }) });

/** Builds the calls for an edit. Cursor writes whole files, so a call contains only the new contents. */
function buildEditCalls(file: FileChange): NativeCall[] {
  const { file_path, operation, moved_to = file_path } = file;
  switch (operation) {
    case "add":
    case "update":
      return buildWriteCall(file_path, joinNewText(file));
    case "delete":
      return buildDeleteCall(file_path);
    case "move":
      return [...buildWriteCall(moved_to, joinNewText(file)), ...buildDeleteCall(file_path)];
  }
}

/** Builders for calls that the tool table can't describe. */
const CALL_BUILDERS: CallBuilders = {
  Bash(event) {
    const cwd = getShellFolder(event) ?? event.cwd;
    const result = ({ text, stdout = text, exit_code: exitCode = 0 }: CallOutput) => ({ output: stdout, exitCode });
    return buildTableCall(TOOLS, event.tool, { ...event.input, cwd }, { result });
  },
  Read: ({ tool, input }) =>
    buildTableCall(TOOLS, tool, input, {
      result: ({ text }) => ({ file_path: input.file_path, content_length: text.length }),
    }),
  Write: ({ input }) => buildWriteCall(input.file_path, input.content),
  Edit: ({ input }) => input.files.flatMap(buildEditCalls),
  Glob({ input: { pattern, path }, cwd }) {
    // The pattern "*" lists a directory [seen @cursor/sdk 1.0.32; other patterns unverified].
    if (pattern === "*") return [{ tool_name: "List", tool_input: { file_path: path ?? cwd, ignore: [] } }];
    return [{ tool_name: "Glob", tool_input: omitUndefined({ pattern, path }) }];
  },
  Grep: ({ tool, input }) => buildTableCall(TOOLS, tool, input, { extraInput: { output_mode: "content" } }),
  MCP: ({ input }) => [{ tool_name: `MCP:${input.tool}`, tool_input: input.arguments, result: formatMcpResult }],
};

/** Returns a file's contents if it is a regular text file of reasonable size, otherwise an empty string. */
function readFileContent({ file_path, content }: ReadInput, cwd: string): string {
  try {
    return content ?? readConfigText(resolve(cwd, file_path));
  } catch {
    return "";
  }
}

/** Builds the payloads of events for one kind of call. An edit has one payload per file. */
function buildSpecificPayloads(event: CallEvent, native_event: string): Payload[] {
  const { duration_ms: duration } = readCallMetadata(event);
  const output = (event.event === "PostToolUse" ? event.output : { text: "", raw: undefined }) as CallOutput;
  switch (event.tool) {
    case "Bash": {
      const { command } = event.input;
      const cwd = getShellFolder(event) ?? event.cwd;
      return [
        native_event === "beforeShellExecution"
          ? { command, cwd }
          : omitUndefined({ command, output: output.stdout ?? output.text, duration }),
      ];
    }
    case "MCP": {
      const { server: mcp_server_name = "unknown", tool: tool_name, arguments: input } = event.input;
      const result = JSON.stringify(buildNativeResult(event, HOST, native_event, formatMcpResult));
      return [
        omitUndefined({ tool_name, tool_input: JSON.stringify(input), mcp_server_name, result_json: result, duration }),
      ];
    }
    case "Read":
      return [{ file_path: event.input.file_path, content: readFileContent(event.input, event.cwd) }];
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

/** Lists the events that report the same call again with different payloads. */
function listSpecificEvents(event: AnyEvent): string[] {
  if (event.event !== "PreToolUse" && event.event !== "PostToolUse") return [];
  const isBeforeCall = event.event === "PreToolUse";
  switch (event.tool) {
    case "Bash":
      return [isBeforeCall ? "beforeShellExecution" : "afterShellExecution"];
    case "MCP":
      return [isBeforeCall ? "beforeMCPExecution" : "afterMCPExecution"];
    case "Read":
      return isBeforeCall ? ["beforeReadFile", "beforeTabFileRead"] : [];
    case "Write":
    case "Edit":
      return isBeforeCall ? [] : ["afterFileEdit"];
    default:
      return [];
  }
}

/** Renames a session event's fields to Cursor's names. */
function renameSessionFields(event: SessionEvent, fields: Payload): Payload {
  const { source: _, stop_hook_active: __, last_assistant_message: summary, ...otherFields } = fields;
  switch (event.event) {
    case "SessionEnd":
      return omitUndefined({ ...otherFields, final_status: event.reason });
    case "UserPromptSubmit":
      return {
        ...otherFields,
        attachments: (event.attachments ?? []).map((file_path) => ({ type: "file", file_path })),
      };
    case "SubagentStart":
      return { task: event.task ?? "" };
    case "Stop":
      return { loop_count: event.continuations };
    case "SubagentStop":
      return { loop_count: event.continuations, summary, task: "", description: "", modified_files: [] };
    default:
      return otherFields;
  }
}

const SPECIFIC_EVENT = /^(before|after)(Shell|MCP|Read|File|Tab)/;

export const scriptCodec = createScriptCodec({
  host: cursor,
  samples,
  tools: TOOLS,
  listNativeEvents: (event) => [
    ...listTableEvents(cursor, event.event).filter((name) => !SPECIFIC_EVENT.test(name)),
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
  calls: CALL_BUILDERS,
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
  translatePatch,
  // Scripts for Cursor answer "allow" by default, like every example in its documentation [docs
  // https://cursor.com/docs/hooks.md].
  allowsByHabit: true,
  buildScriptEnv: (root, { cursor_version }) => ({
    CURSOR_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
    ...(typeof cursor_version === "string" && { CURSOR_VERSION: cursor_version }),
  }),
});
