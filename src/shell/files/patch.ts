import { readPatch } from "../../protocol/patch.ts";
import type { PatchedFile } from "../command.ts";

/** The files named by a patch in the text, in the format of apply_patch; empty if there is no patch. */
export const findPatchedFiles = (text: string): PatchedFile[] =>
  text.includes("*** Begin Patch") ? readPatch(text).map(({ edits: _, ...file }) => file) : [];
