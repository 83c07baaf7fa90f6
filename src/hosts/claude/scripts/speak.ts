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
} from "../../speak.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { decode } from "../call/decode.ts";
import { ENV_FILE } from "../call/encode.ts";
import { RECORDED } from "../samples.ts";
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

const write = (file_path: string, content: string): Native => ({
  tool_name: "Write",
  tool_input: { file_path, content },
  result: () => ({ type: "create", filePath: file_path, content, ...UNTOUCHED }),
});

/** An event's call as Claude Code makes it: it has no tool that deletes or moves a file, or that changes several places. */
function calls(event: Call): Native[] {
  switch (event.tool) {
    case "Bash": {
      const { command, description, timeout_ms: timeout, run_in_background } = event.input;
      const tool_name = event.tool_name === "PowerShell" ? event.tool_name : "Bash";
      return [{ tool_name, tool_input: given({ command, description, timeout, run_in_background }), result: streams }];
    }
    case "Read": {
      const { file_path, offset, limit } = event.input;
      return [
        { tool_name: "Read", tool_input: given({ file_path, offset, limit }), result: ({ text }) => read(file_path, offset ?? 1, text) },
      ];
    }
    case "Write":
      return [write(event.input.file_path, event.input.content)];
    case "Edit":
      return event.input.files.flatMap((file): Native[] => {
        if (file.operation === "add") return [write(file.file_path, newText(file))];
        return replacements([file]).map(({ file_path, old_string, new_string }) => ({
          tool_name: "Edit",
          tool_input: { file_path, old_string, new_string, replace_all: false },
          result: () => ({ filePath: file_path, oldString: old_string, newString: new_string, replaceAll: false, ...UNTOUCHED }),
        }));
      });
    case "Glob":
    case "Grep":
    case "WebSearch":
    case "WebFetch":
      return [{ tool_name: event.tool, tool_input: given({ ...event.input }), result: content }];
    case "Task": {
      const { prompt, description, agent_type: subagent_type } = event.input;
      const result = (output: Output) => ({ status: "completed", prompt, ...content(output) });
      return [{ tool_name: "Agent", tool_input: given({ description, prompt, subagent_type }), result }];
    }
    case "MCP":
      return mcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `mcp__${server}__${tool}`,
        tool_input: event.input.arguments,
        result: blocks,
        more: { mcp_server: { name: server, source: "dynamic" } },
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input, result: content }];
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
  payloads: (event) => spoken({ host: HOST, recorded: RECORDED, hear, events: ({ event }) => [event], tell }, event),
  understand,
  appends: ENV_FILE,
  // Beside these it adds ids and sockets of the session [seen 2.1.330, 2026-11-21].
  variables: (root) => ({ CLAUDECODE: "1", CLAUDE_CODE_CHILD_SESSION: "1", CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_PROJECT_DIR: root }),
};
