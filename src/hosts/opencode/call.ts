import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import type { AnyEvent, CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { toObject } from "../../protocol/object.ts";
import { parsePatch, renderPatch } from "../../protocol/patch.ts";
import type { BashOutput, MCPOutput, ToolCall, ToolOutput } from "../../protocol/tool.ts";
import {
  getPatchableFields,
  parseEditFiles,
  patchCall,
  patchSingleEdit,
  refuseRenamedFields,
} from "../codec/patch-call.ts";
import { decodeSessionEvent, isCallEventName } from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import {
  createNumberSchema,
  createPolicyTextSchema,
  createStringSchema,
  formatOutput,
  parseToolInput,
  parseWith,
  pickStringFields,
  readCwd,
} from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/**
 * Fields of the envelope in which plugin.js wraps every event. Because a subagent has its own session, the envelope
 * also names the main session and the agent.
 */
const ENVELOPE_FIELDS = ["session_id", "agent_id"] as const;

/**
 * Payload of tool.execute.before or tool.execute.after, which send the arguments in different fields. `mcp` lists the
 * configured servers.
 */
const createCallSchema = () =>
  v.object({
    input: v.object({
      tool: v.string(),
      sessionID: createStringSchema(),
      callID: createStringSchema(),
      args: v.optional(v.unknown()),
    }),
    output: v.optional(v.unknown()),
    mcp: v.nullish(v.array(v.string()), () => []),
  });

/** Payload of tool.execute.before. The arguments are in `output`, where they can be changed. */
const createGateSchema = () => v.object({ output: v.object({ args: v.optional(v.unknown()) }) });

/** A tool's result. An MCP tool's result is in the server's own format [seen 1.18.33, 2026-11-22]. */
const createResultSchema = () =>
  v.looseObject({
    output: v.optional(v.unknown()),
    content: v.optional(v.unknown()),
    isError: v.optional(v.unknown()),
    metadata: v.fallback(v.optional(v.looseObject({ exit: createNumberSchema() }), {}), {}),
  });

/** Schema of the message part that reports a failed tool call. */
const createFailedPartSchema = () =>
  v.object({
    part: v.object({
      tool: v.string(),
      sessionID: createStringSchema(),
      callID: createStringSchema(),
      state: v.object({
        input: v.optional(v.unknown()),
        error: v.optional(v.unknown()),
        time: v.fallback(v.optional(v.object({ start: createNumberSchema(), end: createNumberSchema() }), {}), {}),
      }),
    }),
    mcp: v.nullish(v.array(v.string()), () => []),
  });

const createPartSchema = () =>
  v.looseObject({
    type: v.string(),
    text: createPolicyTextSchema(),
    synthetic: v.fallback(v.optional(v.boolean()), undefined),
    url: createPolicyTextSchema(),
    filename: createPolicyTextSchema(),
    source: v.nullish(v.looseObject({ path: createPolicyTextSchema() })),
  });

/** Payload of chat.message. The parts of the user's prompt are in `output`. */
const createPromptSchema = () => v.object({ output: v.object({ parts: v.array(createPartSchema()) }) });

const createModelSchema = () =>
  v.fallback(v.optional(v.looseObject({ providerID: createStringSchema(), modelID: createStringSchema() })), undefined);

/** Fields that identify an event's session and model. */
const createCommonSchema = () =>
  v.object({
    input: v.fallback(v.optional(v.looseObject({ sessionID: createStringSchema() }), {}), {}),
    output: v.fallback(
      v.optional(v.looseObject({ message: v.optional(v.looseObject({ model: createModelSchema() })) }), {}),
      {},
    ),
    properties: v.fallback(
      v.optional(
        v.looseObject({
          sessionID: createStringSchema(),
          permission: createStringSchema(),
          patterns: v.fallback(v.array(v.string()), []),
          part: v.fallback(v.optional(v.looseObject({ sessionID: createStringSchema() })), undefined),
          info: v.fallback(v.optional(v.looseObject({ sessionID: createStringSchema() })), undefined),
        }),
      ),
      undefined,
    ),
  });

/** Schemas for tool inputs that the tool table can't describe. */
export const inputs = { apply_patch: () => v.object({ patchText: v.string() }) };

/** Decodes a tool call from OpenCode; `servers` are the configured MCP servers. */
export function decodeToolCall(tool_name: string, rawInput: unknown, servers: readonly string[]): ToolCall {
  const location = `args of ${tool_name}`;
  if (tool_name === "apply_patch") {
    const { patchText } = parseToolInput(inputs.apply_patch, rawInput, location);
    return { tool: "Edit", tool_name, input: { files: parsePatch(patchText) } };
  }
  const call = decodeTableCall(TOOLS, tool_name, rawInput, location);
  if (call) return call;
  return decodeOtherCall(tool_name, rawInput, parseMcpTool(tool_name, servers), UNMAPPED_TOOLS);
}

/**
 * Splits `<server>_<tool>`. OpenCode replaces every character in these names except letters, digits, "_" and "-" with
 * "_" [shipped 1.18.33]. If multiple server names match, the longest one wins.
 */
function parseMcpTool(tool_name: string, servers: readonly string[]): { server: string; tool: string } | undefined {
  let match: { server: string; tool: string } | undefined;
  let longestLength = 0;
  for (const server of servers) {
    const start = `${server.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}_`;
    if (start.length > longestLength && tool_name.startsWith(start)) {
      match = { server, tool: tool_name.slice(start.length) };
      longestLength = start.length;
    }
  }
  return match;
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): ToolOutput {
  const { output, content, isError, metadata } = parseWith(createResultSchema, raw ?? {}, "output");
  const text = formatOutput(output ?? content);
  if (tool === "Bash") return { text, raw, stdout: text, exit_code: metadata.exit } as BashOutput;
  return { text, raw, ...(typeof isError === "boolean" && { is_error: isError }) } as MCPOutput;
}

/** Decodes a call before it runs, after it has run, or after it has failed. */
function decodeCallEvent(
  base: object,
  event: "PreToolUse" | "PostToolUse" | "PostToolUseFailure",
  payload: Payload,
  location: string,
): AnyEvent {
  if (event === "PostToolUseFailure") {
    const { part, mcp } = parseWith(createFailedPartSchema, { ...payload, ...toObject(payload.properties) }, location);
    const { input, error, time } = part.state;
    const duration_ms = time.start !== undefined && time.end !== undefined ? time.end - time.start : undefined;
    return {
      ...base,
      event,
      tool_use_id: part.callID,
      ...decodeToolCall(part.tool, input, mcp),
      error: formatOutput(error),
      duration_ms,
    } as AnyEvent;
  }
  const { input, output, mcp } = parseWith(createCallSchema, payload, location);
  const args = event === "PreToolUse" ? parseWith(createGateSchema, payload, location).output.args : input.args;
  const call = decodeToolCall(input.tool, args, mcp);
  const result = event === "PostToolUse" ? { output: decodeOutput(call.tool, output) } : {};
  return { ...base, event, tool_use_id: input.callID, ...call, ...result } as AnyEvent;
}

function decodePromptEvent(base: object, payload: Payload, location: string): AnyEvent {
  const { parts } = parseWith(createPromptSchema, payload, location).output;
  const prompt = parts
    .filter(({ type, synthetic }) => type === "text" && !synthetic)
    .map(({ text = "" }) => text)
    .join("\n");
  const files = parts
    .filter(({ type }) => type === "file")
    .map(
      ({ source, filename, url }) =>
        source?.path ?? (url?.startsWith("file://") ? decodeURIComponent(new URL(url).pathname) : filename),
    );
  return {
    ...base,
    event: "UserPromptSubmit",
    prompt,
    attachments: files.filter((path) => path !== undefined),
  } as AnyEvent;
}

/** Reads an event's session and model. */
function readSession(payload: Payload, native_event: string) {
  const { session_id, agent_id } = pickStringFields(payload, ENVELOPE_FIELDS);
  const { input, output, properties } = parseWith(createCommonSchema, payload, native_event);
  const { sessionID, part, info } = properties ?? {};
  const { providerID, modelID } = output.message?.model ?? {};
  const fields = {
    session_id: session_id ?? input.sessionID ?? sessionID ?? part?.sessionID ?? info?.sessionID ?? "",
    ...(providerID && modelID && { model: `${providerID}/${modelID}` }),
    ...(agent_id && { agent_id }),
  };
  return { fields, properties };
}

/** Decodes a payload from plugin.js. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const { fields, properties } = readSession(payload, native_event);
  const base = { native_event, host: "opencode", ...fields, cwd: readCwd(payload), _native: payload };
  const { event } = row;
  if (event === "PermissionRequest" || event === "Native") return { event: { ...base, event: "Native" } };
  if (isCallEventName(event)) return { event: decodeCallEvent(base, event, payload, native_event) };
  if (event === "UserPromptSubmit") return { event: decodePromptEvent(base, payload, native_event) };
  if (event === "Notification") {
    const { permission = "", patterns = [] } = properties ?? {};
    const message = `OpenCode asks for permission: ${[permission, patterns.join(", ")].filter(Boolean).join(": ")}`;
    return { event: { ...base, event, message, notification_type: native_event } };
  }
  return decodeSessionEvent(event, base, payload.resumed === true ? { ...payload, source: "resume" } : payload);
}

/**
 * Returns the complete patched arguments, because plugin.js replaces the original ones and removes omitted keys [seen
 * 1.18.33, 2026-11-22].
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const { args } = event._native.output as { args: Payload };
  if (event.tool !== "Edit") return patchCall(TOOLS, event, args, patch);
  return refuseRenamedFields(event) ?? rewriteEdit(event.tool_name, args, patch);
}

/** Rewrites a patch, which can change multiple files, or a call of the edit tool, which can make only one change. */
function rewriteEdit(tool_name: string, args: Payload, patch: Payload): RewriteResult {
  const refusal = "OpenCode's edit changes one place in one file; return one file with one edit, or deny";
  if (tool_name !== "apply_patch") return patchSingleEdit(args, patch, getPatchableFields(TOOLS, tool_name), refusal);
  const files = parseEditFiles(patch);
  return "unsupported" in files ? files : { input: { ...args, patchText: renderPatch(files) } };
}
