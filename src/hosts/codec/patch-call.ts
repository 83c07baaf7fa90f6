import type { CallEvent } from "../../protocol/event.ts";
import type { RewriteResult } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { isObject } from "../../protocol/object.ts";
import { findShellInput } from "../../protocol/shell-fields.ts";
import type { FileChange, ToolCall } from "../../protocol/tool.ts";
import { getToolRow, isOptionalField, type ToolTable } from "./tool-table.ts";
import { findFileFields } from "./unlisted-tools.ts";

/**
 * Applies a patch in unified names to a native input. A null value removes a field. A patch can also use the native
 * names of fields that the call already has. A patch with unknown fields is refused, because the host would ignore them
 * and run the original call.
 * @param names maps unified field names to the host's names.
 */
export function patchInput(input: Payload, patch: Payload, names: Readonly<Record<string, string>>): RewriteResult {
  const patchedInput: Payload = { ...input };
  for (const key in patch) {
    const name = Object.hasOwn(names, key) ? (names[key] as string) : key;
    if (name === key && !Object.hasOwn(names, key) && !Object.hasOwn(input, key)) {
      return {
        unsupported: `this call has no "${key}" (it has ${[...new Set([...Object.keys(names), ...Object.keys(input)])].join(", ")}); change one of these fields, or deny`,
      };
    }
    if (patch[key] !== null) patchedInput[name] = patch[key];
    else if (Object.hasOwn(names, key) && !isOptionalField(key))
      return { unsupported: `the call requires "${key}"; set it to a different value, or deny` };
    else delete patchedInput[name];
  }
  return { input: patchedInput };
}

/** Replaces all arguments of an MCP call; refuses a patch to any other part of the call. */
export function patchMcpArguments(patch: Payload): RewriteResult {
  const { arguments: input, ...otherFields } = patch;
  const isInvalid =
    typeof input !== "object" || input === null || Array.isArray(input) || Object.keys(otherFields).length > 0;
  return isInvalid
    ? { unsupported: 'only "arguments", an object, can be changed in an MCP call; change that field, or deny' }
    : { input: input as Payload };
}

/**
 * Replaces the arguments of an MCP call on hosts that merge new arguments into the old ones. Refuses a patch that
 * removes an argument, because such a host would keep it.
 * @param explain builds the error message.
 */
export function mergeMcpArguments(
  currentArguments: Payload,
  patch: Payload,
  explain: (keptField: string) => string,
): RewriteResult {
  const result = patchMcpArguments(patch);
  if (!("input" in result)) return result;
  const keptField = Object.keys(currentArguments).find((key) => !Object.hasOwn(result.input, key));
  return keptField === undefined ? result : { unsupported: explain(keptField) };
}

/**
 * Applies a patch to a call to an edit tool that makes one change in one file. Refuses any change to `files` if `names`
 * is undefined.
 */
export function patchSingleEdit(
  input: Payload,
  patch: Payload,
  names: Readonly<Record<string, string>> | undefined,
  unsupported: string,
): RewriteResult {
  // The patch can also change other fields of the call by their native names.
  const isNativeField = (key: string) => Object.hasOwn(input, key) && !Object.values(names ?? {}).includes(key);
  const remainingPatch = Object.fromEntries(Object.entries(patch).filter(([key]) => isNativeField(key)));
  const files = patch.files === undefined ? undefined : parseEditFiles(omitFields(patch, remainingPatch));
  if (!files) return names ? patchInput(input, patch, {}) : { unsupported };
  if ("unsupported" in files) return files;
  const [file, ...otherFiles] = files;
  const [edit, ...otherEdits] = file?.edits ?? [];
  if (!names || !file || !edit || otherFiles.length + otherEdits.length > 0 || file.operation !== "update")
    return { unsupported };
  return patchInput(
    input,
    { ...remainingPatch, file_path: file.file_path, old_string: edit.old_string, new_string: edit.new_string },
    names,
  );
}

const omitFields = (patch: Payload, names: Payload): Payload =>
  Object.fromEntries(Object.entries(patch).filter(([key]) => !Object.hasOwn(names, key)));

/**
 * Returns the files of a patched edit. The patch must replace the whole list and can't change anything else in the
 * call.
 */
export function parseEditFiles(patch: Payload): FileChange[] | { unsupported: string } {
  const { files, ...otherFields } = patch;
  const isValid = Array.isArray(files) && files.length > 0 && Object.keys(otherFields).length === 0;
  return isValid
    ? (files as FileChange[])
    : { unsupported: 'only "files", a list as in event.input, can be changed in an edit; change that field, or deny' };
}

/**
 * Returns the native names of the fields that a hook can change, using the first one if there are several; undefined if
 * there are no such fields.
 */
export function getPatchableFields(tools: ToolTable, tool_name: string): Readonly<Record<string, string>> | undefined {
  const [, names, { rewritableFields } = {}] = getToolRow(tools, tool_name);
  if (!names || rewritableFields?.length === 0) return undefined;
  return Object.fromEntries(
    (rewritableFields ?? Object.keys(names)).map((field) => [field, [names[field]].flat()[0] as string]),
  );
}

/**
 * Refuses to rewrite a call to a known tool if its field names differ from the table's: writing the table's names would
 * leave the original values in place.
 */
export const refuseRenamedFields = ({ tool, tool_name, guessed }: ToolCall): { unsupported: string } | undefined =>
  guessed && tool !== "Bash"
    ? { unsupported: `this ${tool_name} call has renamed fields; deny the call, and explain what to do instead` }
    : undefined;

/**
 * Applies a patch to a call. The patch can replace all arguments of an MCP call, the single change of an edit, or the
 * fields listed in the table.
 */
export function patchCall(tools: ToolTable, event: CallEvent, input: Payload, patch: Payload): RewriteResult {
  if (!isObject(input))
    return { unsupported: "the input of this call is not an object; deny the call, and explain what to do instead" };
  if (event.tool === "MCP") return patchMcpArguments(patch);
  const { tool_name } = event;
  const isListed = getToolRow(tools, tool_name).length > 0;
  const renamedFieldRefusal = isListed ? refuseRenamedFields(event) : undefined;
  if (renamedFieldRefusal) return renamedFieldRefusal;
  const names = event.guessed ? undefined : getPatchableFields(tools, tool_name);
  if (event.tool !== "Edit") return names ? patchInput(input, patch, names) : patchUnlistedCall(event, input, patch);
  const refusal = `${tool_name} makes one replacement in one file; return one file with one edit, or deny`;
  return patchSingleEdit(input, patch, names, refusal);
}

/**
 * Maps the unified fields of a guessed call to its native fields; returns undefined if the command was combined from
 * several fields.
 */
function mapGuessedFields(call: ToolCall, input: Payload): Record<string, string> | undefined {
  const { tool, tool_name } = call;
  if (tool === "Other") return {};
  if (tool === "Write") {
    const { paths, contents } = findFileFields(input);
    return { file_path: paths[0] as string, content: contents[0] as string };
  }
  const { field } = findShellInput(tool_name, input, { strict: true }) ?? {};
  const isWholeCommand = field !== undefined && tool === "Bash" && input[field] === call.input.command;
  return isWholeCommand ? { command: field } : undefined;
}

/** Applies a patch to a guessed call, writing each field back to the native field it was read from. */
export function patchUnlistedCall(call: ToolCall, input: Payload, patch: Payload): RewriteResult {
  const names = mapGuessedFields(call, input);
  if (!names)
    return {
      unsupported:
        "the command of this call is not a single string field; deny the call, and explain what to do instead",
    };
  // Later hooks read only the unified field, so a change to the native field would bypass them.
  const hiddenField = Object.entries(names).find(([name, native]) => name !== native && Object.hasOwn(patch, native));
  return hiddenField
    ? {
        unsupported: `in this call, "${hiddenField[1]}" can only be changed as "${hiddenField[0]}"; change that field, or deny`,
      }
    : patchInput(input, patch, names);
}
