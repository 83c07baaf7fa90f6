import { findOwnHome } from "../../call/exceptions/account-home.ts";
import { findRepositoryRoot } from "../../system/working-tree.ts";
import { readEnvironment, resolveWord } from "../../shell/words/values.ts";
import { getShellHome, toNativePath } from "./expand-word.ts";

/** Returns the home directory of the current account or of root, according to the user database. */
function findUserHome(name: string): string | undefined {
  if (process.platform === "win32") return undefined;
  if (name === "root") return findOwnHome(0);
  return name === process.getBuiltinModule("node:os").userInfo().username ? findOwnHome() : undefined;
}

/** A shell word, expanded as far as this process can expand it. */
interface ExpandedWord {
  text: string;
  /** The text with a backslash before each wildcard character that is meant literally. Set only if wildcards remain. */
  pattern?: string;
}

/**
 * Expands `~`, `$HOME`, `$PWD`, `$(pwd)` and this process's environment variables. Assumes that the shell has the same
 * values.
 * @param dynamic The word as in `Command.dynamic`; if absent, the text is literal.
 * @param start The directory in which the command line starts, used for `$OLDPWD` if nothing else is known.
 * @returns undefined if part of the word is known only at run time.
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
      getUserHome: findUserHome,
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
