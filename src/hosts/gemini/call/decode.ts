import * as v from "valibot";
import type { Row } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { Decoded, Payload } from "../../../protocol/host/host.ts";
import type { MCPOutput, ToolCall } from "../../../protocol/tool.ts";
import { isCallEvent, sessionEvent } from "../../lifecycle.ts";
import { otherCall } from "../../other.ts";
import { knownCall } from "../../tools.ts";
import { checked, checkedInput, cwdOf, outputText, recordOf, texts } from "../../wire.ts";
import { OTHERS, TOOLS } from "../tools.ts";
import { Call, COMMON, inputs, Result } from "./wire.ts";

type MCP = v.InferOutput<ReturnType<typeof Call>>["mcp_context"];

/** The addresses in a text; several are told as one text, so that a policy misses none. */
const addresses = (prompt: string) => prompt.match(/https?:\/\/[^\s"'<>`]+/g)?.join(" ") ?? "";

/** A tool of Gemini CLI by unified tool. */
export function toolCall(tool_name: string, given: unknown, mcp?: MCP): ToolCall {
  const where = `tool_input of ${tool_name}`;
  // First: a server's tool may have any name.
  if (mcp)
    return {
      tool: "MCP",
      tool_name,
      input: { server: mcp.server_name, tool: mcp.tool_name, arguments: recordOf(given) },
    };
  if (tool_name === "read_many_files") {
    const { include } = checkedInput(inputs.read_many_files, given, where);
    return { tool: "Read", tool_name, input: { file_path: include.join(" ") } };
  }
  const call = knownCall(TOOLS, tool_name, given, where);
  if (call?.tool === "Read") {
    const { end_line } = checkedInput(inputs.read_file, given, where);
    call.input.limit = end_line && end_line - (call.input.offset ?? 1) + 1;
  } else if (call?.tool === "WebFetch") {
    // Either may be what it fetches: one beside the other hides nothing.
    const { url, prompt = "" } = call.input;
    call.input.url = [url, addresses(prompt)].filter(Boolean).join(" ");
  }
  if (call) return call;
  const input = recordOf(given);
  // Without its context nobody can tell where the server's name ends.
  return tool_name.startsWith("mcp_")
    ? { tool: "MCP", tool_name, input: { tool: tool_name.slice(4), arguments: input } }
    : otherCall(tool_name, input, OTHERS);
}

function output(tool: ToolCall["tool"], raw: unknown): MCPOutput {
  if (!v.is(Result(), raw)) return { text: outputText(raw), raw };
  return { text: outputText(raw.llmContent), raw, ...(tool === "MCP" && { is_error: raw.error !== undefined }) };
}

/** Files that the prompt names with "@": Gemini CLI has read them already, without a call, and put them behind it [seen 0.61.0, 2026-11-22]. */
function attached(prompt: unknown): string[] {
  const [, behind = ""] = typeof prompt === "string" ? prompt.split("\n--- Content from referenced files ---\n") : [];
  return [...behind.matchAll(/^Content from @(.+):$/gm)].map(([, path = ""]) => path);
}

/** A payload of Gemini CLI as a unified event. */
export function decode(payload: Payload, native_event: string, row: Row): Decoded {
  const base = {
    native_event,
    host: "gemini",
    session_id: "",
    ...texts(payload, COMMON),
    cwd: cwdOf(payload),
    _native: payload,
  };
  const { event } = row;
  if (!isCallEvent(event)) {
    const decoded = sessionEvent(event, base, { ...payload, last_assistant_message: payload.prompt_response });
    if (decoded.event.event === "UserPromptSubmit") decoded.event.attachments = attached(payload.prompt);
    return decoded;
  }
  const { tool_name, tool_input, mcp_context } = checked(Call, payload, native_event);
  const call = toolCall(tool_name, tool_input, mcp_context);
  const result = event === "PostToolUse" ? { output: output(call.tool, payload.tool_response) } : {};
  return { event: { ...base, event, ...call, ...result } as AnyEvent };
}
