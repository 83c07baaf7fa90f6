import { readPatch } from "../../protocol/patch.ts";
import { findDiffedFiles } from "../../protocol/diff.ts";
import type { PatchedFile } from "../command.ts";

/** Lists the files changed by an apply_patch patch. Empty if the text contains no patch. */
export const findPatchedFiles = (text: string): PatchedFile[] =>
  text.includes("*** Begin Patch") ? readPatch(text).map(({ edits: _, ...file }) => file) : [];

/** Lists the files changed by an apply_patch patch or by a diff from diff, git or Subversion. */
export const findChangedFiles = (text: string): PatchedFile[] => [...findPatchedFiles(text), ...findDiffedFiles(text)];
