import { type AnyEvent, type EventName, isCall } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { Speech } from "../../../protocol/host/scripts.ts";
import { rowIn } from "../../check.ts";
import {
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
  spoken,
  told,
} from "../../speak.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { decode } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { understand } from "./understand.ts";

const HOST = "gemini";

const hear = (payload: Payload, native_event: string): AnyEvent =>
  decode(payload, native_event, rowIn(capabilities, unknown, native_event)).event;

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

// Results [seen 0.61.0, 2026-11-21].
const shown = ({ text }: Output) => ({ llmContent: text, returnDisplay: text });
const blocks = ({ text, is_error }: Output) => ({
  llmContent: [{ text }],
  returnDisplay: text,
  ...(is_error && { error: { message: text } }),
});

/** What it is asked for stands in the prompt, the address too. */
function fetchPrompt(url: string, prompt = ""): string {
  const missing = url.split(" ").filter((address) => !prompt.includes(address));
  return [prompt, ...missing].filter(Boolean).join(" ");
}

/** An event's call as Gemini CLI makes it: it has no tool that deletes or moves a file, or that changes several places. */
function calls(event: Call): Native[] {
  switch (event.tool) {
    case "Read": {
      const { offset = 1, limit } = event.input;
      const end_line = limit === undefined ? undefined : offset + limit - 1;
      return told(TOOLS, event.tool, event.input, { beside: { end_line } });
    }
    case "Edit":
      return event.input.files.flatMap((file): Native[] => {
        if (file.operation === "add")
          return told(TOOLS, "Write", { file_path: file.file_path, content: newText(file) });
        return replacements([file]).flatMap((change) =>
          told(TOOLS, event.tool, change, { beside: { instruction: "" } }),
        );
      });
    case "Glob": {
      const { pattern, path: dir_path } = event.input;
      if (pattern === "*" && dir_path !== undefined) return [{ tool_name: "list_directory", tool_input: { dir_path } }];
      return told(TOOLS, event.tool, event.input);
    }
    case "WebFetch":
      return told(TOOLS, event.tool, { prompt: fetchPrompt(event.input.url, event.input.prompt) });
    case "MCP":
      return mcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `mcp_${server}_${tool}`,
        tool_input: event.input.arguments,
        result: blocks,
        more: { mcp_context: { server_name: server, tool_name: tool } },
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return told(TOOLS, event.tool, event.input);
  }
}

/** What is nobody's: the recorded values are those of another session. */
const NEUTRAL = { prompt: "", details: {} };

function tell(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const { transcript_path } = event;
  // Scripts read a transcript in the form of their own host.
  const base = { ...recorded, ...known(recorded, NEUTRAL), ...(event.host === HOST && given({ transcript_path })) };
  if (isCall(event))
    return calls(event).map(({ tool_name, tool_input, result = shown, more }) =>
      given({ ...base, tool_name, tool_input, tool_response: resultAt(event, HOST, native_event, result), ...more }),
    );
  const { last_assistant_message: prompt_response, ...fields } = sessionFields(event);
  return [given({ ...base, ...fields, ...(event.event === "Stop" && { prompt_response }) })];
}

export const speech: Speech = {
  payloads: (event) =>
    spoken(
      { host: HOST, recorded: samples, hear, events: ({ event }) => (EVENTS[event] ? [EVENTS[event]] : []), tell },
      event,
    ),
  understand,
  variables: (root, { session_id }) => ({
    GEMINI_PROJECT_DIR: root,
    GEMINI_CWD: root,
    ...(typeof session_id === "string" && { GEMINI_SESSION_ID: session_id }),
    CLAUDE_PROJECT_DIR: root,
  }),
};
