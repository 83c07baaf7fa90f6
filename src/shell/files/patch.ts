import { readPatch } from "../../protocol/patch.ts";
import { findDiffedFiles } from "../../protocol/diff.ts";
import type { PatchedFile } from "../command.ts";

/** Lists the files of a patch in apply_patch format; empty if the text contains none. */
export const findPatchedFiles = (text: string): PatchedFile[] =>
  text.includes("*** Begin Patch") ? readPatch(text).map(({ edits: _, ...file }) => file) : [];

/** Lists the files of an apply_patch patch, or of a diff in the formats of diff, git and Subversion. */
export const findChangedFiles = (text: string): PatchedFile[] => [...findPatchedFiles(text), ...findDiffedFiles(text)];
