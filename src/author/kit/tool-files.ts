import { isAbsolute } from "../../system/paths.ts";
import type { FileUse } from "../../shell/files/operands.ts";
import type { FileAccess } from "../../shell/programs/program.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import { findArgumentFiles } from "./argument-files.ts";

/** The files that a file tool names. */
export function findToolFiles(call: ToolCall): FileUse[] {
  switch (call.tool) {
    case "Read":
      return [{ text: call.input.file_path, access: "read" }];
    case "Write":
      return [{ text: call.input.file_path, access: "write" }];
    case "Edit":
      return call.input.files
        .flatMap(({ file_path, moved_to }) => [file_path, ...(moved_to ? [moved_to] : [])])
        .map((text) => ({ text, access: "write" }));
    case "Glob":
      return getSearchUses(call.input.path, call.input.pattern, "list");
    case "Grep":
      return getSearchUses(call.input.path, call.input.glob, "read");
    case "MCP":
      return findArgumentFiles(call.input.tool, call.input.arguments);
    case "Other":
      return findArgumentFiles(call.tool_name, call.input);
    case "Bash":
    case "WebFetch":
    case "WebSearch":
    case "Task":
      return [];
  }
}

/** A directory that is searched, and the pattern of the files searched in it. */
function getSearchUses(folder = ".", pattern: string | undefined, access: FileAccess): FileUse[] {
  const name = pattern && (isAbsolute(pattern) ? pattern : `${folder}/${pattern}`);
  return [{ text: folder, access }, ...(name ? [{ text: name, dynamic: name, access }] : [])];
}

/** The rest of a guessed call, without its line and directory, or its file and text, as a call of an unknown tool. */
export function getRemainingCall({ tool, tool_name, input }: ToolCall): ToolCall {
  const knownValues: unknown[] =
    tool === "Bash" ? [input.command, input.cwd] : tool === "Write" ? [input.file_path, input.content] : [];
  return {
    tool: "Other",
    tool_name,
    input: Object.fromEntries(Object.entries(input).filter(([, value]) => !knownValues.includes(value))),
  };
}
