import type { Payload } from "../../protocol/host/payload.ts";
import type { FileChange, TextEdit, ToolCall, ToolInputs } from "../../protocol/tool.ts";
import {
  FOLDER_FIELDS,
  isCommandLine,
  isNonEmptyString,
  PATH_FIELDS,
  repeatInFolders,
} from "../../protocol/shell-fields.ts";
import { completeInput, type FieldNames } from "./field-synonyms.ts";
import { decodeUnlistedCall } from "./unlisted-tools.ts";
import { createFieldError, joinUnique, parseInputText, requireObject, requireOneValue, toRecord } from "./wire.ts";

/** Tool inputs that a table can describe. Each call to an edit tool in a table makes one change in one file. */
type TableInputs = Omit<ToolInputs, "Edit" | "MCP" | "Other"> & {
  Edit: Pick<FileChange, "file_path"> & Omit<TextEdit, "anchor">;
};

/**
 * A tool of the host: the unified tool it maps to and the native names of its fields. If a field has several names, the
 * host accepts any of them. A row without field names is decoded by host-specific code.
 */
type ToolRow<T extends keyof TableInputs> = readonly [
  tool: T,
  names?: { readonly [F in keyof TableInputs[T]]?: string | readonly string[] },
  more?: {
    /** Default values for fields that a call omits. */
    defaults?: Partial<TableInputs[T]>;
    /** Field values implied by the tool's name. */
    impliedValues?: Partial<TableInputs[T]>;
    /** Fields that a hook can change; defaults to all. */
    rewritableFields?: readonly (keyof TableInputs[T])[];
    /** Whether an edit with an empty old string creates the file. */
    createsFile?: true;
  },
];

/** A host's tools by native name. The first name listed for a unified tool is used to build payloads. */
export type ToolTable = Readonly<Record<string, { [T in keyof TableInputs]: ToolRow<T> }[keyof TableInputs]>>;

type AnyToolRow = readonly [
  tool: keyof TableInputs,
  names?: FieldNames,
  more?: { defaults?: Payload; impliedValues?: Payload; rewritableFields?: readonly string[]; createsFile?: true },
];
/** Returns a tool's row; an empty array if the table doesn't list the tool. */
export const getToolRow = (tools: ToolTable, tool_name: string): AnyToolRow | readonly [] =>
  Object.hasOwn(tools, tool_name) ? (tools[tool_name] as AnyToolRow) : [];

/**
 * Informational fields are read leniently: a null or mistyped value is treated as absent, so it can't keep policies
 * from running.
 */
const INFORMATIONAL_FIELDS: Readonly<Record<string, string>> = {
  description: "string",
  timeout_ms: "number",
  run_in_background: "boolean",
  offset: "number",
  limit: "number",
};
/** String fields that a call can omit. All other fields are required unless the table has a default value. */
const OPTIONAL_FIELDS = ["cwd", "path", "glob", "prompt", "agent_type"];
export const isOptionalField = (field: string): boolean =>
  field in INFORMATIONAL_FIELDS || OPTIONAL_FIELDS.includes(field);

/**
 * Reads a field that policies check, under one of its names. A value that is neither a string nor null is an error,
 * because such a field must never be skipped.
 */
function readNamedField(field: string, name: string, input: Payload, location: string): unknown {
  const value = input[name] ?? undefined;
  const kind = INFORMATIONAL_FIELDS[field];
  if (kind !== undefined) return typeof value === kind ? value : undefined;
  if (value === undefined || typeof value === "string") return value;
  throw createFieldError(location, name, value, "string");
}

function readUnifiedField(field: string, name: string | readonly string[], input: Payload, location: string): unknown {
  if (typeof name === "string") return readNamedField(field, name, input, location);
  const values = Object.fromEntries(
    name.map((alias) => [alias, readNamedField(field, alias, input, location) as string | undefined]),
  );
  return field === "prompt" ? joinUnique(...Object.values(values)) : requireOneValue(values, location);
}

/** Reads a row's fields from a tool's input and reports whether a required field is missing. */
function readRowFields(
  [, names = {}, { defaults = {}, impliedValues = {} } = {}]: AnyToolRow,
  native: Payload,
  location: string,
) {
  const input: Payload = {};
  let isIncomplete = false;
  let problem: Error | undefined;
  for (const field in defaults) if (!(field in names)) input[field] = defaults[field];
  for (const field in names) {
    const name = names[field] ?? field;
    const fieldValue = readUnifiedField(field, name, native, location);
    const value = fieldValue ?? defaults[field];
    if (value !== undefined) input[field] = value;
    if (fieldValue !== undefined || isOptionalField(field)) continue;
    isIncomplete = true;
    if (value === undefined) problem ??= createFieldError(location, String(name), value, "string");
  }
  for (const field in impliedValues) input[field] = impliedValues[field];
  return { input, isIncomplete, problem };
}

function buildDecodedCall([tool, , { createsFile } = {}]: AnyToolRow, tool_name: string, input: Payload): ToolCall {
  if (tool !== "Edit") return { tool, tool_name, input } as unknown as ToolCall;
  const { file_path, old_string, new_string } = input as unknown as TableInputs["Edit"];
  const operation = createsFile && old_string === "" ? "add" : "update";
  return {
    tool,
    tool_name,
    input: { files: [{ file_path, operation, edits: [{ old_string, new_string }] }] },
  };
}

/**
 * Decodes a tool call using the field names in the table. If a field is missing, tries the names that other hosts use
 * and marks the call as guessed. This covers fields renamed in later releases and other programs' tools with the same
 * names.
 * @throws Error naming the field that is missing or has the wrong type.
 */
export function decodeTableCall(
  tools: ToolTable,
  tool_name: string,
  rawInput: unknown,
  location: string,
): ToolCall | undefined {
  const row = getToolRow(tools, tool_name);
  if (!isToolRow(row)) return undefined;
  const [tool] = row;
  const parsed = parseInputText(rawInput);
  const native = tool === "Bash" && isCommandLine(parsed) ? toRecord(parsed) : requireObject(parsed, location);
  const { input, isIncomplete, problem } = readRowFields(row, native, location);
  const renamedCall = isIncomplete ? decodeRenamedCall(row, tool_name, native, location) : undefined;
  if (renamedCall) return renamedCall;
  if (problem) throw problem;
  const call = buildDecodedCall(row, tool_name, input);
  return addUnlistedFields(call, native) ?? call;
}

const isToolRow = (row: AnyToolRow | readonly []): row is AnyToolRow => row[1] !== undefined;

/** Decodes a call with renamed fields; returns undefined if the call has no fields with known names. */
function decodeRenamedCall(
  row: AnyToolRow,
  tool_name: string,
  native: Payload,
  location: string,
): ToolCall | undefined {
  const [tool, names = {}, { impliedValues = {} } = {}] = row;
  if (tool === "Bash") {
    const call = decodeUnlistedCall(tool_name, native, []);
    return call.tool === "Bash" ? { ...call, input: { ...call.input, ...impliedValues } } : undefined;
  }
  const completedInput = completeInput(names, native, location);
  if (!completedInput) return undefined;
  const { input, problem } = readRowFields(row, completedInput.completed, location);
  if (problem) throw problem;
  const call = buildDecodedCall(row, tool_name, input);
  return { ...call, guessed: true, input: { ...completedInput.remaining, ...call.input } } as ToolCall;
}

/**
 * Adds file or directory fields that the tool isn't known to accept; returns undefined if the call has none. The host
 * might use such a field or its own default, so policies must check both.
 */
function addUnlistedFields({ tool, tool_name, input }: ToolCall, native: Payload): ToolCall | undefined {
  const isLine = tool === "Bash";
  if (!isLine && tool !== "Grep" && tool !== "Glob") return undefined;
  const [folder, strayNames] = isLine ? [input.cwd, FOLDER_FIELDS] : [input.path, SEARCHED_FIELDS];
  if (folder !== undefined) return undefined;
  const strayFields = strayNames.filter((field) => isNonEmptyString(native[field]));
  if (strayFields.length === 0) return undefined;
  if (!isLine) return { tool, tool_name, guessed: true, input: { ...native, ...input } } as ToolCall;
  const command = repeatInFolders(
    input.command,
    strayFields.map((field) => native[field] as string),
  );
  const { cwd: _, ...otherFields } = native;
  return { tool, tool_name, guessed: true, input: { ...otherFields, ...input, command } };
}
const SEARCHED_FIELDS = [...PATH_FIELDS, ...FOLDER_FIELDS];
