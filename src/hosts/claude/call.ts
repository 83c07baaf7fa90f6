import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import { type AnyEvent, type CallEvent, isToolCallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, ReplaceResult, RewriteResult } from "../../protocol/host/host.ts";
import { isObject } from "../../protocol/object.ts";
import type { Decision } from "../../protocol/response.ts";
import type { FileChange, ToolCall, ToolOutput } from "../../protocol/tool.ts";
import { completeInput } from "../codec/field-synonyms.ts";
import { patchCall } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName, readEventBase } from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import {
  createFieldError,
  createPolicyTextSchema,
  formatOutput,
  parseMcpName,
  parseWith,
  pickStringFields,
  readStringField,
  requireObject,
} from "../codec/wire.ts";
import { listMentionedFiles } from "./mentions.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** Text fields that can appear on any event [seen 2.1.330, 2026-11-21]. */
const COMMON_FIELDS = ["session_id", "transcript_path", "permission_mode", "model", "agent_id", "agent_type"] as const;

/** Additional text fields for a shell command in a skill or slash command [seen 2.1.332, 2026-11-28]. */
const SKILL_LINE_FIELDS = ["command_name", "invoked_by"] as const;

/** Schemas for tool inputs that don't fit the format of the tool table. */
export const inputs = {
  Edit: () =>
    v.object({
      file_path: v.string(),
      old_string: createPolicyTextSchema(),
      new_string: createPolicyTextSchema(),
      edits: v.nullish(v.array(v.object({ old_string: v.string(), new_string: v.string() })), () => []),
    }),
};

/** Schema of a Bash result [seen 2.1.330, 2026-11-21]. */
const createBashResultSchema = () => v.object({ stdout: v.string(), stderr: v.optional(v.string(), "") });

/** Schema of the result that Read returns for a text file [seen 2.1.330, 2026-11-21]. */
const createReadResultSchema = () => v.object({ file: v.object({ content: v.string() }) });

const CHANGE_FIELDS = { old_string: "old_string", new_string: "new_string" } as const;
const EDIT_FIELDS = { file_path: "file_path", ...CHANGE_FIELDS } as const;

/**
 * Decodes Edit and MultiEdit calls. If a call mixes the two formats, all of its edits are checked, since either set
 * might be applied. Also accepts other programs' field names for these tools.
 */
function decodeEdit(tool_name: string, rawInput: unknown, location: string): ToolCall {
  const native = requireObject(rawInput, location);
  const renamedInput = completeInput(EDIT_FIELDS, native, location);
  const changes = renameChanges(native.edits, location);
  const input = changes
    ? { ...(renamedInput?.completed ?? native), edits: changes }
    : (renamedInput?.completed ?? native);
  const { file_path, old_string, new_string, edits } = parseWith(inputs.Edit, input, location);
  const isSingleEdit = old_string !== undefined || new_string !== undefined || edits.length === 0;
  const singleEdits = isSingleEdit ? [{ old_string: old_string ?? "", new_string: new_string ?? "" }] : [];
  const files: FileChange[] = [{ file_path, operation: "update", edits: [...edits, ...singleEdits] }];
  const isEmpty = old_string === undefined && new_string === undefined && edits.length === 0;
  if (!renamedInput && !changes && !isEmpty) return { tool: "Edit", tool_name, input: { files } };
  return { tool: "Edit", tool_name, guessed: true, input: { ...(renamedInput?.remaining ?? native), files } };
}

/** Renames the fields of MultiEdit edits to Claude Code's names; returns undefined if the names already match. */
function renameChanges(edits: unknown, location: string): unknown[] | undefined {
  if (!Array.isArray(edits)) return undefined;
  const renamedEdits = edits.map((edit: unknown) =>
    isObject(edit) ? completeInput(CHANGE_FIELDS, edit, location) : undefined,
  );
  return renamedEdits.some(Boolean) ? edits.map((edit: unknown, at) => renamedEdits[at]?.completed ?? edit) : undefined;
}

export function decodeToolCall(tool_name: string, rawInput: unknown, server?: string): ToolCall {
  const location = `tool_input of ${tool_name}`;
  if (tool_name === "Edit" || tool_name === "MultiEdit") return decodeEdit(tool_name, rawInput, location);
  const call = decodeTableCall(TOOLS, tool_name, rawInput, location);
  if (call) return call;
  return decodeOtherCall(tool_name, rawInput, parseMcpName(tool_name, server), UNMAPPED_TOOLS);
}

export function decodeOutput(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  if (tool === "Bash" && v.is(createBashResultSchema(), raw)) {
    const { stdout, stderr = "" } = raw;
    return { text: stdout + stderr, raw, stdout, stderr } as ToolOutput;
  }
  if (tool === "Read" && v.is(createReadResultSchema(), raw)) return { text: raw.file.content, raw };
  return { text: formatOutput(raw), raw };
}

/** Returns the MCP server that a call belongs to; undefined if the call isn't an MCP call. */
function readServerName({ mcp_server: server }: Payload, location: string): string | undefined {
  if (server === undefined || server === null) return undefined;
  if (typeof server !== "object") throw createFieldError(location, "mcp_server", server, "Object");
  const { name } = server as Payload;
  if (typeof name !== "string") throw createFieldError(location, "mcp_server.name", name, "string");
  return name;
}

export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("claude", native_event, payload, COMMON_FIELDS);
  const { event } = row;
  if (!isCallEventName(event)) {
    const { task_id, teammate_name } = pickStringFields(payload, ["task_id", "teammate_name"]);
    const decoded = decodeSessionEvent(event, base, payload);
    if (decoded.event.event === "UserPromptSubmit") {
      const attachments = listMentionedFiles(payload.prompt);
      if (attachments.length > 0) decoded.event.attachments = attachments;
    }
    return { ...decoded, subject: task_id ?? teammate_name };
  }
  // These fields are parsed without a schema. Every call has them, and creating a schema took longer than the rest of
  // the decoding.
  const tool_name = readStringField(payload, "tool_name", native_event);
  const server = readServerName(payload, native_event);
  const { tool_use_id, ...line } = pickStringFields(payload, ["tool_use_id", ...SKILL_LINE_FIELDS]);
  const duration_ms = typeof payload.duration_ms === "number" ? payload.duration_ms : undefined;
  const call = decodeToolCall(tool_name, payload.tool_input, server);
  const output = () => decodeOutput(call.tool, payload.tool_response);
  return buildCallEvent(
    event,
    { ...base, ...line },
    { tool_use_id, ...call },
    { output, error: payload.error, duration_ms },
  );
}

/**
 * Converts a modified result to the tool's own format. If the format is wrong, Claude Code silently shows the model the
 * original result [seen 2.1.197 and 2.1.330, 2026-11-22].
 */
export function replaceOutput(event: AnyEvent, output: string | Payload): ReplaceResult {
  if (!isToolCallEvent(event) || event.event !== "PostToolUse")
    return { unsupported: "this event has no result; return a modified result in a PostToolUse hook" };
  const { raw } = event.output;
  if (typeof raw === "string") return { output: formatOutput(output) };
  // For an MCP tool, only newer releases accept an object that contains a list [seen 2.1.330, not 2.1.197, 2026-11-22].
  if (Array.isArray(raw))
    return { output: isObject(output) && Array.isArray(output.content) ? output.content : formatOutput(output) };
  if (typeof output === "string") return replaceText(event.tool_name, raw, output);
  const mismatchedField = findMismatchedField(raw, output);
  return mismatchedField === undefined
    ? { output: hasNewText(raw, output) ? omitCopies(output) : output }
    : {
        unsupported: `Claude Code ignores a result unless it has every field of event.output.raw; "${mismatchedField}" is missing or has a different type`,
      };
}

/** In a structured result, replaces the text that the model reads. */
function replaceText(tool_name: string, raw: unknown, text: string): ReplaceResult {
  if (isObject(raw) && typeof raw.stdout === "string")
    return { output: { ...omitCopies(raw), stdout: text, stderr: "" } };
  if (isObject(raw) && isObject(raw.file) && typeof raw.file.content === "string") {
    const numLines = text.split("\n").length;
    return { output: { ...raw, file: { ...raw.file, content: text, numLines } } };
  }
  return {
    unsupported: `Claude Code doesn't accept plain text as the result of ${tool_name}; return event.output.raw with its text changed`,
  };
}

/** Removes the reference to the file with the full output, which would otherwise be passed to the model. */
const omitCopies = (raw: Payload): Payload =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !/^(persisted|raw)Output/.test(name)));

/** Whether a hook modified the text of a shell result. */
const hasNewText = (raw: unknown, { stdout, stderr }: Payload): boolean =>
  isObject(raw) && typeof raw.stdout === "string" && (raw.stdout !== stdout || raw.stderr !== stderr);

const getTypeName = (value: unknown) => (Array.isArray(value) ? "list" : typeof value);

/** Returns the path of the first field that is missing from the new result or has a different type there. */
function findMismatchedField(raw: unknown, output: Payload, path = ""): string | undefined {
  if (!isObject(raw)) return path || "the result";
  for (const [name, value] of Object.entries(raw)) {
    const newValue = output[name];
    if (value === null) continue;
    if (getTypeName(newValue) !== getTypeName(value) || newValue === null) return path + name;
    const innerPath = isObject(value) ? findMismatchedField(value, newValue as Payload, `${path}${name}.`) : undefined;
    if (innerPath !== undefined) return innerPath;
  }
  return undefined;
}

/**
 * Merges the patch into the original input, because Claude Code replaces the whole input with the one in the answer
 * [seen 2.1.330, 2026-11-21].
 */
export const rewriteInput = (event: CallEvent, patch: Payload, decision: Decision | undefined): RewriteResult =>
  event.event === "PermissionRequest" && decision !== "allow"
    ? { unsupported: 'a rewrite on this event requires decision "allow"; return both, or rewrite in a PreToolUse hook' }
    : patchCall(TOOLS, event, event._native.tool_input as Payload, patch);
