import { type AnyEvent, type EventName, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ScriptCodec } from "../../../protocol/host/scripts.ts";
import { findCapabilityRow } from "../../doctor-helpers.ts";
import {
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
  buildNativePayloads,
  buildTableCall,
} from "../../native-payloads.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodePayload } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { parseAnswer } from "../read-answers.ts";

const HOST = "gemini";

const decodeEvent = (payload: Payload, native_event: string): AnyEvent =>
  decodePayload(payload, native_event, findCapabilityRow(capabilities, createUnknownEventRow, native_event)).event;

const EVENTS: Partial<Record<EventName, string>> = {
  SessionStart: "SessionStart",
  PreToolUse: "BeforeTool",
  PostToolUse: "AfterTool",
  UserPromptSubmit: "BeforeAgent",
  Stop: "AfterAgent",
  SessionEnd: "SessionEnd",
  PreCompact: "PreCompress",
  Notification: "Notification",
};

// Result formats [seen 0.61.0, 2026-11-21].
const formatResult = ({ text }: CallOutput) => ({ llmContent: text, returnDisplay: text });
const formatMcpResult = ({ text, is_error }: CallOutput) => ({
  llmContent: [{ text }],
  returnDisplay: text,
  ...(is_error && { error: { message: text } }),
});

/** The prompt contains the whole request, including the address. */
function buildFetchPrompt(url: string, prompt = ""): string {
  const missing = url.split(" ").filter((address) => !prompt.includes(address));
  return [prompt, ...missing].filter(Boolean).join(" ");
}

/**
 * Builds Gemini CLI's calls for an event. Gemini CLI has no tool that deletes or moves a file, or that edits several
 * places at once.
 */
function buildNativeCalls(event: CallEvent): NativeCall[] {
  switch (event.tool) {
    case "Read": {
      const { offset = 1, limit } = event.input;
      const end_line = limit === undefined ? undefined : offset + limit - 1;
      return buildTableCall(TOOLS, event.tool, event.input, { beside: { end_line } });
    }
    case "Edit":
      return event.input.files.flatMap((file): NativeCall[] => {
        if (file.operation === "add")
          return buildTableCall(TOOLS, "Write", { file_path: file.file_path, content: joinNewText(file) });
        return splitIntoReplacements([file]).flatMap((change) =>
          buildTableCall(TOOLS, event.tool, change, { beside: { instruction: "" } }),
        );
      });
    case "Glob": {
      const { pattern, path: dir_path } = event.input;
      if (pattern === "*" && dir_path !== undefined) return [{ tool_name: "list_directory", tool_input: { dir_path } }];
      return buildTableCall(TOOLS, event.tool, event.input);
    }
    case "WebFetch":
      return buildTableCall(TOOLS, event.tool, { prompt: buildFetchPrompt(event.input.url, event.input.prompt) });
    case "MCP":
      return listMcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `mcp_${server}_${tool}`,
        tool_input: event.input.arguments,
        result: formatMcpResult,
        more: { mcp_context: { server_name: server, tool_name: tool } },
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return buildTableCall(TOOLS, event.tool, event.input);
  }
}

/** Neutral values: the recorded ones belong to another session. */
const NEUTRAL = { prompt: "", details: {} };

function buildPayloadsAt(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const { transcript_path } = event;
  // Scripts expect transcripts in their own host's format.
  const base = {
    ...recorded,
    ...pickPresentFields(recorded, NEUTRAL),
    ...(event.host === HOST && omitUndefined({ transcript_path })),
  };
  if (isToolCallEvent(event))
    return buildNativeCalls(event).map(({ tool_name, tool_input, result = formatResult, more }) =>
      omitUndefined({
        ...base,
        tool_name,
        tool_input,
        tool_response: buildNativeResult(event, HOST, native_event, result),
        ...more,
      }),
    );
  const { last_assistant_message: prompt_response, ...fields } = buildSessionFields(event);
  return [omitUndefined({ ...base, ...fields, ...(event.event === "Stop" && { prompt_response }) })];
}

export const scriptCodec: ScriptCodec = {
  buildPayloads: (event) =>
    buildNativePayloads(
      {
        host: HOST,
        recorded: samples,
        decodeEvent,
        listNativeEvents: ({ event }) => (EVENTS[event] ? [EVENTS[event]] : []),
        buildPayloadsAt,
      },
      event,
    ),
  parseAnswer,
  buildScriptEnv: (root, { session_id }) => ({
    GEMINI_PROJECT_DIR: root,
    GEMINI_CWD: root,
    ...(typeof session_id === "string" && { GEMINI_SESSION_ID: session_id }),
    CLAUDE_PROJECT_DIR: root,
  }),
};
