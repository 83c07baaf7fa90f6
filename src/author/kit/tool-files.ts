import { isAbsolute } from "../../system/paths.ts";
import type { FileUse } from "../../shell/files/operands.ts";
import type { FileAccess } from "../../shell/programs/program.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import { type ArgumentFile, findArgumentFiles } from "./argument-files.ts";

/** Lists the files that a file tool names. */
export function findToolFiles(call: ToolCall): FileUse[] {
  switch (call.tool) {
    case "Read":
      return (call.input.file_paths ?? [call.input.file_path]).map((text) => ({ text, access: "read" }));
    case "Write":
      return [{ text: call.input.file_path, access: "write", change: "edit" }];
    case "Edit":
      return call.input.files.flatMap(({ file_path, moved_to, operation }): FileUse[] => [
        {
          text: file_path,
          access: "write",
          // A tool that edits a directory removes or moves it with everything in it.
          change: operation === "delete" || operation === "move" ? "delete-all" : "edit",
        },
        ...(moved_to ? [{ text: moved_to, access: "write", change: "edit" } as const] : []),
      ]);
    case "Glob":
      return getSearchUses(call.input.path, call.input.pattern, "list");
    case "Grep":
      return getSearchUses(call.input.path, call.input.glob, "read");
    case "MCP":
      return findArgumentFiles(call.input.tool, call.input.arguments).map(markArgumentChange);
    case "Other":
      return findArgumentFiles(call.tool_name, call.input).map(markArgumentChange);
    case "Bash":
    case "WebFetch":
    case "WebSearch":
    case "Task":
      return [];
  }
}

/** Determines how a tool changes a file, from the names of the tool and its arguments. */
function markArgumentChange({ effect, ...use }: ArgumentFile): FileUse {
  if (use.access !== "write" || use.uncertain || effect === "mode") return use;
  const isRemovedFromSource = effect === "remove" || (effect === "move" && !use.isTarget);
  return { ...use, change: isRemovedFromSource ? "delete-all" : effect === undefined ? "any" : "edit" };
}

/** Returns the directory to search and the pattern that selects files in it. */
function getSearchUses(folder = ".", pattern: string | undefined, access: FileAccess): FileUse[] {
  const name = pattern && (isAbsolute(pattern) ? pattern : `${folder}/${pattern}`);
  return [{ text: folder, access }, ...(name ? [{ text: name, dynamic: name, access }] : [])];
}

/** Fields of a call with a guessed tool that are handled as that tool's fields. */
const GUESSED_FIELDS: Partial<Record<ToolCall["tool"], readonly string[]>> = {
  Bash: ["command", "cwd"],
  Write: ["file_path", "content"],
  Read: ["file_path"],
  Edit: ["files"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path", "glob"],
};

/**
 * Returns the remaining fields of a call with a guessed tool, without `GUESSED_FIELDS`, as a call to an unknown tool.
 */
export function getRemainingCall({ tool, tool_name, input }: ToolCall): ToolCall {
  const values = input as Record<string, unknown>;
  const knownValues = GUESSED_FIELDS[tool]?.map((field) => values[field]) ?? [];
  return {
    tool: "Other",
    tool_name,
    input: Object.fromEntries(Object.entries(input).filter(([, value]) => !knownValues.includes(value))),
  };
}
