import type { ShellScope } from "../scope.ts";
import { joinTexts, type Word } from "../words/word.ts";

/** A command that a program runs from its input: a text for a shell, or a command's words. */
export type NestedRun = ({ text: string } | { words: readonly Word[] }) & {
  /** The text was extracted from another language, so parse errors in it are meaningless. */
  foreign?: true;
  remote?: true;
  /** The directory of this machine that it runs in, if it runs in a container; undefined if unknown. */
  mounted?: { folder: Word | undefined };
  /** It reads what the outer command reads. */
  readsStdin?: true;
  /** As in `Command.guessed`. */
  guessed?: true;
};

/** A single word is a text for a shell, several are a command. */
export const createNestedRun = (words: readonly Word[]): NestedRun =>
  words.length === 1 ? { text: joinTexts(words) } : { words };

/**
 * Reads what a program runs, from its arguments and stdin, in a scope; `readCommand` reads a command among its words.
 * Returns what that prints, if known.
 */
export type RunReader = (
  args: readonly Word[],
  scope: ShellScope,
  stdin: string | undefined,
  readCommand: (words: readonly Word[], scope: ShellScope, stdin?: string) => void,
) => string | undefined | void;
