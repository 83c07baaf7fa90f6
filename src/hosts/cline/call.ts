import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import { parsePatch, renderPatch } from "../../protocol/patch.ts";
import type { BashOutput, ToolCall } from "../../protocol/tool.ts";
import { parseEditFiles, patchCall } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName } from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import {
  createFieldError,
  formatOutput,
  parseMcpName,
  pickStringFields,
  readStringField,
  toRecord,
} from "../codec/wire.ts";
import { flattenInput, wrapItem } from "./inputs.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** Maps event names in payloads to the corresponding script names [seen 3.0.65, 2026-11-29]. */
const EVENT_NAMES: Readonly<Record<string, string>> = {
  agent_start: "TaskStart",
  agent_resume: "TaskResume",
  agent_abort: "TaskCancel",
  agent_end: "TaskComplete",
  agent_error: "TaskError",
  tool_call: "PreToolUse",
  tool_result: "PostToolUse",
  prompt_submit: "UserPromptSubmit",
  session_shutdown: "SessionShutdown",
};

export function getEventName({ hookName }: Payload, hint = ""): string {
  if (typeof hookName !== "string") return hint;
  return Object.hasOwn(EVENT_NAMES, hookName) ? (EVENT_NAMES[hookName] as string) : hookName;
}

/** Returns the part of a payload that contains the call's fields. */
export const getCallPart = ({ tool_call, tool_result }: Payload): Payload => toObject(tool_call ?? tool_result);

/** Decodes an edit of one file. A call without old text creates the file [seen 3.0.65, 2026-11-29]. */
function decodeEditor(tool_name: string, rawInput: Payload, location: string): ToolCall {
  const { old_text, insert_line } = rawInput;
  const call = decodeTableCall(
    TOOLS,
    tool_name,
    { ...rawInput, old_text: old_text ?? "" },
    location,
  ) as ToolCall<"Edit">;
  const [file] = call.input.files;
  const isInserted = insert_line !== undefined && insert_line !== null;
  if (!file || isInserted || (typeof old_text === "string" && old_text !== "")) return call;
  const content = file.edits[0]?.new_string ?? "";
  return { tool: "Write", tool_name, input: { file_path: file.file_path, content } };
}

export function decodeToolCall(tool_name: string, input: unknown): ToolCall {
  const location = `input of ${tool_name}`;
  if (tool_name === "editor") return decodeEditor(tool_name, toRecord(input), location);
  if (tool_name === "apply_patch") {
    const text = typeof input === "string" ? input : readStringField(toRecord(input), "input", location);
    return { tool: "Edit", tool_name, input: { files: parsePatch(text) } };
  }
  const flatInput = flattenInput(tool_name, input, location);
  const call = decodeTableCall(TOOLS, tool_name, flatInput?.item ?? input, location);
  if (call?.tool === "Read") return completeRead(call, flatInput?.texts ?? [], toObject(flatInput?.item));
  if (call) return call;
  // MCP tools are named <server>__<tool> [seen 3.0.65, 2026-11-29].
  return decodeOtherCall(tool_name, input, parseMcpName(`mcp__${tool_name}`), UNMAPPED_TOOLS);
}

function completeRead(call: ToolCall<"Read">, paths: readonly string[], { end_line }: Payload): ToolCall {
  const { offset = 1 } = call.input;
  if (typeof end_line === "number") call.input.limit = end_line - offset + 1;
  if (paths.length > 1) call.input.file_paths = [...paths];
  return call;
}

/** Joins the text of all results in a list. For a shell call, also returns the first nonzero exit code. */
export function decodeOutput(tool: ToolCall["tool"], raw: unknown): BashOutput {
  const results = [raw].flat().filter(isObject);
  if (results.length === 0 || !results.every(({ query, result }) => query !== undefined && result !== undefined))
    return { text: typeof toObject(raw).text === "string" ? String(toObject(raw).text) : formatOutput(raw), raw };
  const texts = results.map(({ result, error }) => formatOutput(result) || formatOutput(error));
  const codes = results.map(({ success, error }) =>
    success === true ? 0 : Number(/^Command exited with code (\d+)$/.exec(String(error))?.[1]),
  );
  const exit_code = codes.find((code) => code !== 0) ?? 0;
  return { text: texts.join("\n"), raw, ...(tool === "Bash" && !Number.isNaN(exit_code) && { exit_code }) };
}

/** Text fields that can appear on any event. */
const COMMON_FIELDS = ["agent_id", "parent_agent_id"] as const;

/** Returns the first workspace root, or an empty string if the session has none. */
function readFolder({ workspaceRoots }: Payload): string {
  const [root = ""] = Array.isArray(workspaceRoots) ? workspaceRoots : [];
  if (typeof root === "string") return root;
  throw createFieldError("payload", "workspaceRoots", root, "string");
}

export function decodePayload(payload: Payload, native_event: string, { event }: CapabilityRow): DecodedPayload {
  const { agent_id, parent_agent_id } = pickStringFields(payload, COMMON_FIELDS);
  const { taskId = "" } = pickStringFields(payload, ["taskId"]);
  const base = {
    native_event,
    host: "cline",
    // A subagent runs as a separate task.
    session_id: taskId,
    cwd: readFolder(payload),
    ...(parent_agent_id && agent_id && { agent_id }),
    _native: payload,
  };
  if (!isCallEventName(event)) {
    const fields = getSessionFields(payload, native_event);
    return decodeSessionEvent((parent_agent_id && SUBAGENT_EVENTS[native_event]) || event, base, fields);
  }
  const part = getCallPart(payload);
  const tool_name = readStringField(part, "name", native_event);
  const { id: tool_use_id } = pickStringFields(part, ["id"]);
  const duration_ms = typeof part.durationMs === "number" ? part.durationMs : undefined;
  const call = decodeCall(tool_name, part, event === "PreToolUse");
  const output = () => decodeOutput(call.tool, part.output);
  return buildCallEvent(event, base, { tool_use_id, ...call }, { output, duration_ms });
}

/**
 * Decodes a call. Unreadable input isn't an error if Cline has already rejected the call, since a rejected call has no
 * effect.
 */
function decodeCall(tool_name: string, { input, error }: Payload, isPending: boolean): ToolCall {
  try {
    return decodeToolCall(tool_name, input);
  } catch (problem) {
    if (isPending || error === undefined || error === null) throw problem;
    return { tool: "Other", tool_name, input: toRecord(input) };
  }
}

/** In a subagent, these events mark its start and end [seen 3.0.65, 2026-11-29]. */
const SUBAGENT_EVENTS: Readonly<Record<string, "SubagentStart" | "SubagentStop">> = {
  TaskStart: "SubagentStart",
  TaskComplete: "SubagentStop",
};

/** Returns a session event's fields under the names that most hosts share. */
function getSessionFields(payload: Payload, native_event: string): Payload {
  return {
    prompt: toObject(payload.userPromptSubmit).prompt,
    last_assistant_message: toObject(payload.turn).outputText,
    reason: payload.reason,
    ...(native_event === "TaskResume" && { source: "resume" }),
  };
}

/**
 * Returns the whole input with the patch applied, because Cline replaces the original input [seen 3.0.65, 2026-11-29].
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const { input } = getCallPart(event._native);
  const { tool_name, tool } = event;
  if (tool_name === "apply_patch") {
    const files = parseEditFiles(patch);
    return "unsupported" in files ? files : { input: { input: renderPatch(files) } };
  }
  if (tool_name === "editor" && tool === "Write")
    return patchCall(EDITOR_WRITES, { ...event, tool_name } as CallEvent, toRecord(input), patch);
  const flatInput = flattenInput(tool_name, input, tool_name);
  if (flatInput && flatInput.texts.length !== 1 && tool !== "Bash")
    return {
      unsupported: `this ${tool_name} call has ${flatInput.texts.length} items; deny it and ask for one item at a time`,
    };
  const result = patchCall(TOOLS, event, flatInput?.item ?? toRecord(input), patch);
  return "input" in result ? { input: wrapItem(tool_name, result.input) } : result;
}

/** The editor tool's input fields when it creates a file. */
const EDITOR_WRITES = { editor: ["Write", { file_path: "path", content: "new_text" }] } as const;
