import { pathToFileURL } from "node:url";
import { type AnyEvent, type EventName, isCall } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { Speech } from "../../../protocol/host/scripts.ts";
import type { FileChange } from "../../../protocol/tool.ts";
import { objectOf, rowIn } from "../../check.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import {
  around,
  type Call,
  mcpReadings,
  type Native,
  type Output,
  replacements,
  resultAt,
  spoken,
  told,
} from "../../speak.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { decode } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { understand } from "./understand.ts";

const HOST = "opencode";

const hear = (payload: Payload, native_event: string): AnyEvent =>
  decode(payload, native_event, rowIn(capabilities, unknown, native_event)).event;

const EVENTS: Partial<Record<EventName, readonly string[]>> = {
  SessionStart: ["session.created"],
  PreToolUse: ["tool.execute.before"],
  PostToolUse: ["tool.execute.after"],
  UserPromptSubmit: ["chat.message"],
  Stop: ["session.idle"],
  SessionEnd: ["dispose", "session.deleted"],
  PostToolUseFailure: ["message.part.updated"],
  PreCompact: ["experimental.session.compacting"],
  PostCompact: ["session.compacted"],
  Notification: ["permission.asked"],
};

// Results [seen 1.18.33, 2026-11-22].
const plain = ({ text }: Output) => ({ title: "", output: text, metadata: { truncated: false } });
const shell = ({ text, stdout = text, exit_code: exit = 0 }: Output) => ({
  title: "",
  metadata: { output: stdout, exit, truncated: false },
  output: stdout,
});
const blocks = ({ text, is_error }: Output) => ({
  content: [{ type: "text", text }],
  ...(is_error && { isError: true }),
});

/** One change of one file, several such calls, or a patch, which alone adds, moves and deletes. */
function edits(files: readonly FileChange[]): Native[] {
  if (files.some(({ operation }) => operation !== "update"))
    return [{ tool_name: "apply_patch", tool_input: { patchText: renderPatch(files) } }];
  return replacements(files).flatMap((change) => told(TOOLS, "Edit", change));
}

/** An event's call as OpenCode makes it. */
function calls(event: Call): Native[] {
  switch (event.tool) {
    case "Bash":
      return told(TOOLS, event.tool, event.input, { result: shell });
    case "Edit":
      return edits(event.input.files);
    case "WebFetch":
      return told(TOOLS, event.tool, event.input, { beside: { format: "text" } });
    case "MCP":
      return mcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `${server.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}_${tool}`,
        tool_input: event.input.arguments,
        result: blocks,
        more: { mcp: [server] },
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return told(TOOLS, event.tool, event.input);
  }
}

/** A call before it runs, after it ran, or after it failed. */
function callPayloads(event: Call, native_event: string, base: Payload): Payload[] {
  const { id, error, duration_ms = 0 } = around(event);
  return calls(event).map(({ tool_name: tool, tool_input: args, result = plain, more = { mcp: [] } }) => {
    const output = resultAt(event, HOST, native_event, result);
    if (event.event === "PostToolUseFailure") {
      const { part: recorded, ...rest } = objectOf(base.properties);
      const part = objectOf(recorded);
      const start = Number(objectOf(objectOf(part.state).time).start);
      const state = { status: "error", input: args, error, time: { start, end: start + duration_ms } };
      return { ...base, properties: { ...rest, part: { ...part, tool, ...(id && { callID: id }), state } }, ...more };
    }
    const input = { ...objectOf(base.input), tool, ...(id && { callID: id }) };
    if (event.event === "PreToolUse") return { ...base, input, output: { args }, ...more };
    return { ...base, input: { ...input, args }, output, ...more };
  });
}

/** What the user typed, by parts. */
function promptPayload(event: Extract<AnyEvent, { event: "UserPromptSubmit" }>, base: Payload): Payload {
  const output = objectOf(base.output);
  const [recorded] = output.parts as Payload[];
  const { messageID, sessionID, id } = objectOf(recorded);
  const files = (event.attachments ?? []).map((path, index) => ({
    ...{ messageID, sessionID, id: `${String(id)}${index}`, type: "file", mime: "text/plain", filename: path },
    ...{ url: pathToFileURL(path).href, source: { type: "file", path } },
  }));
  return { ...base, output: { ...output, parts: [{ ...recorded, text: event.prompt }, ...files] } };
}

function tell(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  // A subagent has a session of its own, in that of the one that it works for.
  const { session_id, agent_id } = event;
  const base: Payload = agent_id ? { ...recorded, session_id, agent_id } : recorded;
  if (isCall(event)) return callPayloads(event, native_event, withModel(event, base));
  switch (event.event) {
    case "UserPromptSubmit":
      return [promptPayload(event, withModel(event, base))];
    case "SessionStart":
      return [event.source === "resume" ? { ...base, resumed: true } : base];
    case "Notification": {
      const [, permission = "", pattern] =
        /^OpenCode asks for permission: (\w+)(?:: (.*))?$/s.exec(event.message) ?? [];
      const said = permission
        ? { permission, patterns: pattern === undefined ? [] : [pattern] }
        : { permission: event.message, patterns: [] };
      return [{ ...base, properties: { ...objectOf(base.properties), ...said, metadata: {}, always: [] } }];
    }
    default:
      return [base];
  }
}

/** Only a prompt names its model, as `provider/model`. */
function withModel({ model = "" }: AnyEvent, base: Payload): Payload {
  const message = objectOf(objectOf(base.output).message);
  const at = model.indexOf("/");
  if (at < 1 || message.model === undefined) return base;
  const named = { providerID: model.slice(0, at), modelID: model.slice(at + 1) };
  return { ...base, output: { ...objectOf(base.output), message: { ...message, model: named } } };
}

export const speech: Speech = {
  payloads: (event) =>
    spoken({ host: HOST, recorded: samples, hear, events: ({ event }) => EVENTS[event] ?? [], tell }, event),
  understand,
  // The plugin adds none.
  variables: () => ({}),
};
