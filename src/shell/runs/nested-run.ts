import type { ShellScope } from "../scope.ts";
import { joinTexts, type Word } from "../words/word.ts";

/** A command that a program runs: a shell script, or the words of a command. */
export type NestedRun = ({ text: string } | { words: readonly Word[] }) & {
  /** The script was extracted from another language, so parse errors in it are meaningless. */
  foreign?: true;
  remote?: true;
  /** For a command in a container, the local directory that it runs in; undefined if unknown. */
  mounted?: { folder: Word | undefined };
  /** The command has the same stdin as the outer one. */
  readsStdin?: true;
  /** As in `Command.guessed`. */
  guessed?: true;
};

/** Creates a nested run: a single word is a script, several words are a command. */
export const createNestedRun = (words: readonly Word[]): NestedRun =>
  words.length === 1 ? { text: joinTexts(words) } : { words };

/**
 * Reads what a program runs from its arguments and stdin. `readCommand` reads a command in its arguments. Returns the
 * output, if known.
 */
export type RunReader = (
  args: readonly Word[],
  scope: ShellScope,
  stdin: string | undefined,
  readCommand: (words: readonly Word[], scope: ShellScope, stdin?: string) => void,
) => string | undefined | void;
