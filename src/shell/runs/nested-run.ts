import type { ShellScope } from "../scope.ts";
import { joinTexts, type Word } from "../words/word.ts";

/** A command that another program runs, either as a script or as a list of words. */
export type NestedRun = ({ text: string } | { words: readonly Word[] }) & {
  /**
   * Whether the script comes from code in another language. If it doesn't parse, the command line as a whole is still
   * considered valid.
   */
  isForeign?: true;
  remote?: true;
  /**
   * Present if a container command was translated to local paths. `folder` is the local directory it runs in, or
   * undefined if unknown.
   */
  mountedRun?: { folder: Word | undefined };
  /** Whether the command shares the outer command's stdin. */
  readsStdin?: true;
  /** Whether the command is a guess; see `Command.guessed`. */
  guessed?: true;
};

/** Creates a nested run. A single word is treated as a script, and multiple words as a command. */
export const createNestedRun = (words: readonly Word[]): NestedRun =>
  words.length === 1 ? { text: joinTexts(words) } : { words };

/**
 * Reads the commands in a program's arguments and stdin that the program runs. Calls `readCommand` for a command among
 * the arguments. Returns the output, if known.
 */
export type RunReader = (
  args: readonly Word[],
  scope: ShellScope,
  stdin: string | undefined,
  readCommand: (words: readonly Word[], scope: ShellScope, stdin?: string) => void,
) => string | undefined | void;
