import { readPatch } from "../../protocol/patch.ts";
import { findDiffedFiles } from "../../protocol/diff.ts";
import type { PatchedFile } from "../command.ts";

/** The files named by a patch in the text, in the format of apply_patch; empty if there is no patch. */
export const findPatchedFiles = (text: string): PatchedFile[] =>
  text.includes("*** Begin Patch") ? readPatch(text).map(({ edits: _, ...file }) => file) : [];

/** Those, and the files named by a diff in the text, in the formats of diff, git and Subversion. */
export const findChangedFiles = (text: string): PatchedFile[] => [...findPatchedFiles(text), ...findDiffedFiles(text)];
