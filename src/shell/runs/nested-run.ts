import type { ShellScope } from "../scope.ts";
import { joinTexts, type Word } from "../words/word.ts";

/** A command that a program runs: a shell script or the words of a command. */
export type NestedRun = ({ text: string } | { words: readonly Word[] }) & {
  /**
   * Whether the script was found in code in another language. If so, a parse error in the script doesn't mean that the
   * command line is invalid.
   */
  isForeign?: true;
  remote?: true;
  /** Local directory in which a container command runs. Undefined if unknown. */
  mountedRun?: { folder: Word | undefined };
  /** Whether the command has the same stdin as the outer command. */
  readsStdin?: true;
  /** Whether the command is a guess; see `Command.guessed`. */
  guessed?: true;
};

/** Creates a nested run. A single word is a script; several words are a command. */
export const createNestedRun = (words: readonly Word[]): NestedRun =>
  words.length === 1 ? { text: joinTexts(words) } : { words };

/**
 * Reads the commands that a program runs from its arguments and stdin. `readCommand` reads a command inside the
 * arguments. Returns the output, if known.
 */
export type RunReader = (
  args: readonly Word[],
  scope: ShellScope,
  stdin: string | undefined,
  readCommand: (words: readonly Word[], scope: ShellScope, stdin?: string) => void,
) => string | undefined | void;
