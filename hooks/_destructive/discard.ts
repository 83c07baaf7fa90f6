import type { Command } from "bridge-hooks";
import type { LineContext, OperandWord } from "./line-context.ts";

/** The changes that a git command discards. */
export interface DiscardedChanges {
  paths: readonly string[];
  /** Whether whole directories or unknown files are discarded. If so, missing information counts as a loss. */
  isWhole: boolean;
  baseline: "index" | "HEAD";
}

export const ALL_CHANGES_SINCE_HEAD: DiscardedChanges = { paths: [], isWhole: true, baseline: "HEAD" };

/** Maximum number of paths passed to git individually. */
const MAX_PATHS = 100;

/** Whether a pathspec such as `.`, `:/`, or `*` covers a whole tree. */
export const isWholeTree = (path: string): boolean => /^(:?\/?\*{0,2}|\.\/?|:\(top\))$/.test(path);
export const isExclusion = (path: string): boolean => /^:([!^]|\([^)]*exclude)/.test(path);

/**
 * Whether a substitution such as `$(git ls-files -m)` or `$(git diff --name-only)` runs a git command that lists files.
 */
export const isListedByGit = (word: string): boolean =>
  /\$\(|`/.test(word) && /\bgit\b/.test(word) && /\b(?:ls-files|diff|status)\b/.test(word);
/** Whether a word contains an expansion other than a glob. */
export const hasExpansion = ({ text, dynamic = "" }: OperandWord): boolean =>
  text === "{}" || /(^|[^\\])[$`]|^~|^[<>]\(/.test(dynamic);

/** Returns a command's pathspecs, or all files if a pathspec is only known at run time. */
export function selectPaths(
  words: readonly OperandWord[],
  command: Command,
  { shell }: LineContext,
): Pick<DiscardedChanges, "paths" | "isWhole"> {
  const hasUnknownWords = command.more === true || words.length > MAX_PATHS || words.some(hasExpansion);
  const paths = hasUnknownWords ? [] : words.map(({ text }) => (shell === "bash" ? text : text.replaceAll("\\", "/")));
  const includedPaths = paths.filter((path) => !isExclusion(path));
  return { paths, isWhole: hasUnknownWords || includedPaths.length === 0 || includedPaths.some(isWholeTree) };
}
