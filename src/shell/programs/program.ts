import type { ShellTextFinder } from "../code-strings.ts";

/**
 * What is done with a file: only its name, size or being there is asked; its content is read; it is made, changed or
 * removed.
 */
export type FileAccess = "list" | "read" | "write";

/**
 * What is known of a program's arguments. Options are named once, by what their value is: in `options` where it is
 * plain text or
 * where they have none, else in the list of its kind (`-o --output`, each with the next word or the rest of its own as
 * a value).
 */
export interface Program {
  /**
   * Options as getopt writes them, a colon behind one whose value is text, two where that may only be in the same word;
   * then the
   * long ones, with "=" for a value. An option that isn't named may have a value as well.
   */
  options?: string;
  /** Its value is code or a pattern in the program's own language, a file of such, or a text for a shell. */
  code?: string;
  source?: string;
  shell?: string;
  /** Its value is a file that is read, or written. */
  reads?: string;
  writes?: string;
  /** Its value is the folder that the files of all operands are put into. */
  into?: string;
  /**
   * Its value is a file that the program uses for itself without showing it (a key, an app's settings), or a key that
   * it makes.
   */
  uses?: string;
  makes?: string;
  /** Its value is `key=value`, a setting. */
  settings?: string;
  /** Its value is the folder to run in. */
  folder?: string;
  /** What it does with the files in its arguments; absent where that isn't known. */
  files?: OperandFiles;
  wrapper?: Wrapper;
  commands?: CommandArguments;
  language?: CodeLanguage;
  /** It runs programs of a language of its own, in files or in the line. */
  isInterpreter?: true;
  /** It runs shell text. */
  isShell?: true;
  /** It runs another program by its package's name. */
  runsPackages?: true;
}

/** What a program does with the files in its arguments. */
export interface OperandFiles {
  /** What it does with its operands; nothing where they are no files. */
  operands?: FileAccess;
  /**
   * What it does with the last of several operands, where that differs: `cp a b`. Then it may also be the folder of the
   * others.
   */
  last?: FileAccess;
  /**
   * Operands before the files that are none: `grep x file`. An option of `code` or `source` stands in for them, or one
   * of
   * `instead`.
   */
  skip?: number;
  instead?: readonly string[];
  /** Options with which the first operand is a text for a shell: `bash -c`. */
  text?: readonly string[];
  /** Options with which it writes to its operands: `sed -i`. */
  inPlace?: readonly string[];
  /** With one of these options it only lists: `git rm --cached`. */
  listing?: readonly string[];
  /** What its operands behind the first one are isn't known: they are the script's own. */
  own?: true;
}

/** A word that runs the command behind it. */
export interface Wrapper {
  /** Words between the options and the command; options may stand behind them as well, up to a `--`. */
  operands?: number;
  /** The word that makes it a wrapper: `poetry run`. */
  after?: string;
  /** With one of these options it runs nothing. */
  idle?: readonly string[];
  /** It adds arguments that it reads. */
  more?: true;
  remote?: true;
  /** Options with two values. */
  twice?: RegExp;
  /** Operands with which it isn't remote after all. */
  here?: RegExp;
}

/** Where a program is given commands, besides words of its own and the options of `shell`. */
export interface CommandArguments {
  /** The keys of its settings whose value is a text for a shell. */
  keys?: RegExp;
  /** Words behind which all others are a command. */
  rest?: string;
  /** The same, but they are joined to a text of another shell. */
  foreign?: string;
  /** A word behind which all others are typed into a terminal. */
  typed?: string;
  /** It starts what its operands say in a terminal of its own. */
  panes?: true;
  /** Each operand is a text. */
  operands?: true;
  /** What stands before a command in the same word. */
  marked?: RegExp;
}

/** What finds the shell texts in code that a program is given, besides by its options of `code` and `source`. */
export interface CodeLanguage {
  find: ShellTextFinder;
  /** The first operand is code, unless one of the options gave some. */
  operand?: true;
  /** Each operand may be. */
  operands?: true;
  /** What it reads is, if it is given no file; or if an option says so: `-f -`. */
  stdin?: true;
}

/** Programs that are alike, by their names between blanks; or subcommands of one. */
export type ProgramRows = readonly (readonly [names: string, program: Program, of?: string])[];
