import { type AnyEvent, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ScriptCodec } from "../../../protocol/host/scripts.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import {
  readCallMetadata,
  type CallEvent,
  omitUndefined,
  pickPresentFields,
  listMcpReadings,
  type NativeCall,
  joinNewText,
  type CallOutput,
  splitIntoReplacements,
  buildNativeResult,
  buildSessionFields,
  getShellFolder,
  buildNativePayloads,
  buildTableCall,
} from "../../native-payloads.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodePayload } from "../call/decode.ts";
import { ENV_FILE } from "../answers.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { parseAnswer } from "../read-answers.ts";

const HOST = "claude";

const decodeEvent = (payload: Payload, native_event: string): AnyEvent =>
  decodePayload(payload, native_event, findCapabilityRow(capabilities, createUnknownEventRow, native_event)).event;

// Result formats [seen 2.1.330, 2026-11-21].
const formatTextBlocks = ({ text }: CallOutput) => [{ type: "text", text }];
const formatShellResult = ({ text, stdout = text, stderr = "" }: CallOutput) => ({
  stdout,
  stderr,
  interrupted: false,
  isImage: false,
  noOutputExpected: false,
});
function formatReadResult(filePath: string, startLine: number, content: string) {
  const numLines = content.split("\n").length;
  return { type: "text", file: { filePath, content, numLines, startLine, totalLines: numLines } };
}
const UNTOUCHED = { originalFile: null, structuredPatch: [], userModified: false };
/** Results without a recording [unverified]. */
const formatContent = (output: CallOutput) => ({ content: formatTextBlocks(output) });

const buildWriteCall = (file_path: string, content: string): NativeCall[] =>
  buildTableCall(
    TOOLS,
    "Write",
    { file_path, content },
    { result: () => ({ type: "create", filePath: file_path, content, ...UNTOUCHED }) },
  );

function buildEditCall({
  file_path,
  old_string,
  new_string,
}: ReturnType<typeof splitIntoReplacements>[number]): NativeCall[] {
  const result = () => ({
    filePath: file_path,
    oldString: old_string,
    newString: new_string,
    replaceAll: false,
    ...UNTOUCHED,
  });
  return buildTableCall(
    TOOLS,
    "Edit",
    { file_path, old_string, new_string },
    { result, beside: { replace_all: false } },
  );
}

/**
 * Builds Claude Code's calls for an event. Claude Code has no tool that deletes or moves a file, or that edits several
 * places at once.
 */
function buildNativeCalls(event: CallEvent): NativeCall[] {
  switch (event.tool) {
    case "Write":
      return buildWriteCall(event.input.file_path, event.input.content);
    case "Edit":
      return event.input.files.flatMap((file) =>
        file.operation === "add"
          ? buildWriteCall(file.file_path, joinNewText(file))
          : splitIntoReplacements([file]).flatMap(buildEditCall),
      );
    case "MCP":
      return listMcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `mcp__${server}__${tool}`,
        tool_input: event.input.arguments,
        result: formatTextBlocks,
        more: { mcp_server: { name: server, source: "dynamic" } },
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input, result: formatContent }];
    case "Bash":
      return buildTableCall(TOOLS, event.tool, event.input, {
        result: formatShellResult,
        ...(event.input.shell === "powershell" && { tool_name: "PowerShell" }),
      });
    case "Read":
      return buildTableCall(TOOLS, event.tool, event.input, {
        result: ({ text }) => formatReadResult(event.input.file_path, event.input.offset ?? 1, text),
      });
    case "Task":
      return buildTableCall(TOOLS, event.tool, event.input, {
        result: (output) => ({ status: "completed", prompt: event.input.prompt, ...formatContent(output) }),
      });
    default:
      return buildTableCall(TOOLS, event.tool, event.input);
  }
}

/** Neutral values: the recorded ones belong to another session. */
const NEUTRAL = { custom_instructions: null, compact_summary: "", permission_suggestions: [] };

function buildPayloadsAt(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const { permission_mode = "default", agent_id, agent_type, transcript_path, model } = event;
  const base = {
    ...recorded,
    ...pickPresentFields(recorded, { ...NEUTRAL, permission_mode }),
    ...omitUndefined({ agent_id, agent_type }),
    // Scripts expect transcripts in their own host's format.
    ...(event.host === HOST && omitUndefined({ transcript_path, model })),
  };
  if (!isToolCallEvent(event)) return [omitUndefined({ ...base, ...buildSessionFields(event) })];
  const { id: tool_use_id, error, duration_ms } = readCallMetadata(event);
  return buildNativeCalls(event).map(({ tool_name, tool_input, result = formatContent, more }) =>
    omitUndefined({
      ...base,
      // `cwd` is the shell's directory [seen 2.1.330, 2026-11-21].
      ...pickPresentFields(base, { cwd: getShellFolder(event), tool_use_id }),
      tool_name,
      tool_input,
      tool_response: buildNativeResult(event, HOST, native_event, result),
      error,
      duration_ms,
      ...more,
    }),
  );
}

export const scriptCodec: ScriptCodec = {
  buildPayloads: (event) =>
    buildNativePayloads(
      { host: HOST, recorded: samples, decodeEvent, listNativeEvents: ({ event }) => [event], buildPayloadsAt },
      event,
    ),
  parseAnswer,
  envFileVariable: ENV_FILE,
  // Claude Code also sets ids and sockets of the session [seen 2.1.330, 2026-11-21].
  buildScriptEnv: (root) => ({
    CLAUDECODE: "1",
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_CODE_ENTRYPOINT: "cli",
    CLAUDE_PROJECT_DIR: root,
  }),
};
