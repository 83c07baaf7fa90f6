import * as v from "valibot";
import type { Row } from "../../../protocol/capability.ts";
import type { AnyEvent } from "../../../protocol/event.ts";
import type { Decoded, Payload } from "../../../protocol/host/host.ts";
import type { MCPOutput, ToolCall } from "../../../protocol/tool.ts";
import { isCallEvent, sessionEvent } from "../../lifecycle.ts";
import { otherCall } from "../../other.ts";
import { checked, checkedInput, cwdOf, outputText, recordOf, texts } from "../../wire.ts";
import { Call, COMMON, inputs, OTHERS, Result } from "./wire.ts";

type MCP = v.InferOutput<ReturnType<typeof Call>>["mcp_context"];

/** The addresses in a text; several are told as one text, so that a policy misses none. */
const addresses = (prompt: string) => prompt.match(/https?:\/\/[^\s"'<>`]+/g)?.join(" ") ?? "";

/** Gemini CLI's tools by unified tool. */
export function toolCall(tool_name: string, given: unknown, mcp?: MCP): ToolCall {
  const read = <S extends v.GenericSchema>(schema: () => S) => checkedInput(schema, given, `tool_input of ${tool_name}`);
  // First: a server's tool may have any name.
  if (mcp) return { tool: "MCP", tool_name, input: { server: mcp.server_name, tool: mcp.tool_name, arguments: recordOf(given) } };
  switch (tool_name) {
    case "run_shell_command": {
      const { command, description, dir_path: cwd, is_background: run_in_background } = read(inputs.run_shell_command);
      return { tool: "Bash", tool_name, input: { command, description, cwd, run_in_background } };
    }
    case "read_file": {
      const { file_path, start_line: offset, end_line } = read(inputs.read_file);
      return { tool: "Read", tool_name, input: { file_path, offset, limit: end_line && end_line - (offset ?? 1) + 1 } };
    }
    case "read_many_files":
      return { tool: "Read", tool_name, input: { file_path: read(inputs.read_many_files).include.join(" ") } };
    case "write_file":
      return { tool: "Write", tool_name, input: read(inputs.write_file) };
    case "replace": {
      const { file_path, old_string, new_string } = read(inputs.replace);
      return { tool: "Edit", tool_name, input: { files: [{ file_path, operation: "update", edits: [{ old_string, new_string }] }] } };
    }
    case "glob": {
      const { pattern, dir_path: path } = read(inputs.glob);
      return { tool: "Glob", tool_name, input: { pattern, path } };
    }
    case "list_directory":
      return { tool: "Glob", tool_name, input: { pattern: "*", path: read(inputs.list_directory).dir_path } };
    case "grep_search":
    // Its older name, by which a model can still call it [seen 0.61.0, 2026-11-22].
    case "search_file_content": {
      const { pattern, dir_path: path, include_pattern: glob } = read(inputs.grep_search);
      return { tool: "Grep", tool_name, input: { pattern, path, glob } };
    }
    case "web_fetch": {
      // Either may be what it fetches: one beside the other hides nothing.
      const { prompt, url } = read(inputs.web_fetch);
      const all = [url, addresses(prompt ?? "")].filter(Boolean).join(" ");
      return { tool: "WebFetch", tool_name, input: { url: all, prompt } };
    }
    case "google_web_search":
      return { tool: "WebSearch", tool_name, input: read(inputs.google_web_search) };
    case "invoke_agent": {
      const { prompt = "", agent_name: agent_type } = read(inputs.invoke_agent);
      return { tool: "Task", tool_name, input: { prompt, agent_type } };
    }
    default: {
      const input = recordOf(given);
      // Without its context nobody can tell where the server's name ends.
      return tool_name.startsWith("mcp_")
        ? { tool: "MCP", tool_name, input: { tool: tool_name.slice(4), arguments: input } }
        : otherCall(tool_name, input, OTHERS);
    }
  }
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
  const base = { native_event, host: "gemini", session_id: "", ...texts(payload, COMMON), cwd: cwdOf(payload), _native: payload };
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
