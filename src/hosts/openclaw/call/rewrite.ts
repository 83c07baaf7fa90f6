import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload, Rewritten } from "../../../protocol/host/host.ts";
import type { Tool } from "../../../protocol/tool.ts";
import { renderPatch } from "../../patch.ts";
import { patchedOther } from "../../other.ts";
import { patched, patchedArguments, patchedFiles } from "../../wire.ts";
import { objectIn } from "./wire.ts";

/** The unified fields of each tool, by OpenClaw's names. */
const FIELDS: Partial<Record<Tool, Readonly<Record<string, string>>>> = {
  Bash: { command: "command", cwd: "workdir", description: "title", run_in_background: "background" },
  Read: { file_path: "path", offset: "offset", limit: "limit" },
  Write: { file_path: "path", content: "content" },
  WebFetch: { url: "url" },
  WebSearch: { query: "query" },
  Task: { prompt: "task", description: "label", agent_type: "agentId" },
};

/** OpenClaw runs what it is given: of a policy as it is, of an approved call laid over the old [seen 2026.9.6, 2026-11-22]. */
export function rewrite(event: AnyEvent, patch: Payload): Rewritten {
  if (!isCall(event)) return { unsupported: "this event has no tool input; rewrite in a PreToolUse hook" };
  const input = objectIn(event._native, "params");
  if (event.tool === "MCP") return patchedArguments(patch);
  if (event.tool === "Edit") return edited(event.tool_name, input, patch);
  if ((event.tool === "Bash" && event.tool_name !== "exec") || (event.tool === "Write" && event.tool_name !== "write"))
    return patchedOther(event, input, patch);
  const { timeout_ms, ...rest } = patch;
  // Of the shell it is a number of seconds.
  const seconds = event.tool === "Bash" && typeof timeout_ms === "number" ? { timeoutSeconds: timeout_ms / 1000 } : {};
  return patched({ ...input, ...seconds }, "timeoutSeconds" in seconds ? rest : patch, FIELDS[event.tool] ?? {});
}

function edited(tool_name: string, input: Payload, patch: Payload): Rewritten {
  const files = patchedFiles(patch);
  if ("unsupported" in files) return files;
  if (tool_name === "apply_patch") return { input: { ...input, input: renderPatch(files) } };
  const [file, ...more] = files;
  if (!file || more.length > 0 || file.operation !== "update")
    return { unsupported: "edit changes one file that is there; give one file with operation update, or deny" };
  const edits = file.edits.map(({ old_string, new_string }) => ({ oldText: old_string, newText: new_string }));
  return { input: { ...input, path: file.file_path, edits } };
}
