import type { Command } from "bridge-hooks";
import type { OperandWord } from "./line-context.ts";

/** Converts backslashes to slashes and, on Windows, resolves UNC paths. On other systems, `//x` means `/x`. */
export function toPlainWord({ text, dynamic }: OperandWord, { words }: Command): OperandWord {
  const slashPath = text.replace(/\\/g, "/");
  if (!slashPath.startsWith("//") || !words.some((word) => word.startsWith("\\\\")))
    return { text: slashPath, dynamic };
  return { text: resolveSharePath(slashPath), dynamic: dynamic && resolveSharePath(dynamic) };
}

/**
 * Resolves a UNC path: a WSL distribution to its Linux path, an administrative share to its drive, and any other share
 * to a mounted disk.
 */
const resolveSharePath = (path: string): string =>
  path
    .replace(/^\/\/[?.]\/(?:unc(?=\/))?/i, (prefix) => (/unc$/i.test(prefix) ? "/" : ""))
    .replace(/^\/\/wsl(?:\$|\.localhost)\/[^/]+/i, "/")
    .replace(/^\/\/[^/]+\/([a-z])\$(?=\/|$)/i, "$1:")
    .replace(/^\/\/(?=[^/])/, "/media/");
