import type { FileChange, TextEdit } from "../../core/tool.ts";

const HEADER = /^\s*\*\*\* (Add|Update|Delete) File:\s*(.*?)\s*$/;
const MOVE = /^\s*\*\*\* Move to:\s*(.*?)\s*$/;

/**
 * The files that an apply_patch text changes.
 * A header counts wherever Codex might take the line for one (it trims lines), so that no file goes unseen.
 * @throws Error when the text names no file.
 */
export function parsePatch(patch: string): FileChange[] {
  const files: FileChange[] = [];
  let file: FileChange | undefined;
  let hunks: TextEdit[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const [, operation, path] = /^[+-]/.test(line) ? [] : (HEADER.exec(line) ?? []);
    if (operation && path) {
      file = { file_path: path, operation: operation.toLowerCase() as FileChange["operation"], edits: [] };
      files.push(file);
      hunks = file.edits;
      continue;
    }
    if (/^\s*\*\*\* End Patch/.test(line)) file = undefined;
    if (!file) continue;
    const moved_to = MOVE.exec(line)?.[1];
    if (moved_to && file.operation === "update") {
      file.operation = "move";
      file.moved_to = moved_to;
    } else if (line.startsWith("@@")) {
      hunks.push({ old_string: "", new_string: "" });
    } else if (/^[ +-]/.test(line) || line === "") {
      if (line === "" && hunks.length === 0) continue;
      if (hunks.length === 0) hunks.push({ old_string: "", new_string: "" });
      const hunk = hunks.at(-1) as TextEdit;
      const text = `${line.slice(1)}\n`;
      if (!line.startsWith("+")) hunk.old_string += text;
      if (!line.startsWith("-")) hunk.new_string += text;
    }
  }
  if (files.length === 0) throw new Error("the patch names no file");
  return files;
}

const marked = (mark: string, text: string) =>
  text === ""
    ? ""
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${mark}${line}\n`)
        .join("");

/** The apply_patch text of such changes. */
export function renderPatch(files: readonly FileChange[]): string {
  const parts = files.map(({ file_path, operation, moved_to, edits }) => {
    switch (operation) {
      case "add":
        return `*** Add File: ${file_path}\n${edits.map((edit) => marked("+", edit.new_string)).join("")}`;
      case "delete":
        return `*** Delete File: ${file_path}\n`;
      case "update":
      case "move": {
        const hunks = edits.map((edit) => `@@\n${marked("-", edit.old_string)}${marked("+", edit.new_string)}`).join("");
        return `*** Update File: ${file_path}\n${moved_to ? `*** Move to: ${moved_to}\n` : ""}${hunks}`;
      }
    }
  });
  return `*** Begin Patch\n${parts.join("")}*** End Patch\n`;
}
