import type { FileChange, TextEdit } from "./tool.ts";
import { trimLine } from "./trim-line.ts";

const OPERATION_HEADERS = [
  ["*** Add File:", "add"],
  ["*** Update File:", "update"],
  ["*** Delete File:", "delete"],
] as const;
const MOVE_HEADER = "*** Move to:";

/**
 * Returns the files that an apply_patch text changes. Lenient hosts trim lines, so any line that a host might read as a
 * header is treated as one, and no file is missed.
 */
export function readPatch(patch: string): FileChange[] {
  const files: FileChange[] = [];
  let file: FileChange | undefined;
  for (const line of patch.split(/\r?\n/)) {
    const text = line.startsWith("+") || line.startsWith("-") ? "" : trimLine(line);
    const header = OPERATION_HEADERS.find(([mark]) => text.startsWith(mark));
    if (header) {
      file = { file_path: trimLine(text.slice(header[0].length)), operation: header[1], edits: [] };
      files.push(file);
    } else if (text.startsWith("*** End Patch")) file = undefined;
    else if (file && text.startsWith(MOVE_HEADER)) {
      file.operation = "move";
      file.moved_to = trimLine(text.slice(MOVE_HEADER.length));
    } else if (file) addLine(file.edits, line);
  }
  return files;
}

/**
 * Parses the patch in a tool's input.
 * @throws Error if the patch doesn't name a file.
 */
export function parsePatch(patch: string): FileChange[] {
  const files = readPatch(patch);
  if (files.length === 0) throw new Error("the patch doesn't name a file");
  return files;
}

/** Adds one line to a file's hunks. `@@` starts a hunk; any other line is context, an addition or a removal. */
function addLine(hunks: TextEdit[], line: string): void {
  if (line.startsWith("@@")) {
    const anchor = line.slice(2).trim();
    hunks.push({ old_string: "", new_string: "", ...(anchor && { anchor }) });
    return;
  }
  if (line !== "" && !" +-".includes(line[0] as string)) return;
  if (line === "" && hunks.length === 0) return;
  if (hunks.length === 0) hunks.push({ old_string: "", new_string: "" });
  const hunk = hunks.at(-1) as TextEdit;
  const text = `${line.slice(1)}\n`;
  if (!line.startsWith("+")) hunk.old_string += text;
  if (!line.startsWith("-")) hunk.new_string += text;
}

const prefixLines = (mark: string, text: string) =>
  text === ""
    ? ""
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${mark}${line}\n`)
        .join("");

/** Renders changes as an apply_patch document. */
export function renderPatch(files: readonly FileChange[]): string {
  const parts = files.map(({ file_path, operation, moved_to, edits }) => {
    switch (operation) {
      case "add":
        return `*** Add File: ${file_path}\n${edits.map((edit) => prefixLines("+", edit.new_string)).join("")}`;
      case "delete":
        return `*** Delete File: ${file_path}\n`;
      case "update":
      case "move": {
        const hunks = edits
          .map(
            (edit) =>
              `@@${edit.anchor ? ` ${edit.anchor}` : ""}\n${prefixLines("-", edit.old_string)}${prefixLines("+", edit.new_string)}`,
          )
          .join("");
        return `*** Update File: ${file_path}\n${moved_to ? `*** Move to: ${moved_to}\n` : ""}${hunks}`;
      }
    }
  });
  return `*** Begin Patch\n${parts.join("")}*** End Patch\n`;
}
