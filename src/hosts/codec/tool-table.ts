import type { Payload } from "../../protocol/host/payload.ts";
import type { FileChange, TextEdit, ToolCall, ToolInputs } from "../../protocol/tool.ts";
import { createFieldError, joinUnique, requireObject, requireOneValue } from "./wire.ts";

/** The inputs that a table can describe; an edit is one change of one file here. */
type TableInputs = Omit<ToolInputs, "Edit" | "MCP" | "Other"> & {
  Edit: Pick<FileChange, "file_path"> & Omit<TextEdit, "anchor">;
};

/**
 * A tool of a host: its unified tool, and its own names for that tool's fields. If a field has several names, each
 * counts. A row without names is decoded by the host's own code.
 */
type ToolRow<T extends keyof TableInputs> = readonly [
  tool: T,
  names?: { readonly [F in keyof TableInputs[T]]?: string | readonly string[] },
  more?: {
    /** Values of fields that a call omits. */
    absent?: Partial<TableInputs[T]>;
    /** Values that the tool's name tells. */
    fixed?: Partial<TableInputs[T]>;
    /** The fields that a hook may change; default: all. */
    rewritten?: readonly (keyof TableInputs[T])[];
  },
];

/** A host's tools by their own names; payloads for a unified tool are built with its first one. */
export type ToolTable = Readonly<Record<string, { [T in keyof TableInputs]: ToolRow<T> }[keyof TableInputs]>>;

type AnyToolRow = readonly [
  tool: keyof TableInputs,
  names?: Readonly<Record<string, string | readonly string[]>>,
  more?: { absent?: Payload; fixed?: Payload; rewritten?: readonly string[] },
];
/** Returns the row of a tool; empty if the table does not have it. */
export const getToolRow = (tools: ToolTable, tool_name: string) =>
  Object.hasOwn(tools, tool_name) ? (tools[tool_name] as AnyToolRow) : [];

/**
 * Fields that only inform are lenient: null, or a value of a new type, counts as absent and keeps no policy from
 * running.
 */
const INFORMATIONAL_FIELDS: Readonly<Record<string, string>> = {
  description: "string",
  timeout_ms: "number",
  run_in_background: "boolean",
  offset: "number",
  limit: "number",
};
/** Texts that a call may omit. All others are required, unless the table has a value for their absence. */
const OPTIONAL_FIELDS = ["cwd", "path", "glob", "prompt", "agent_type"];
export const isOptionalField = (field: string): boolean =>
  field in INFORMATIONAL_FIELDS || OPTIONAL_FIELDS.includes(field);

/**
 * Reads a field under one name. A field that policies judge is never skipped: it is a text, or absent (null counts as
 * absent), or decoding fails.
 */
function readNamedField(field: string, name: string, input: Payload, where: string): unknown {
  const value = input[name] ?? undefined;
  const kind = INFORMATIONAL_FIELDS[field];
  if (kind !== undefined) return typeof value === kind ? value : undefined;
  if (value === undefined || typeof value === "string") return value;
  throw createFieldError(where, name, value, "string");
}

/** Reads a field under any of its names. */
function readUnifiedField(field: string, name: string | readonly string[], input: Payload, where: string): unknown {
  if (typeof name === "string") return readNamedField(field, name, input, where);
  const said = Object.fromEntries(
    name.map((one) => [one, readNamedField(field, one, input, where) as string | undefined]),
  );
  return field === "prompt" ? joinUnique(...Object.values(said)) : requireOneValue(said, where);
}

/**
 * Decodes a call of a tool whose fields the table describes.
 * @throws Error naming the field that does not fit.
 */
export function decodeTableCall(
  tools: ToolTable,
  tool_name: string,
  given: unknown,
  where: string,
): ToolCall | undefined {
  const [tool, names, { absent = {}, fixed = {} } = {}] = getToolRow(tools, tool_name);
  if (!names) return undefined;
  const native = requireObject(given, where);
  const input: Payload = {};
  for (const field in absent) if (!(field in names)) input[field] = absent[field];
  for (const field in names) {
    const name = names[field] ?? field;
    const value = readUnifiedField(field, name, native, where) ?? absent[field];
    if (value !== undefined) input[field] = value;
    else if (!isOptionalField(field)) throw createFieldError(where, String(name), value, "string");
  }
  for (const field in fixed) input[field] = fixed[field];
  if (tool !== "Edit") return { tool, tool_name, input } as unknown as ToolCall;
  const { file_path, old_string, new_string } = input as unknown as TableInputs["Edit"];
  return {
    tool,
    tool_name,
    input: { files: [{ file_path, operation: "update", edits: [{ old_string, new_string }] }] },
  };
}
