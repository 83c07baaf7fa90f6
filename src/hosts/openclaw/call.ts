import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent, EventName } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { toObject } from "../../protocol/object.ts";
import { parsePatch, renderPatch } from "../../protocol/patch.ts";
import type { ToolCall, ToolOutput } from "../../protocol/tool.ts";
import { parseEditFiles } from "../codec/patch-call.ts";
import { createReplacementsSchema, decodeReplacements, rewriteReplacements } from "../codec/replacements.ts";
import { patchTimedCall, readTimeout } from "../codec/seconds.ts";
import {
  buildCallEvent,
  type CallEventName,
  decodeSessionEvent,
  isCallEventName,
  type SessionEventBase,
} from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import {
  createNumberSchema,
  createStringSchema,
  formatOutput,
  parseToolInput,
  parseWith,
  readCwd,
  toRecord,
} from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** A tool call as policies, hooks and middleware receive it [seen 2026.9.6, 2026-11-22]. */
const createCallSchema = () =>
  v.object({
    toolName: v.string(),
    params: v.optional(v.unknown()),
    toolCallId: createStringSchema(),
    /**
     * Set in code mode, where the outer call has the shell's name but a program as its input [docs
     * plugins/hooks/tool-policy].
     */
    toolKind: createStringSchema(),
  });

/**
 * Fields of the event that fires before the agent stops. The plugin adds `continuations`, because `stopHookActive` is
 * never true [seen 2026.9.6, 2026-11-22].
 */
const createFinalizeSchema = () =>
  v.object({ lastAssistantMessage: createStringSchema(), continuations: v.fallback(v.number(), 0) });

/** A tool's result. `details` is for the tool itself; the model never sees it. */
const createResultSchema = () =>
  v.looseObject({ details: v.fallback(v.looseObject({ exitCode: createNumberSchema() }), {}) });

/** Schemas for tool inputs that the tool table can't describe. */
export const inputs = {
  edit: createReplacementsSchema,
  apply_patch: () => v.object({ input: v.string() }),
};

/** Decodes a tool call from OpenClaw. */
export function decodeToolCall(tool_name: string, rawInput: unknown, kind?: string): ToolCall {
  const location = `params of ${tool_name}`;
  // In code mode, the call has the shell's name, but its input is a program, whose calls are reported separately.
  if (kind !== undefined) return { tool: "Other", tool_name, input: toRecord(rawInput) };
  if (tool_name === "edit") return decodeReplacements(tool_name, rawInput, location);
  if (tool_name === "apply_patch") {
    const { input } = parseToolInput(inputs.apply_patch, rawInput, location);
    return { tool: "Edit", tool_name, input: { files: parsePatch(input) } };
  }
  const call = decodeTableCall(TOOLS, tool_name, rawInput, location);
  if (call) {
    readTimeout(call, rawInput, "timeoutSeconds");
    return call;
  }
  // MCP tools are named `<server>__<tool>`. OpenClaw's own tool names never contain two consecutive underscores [seen
  // 2026.9.6, 2026-11-22].
  const at = tool_name.indexOf("__");
  const mcp = at < 1 ? undefined : { server: tool_name.slice(0, at), tool: tool_name.slice(at + 2) };
  return decodeOtherCall(tool_name, rawInput, mcp, UNMAPPED_TOOLS);
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): ToolOutput & { exit_code?: number } {
  const { exitCode } = parseWith(createResultSchema, toRecord(raw), "result").details;
  return { text: formatOutput(raw), raw, ...(tool === "Bash" && exitCode !== undefined && { exit_code: exitCode }) };
}

/** Returns the first non-empty string, or an empty string if all are empty. */
const findFirstString = (...values: unknown[]) =>
  values.find((value): value is string => typeof value === "string" && value !== "") ?? "";

/** Decodes a payload from the plugin. The payload is OpenClaw's event, with its context under `ctx`. */
export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const ctx = toObject(payload.ctx);
  const key = findFirstString(ctx.sessionKey, payload.sessionKey, payload.childSessionKey, payload.targetSessionKey);
  const base = {
    native_event,
    host: "openclaw",
    session_id: findFirstString(ctx.sessionId, payload.sessionId, ctx.requesterSessionKey, key),
    cwd: readCwd(payload),
    ...(typeof ctx.modelId === "string" && { model: ctx.modelId }),
    // A subagent is identified by its session key [seen 2026.9.6, 2026-11-22].
    ...(key.includes(":subagent:") && { agent_id: key }),
    _native: payload,
  };
  const { event } = row;
  return isCallEventName(event) ? decodeCall(event, base, payload) : decodeSession(event, base, payload);
}

function decodeCall(event: CallEventName, base: SessionEventBase, payload: Payload): DecodedPayload {
  const {
    toolName,
    params,
    toolCallId: tool_use_id,
    toolKind,
  } = parseWith(createCallSchema, payload, base.native_event);
  const call = decodeToolCall(toolName, params, toolKind);
  const output = () => decodeOutput(call.tool, payload.result);
  return buildCallEvent(event, base, { tool_use_id, ...call }, { output, error: payload.result });
}

function decodeSession(
  event: Exclude<EventName, CallEventName>,
  base: SessionEventBase,
  payload: Payload,
): DecodedPayload {
  if (event !== "Stop" && event !== "SubagentStop")
    return decodeSessionEvent(event, base, { ...payload, task: payload.label });
  const { lastAssistantMessage: last_message, continuations } = parseWith(
    createFinalizeSchema,
    payload,
    base.native_event,
  );
  return { event: { ...base, event, last_message, continuations }, continuations };
}

/**
 * Applies a patch. OpenClaw uses a policy's params unchanged, but merges an approved call's params into the original
 * ones [seen 2026.9.6, 2026-11-22].
 */
export function rewriteInput(event: CallEvent, patch: Payload): RewriteResult {
  const input = toObject(event._native.params);
  if (event.tool === "Edit") return rewriteEdit(event.tool_name, input, patch);
  return patchTimedCall(TOOLS, event, { input, patch, field: "timeoutSeconds" });
}

function rewriteEdit(tool_name: string, input: Payload, patch: Payload): RewriteResult {
  if (tool_name !== "apply_patch") return rewriteReplacements(input, patch);
  const files = parseEditFiles(patch);
  return "unsupported" in files ? files : { input: { ...input, input: renderPatch(files) } };
}
