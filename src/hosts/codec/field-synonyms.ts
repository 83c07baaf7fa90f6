import type { Payload } from "../../protocol/host/payload.ts";
import { PATH_FIELDS } from "../../protocol/shell-fields.ts";
import { createFieldError, requireOneValue } from "./wire.ts";

export const CONTENT_FIELDS = ["content", "contents", "file_text", "fileText", "file_content", "fileContent"];

/**
 * Names that other hosts use for the fields that policies check. They are tried if a call lacks the name in its own
 * host's table.
 */
const FIELD_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
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

/** The native names of a tool's unified fields. If a field has several names, the host accepts any of them. */
export type FieldNames = Readonly<Record<string, string | readonly string[]>>;

/** The input with its renamed fields moved to the names in the host's table. */
interface CompletedInput {
  completed: Payload;
  /** The original input without the moved fields. */
  remaining: Payload;
}

const isNullish = (input: Payload, name: string) => input[name] === undefined || input[name] === null;

/**
 * Fills in missing fields from their synonyms; returns undefined if the input contains no synonyms.
 * @param names the host's names for the unified fields.
 * @throws Error when synonyms have conflicting values, or a value is not a string.
 */
export function completeInput(names: FieldNames, input: Payload, location: string): CompletedInput | undefined {
  const tableNames = Object.values(names).flat();
  const completed = { ...input };
  const remaining = { ...input };
  for (const [field, name] of Object.entries(names)) {
    const ownNames = [name].flat();
    if (!ownNames.every((ownName) => isNullish(input, ownName))) continue;
    const synonyms = (FIELD_SYNONYMS[field] ?? []).filter(
      (synonym) => !tableNames.includes(synonym) && !isNullish(input, synonym),
    );
    const value =
      requireOneValue(readStringFields(input, synonyms, location), location) ?? (synonyms.length > 0 ? "" : undefined);
    if (value === undefined) continue;
    completed[ownNames[0] as string] = value;
    for (const synonym of synonyms) delete remaining[synonym];
  }
  return Object.keys(remaining).length < Object.keys(input).length ? { completed, remaining } : undefined;
}

function readStringFields(input: Payload, fields: readonly string[], location: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const field of fields) {
    const value = input[field];
    if (typeof value !== "string") throw createFieldError(location, field, value, "string");
    texts[field] = value;
  }
  return texts;
}
