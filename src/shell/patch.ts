import { readPatch } from "../protocol/patch.ts";
import type { PatchedFile } from "./command.ts";

/** The files that a patch in the text names, in the form that apply_patch reads; none where there is no patch. */
export const findPatchedFiles = (text: string): PatchedFile[] =>
  text.includes("*** Begin Patch") ? readPatch(text).map(({ edits: _, ...file }) => file) : [];
