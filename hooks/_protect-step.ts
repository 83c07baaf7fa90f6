import { basename, resolve } from "bridge-hooks/paths";
import { type Command, listOperands, type PathUse } from "bridge-hooks";
import { resolveCommandFolder } from "./_protect-programs.ts";

/** A command of a shell line, with the files that its words name. */
export interface CommandStep {
  command: Command;
  /** Words that begin with no "-". */
  operands: readonly string[];
  /** The files that a word names; of a wildcard, those that it fits. */
  resolveWords: (words: readonly string[]) => readonly PathUse[];
  /** The folder that it unpacks into where no word names one. */
  currentFolder: readonly PathUse[];
  /**
   * Those of the command's own folder, where that is known: in a loop over folders the same word names a file in each.
   */
  resolveOwnWords: (words: readonly string[]) => readonly PathUse[];
}

/** An option's value is behind the first "=", or the second. */
const MAX_OPTION_VALUES = 8;

/** @param uses by the word as it is given; there may be thousands of both. */
export function createStep(command: Command, uses: ReadonlyMap<string, readonly PathUse[]>, cwd: string): CommandStep {
  const of = (words: readonly string[]) =>
    words.flatMap((word): readonly PathUse[] => {
      const values = word.includes("=")
        ? word
            .matchAll(/=/g)
            .take(MAX_OPTION_VALUES)
            .map(({ index }) => word.slice(index + 1))
        : [];
      const named = [word, ...values].flatMap((given) => uses.get(given) ?? []);
      if (named.length > 0) return named;
      const path = resolve(resolveCommandFolder(command, cwd), word);
      return [{ path, named: path, given: word, access: "write" }];
    });
  const own = (words: readonly string[]) => {
    const dynamic = new Set(Object.keys(command.dynamic).map((at) => command.args[Number(at)]));
    return words.flatMap((word) => {
      const all = of([word]);
      if (all.length === 1 || command.cwd === undefined || dynamic.has(word)) return all;
      const path = resolve(resolveCommandFolder(command, cwd), word);
      // A loop: of a word in the body of one there are as many uses as turns, in each of them.
      const here: PathUse[] = [];
      for (const use of all) if (use.named === path) here.push(use);
      return here.length > 0 ? here : all;
    });
  };
  return {
    command,
    operands: listOperands(command),
    resolveWords: of,
    resolveOwnWords: own,
    currentFolder: uses.get(".") ?? [],
  };
}

/** The names of a folder that gets files: as it is called, and where a link leads that is called so. */
export const getPlaceNames = ({ named, path }: PathUse): string[] => (path === named ? [named] : [named, path]);

/** The names of what a program works on: as it is called, and where links on the way to it lead. */
export const getTargetNames = ({ named, path, given }: PathUse): string[] =>
  path !== named && (basename(path) === basename(named) || /[\\/]$/.test(given)) ? [named, path] : [named];
