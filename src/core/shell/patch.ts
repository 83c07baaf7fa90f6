import type { PatchedFile } from "./command.ts";

const HEADER = /^[^\S\n]*\*\*\* (Add File|Update File|Delete File|Move to):([^\n]*)$/gm;
const OPERATIONS = { "Add File": "add", "Update File": "update", "Delete File": "delete" } as const;

/** The files that a patch in the text names, in the form that apply_patch reads; none where there is no patch. */
export function patchedFiles(text: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  if (!text.includes("*** Begin Patch")) return files;
  for (const [, header, rest = ""] of text.matchAll(HEADER)) {
    const path = rest.trim();
    const last = files.at(-1);
    if (header !== "Move to") files.push({ file_path: path, operation: OPERATIONS[header as keyof typeof OPERATIONS] });
    else if (last) Object.assign(last, { operation: "move", moved_to: path });
  }
  return files;
}
