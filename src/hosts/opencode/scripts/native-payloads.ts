import { pathToFileURL } from "node:url";
import { type AnyEvent, type EventName, isToolCallEvent } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { ScriptCodec } from "../../../protocol/host/scripts.ts";
import type { FileChange } from "../../../protocol/tool.ts";
import { toObject, findCapabilityRow } from "../../doctor-helpers.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import {
  readCallMetadata,
  type CallEvent,
  listMcpReadings,
  type NativeCall,
  type CallOutput,
  splitIntoReplacements,
  buildNativeResult,
  buildNativePayloads,
  buildTableCall,
} from "../../native-payloads.ts";
import { capabilities, createUnknownEventRow } from "../capabilities.ts";
import { decodePayload } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { parseAnswer } from "../read-answers.ts";

const HOST = "opencode";

const decodeEvent = (payload: Payload, native_event: string): AnyEvent =>
  decodePayload(payload, native_event, findCapabilityRow(capabilities, createUnknownEventRow, native_event)).event;

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

// Result formats [seen 1.18.33, 2026-11-22].
const formatResult = ({ text }: CallOutput) => ({ title: "", output: text, metadata: { truncated: false } });
const formatShellResult = ({ text, stdout = text, exit_code: exit = 0 }: CallOutput) => ({
  title: "",
  metadata: { output: stdout, exit, truncated: false },
  output: stdout,
});
const formatMcpResult = ({ text, is_error }: CallOutput) => ({
  content: [{ type: "text", text }],
  ...(is_error && { isError: true }),
});

/** One change of one file, several such calls, or a patch, which is the only way to add, move and delete files. */
function buildEditCalls(files: readonly FileChange[]): NativeCall[] {
  if (files.some(({ operation }) => operation !== "update"))
    return [{ tool_name: "apply_patch", tool_input: { patchText: renderPatch(files) } }];
  return splitIntoReplacements(files).flatMap((change) => buildTableCall(TOOLS, "Edit", change));
}

/** Builds OpenCode's calls for an event. */
function buildNativeCalls(event: CallEvent): NativeCall[] {
  switch (event.tool) {
    case "Bash":
      return buildTableCall(TOOLS, event.tool, event.input, { result: formatShellResult });
    case "Edit":
      return buildEditCalls(event.input.files);
    case "WebFetch":
      return buildTableCall(TOOLS, event.tool, event.input, { beside: { format: "text" } });
    case "MCP":
      return listMcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `${server.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}_${tool}`,
        tool_input: event.input.arguments,
        result: formatMcpResult,
        more: { mcp: [server] },
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return buildTableCall(TOOLS, event.tool, event.input);
  }
}

/** Builds the payload of a call before it runs, after it ran, or after it failed. */
function buildCallPayloads(event: CallEvent, native_event: string, base: Payload): Payload[] {
  const { id, error, duration_ms = 0 } = readCallMetadata(event);
  return buildNativeCalls(event).map(
    ({ tool_name: tool, tool_input: args, result = formatResult, more = { mcp: [] } }) => {
      const output = buildNativeResult(event, HOST, native_event, result);
      if (event.event === "PostToolUseFailure") {
        const { part: recorded, ...rest } = toObject(base.properties);
        const part = toObject(recorded);
        const start = Number(toObject(toObject(part.state).time).start);
        const state = { status: "error", input: args, error, time: { start, end: start + duration_ms } };
        return { ...base, properties: { ...rest, part: { ...part, tool, ...(id && { callID: id }), state } }, ...more };
      }
      const input = { ...toObject(base.input), tool, ...(id && { callID: id }) };
      if (event.event === "PreToolUse") return { ...base, input, output: { args }, ...more };
      return { ...base, input: { ...input, args }, output, ...more };
    },
  );
}

/** Builds the payload of the user's prompt, in parts. */
function buildPromptPayload(event: Extract<AnyEvent, { event: "UserPromptSubmit" }>, base: Payload): Payload {
  const output = toObject(base.output);
  const [recorded] = output.parts as Payload[];
  const { messageID, sessionID, id } = toObject(recorded);
  const files = (event.attachments ?? []).map((path, index) => ({
    ...{ messageID, sessionID, id: `${String(id)}${index}`, type: "file", mime: "text/plain", filename: path },
    ...{ url: pathToFileURL(path).href, source: { type: "file", path } },
  }));
  return { ...base, output: { ...output, parts: [{ ...recorded, text: event.prompt }, ...files] } };
}

function buildPayloadsAt(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  // A subagent has a session of its own, whose parent is the main agent's session.
  const { session_id, agent_id } = event;
  const base: Payload = agent_id ? { ...recorded, session_id, agent_id } : recorded;
  if (isToolCallEvent(event)) return buildCallPayloads(event, native_event, addModel(event, base));
  switch (event.event) {
    case "UserPromptSubmit":
      return [buildPromptPayload(event, addModel(event, base))];
    case "SessionStart":
      return [event.source === "resume" ? { ...base, resumed: true } : base];
    case "Notification": {
      const [, permission = "", pattern] =
        /^OpenCode asks for permission: (\w+)(?:: (.*))?$/s.exec(event.message) ?? [];
      const said = permission
        ? { permission, patterns: pattern === undefined ? [] : [pattern] }
        : { permission: event.message, patterns: [] };
      return [{ ...base, properties: { ...toObject(base.properties), ...said, metadata: {}, always: [] } }];
    }
    default:
      return [base];
  }
}

/** Only a prompt names its model, as `provider/model`. */
function addModel({ model = "" }: AnyEvent, base: Payload): Payload {
  const message = toObject(toObject(base.output).message);
  const at = model.indexOf("/");
  if (at < 1 || message.model === undefined) return base;
  const named = { providerID: model.slice(0, at), modelID: model.slice(at + 1) };
  return { ...base, output: { ...toObject(base.output), message: { ...message, model: named } } };
}

export const scriptCodec: ScriptCodec = {
  buildPayloads: (event) =>
    buildNativePayloads(
      {
        host: HOST,
        recorded: samples,
        decodeEvent,
        listNativeEvents: ({ event }) => EVENTS[event] ?? [],
        buildPayloadsAt,
      },
      event,
    ),
  parseAnswer,
  // The plugin adds no variables.
  buildScriptEnv: () => ({}),
};
