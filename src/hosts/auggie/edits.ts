import type { Payload } from "../../protocol/host/payload.ts";
import { isObject } from "../../protocol/object.ts";
import { parsePatch } from "../../protocol/patch.ts";
import type { EditInput, FileChange, TextEdit } from "../../protocol/tool.ts";
import { createFieldError, readStringField } from "../codec/wire.ts";

/**
 * Matches an edit's text fields, `old_str` and `new_str`. The names can end in a number, as in `old_str_1` [shipped
 * 0.36.0].
 */
const TEXT_FIELD = /^(?:old|new)_str(?:_(\d+))?$/;

/** Reads an edit's text field, if present. */
function readEditString(input: Payload, field: string, location: string): string {
  const value = input[field] ?? "";
  if (typeof value === "string") return value;
  throw createFieldError(location, field, value, "string");
}

/** Reads an edit's replacements from a list of objects. */
function readList(
  input: Payload,
  field: string,
  names: readonly [from: string, to: string],
  location: string,
): TextEdit[] {
  const list = input[field] ?? [];
  if (!Array.isArray(list)) throw createFieldError(location, field, list, "Array");
  return list.map((entry) => {
    if (!isObject(entry)) throw createFieldError(location, field, entry, "Object");
    return {
      old_string: readEditString(entry, names[0], location),
      new_string: readEditString(entry, names[1], location),
    };
  });
}

/** Reads the replacements and insertions from any version of the str-replace-editor schema [shipped 0.36.0]. */
function readReplacements(input: Payload, location: string): TextEdit[] {
  const suffixes = Object.keys(input).flatMap((key) => {
    const [, number = ""] = TEXT_FIELD.exec(key) ?? [];
    return TEXT_FIELD.test(key) ? [number] : [];
  });
  const numberedEdits = [...new Set(suffixes)].map((number): TextEdit => {
    const name = (field: string) => (number ? `${field}_${number}` : field);
    return {
      old_string: readEditString(input, name("old_str"), location),
      new_string: readEditString(input, name("new_str"), location),
    };
  });
  const listedEdits = ["str_replace_entries", "insert_line_entries"].flatMap((field) =>
    readList(input, field, ["old_str", "new_str"], location),
  );
  return [...numberedEdits, ...listedEdits];
}

const readPaths = ({ file_paths }: Payload, location: string): string[] => {
  if (Array.isArray(file_paths) && file_paths.every((path) => typeof path === "string")) return file_paths;
  throw createFieldError(location, "file_paths", file_paths, "a list of strings");
};

/** Decodes the input of a tool that edits or removes files. */
export function decodeEdit(tool_name: string, input: Payload, location: string): EditInput {
  const update = (edits: TextEdit[]): EditInput => ({
    files: [{ file_path: readStringField(input, "path", location), operation: "update", edits }],
  });
  switch (tool_name) {
    case "apply_patch":
      return { files: parsePatch(readStringField(input, "input", location)) };
    case "remove-files":
      return {
        files: readPaths(input, location).map((file_path) => ({ file_path, operation: "delete" as const, edits: [] })),
      };
    case "edit":
      return update(readList(input, "edits", ["oldText", "newText"], location));
    default:
      return update(readReplacements(input, location));
  }
}

/** Builds the str-replace-editor input for one file. */
export const buildReplacements = ({ file_path, edits }: FileChange): Payload => ({
  command: "str_replace",
  path: file_path,
  ...Object.fromEntries(
    edits.flatMap(({ old_string, new_string }, index) => [
      [`old_str_${index + 1}`, old_string],
      [`new_str_${index + 1}`, new_string],
    ]),
  ),
});
