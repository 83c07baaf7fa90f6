import type { Payload } from "../../protocol/host/payload.ts";
import { PATH_FIELDS } from "../../protocol/shell-fields.ts";
import { createFieldError, requireOneValue } from "./wire.ts";

export const CONTENT_FIELDS = ["content", "contents", "file_text", "fileText", "file_content", "fileContent"];

/**
 * Names that tools of other hosts have for fields that policies judge: a field under one of them is read where the
 * name in the host's table is missing.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  file_path: [...PATH_FIELDS, "absolutePath", "filepath", "file_name", "fileName", "notebook_path"],
  content: [...CONTENT_FIELDS, "new_text", "newText", "text", "data", "body"],
  old_string: ["old_string", "oldString", "old_str", "oldStr", "old_text", "oldText", "old", "search", "find"],
  new_string: [
    ...["new_string", "newString", "new_str", "newStr", "new_text", "newText", "new", "new_source", "newSource"],
    ...["replace", "replacement", "insert_text", "code_edit", ...CONTENT_FIELDS],
  ],
  pattern: ["pattern", "query", "regex", "search_pattern", "glob_pattern", "globPattern"],
  url: ["url", "uri", "URL"],
  query: ["query", "search_query", "searchQuery", "search_term", "searchTerm", "q"],
};

/** A host's names for the unified fields of a tool; if a field has several, each counts. */
export type FieldNames = Readonly<Record<string, string | readonly string[]>>;

/** An input with fields under the names of the host's table, and the rest of it. */
interface CompletedInput {
  completed: Payload;
  /** The input without the fields that were read under other names. */
  rest: Payload;
}

const isMissing = (input: Payload, name: string) => input[name] === undefined || input[name] === null;

/**
 * Completes an input with the fields that it has under other names than in the host's table; undefined if there are
 * none.
 * @param names the host's names for the unified fields.
 * @throws Error when it is ambiguous which of several fields counts, or when a field is not a text.
 */
export function completeInput(names: FieldNames, input: Payload, where: string): CompletedInput | undefined {
  const known = Object.values(names).flat();
  const completed = { ...input };
  const rest = { ...input };
  for (const [field, name] of Object.entries(names)) {
    const own = [name].flat();
    if (!own.every((one) => isMissing(input, one))) continue;
    const others = (SYNONYMS[field] ?? []).filter((one) => !known.includes(one) && !isMissing(input, one));
    const value = requireOneValue(readTexts(input, others, where), where) ?? (others.length > 0 ? "" : undefined);
    if (value === undefined) continue;
    completed[own[0] as string] = value;
    for (const other of others) delete rest[other];
  }
  return Object.keys(rest).length < Object.keys(input).length ? { completed, rest } : undefined;
}

function readTexts(input: Payload, fields: readonly string[], where: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const field of fields) {
    const value = input[field];
    if (typeof value !== "string") throw createFieldError(where, field, value, "string");
    texts[field] = value;
  }
  return texts;
}
