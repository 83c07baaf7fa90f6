import type { Command } from "bridge-hooks";
import type { LineContext, OperandWord } from "./line-context.ts";

/** What a command puts back to how git has it. */
export interface Discard {
  paths: readonly string[];
  /** The command names no files, or a whole tree of them: what nobody can find out counts as a loss. */
  isWhole: boolean;
  since: "index" | "HEAD";
}

export const HEAD_ALL: Discard = { paths: [], isWhole: true, since: "HEAD" };

/** More paths than these are not asked about one by one. */
const MAX_PATHS = 100;

/** All of a tree: `.`, `:/`, `*`, or only what is left out: `:!README.md`. */
export const isWholeTree = (path: string): boolean => /^(:?\/?\*{0,2}|\.\/?|:\(top\))$/.test(path);
export const isExclusion = (path: string): boolean => /^:([!^]|\([^)]*exclude)/.test(path);

/** Whether only git itself can list what a word stands for: `$(git ls-files -m)`, `$(git diff --name-only)`. */
export const isListedByGit = (word: string): boolean =>
  /\$\(|`/.test(word) && /\bgit\b/.test(word) && /\b(?:ls-files|diff|status)\b/.test(word);
/** A word that is more than a pattern of names. */
export const isOpenWord = ({ text, dynamic = "" }: OperandWord): boolean =>
  text === "{}" || /(^|[^\\])[$`]|^~|^[<>]\(/.test(dynamic);

/** The paths of a command, as git is asked about them: all, where one of them is only known when it runs. */
export function selectPaths(
  words: readonly OperandWord[],
  command: Command,
  { shell }: LineContext,
): Pick<Discard, "paths" | "isWhole"> {
  const isOpen = command.more === true || words.length > MAX_PATHS || words.some(isOpenWord);
  const paths = isOpen ? [] : words.map(({ text }) => (shell === "bash" ? text : text.replaceAll("\\", "/")));
  const named = paths.filter((path) => !isExclusion(path));
  return { paths, isWhole: isOpen || named.length === 0 || named.some(isWholeTree) };
}
