import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import type { FileChange } from "../../../protocol/tool.ts";
import { patchedOther } from "../../other.ts";
import { patched, patchedArguments, patchedFiles } from "../../wire.ts";

const GREP = { pattern: "pattern", path: "dir_path", glob: "include_pattern" };

/** The unified fields of each tool, by Gemini CLI's names. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  run_shell_command: { command: "command", description: "description", cwd: "dir_path", run_in_background: "is_background" },
  read_file: { file_path: "file_path", offset: "start_line" },
  write_file: { file_path: "file_path", content: "content" },
  glob: { pattern: "pattern", path: "dir_path" },
  list_directory: { path: "dir_path" },
  grep_search: GREP,
  search_file_content: GREP,
  web_fetch: { prompt: "prompt" },
  google_web_search: { query: "query" },
  invoke_agent: { prompt: "prompt", agent_type: "agent_name" },
};

/**
 * 0.61.0 takes the new input instead of the original [seen 2026-11-22]; its documents say that it is laid over the original, as
 * releases before did [shipped 0.61.0]. The whole input with the patch in it means the same to both.
 */
export function rewrite(event: AnyEvent, patch: Payload): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  const input = event._native.tool_input as Payload;
  if (event.tool === "MCP") return keptArguments(event.input.arguments, patch);
  if (event.tool === "Edit") return oneEdit(input, patchedFiles(patch));
  const names = FIELDS[event.tool_name];
  return names ? patched(input, patch, names) : patchedOther(event, input, patch);
}

/** A release that lays them over the original would keep an argument that is taken away. */
function keptArguments(given: Payload, patch: Payload): Rewritten {
  const result = patchedArguments(patch);
  if (!("input" in result)) return result;
  const gone = Object.keys(given).find((key) => !Object.hasOwn(result.input, key));
  return gone === undefined
    ? result
    : { unsupported: `releases of Gemini CLI keep the argument "${gone}" that a hook takes away; deny instead` };
}

/** `replace` takes one replacement in one file. */
function oneEdit(input: Payload, files: FileChange[] | { unsupported: string }): Rewritten {
  if ("unsupported" in files) return files;
  const [file, ...others] = files;
  const [edit, ...more] = file?.edits ?? [];
  if (!file || !edit || others.length + more.length > 0 || file.operation !== "update") {
    return { unsupported: "replace takes one replacement in one file; return one file with one edit, or deny" };
  }
  return { input: { ...input, file_path: file.file_path, old_string: edit.old_string, new_string: edit.new_string } };
}
