import type { Payload } from "../../protocol/host/payload.ts";
import type { FileChange, TextEdit, ToolCall, ToolInputs } from "../../protocol/tool.ts";
import {
  FOLDER_FIELDS,
  isCommandLine,
  isNonEmptyText,
  PATH_FIELDS,
  repeatInFolders,
} from "../../protocol/shell-fields.ts";
import { completeInput, type FieldNames } from "./field-synonyms.ts";
import { decodeUnlistedCall } from "./unlisted-tools.ts";
import { createFieldError, joinUnique, parseInputText, requireObject, requireOneValue, toRecord } from "./wire.ts";

/** Tool inputs that a table can describe. An edit in the table makes one change in one file. */
type TableInputs = Omit<ToolInputs, "Edit" | "MCP" | "Other"> & {
  Edit: Pick<FileChange, "file_path"> & Omit<TextEdit, "anchor">;
};

/**
 * A host's tool, with the corresponding unified tool and the native names of its fields. If a field has several names,
 * the host accepts any of them. A row without names is decoded by host-specific code.
 */
type ToolRow<T extends keyof TableInputs> = readonly [
  tool: T,
  names?: { readonly [F in keyof TableInputs[T]]?: string | readonly string[] },
  more?: {
    /** Default values for fields that a call omits. */
    absent?: Partial<TableInputs[T]>;
    /** Values that the tool's name implies. */
    fixed?: Partial<TableInputs[T]>;
    /** The fields that a hook may change. Default: all fields. */
    rewritten?: readonly (keyof TableInputs[T])[];
    /** Whether an edit with an empty old string creates the file. */
    createsFile?: true;
  },
];

/** A host's tools by native name. Payloads are built with the first name of each unified tool. */
export type ToolTable = Readonly<Record<string, { [T in keyof TableInputs]: ToolRow<T> }[keyof TableInputs]>>;

type AnyToolRow = readonly [
  tool: keyof TableInputs,
  names?: FieldNames,
  more?: { absent?: Payload; fixed?: Payload; rewritten?: readonly string[]; createsFile?: true },
];
/** Returns a tool's row; an empty array if the table doesn't list the tool. */
export const getToolRow = (tools: ToolTable, tool_name: string): AnyToolRow | readonly [] =>
  Object.hasOwn(tools, tool_name) ? (tools[tool_name] as AnyToolRow) : [];

/**
 * Informational fields are parsed leniently. A null or mistyped value counts as absent, so that it can't keep policies
 * from running.
 */
const INFORMATIONAL_FIELDS: Readonly<Record<string, string>> = {
  description: "string",
  timeout_ms: "number",
  run_in_background: "boolean",
  offset: "number",
  limit: "number",
};
/** String fields that a call may omit. All other fields are required unless the table has a default value. */
const OPTIONAL_FIELDS = ["cwd", "path", "glob", "prompt", "agent_type"];
export const isOptionalField = (field: string): boolean =>
  field in INFORMATIONAL_FIELDS || OPTIONAL_FIELDS.includes(field);

/**
 * Reads a field under one of its names. A field that policies check is never skipped: a value other than a string or
 * null is an error.
 */
function readNamedField(field: string, name: string, input: Payload, where: string): unknown {
  const value = input[name] ?? undefined;
  const kind = INFORMATIONAL_FIELDS[field];
  if (kind !== undefined) return typeof value === kind ? value : undefined;
  if (value === undefined || typeof value === "string") return value;
  throw createFieldError(where, name, value, "string");
}

function readUnifiedField(field: string, name: string | readonly string[], input: Payload, where: string): unknown {
  if (typeof name === "string") return readNamedField(field, name, input, where);
  const values = Object.fromEntries(
    name.map((one) => [one, readNamedField(field, one, input, where) as string | undefined]),
  );
  return field === "prompt" ? joinUnique(...Object.values(values)) : requireOneValue(values, where);
}

/** Reads a row's fields from a tool's input, and reports whether a required field is missing. */
function readRowFields([, names = {}, { absent = {}, fixed = {} } = {}]: AnyToolRow, native: Payload, where: string) {
  const input: Payload = {};
  let isIncomplete = false;
  let problem: Error | undefined;
  for (const field in absent) if (!(field in names)) input[field] = absent[field];
  for (const field in names) {
    const name = names[field] ?? field;
    const given = readUnifiedField(field, name, native, where);
    const value = given ?? absent[field];
    if (value !== undefined) input[field] = value;
    if (given !== undefined || isOptionalField(field)) continue;
    isIncomplete = true;
    if (value === undefined) problem ??= createFieldError(where, String(name), value, "string");
  }
  for (const field in fixed) input[field] = fixed[field];
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
 * Decodes a tool call with the fields that the table describes. If a field is missing, tries the names that other hosts
 * use and marks the call as guessed. A later release may rename a field, and other programs have tools with the same
 * names.
 * @throws Error naming the field that does not fit.
 */
export function decodeTableCall(
  tools: ToolTable,
  tool_name: string,
  given: unknown,
  where: string,
): ToolCall | undefined {
  const row = getToolRow(tools, tool_name);
  if (!isDescribed(row)) return undefined;
  const [tool] = row;
  const parsed = parseInputText(given);
  const native = tool === "Bash" && isCommandLine(parsed) ? toRecord(parsed) : requireObject(parsed, where);
  const { input, isIncomplete, problem } = readRowFields(row, native, where);
  const renamed = isIncomplete ? decodeRenamedCall(row, tool_name, native, where) : undefined;
  if (renamed) return renamed;
  if (problem) throw problem;
  const call = buildDecodedCall(row, tool_name, input);
  return addStrayFields(call, native) ?? call;
}

const isDescribed = (row: AnyToolRow | readonly []): row is AnyToolRow => row[1] !== undefined;

/** Decodes a call with renamed fields; returns undefined if the call has no field with a known name. */
function decodeRenamedCall(row: AnyToolRow, tool_name: string, native: Payload, where: string): ToolCall | undefined {
  const [tool, names = {}, { fixed = {} } = {}] = row;
  if (tool === "Bash") {
    const call = decodeUnlistedCall(tool_name, native, []);
    return call.tool === "Bash" ? { ...call, input: { ...call.input, ...fixed } } : undefined;
  }
  const found = completeInput(names, native, where);
  if (!found) return undefined;
  const { input, problem } = readRowFields(row, found.completed, where);
  if (problem) throw problem;
  const call = buildDecodedCall(row, tool_name, input);
  return { ...call, guessed: true, input: { ...found.rest, ...call.input } } as ToolCall;
}

/**
 * Adds file or directory fields that the tool isn't known to accept. The host may use such a field or its own default,
 * so policies must check both. Returns undefined if the call has no such field.
 */
function addStrayFields({ tool, tool_name, input }: ToolCall, native: Payload): ToolCall | undefined {
  const isLine = tool === "Bash";
  if (!isLine && tool !== "Grep" && tool !== "Glob") return undefined;
  const [own, others] = isLine ? [input.cwd, FOLDER_FIELDS] : [input.path, SEARCHED_FIELDS];
  if (own !== undefined) return undefined;
  const strayFields = others.filter((field) => isNonEmptyText(native[field]));
  if (strayFields.length === 0) return undefined;
  if (!isLine) return { tool, tool_name, guessed: true, input: { ...native, ...input } } as ToolCall;
  const command = repeatInFolders(
    input.command,
    strayFields.map((field) => native[field] as string),
  );
  const { cwd: _, ...rest } = native;
  return { tool, tool_name, guessed: true, input: { ...rest, ...input, command } };
}
const SEARCHED_FIELDS = [...PATH_FIELDS, ...FOLDER_FIELDS];
