import type { AnyEvent } from "../../../protocol/event.ts";
import { isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import type { Decision } from "../../../protocol/response.ts";
import type { FileChange, Tool, ToolCall } from "../../../protocol/tool.ts";
import { patchedOther } from "../../other.ts";
import { patched, patchedArguments, patchedFiles } from "../../wire.ts";

/** The unified fields of each tool, by the host's names. */
const FIELDS: Partial<Record<Tool, Readonly<Record<string, string>>>> = {
  Bash: { command: "command", description: "description", timeout_ms: "timeout", run_in_background: "run_in_background" },
  Read: { file_path: "file_path", offset: "offset", limit: "limit" },
  Write: { file_path: "file_path", content: "content" },
  Glob: { pattern: "pattern", path: "path" },
  Grep: { pattern: "pattern", path: "path", glob: "glob" },
  WebFetch: { url: "url", prompt: "prompt" },
  WebSearch: { query: "query" },
  Task: { prompt: "prompt", description: "description", agent_type: "subagent_type" },
};

/** A shell or a writing tool of another name. */
const isOther = ({ tool, tool_name }: ToolCall) =>
  (tool === "Bash" && tool_name !== "Bash" && tool_name !== "PowerShell") || (tool === "Write" && tool_name !== "Write");

/** Claude Code replaces the whole input [seen 2.1.330, 2026-11-21], so the patch is laid over what it sent. */
export function rewrite(event: AnyEvent, patch: Payload, decision: Decision | undefined): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  if (event.event === "PermissionRequest" && decision !== "allow") {
    return { unsupported: 'a rewrite here needs decision "allow" beside it; return both, or rewrite in a PreToolUse hook' };
  }
  const input = event._native.tool_input as Payload;
  if (event.tool === "MCP") return patchedArguments(patch);
  if (event.tool === "Edit") return oneEdit(event.tool_name, input, patchedFiles(patch));
  if (event.tool_name === "NotebookRead") return patched(input, patch, { file_path: "notebook_path" });
  const names = FIELDS[event.tool];
  return names && !isOther(event) ? patched(input, patch, names) : patchedOther(event, input, patch);
}

/** Edit takes one replacement in one file. */
function oneEdit(tool_name: string, input: Payload, files: FileChange[] | { unsupported: string }): Rewritten {
  if ("unsupported" in files) return files;
  const [file, ...others] = files;
  const [edit, ...more] = file?.edits ?? [];
  if (tool_name !== "Edit" || !file || !edit || others.length + more.length > 0 || file.operation !== "update") {
    return { unsupported: `${tool_name} takes one replacement in one file; return one file with one edit, or deny` };
  }
  return { input: { ...input, file_path: file.file_path, old_string: edit.old_string, new_string: edit.new_string } };
}
