import type { Payload, RewriteResult } from "../protocol/host/host.ts";
import {
  FOLDER_FIELDS,
  isCommandLine,
  isNonEmptyText,
  isTyping,
  PATH_FIELDS,
  findShellInput,
} from "../protocol/shell-fields.ts";
import type { ToolCall } from "../protocol/tool.ts";
import { requireOneValue, patchInput, pickTexts } from "./wire.ts";

// Tools that a host is not known to have: of a later release, of a plugin, or of another host with the same payloads. What they do
// is told by the fields of their input, so that a shell of another name is not a call that no policy looks at. All of those fields stay
// in the input: a model may add a "command" to any call, and it hides nothing from a hook that looks at the others.

const CONTENT_FIELDS = ["content", "contents", "file_text", "fileText", "file_content"];

/** Of a kind that no such field has: a unified one may not take its place, which would hide it. */
const isNotText = (value: unknown) => value !== undefined && value !== null && typeof value !== "string";

/** The fields that hold a file's path, and what is to be in it. */
const findFileFields = (input: Payload) => ({
  paths: PATH_FIELDS.filter((key) => isNonEmptyText(input[key])),
  contents: CONTENT_FIELDS.filter((key) => typeof input[key] === "string"),
});

/**
 * A call of a tool that is not known by its name: a shell's, one that writes a file, or any other.
 * @param others tools that are known, and neither.
 * @throws Error where nobody can know what runs, or in which folder.
 */
export function decodeUnlistedCall(tool_name: string, input: Payload, others: readonly string[]): ToolCall {
  const other: ToolCall = { tool: "Other", tool_name, input };
  if (others.includes(tool_name) && !isTyping(tool_name, input)) return other;
  const shell = findShellInput(tool_name, input, true);
  if (shell) {
    const where = `input of ${tool_name}`;
    const strange = ["command", "cwd"].find(
      (key) => isNotText(input[key]) && !(key === "command" && isCommandLine(input[key])),
    );
    if (strange)
      throw new Error(`${where}: "${strange}" is no text, and another field holds a command; leave one of them out`);
    const cwd = requireOneValue(pickTexts(input, FOLDER_FIELDS), where) ?? shell.cwd;
    return { tool: "Bash", tool_name, guessed: true, input: { ...input, command: shell.command, ...(cwd && { cwd }) } };
  }
  const { paths, contents } = findFileFields(input);
  const [path, content] = [paths[0], contents[0]];
  // With more of either, nobody knows which are meant: all of them are in the input.
  const isOne = paths.length + contents.length === 2 && !isNotText(input.file_path) && !isNotText(input.content);
  if (path === undefined || content === undefined || !isOne) return other;
  const file = { file_path: input[path] as string, content: input[content] as string };
  return { tool: "Write", tool_name, guessed: true, input: { ...input, ...file } };
}

/** The native fields of such a call, by unified ones; nothing where a text is put together from several. */
function mapGuessedFields({ tool, tool_name }: ToolCall, input: Payload): Record<string, string> | undefined {
  if (tool === "Other") return {};
  if (tool === "Write") {
    const { paths, contents } = findFileFields(input);
    return { file_path: paths[0] as string, content: contents[0] as string };
  }
  const { field } = findShellInput(tool_name, input, true) ?? {};
  return field === undefined ? undefined : { command: field };
}

/** The input of such a call under a patch in unified names: each goes into the field that it was read from. */
export function patchUnlistedCall(call: ToolCall, input: Payload, patch: Payload): RewriteResult {
  const names = mapGuessedFields(call, input);
  if (!names)
    return { unsupported: "the command of this call is not one text in one field; deny instead, and say what to do" };
  // Hooks that are asked later see the unified field, and would judge what does not run.
  const hidden = Object.entries(names).find(([name, native]) => name !== native && Object.hasOwn(patch, native));
  return hidden
    ? { unsupported: `"${hidden[1]}" of this call is changed as "${hidden[0]}"; change that, or deny` }
    : patchInput(input, patch, names);
}
