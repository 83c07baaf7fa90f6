import { trimmed } from "../protocol/trim.ts";
import type { PatchedFile } from "./command.ts";

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to):([^]*)$/;
const OPERATIONS = { "Add File": "add", "Update File": "update", "Delete File": "delete" } as const;

/** The files that a patch in the text names, in the form that apply_patch reads; none where there is no patch. */
export function patchedFiles(text: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  if (!text.includes("*** Begin Patch")) return files;
  for (const line of text.split("\n")) {
    const [, header, rest] = HEADER.exec(trimmed(line)) ?? [];
    if (header === undefined || rest === undefined) continue;
    const path = trimmed(rest);
    const last = files.at(-1);
    if (header !== "Move to") files.push({ file_path: path, operation: OPERATIONS[header as keyof typeof OPERATIONS] });
    else if (last) Object.assign(last, { operation: "move", moved_to: path });
  }
  return files;
}
