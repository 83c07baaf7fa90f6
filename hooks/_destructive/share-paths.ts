import type { Command } from "bridge-hooks";
import type { OperandWord } from "./line-context.ts";

/** A word with slashes. As an address, which begins with two, it is the path that Windows takes it for; `//x` is `/x` elsewhere. */
export function toPlainWord({ text, dynamic }: OperandWord, { words }: Command): OperandWord {
  const plain = text.replace(/\\/g, "/");
  if (!plain.startsWith("//") || !words.some((word) => word.startsWith("\\\\"))) return { text: plain, dynamic };
  return { text: resolveShare(plain), dynamic: dynamic && resolveShare(dynamic) };
}

/**
 * A path that Windows reads as an address: in a distribution of WSL what Linux calls it, on a drive or a drive's share
 * the drive's, and otherwise a mounted disk, as every share is one.
 */
const resolveShare = (path: string): string =>
  path
    .replace(/^\/\/[?.]\/(?:unc(?=\/))?/i, (all) => (/unc$/i.test(all) ? "/" : ""))
    .replace(/^\/\/wsl(?:\$|\.localhost)\/[^/]+/i, "/")
    .replace(/^\/\/[^/]+\/([a-z])\$(?=\/|$)/i, "$1:")
    .replace(/^\/\/(?=[^/])/, "/media/");
