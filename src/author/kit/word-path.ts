import { findRepositoryRoot } from "../../system/working-tree.ts";
import { readEnvironment, resolveWord } from "../../shell/words/values.ts";
import { getShellHome, toNativePath } from "./expand-word.ts";

/** A word of a shell line, expanded as far as this process can. */
interface ExpandedWord {
  text: string;
  /** Set if wildcards are left: the text with a backslash before each literal character that looks like one. */
  pattern?: string;
}

/**
 * Expands `~`, `$HOME`, `$PWD`, `$(pwd)` and the environment variables of this process; the shell is assumed to have
 * the same values.
 * @param dynamic the word in the form of `Command.dynamic`; without it the text is literal.
 * @param start the directory of the line: `$OLDPWD` where nothing else is known.
 * @returns undefined if part of the word is only known at run time.
 */
export function expandWord(
  text: string,
  dynamic: string | undefined,
  folder: string,
  start?: string,
): ExpandedWord | undefined {
  const word = resolveWord(
    { text, dynamic },
    {
      home: getShellHome(),
      current: folder,
      previous: start,
      get repository() {
        return findRepositoryRoot(folder);
      },
      getVariable: readEnvironment,
    },
  );
  switch (word.kind) {
    case "path":
      return { text: toNativePath(word.text) };
    case "pattern":
      return { text: toNativePath(word.text), pattern: toNativePath(word.pattern) };
    default:
      return undefined;
  }
}
