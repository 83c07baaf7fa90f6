import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { Speech } from "../../../protocol/host/scripts.ts";
import { rowIn } from "../../check.ts";
import {
  around,
  type Call,
  given,
  known,
  mcpReadings,
  type Native,
  newText,
  type Output,
  replacements,
  resultAt,
  sessionFields,
  shellFolder,
  spoken,
  told,
} from "../../speak.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { decode } from "../call/decode.ts";
import { ENV_FILE } from "../call/encode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { understand } from "./understand.ts";

const HOST = "claude";

const hear = (payload: Payload, native_event: string): AnyEvent =>
  decode(payload, native_event, rowIn(capabilities, unknown, native_event)).event;

// Results [seen 2.1.330, 2026-11-21].
const blocks = ({ text }: Output) => [{ type: "text", text }];
const streams = ({ text, stdout = text, stderr = "" }: Output) => ({
  stdout,
  stderr,
  interrupted: false,
  isImage: false,
  noOutputExpected: false,
});
function read(filePath: string, startLine: number, content: string) {
  const numLines = content.split("\n").length;
  return { type: "text", file: { filePath, content, numLines, startLine, totalLines: numLines } };
}
const UNTOUCHED = { originalFile: null, structuredPatch: [], userModified: false };
/** Of a form that nobody has recorded [unverified]. */
const content = (output: Output) => ({ content: blocks(output) });

const write = (file_path: string, content: string): Native[] =>
  told(
    TOOLS,
    "Write",
    { file_path, content },
    { result: () => ({ type: "create", filePath: file_path, content, ...UNTOUCHED }) },
  );

function change({ file_path, old_string, new_string }: ReturnType<typeof replacements>[number]): Native[] {
  const result = () => ({
    filePath: file_path,
    oldString: old_string,
    newString: new_string,
    replaceAll: false,
    ...UNTOUCHED,
  });
  return told(TOOLS, "Edit", { file_path, old_string, new_string }, { result, beside: { replace_all: false } });
}

/** An event's call as Claude Code makes it: it has no tool that deletes or moves a file, or that changes several places. */
function calls(event: Call): Native[] {
  switch (event.tool) {
    case "Write":
      return write(event.input.file_path, event.input.content);
    case "Edit":
      return event.input.files.flatMap((file) =>
        file.operation === "add" ? write(file.file_path, newText(file)) : replacements([file]).flatMap(change),
      );
    case "MCP":
      return mcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `mcp__${server}__${tool}`,
        tool_input: event.input.arguments,
        result: blocks,
        more: { mcp_server: { name: server, source: "dynamic" } },
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input, result: content }];
    case "Bash":
      return told(TOOLS, event.tool, event.input, {
        result: streams,
        ...(event.tool_name === "PowerShell" && { tool_name: event.tool_name }),
      });
    case "Read":
      return told(TOOLS, event.tool, event.input, {
        result: ({ text }) => read(event.input.file_path, event.input.offset ?? 1, text),
      });
    case "Task":
      return told(TOOLS, event.tool, event.input, {
        result: (output) => ({ status: "completed", prompt: event.input.prompt, ...content(output) }),
      });
    default:
      return told(TOOLS, event.tool, event.input);
  }
}

/** What is nobody's: the recorded values are those of another session. */
const NEUTRAL = { custom_instructions: null, compact_summary: "", permission_suggestions: [] };

function tell(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const { permission_mode = "default", agent_id, agent_type, transcript_path, model } = event;
  const base = {
    ...recorded,
    ...known(recorded, { ...NEUTRAL, permission_mode }),
    ...given({ agent_id, agent_type }),
    // Scripts read a transcript in the form of their own host.
    ...(event.host === HOST && given({ transcript_path, model })),
  };
  if (!isCall(event)) return [given({ ...base, ...sessionFields(event) })];
  const { id: tool_use_id, error, duration_ms } = around(event);
  return calls(event).map(({ tool_name, tool_input, result = content, more }) =>
    given({
      ...base,
      // The folder that it names is its shell's [seen 2.1.330, 2026-11-21].
      ...known(base, { cwd: shellFolder(event), tool_use_id }),
      tool_name,
      tool_input,
      tool_response: resultAt(event, HOST, native_event, result),
      error,
      duration_ms,
      ...more,
    }),
  );
}

export const speech: Speech = {
  payloads: (event) => spoken({ host: HOST, recorded: samples, hear, events: ({ event }) => [event], tell }, event),
  understand,
  appends: ENV_FILE,
  // Beside these it adds ids and sockets of the session [seen 2.1.330, 2026-11-21].
  variables: (root) => ({
    CLAUDECODE: "1",
    CLAUDE_CODE_CHILD_SESSION: "1",
    CLAUDE_CODE_ENTRYPOINT: "cli",
    CLAUDE_PROJECT_DIR: root,
  }),
};
