import type { Payload, RewriteResult } from "../protocol/host/host.ts";
import type { FileChange, TextEdit, ToolCall, ToolInputs } from "../protocol/tool.ts";
import { patchUnlistedCall } from "./unlisted-tools.ts";
import { joinUnique, createFieldError, requireObject, requireOneValue, patchInput } from "./wire.ts";

/** What a table can tell of: an edit is one change of one file there. */
type TableInputs = Omit<ToolInputs, "Edit" | "MCP" | "Other"> & {
  Edit: Pick<FileChange, "file_path"> & Omit<TextEdit, "anchor">;
};

/**
 * A tool of a host: its unified tool, and its own names of that one's fields; of several for one field, each counts. Without them
 * it is read by code of the host.
 */
type ToolRow<T extends keyof TableInputs> = readonly [
  tool: T,
  names?: { readonly [F in keyof TableInputs[T]]?: string | readonly string[] },
  more?: {
    /** What fields are that a call leaves out. */
    absent?: Partial<TableInputs[T]>;
    /** The fields that a hook may change, where not all. */
    rewritten?: readonly (keyof TableInputs[T])[];
  },
];

/** A host's tools by their own names; of those with one unified tool, the first is what its calls are told by. */
export type ToolTable = Readonly<Record<string, { [T in keyof TableInputs]: ToolRow<T> }[keyof TableInputs]>>;

/** A row, whichever its tool. */
type AnyToolRow = readonly [
  tool: keyof TableInputs,
  names?: Readonly<Record<string, string | readonly string[]>>,
  more?: { absent?: Payload; rewritten?: readonly string[] },
];
/** What the table has of a tool; nothing of one that it does not know. */
export const getToolRow = (tools: ToolTable, tool_name: string) =>
  Object.hasOwn(tools, tool_name) ? (tools[tool_name] as AnyToolRow) : [];

/** Fields that only inform are lenient: a null, or a type of tomorrow, counts as absent and keeps no policy from its work. */
const INFORMATIONAL_FIELDS: Readonly<Record<string, string>> = {
  description: "string",
  timeout_ms: "number",
  run_in_background: "boolean",
  offset: "number",
  limit: "number",
};
/** Texts that a call need not have; all others it has to, where a table does not say what they are then. */
const OPTIONAL_FIELDS = ["cwd", "path", "glob", "prompt", "agent_type"];

/** One field's value under one name. What a policy judges is never left out: it is a text, or absent (null is), or the call fails. */
function readNamedField(field: string, name: string, input: Payload, where: string): unknown {
  const value = input[name] ?? undefined;
  const kind = INFORMATIONAL_FIELDS[field];
  if (kind !== undefined) return typeof value === kind ? value : undefined;
  if (value === undefined || typeof value === "string") return value;
  throw createFieldError(where, name, value, "string");
}

/** One field's value, whatever its name. */
function readUnifiedField(field: string, name: string | readonly string[], input: Payload, where: string): unknown {
  if (typeof name === "string") return readNamedField(field, name, input, where);
  const said = Object.fromEntries(
    name.map((one) => [one, readNamedField(field, one, input, where) as string | undefined]),
  );
  return field === "prompt" ? joinUnique(...Object.values(said)) : requireOneValue(said, where);
}

/**
 * A call of a tool whose fields the table tells.
 * @throws Error naming the field that does not fit.
 */
export function decodeTableCall(
  tools: ToolTable,
  tool_name: string,
  given: unknown,
  where: string,
): ToolCall | undefined {
  const [tool, names, { absent = {} } = {}] = getToolRow(tools, tool_name);
  if (!names) return undefined;
  const native = requireObject(given, where);
  const input: Payload = {};
  for (const field in absent) if (!(field in names)) input[field] = absent[field];
  for (const field in names) {
    const name = names[field] ?? field;
    const value = readUnifiedField(field, name, native, where) ?? absent[field];
    if (value !== undefined) input[field] = value;
    else if (!(field in INFORMATIONAL_FIELDS || OPTIONAL_FIELDS.includes(field)))
      throw createFieldError(where, String(name), value, "string");
  }
  if (tool !== "Edit") return { tool, tool_name, input } as unknown as ToolCall;
  const { file_path, old_string, new_string } = input as unknown as TableInputs["Edit"];
  return {
    tool,
    tool_name,
    input: { files: [{ file_path, operation: "update", edits: [{ old_string, new_string }] }] },
  };
}

/** A tool's own names of the fields that a hook may change, the first of several; nothing where it may change none. */
export function getPatchableFields(tools: ToolTable, tool_name: string): Readonly<Record<string, string>> | undefined {
  const [, names, { rewritten } = {}] = getToolRow(tools, tool_name);
  if (!names || rewritten?.length === 0) return undefined;
  return Object.fromEntries(
    (rewritten ?? Object.keys(names)).map((field) => [field, [names[field]].flat()[0] as string]),
  );
}

/** A call's input under a patch: each field goes to where it was read from. */
export function patchCallInput(tools: ToolTable, call: ToolCall, input: Payload, patch: Payload): RewriteResult {
  const names = getPatchableFields(tools, call.tool_name);
  return names ? patchInput(input, patch, names) : patchUnlistedCall(call, input, patch);
}
