import { basename, resolve } from "bridge-hooks/paths";
import { type Command, listOperands, type PathUse } from "bridge-hooks";
import { resolveCommandFolder } from "./_protect-programs.ts";

/** A parsed command, with functions that resolve its words to files. */
export interface CommandStep {
  command: Command;
  /** Words of the command that don't begin with "-". */
  operands: readonly string[];
  /** Resolves words to files. A glob resolves to its matches. */
  resolveWords: (words: readonly string[]) => readonly PathUse[];
  /** The directory that archives are unpacked into by default. */
  currentFolder: readonly PathUse[];
  /**
   * Like `resolveWords`, but limited to files in the command's own directory, if known. In a loop over directories,
   * `resolveWords` returns one file per directory.
   */
  resolveOwnWords: (words: readonly string[]) => readonly PathUse[];
}

/** Maximum number of "=" signs to consider per word. An option's value may begin after any of them. */
const MAX_OPTION_VALUES = 8;

/** @param uses the command's file uses, keyed by the word as written; there may be thousands */
export function createStep(command: Command, uses: ReadonlyMap<string, readonly PathUse[]>, cwd: string): CommandStep {
  const resolveUses = (words: readonly string[]) =>
    words.flatMap((word): readonly PathUse[] => {
      const values = word.includes("=")
        ? word
            .matchAll(/=/g)
            .take(MAX_OPTION_VALUES)
            .map(({ index }) => word.slice(index + 1))
        : [];
      const wordUses = [word, ...values].flatMap((wordText) => uses.get(wordText) ?? []);
      if (wordUses.length > 0) return wordUses;
      const path = resolve(resolveCommandFolder(command, cwd), word);
      return [{ path, named: path, given: word, access: "write" }];
    });
  const resolveOwn = (words: readonly string[]) => {
    const dynamic = new Set(Object.keys(command.dynamic).map((at) => command.args[Number(at)]));
    return words.flatMap((word) => {
      const allUses = resolveUses([word]);
      if (allUses.length === 1 || command.cwd === undefined || dynamic.has(word)) return allUses;
      const path = resolve(resolveCommandFolder(command, cwd), word);
      // In a loop, a word stands for one file per iteration. Keep only the file in this command's directory.
      const ownUses: PathUse[] = [];
      for (const use of allUses) if (use.named === path) ownUses.push(use);
      return ownUses.length > 0 ? ownUses : allUses;
    });
  };
  return {
    command,
    operands: listOperands(command),
    resolveWords: resolveUses,
    resolveOwnWords: resolveOwn,
    currentFolder: uses.get(".") ?? [],
  };
}

/** Returns a target directory's path as written and, if different, with symlinks resolved. */
export const listDirectoryNames = ({ named, path }: PathUse): string[] => (path === named ? [named] : [named, path]);

/** Returns an operand's path as written, and its resolved path if only parent directories are symlinks. */
export const listOperandNames = ({ named, path, given }: PathUse): string[] =>
  path !== named && (basename(path) === basename(named) || /[\\/]$/.test(given)) ? [named, path] : [named];
