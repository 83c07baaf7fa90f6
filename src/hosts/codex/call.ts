import * as v from "valibot";
import type { CapabilityRow } from "../../protocol/capability.ts";
import type { CallEvent } from "../../protocol/event.ts";
import type { DecodedPayload, Payload, RewriteResult } from "../../protocol/host/host.ts";
import { parsePatch, renderPatch } from "../../protocol/patch.ts";
import type { Decision } from "../../protocol/response.ts";
import type { MCPOutput, ToolCall } from "../../protocol/tool.ts";
import { parseEditFiles, patchCall } from "../codec/patch-call.ts";
import { buildCallEvent, decodeSessionEvent, isCallEventName, readEventBase } from "../codec/session-events.ts";
import { decodeTableCall } from "../codec/tool-table.ts";
import { decodeOtherCall } from "../codec/unlisted-tools.ts";
import {
  formatOutput,
  joinUnique,
  parseMcpName,
  parseToolInput,
  pickStringFields,
  readStringField,
} from "../codec/wire.ts";
import { TOOLS, UNMAPPED_TOOLS } from "./tools.ts";

/** Text fields that can appear on any event [shipped 0.169.0: the binary's own JSON Schemas]. */
const COMMON_FIELDS = ["session_id", "transcript_path", "permission_mode", "model", "agent_id", "agent_type"] as const;

/** Schemas for tool inputs that don't fit the format of the tool table. */
export const inputs = {
  apply_patch: () => v.object({ command: v.string() }),
  /** `items` is an alternative to `message`: a list of text, image and file blocks [unverified]. */
  spawn_agent: () => v.object({ items: v.nullish(v.array(v.looseObject({}))) }),
};

export function decodeToolCall(tool_name: string, rawInput: unknown): ToolCall {
  const location = `tool_input of ${tool_name}`;
  if (tool_name === "apply_patch") {
    const { command } = parseToolInput(inputs.apply_patch, rawInput, location);
    return { tool: "Edit", tool_name, input: { files: parsePatch(command) } };
  }
  const call = decodeTableCall(TOOLS, tool_name, rawInput, location);
  if (call?.tool === "Task") {
    const { items } = parseToolInput(inputs.spawn_agent, rawInput, location);
    call.input.prompt = joinUnique(call.input.prompt, formatOutput(items));
  }
  if (call) return call;
  return decodeOtherCall(tool_name, rawInput, parseMcpName(tool_name), UNMAPPED_TOOLS);
}

function decodeOutput(tool: ToolCall["tool"], raw: unknown): MCPOutput {
  const is_error = (raw as Payload | undefined)?.isError;
  return { text: formatOutput(raw), raw, ...(tool === "MCP" && typeof is_error === "boolean" && { is_error }) };
}

export function decodePayload(payload: Payload, native_event: string, row: CapabilityRow): DecodedPayload {
  const base = readEventBase("codex", native_event, payload, COMMON_FIELDS);
  const { event } = row;
  if (!isCallEventName(event)) return decodeSessionEvent(event, base, payload);
  const call = decodeToolCall(readStringField(payload, "tool_name", native_event), payload.tool_input);
  const { tool_use_id } = pickStringFields(payload, ["tool_use_id"]);
  const output = () => decodeOutput(call.tool, payload.tool_response);
  return buildCallEvent(event, base, { tool_use_id, ...call }, { output });
}

/**
 * Builds the whole new input, because Codex replaces the original with updatedInput. For apply_patch, the new input is
 * another patch [seen 0.169.0, 2026-11-21].
 */
export function rewriteInput(event: CallEvent, patch: Payload, decision: Decision | undefined): RewriteResult {
  if (decision === "ask")
    return {
      unsupported: 'Codex accepts a rewrite only with "allow", which bypasses Codex\'s own approval; deny instead',
    };
  const input = event._native.tool_input as Payload;
  if (event.tool !== "Edit") return patchCall(TOOLS, event, input, patch);
  const files = parseEditFiles(patch);
  return "unsupported" in files ? files : { input: { ...input, command: renderPatch(files) } };
}
