import type { Payload } from "../../protocol/host/payload.ts";
import {
  findShellInput,
  FOLDER_FIELDS,
  isCommandLine,
  isNonEmptyString,
  typesIntoProcess,
  PATH_FIELDS,
} from "../../protocol/shell-fields.ts";
import { isObject } from "../../protocol/object.ts";
import type { ToolCall } from "../../protocol/tool.ts";
import { CONTENT_FIELDS } from "./field-synonyms.ts";
import { parseInputText, pickStringFields, requireOneValue, toRecord } from "./wire.ts";

// Decodes calls to tools that the host isn't known to have: tools from later releases or plugins, and tools of other
// hosts with the same payload format. The input's fields reveal what a tool does, so a shell under another name can't
// escape the policies. All fields stay in the input; otherwise a model could hide them by adding a "command" to any
// call.

/**
 * Whether a field has a non-string value. A unified field must not overwrite it, because hooks would no longer see it.
 */
const isNonString = (value: unknown) => value !== undefined && value !== null && typeof value !== "string";

/** Finds the fields that hold a file path and those that hold file contents. */
export const findFileFields = (input: Payload) => ({
  paths: PATH_FIELDS.filter((key) => isNonEmptyString(input[key])),
  contents: CONTENT_FIELDS.filter((key) => typeof input[key] === "string"),
});

/** Fields that can contain the whole input as a JSON string. */
const WRAPPER_FIELDS = ["input", "arguments", "args", "params", "parameters"];

/**
 * If the input's only field is a JSON string, such as `{"input": "{\"command\": …}"}`, adds the fields inside that
 * JSON.
 */
function unwrapInput(input: Payload): Payload {
  const [key, ...otherKeys] = Object.keys(input);
  if (key === undefined || otherKeys.length > 0 || !WRAPPER_FIELDS.includes(key)) return input;
  const innerInput = parseInputText(input[key]);
  return isObject(innerInput) && typeof input[key] === "string" ? { ...input, ...innerInput } : input;
}

/**
 * Decodes a call to an unknown tool as a shell command, a file write or another kind of call.
 * @param knownTools known tools that neither run commands nor write files.
 * @throws Error when it is ambiguous which command runs or in which directory.
 */
export function decodeUnlistedCall(tool_name: string, input: Payload, knownTools: readonly string[]): ToolCall {
  const otherCall: ToolCall = { tool: "Other", tool_name, input };
  if (knownTools.includes(tool_name) && !typesIntoProcess(tool_name, input)) return otherCall;
  const shell = findShellInput(tool_name, input, { strict: true });
  if (shell) {
    const location = `input of ${tool_name}`;
    const invalidField = ["command", "cwd"].find(
      (key) => isNonString(input[key]) && !(key === "command" && isCommandLine(input[key])),
    );
    if (invalidField)
      throw new Error(
        `${location}: "${invalidField}" is not a string, and another field contains a command; remove one of them`,
      );
    const cwd = requireOneValue(pickStringFields(input, FOLDER_FIELDS), location) ?? shell.cwd;
    return { tool: "Bash", tool_name, guessed: true, input: { ...input, command: shell.command, ...(cwd && { cwd }) } };
  }
  const { paths, contents } = findFileFields(input);
  const [path, content] = [paths[0], contents[0]];
  // With several paths or contents, it is ambiguous which ones apply, so don't decode the call as a write.
  const isSingleWrite =
    paths.length + contents.length === 2 && !isNonString(input.file_path) && !isNonString(input.content);
  if (path === undefined || content === undefined || !isSingleWrite) return otherCall;
  const file = { file_path: input[path] as string, content: input[content] as string };
  return { tool: "Write", tool_name, guessed: true, input: { ...input, ...file } };
}

/** Decodes a call to an MCP tool or to a tool that isn't in the tool table. */
export function decodeOtherCall(
  tool_name: string,
  rawInput: unknown,
  mcp: { server?: string; tool: string } | undefined,
  knownTools: readonly string[],
): ToolCall {
  const input = toRecord(parseInputText(rawInput));
  return mcp
    ? { tool: "MCP", tool_name, input: { ...mcp, arguments: input } }
    : decodeUnlistedCall(tool_name, unwrapInput(input), knownTools);
}
