import type { Row } from "../../../protocol/capability.ts";
import type { AnyEvent, EventName } from "../../../protocol/event.ts";
import type { Decoded, Payload } from "../../../protocol/host/host.ts";
import type { ToolCall, ToolOutput } from "../../../protocol/tool.ts";
import { type CallEvent, isCallEvent, sessionEvent } from "../../lifecycle.ts";
import { otherCall } from "../../other.ts";
import { parsePatch } from "../../../protocol/patch.ts";
import { knownCall } from "../../tools.ts";
import { checked, checkedInput, cwdOf, outputText, recordOf } from "../../wire.ts";
import { OTHERS, TOOLS } from "../tools.ts";
import { Call, Finalize, inputs, objectIn, Result } from "./wire.ts";

/** A tool of OpenClaw by unified tool. */
export function toolCall(tool_name: string, given: unknown, kind?: string): ToolCall {
  const where = `params of ${tool_name}`;
  // A call of code mode by the shell's name: its input is a program, and what that calls is told by itself.
  if (kind !== undefined) return { tool: "Other", tool_name, input: recordOf(given) };
  if (tool_name === "edit") {
    const { path: file_path, edits } = checkedInput(inputs.edit, given, where);
    const changes = edits.map(({ oldText, newText }) => ({ old_string: oldText, new_string: newText }));
    return { tool: "Edit", tool_name, input: { files: [{ file_path, operation: "update", edits: changes }] } };
  }
  if (tool_name === "apply_patch") {
    const { input } = checkedInput(inputs.apply_patch, given, where);
    return { tool: "Edit", tool_name, input: { files: parsePatch(input) } };
  }
  const call = knownCall(TOOLS, tool_name, given, where);
  if (call?.tool === "Bash") {
    const { timeoutSeconds } = checkedInput(inputs.exec, given, where);
    call.input.timeout_ms = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  }
  if (call) return call;
  const input = recordOf(given);
  // `<server>__<tool>`; no tool of OpenClaw's own has two underscores [seen 2026.9.6, 2026-11-22].
  const at = tool_name.indexOf("__");
  if (at < 1) return otherCall(tool_name, input, OTHERS);
  return {
    tool: "MCP",
    tool_name,
    input: { server: tool_name.slice(0, at), tool: tool_name.slice(at + 2), arguments: input },
  };
}

function output(tool: ToolCall["tool"], raw: unknown): ToolOutput & { exit_code?: number } {
  const { exitCode } = checked(Result, recordOf(raw), "result").details;
  return { text: outputText(raw), raw, ...(tool === "Bash" && exitCode !== undefined && { exit_code: exitCode }) };
}

/** The first of several texts that there is. */
const firstOf = (...values: unknown[]) =>
  values.find((value): value is string => typeof value === "string" && value !== "") ?? "";

/** A payload of the plugin as a unified event: what OpenClaw said of it, with its context under `ctx`. */
export function decode(payload: Payload, native_event: string, row: Row): Decoded {
  const ctx = objectIn(payload, "ctx");
  const key = firstOf(ctx.sessionKey, payload.sessionKey, payload.childSessionKey, payload.targetSessionKey);
  const base = {
    native_event,
    host: "openclaw",
    session_id: firstOf(ctx.sessionId, payload.sessionId, ctx.requesterSessionKey, key),
    cwd: cwdOf(payload),
    ...(typeof ctx.modelId === "string" && { model: ctx.modelId }),
    // A subagent is told by the key of its session [seen 2026.9.6, 2026-11-22].
    ...(key.includes(":subagent:") && { agent_id: key }),
    _native: payload,
  };
  const { event } = row;
  return isCallEvent(event) ? callOf(event, base, payload) : sessionOf(event, base, payload);
}

type Base = { native_event: string; host: string; session_id: string; cwd: string; _native: Payload };

function callOf(event: CallEvent, base: Base, payload: Payload): Decoded {
  const { toolName, params, toolCallId: tool_use_id, toolKind } = checked(Call, payload, base.native_event);
  const call = toolCall(toolName, params, toolKind);
  const finished = {
    ...(event === "PostToolUse" && { output: output(call.tool, payload.result) }),
    ...(event === "PostToolUseFailure" && { error: outputText(payload.result) }),
  };
  return { event: { ...base, event, tool_use_id, ...call, ...finished } as AnyEvent };
}

function sessionOf(event: Exclude<EventName, CallEvent>, base: Base, payload: Payload): Decoded {
  if (event !== "Stop" && event !== "SubagentStop")
    return sessionEvent(event, base, { ...payload, task: payload.label });
  const { lastAssistantMessage: last_message, continuations } = checked(Finalize, payload, base.native_event);
  return { event: { ...base, event, last_message, continuations }, continuations };
}
