import { pathToFileURL } from "node:url";
import type { AnyEvent } from "../../protocol/event.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { toObject } from "../../protocol/object.ts";
import { renderPatch } from "../../protocol/patch.ts";
import type { FileChange } from "../../protocol/tool.ts";
import {
  buildTableCall,
  type CallOutput,
  createScriptCodec,
  type NativeCall,
  readCallMetadata,
  type SessionEvent,
  splitIntoReplacements,
} from "../codec/native-payloads.ts";
import { opencode } from "./index.ts";
import { parseAnswer, translatePatch } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };
import { TOOLS } from "./tools.ts";

// Result formats [seen 1.18.33, 2026-11-22].
const formatShellResult = ({ text, stdout = text, exit_code: exit = 0 }: CallOutput) => ({
  title: "",
  metadata: { output: stdout, exit, truncated: false },
  output: stdout,
});

/** Builds the calls for an edit: one call per change, or a single patch if the edit adds, moves or deletes files. */
function buildEditCalls(files: readonly FileChange[]): NativeCall[] {
  if (files.some(({ operation }) => operation !== "update"))
    return [{ tool_name: "apply_patch", tool_input: { patchText: renderPatch(files) } }];
  return splitIntoReplacements(files).flatMap((change) => buildTableCall(TOOLS, "Edit", change));
}

/** Builds the payload of a user's prompt. Text and attachments are separate parts. */
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

function buildSession(event: SessionEvent, base: Payload): Payload {
  switch (event.event) {
    case "UserPromptSubmit":
      return buildPromptPayload(event, addModel(event, base));
    case "SessionStart":
      return event.source === "resume" ? { ...base, resumed: true } : base;
    case "Notification": {
      const [, permission = "", pattern] =
        /^OpenCode asks for permission: (\w+)(?:: (.*))?$/s.exec(event.message) ?? [];
      const permissionFields = permission
        ? { permission, patterns: pattern === undefined ? [] : [pattern] }
        : { permission: event.message, patterns: [] };
      return { ...base, properties: { ...toObject(base.properties), ...permissionFields, metadata: {}, always: [] } };
    }
    default:
      return base;
  }
}

/** Adds the model, splitting `provider/model` into two fields. OpenCode reports the model only with prompts. */
function addModel({ model = "" }: AnyEvent, base: Payload): Payload {
  const message = toObject(toObject(base.output).message);
  const at = model.indexOf("/");
  if (at < 1 || message.model === undefined) return base;
  const modelFields = { providerID: model.slice(0, at), modelID: model.slice(at + 1) };
  return { ...base, output: { ...toObject(base.output), message: { ...message, model: modelFields } } };
}

export const scriptCodec = createScriptCodec({
  host: opencode,
  samples,
  tools: TOOLS,
  // A subagent has its own session, whose parent is the main agent's session.
  add: ({ session_id, agent_id }) => (agent_id ? { session_id, agent_id } : {}),
  formatResult: ({ text }) => ({ title: "", output: text, metadata: { truncated: false } }),
  mcp: ({ server, tool }) => ({
    tool_name: `${server.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}_${tool}`,
    result: ({ text, is_error }) => ({ content: [{ type: "text", text }], ...(is_error && { isError: true }) }),
    extraFields: { mcp: [server] },
  }),
  calls: {
    Bash: ({ tool, input }) => buildTableCall(TOOLS, tool, input, { result: formatShellResult }),
    Edit: ({ input }) => buildEditCalls(input.files),
    WebFetch: ({ tool, input }) => buildTableCall(TOOLS, tool, input, { extraInput: { format: "text" } }),
  },
  /** Builds the payload of a call before it runs, after it has run, or after it has failed. */
  buildCall({ tool_name: tool, tool_input: args, result: output, extraFields = { mcp: [] } }, event, recording) {
    const { id, error, duration_ms = 0 } = readCallMetadata(event);
    const base = addModel(event, recording);
    const call = { tool, ...(id && { callID: id }) };
    if (event.event === "PostToolUseFailure") {
      const properties = toObject(base.properties);
      const part = toObject(properties.part);
      const start = Number(toObject(toObject(part.state).time).start);
      const state = { status: "error", input: args, error, time: { start, end: start + duration_ms } };
      return { ...base, properties: { ...properties, part: { ...part, ...call, state } }, ...extraFields };
    }
    const input = { ...toObject(base.input), ...call };
    if (event.event === "PreToolUse") return { ...base, input, output: { args }, ...extraFields };
    return { ...base, input: { ...input, args }, output, ...extraFields };
  },
  buildSession: (event, _, base) => buildSession(event, base),
  parseAnswer,
  translatePatch,
  // The plugin doesn't add environment variables.
  buildScriptEnv: () => ({}),
});
