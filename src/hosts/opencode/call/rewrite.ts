import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import { renderPatch } from "../../patch.ts";
import { patchedOther } from "../../other.ts";
import { patched, patchedArguments, patchedFiles } from "../../wire.ts";

/** The unified fields of each tool, by OpenCode's names. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bash: { command: "command", description: "description", cwd: "workdir", timeout_ms: "timeout" },
  read: { file_path: "filePath", offset: "offset", limit: "limit" },
  write: { file_path: "filePath", content: "content" },
  glob: { pattern: "pattern", path: "path" },
  grep: { pattern: "pattern", path: "path", glob: "include" },
  webfetch: { url: "url" },
  websearch: { query: "query" },
  task: { prompt: "prompt", description: "description", agent_type: "subagent_type" },
};

/** plugin.js makes the call's arguments what this gives: keys that are not in it go [seen 1.18.33, 2026-11-22]. */
export function rewrite(event: AnyEvent, patch: Payload): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  const { args } = event._native.output as { args: Payload };
  if (event.tool === "MCP") return patchedArguments(patch);
  if (event.tool === "Edit") return edited(event.tool_name, args, patch);
  const names = FIELDS[event.tool_name];
  return names ? patched(args, patch, names) : patchedOther(event, args, patch);
}

/** A patch of several files, or the one change that the edit tool can make. */
function edited(tool_name: string, args: Payload, patch: Payload): Rewritten {
  const files = patchedFiles(patch);
  if ("unsupported" in files) return files;
  if (tool_name === "apply_patch") return { input: { ...args, patchText: renderPatch(files) } };
  const [file] = files;
  const [edit] = file?.edits ?? [];
  if (!file || !edit || files.length > 1 || file.edits.length > 1 || file.operation !== "update")
    return { unsupported: "OpenCode's edit changes one place in one file; give one file with one edit, or deny" };
  return { input: { ...args, filePath: file.file_path, oldString: edit.old_string, newString: edit.new_string } };
}
