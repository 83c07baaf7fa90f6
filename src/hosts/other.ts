import type { Payload, Rewritten } from "../core/host.ts";
import type { ToolCall } from "../core/tool.ts";
import { patched } from "./wire.ts";

// Tools that a host is not known to have: of a later release, of a plugin, or of another host with the same payloads. What they do
// is told by the fields of their input, so that a shell of another name is not a call that no policy looks at.

const COMMANDS = ["command", "cmd", "script", "shell_command", "shellCommand", "command_line", "commandLine"];
const FOLDERS = ["cwd", "workdir", "working_directory", "workingDirectory", "dir_path", "directory"];
const PATHS = ["file_path", "filePath", "path", "absolute_path", "target_file", "targetFile", "file", "filename"];
const CONTENTS = ["content", "contents", "file_text", "fileText", "file_content"];
/** What an editor of files takes as its command. */
const VERBS = ["view", "create", "str_replace", "insert", "undo_edit", "read", "write", "append", "edit", "delete", "rename", "move"];

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
const isLine = (value: unknown) =>
  isText(value) || (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string"));

/** A program and its arguments as a shell would be given them. */
const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);
const lineOf = (value: unknown): string => (Array.isArray(value) ? value.map((word) => quoted(String(word))).join(" ") : String(value));

/** The fields that hold a file's path, and what is to be in it. */
const fileFields = (input: Payload) => ({
  paths: PATHS.filter((key) => isText(input[key])),
  contents: CONTENTS.filter((key) => typeof input[key] === "string"),
});

/** The fields that hold a shell line: more than one may be the one that runs. */
function shellFields(input: Payload): string[] {
  const lines = COMMANDS.filter((key) => isLine(input[key]));
  const isEditor = lines.length === 1 && VERBS.includes(input[lines[0] as string] as string) && fileFields(input).paths.length > 0;
  return isEditor ? [] : lines;
}

/** A call of a tool that is not known by its name: a shell's, one that writes a file, or any other. */
export function otherCall(tool_name: string, input: Payload): ToolCall {
  const lines = shellFields(input);
  if (lines.length > 0) {
    const folder = FOLDERS.find((key) => isText(input[key]));
    const command = lines.map((key) => lineOf(input[key])).join("\n");
    return { tool: "Bash", tool_name, input: { command, ...(folder !== undefined && { cwd: input[folder] as string }) } };
  }
  const { paths, contents } = fileFields(input);
  const [path, content] = [paths[0], contents[0]];
  // With more of either, nobody knows which are meant: all of them are in the input.
  if (path === undefined || content === undefined || paths.length + contents.length > 2) return { tool: "Other", tool_name, input };
  return { tool: "Write", tool_name, input: { file_path: input[path] as string, content: input[content] as string } };
}

/** The input of such a call under a patch in unified names: each goes into the field that it was read from. */
export function patchedOther({ tool }: ToolCall, input: Payload, patch: Payload): Rewritten {
  if (tool !== "Bash") {
    const { paths, contents } = fileFields(input);
    const names: Record<string, string> = tool === "Write" ? { file_path: paths[0] as string, content: contents[0] as string } : {};
    return patched(input, patch, names);
  }
  const [line = "", ...more] = shellFields(input);
  return more.length > 0 || typeof input[line] !== "string"
    ? { unsupported: "the command of this call is not one text in one field; deny instead, and say what to do" }
    : patched(input, patch, { command: line });
}
