import type { FileChange } from "../protocol/tool.ts";

/** One simple command of a shell line. What isn't known before it runs is told by `dynamic`, `cwd`, `more` and `guessed`. */
export interface Command {
  /**
   * Without its folder and without what only runs it: `sudo /bin/rm -rf x` is "rm". Empty where a line only redirects or
   * assigns: `> x`, `A=1`, `{ …; } > x`.
   */
  program: string;
  /** The words behind it, quotes taken off, braces expanded; what the line itself assigned is filled in for variables. */
  args: readonly string[];
  /** The whole command, wrappers included, quotes taken off: ["sudo", "/bin/rm", "-rf", "x"]. */
  words: readonly string[];
  redirects: readonly Redirect[];
  /** The text that it reads, where the line tells: a here-document, what is behind `<<<`, what `echo` pipes into it. */
  stdin?: string;
  /** NAME=value in front of it, and those given by `env` and `sudo`. */
  env: Readonly<Record<string, string>>;
  /**
   * The words that are only known when it runs, by their position in `args` (-1: the program): `$HOME/x`, `$(ls)`, `*.ts`,
   * `~`. The value is the word with a backslash before each character that was quoted, so that `"a*"*` is `a\**`: what
   * has no backslash is the shell's to expand. In `args` it is without those.
   */
  dynamic: Readonly<Record<number, string>>;
  /**
   * The folder it runs in as far as the line says, relative to the one the line runs in: "" is that folder, "sub" is in it,
   * "/x" and "~/x" are anywhere. Absent where it can't be told. A `cd` is taken to succeed, and
   * the line to begin at the top of its repository.
   */
  cwd?: string;
  /** What runs it, outermost first: `sudo`, `xargs`, `find`, `sh`, `ssh`. */
  via: readonly string[];
  /** It runs on another machine, in a container or under another root: its paths aren't this one's. */
  remote?: true;
  /** More arguments come when it runs, as with `xargs rm`. */
  more?: true;
  /**
   * Perhaps no command at all: it is one if an option before it, which isn't known here, takes no value or takes one; or it is
   * a piece of a line that bash wouldn't take as it is (see `ShellLine.problem`).
   */
  guessed?: true;
  /** The files that a patch in its arguments or its here-document names, in the form that apply_patch reads. */
  patched: readonly PatchedFile[];
}

export interface Redirect {
  operator: ">" | ">>" | ">|" | "&>" | "&>>" | ">&" | "<" | "<>" | "<&" | "<<" | "<<-" | "<<<";
  /** The file, or the number that `>&` and `<&` copy; the delimiter of a here-document; the text behind `<<<`. */
  target: string;
  /** The number in front of the operator. */
  fd?: number;
  /** The text of a here-document. */
  text?: string;
  /** The target, where it is only known when it runs; written as in `Command.dynamic`. */
  dynamic?: string;
}

/** A file that a patch changes. Its paths are as the patch gives them. */
export type PatchedFile = Omit<FileChange, "edits">;

/** What is known of a shell line. */
export interface ShellLine {
  /** In the order they stand in the line; what runs inside a command's words comes behind it. */
  commands: readonly Command[];
  /** Why something may be missing: the line, or a script in it, isn't what bash would take. */
  problem?: string;
}

/**
 * The error of a line that isn't read: it is larger or nested deeper than any that a person or an agent writes. Its name
 * is "ShellError".
 */
export const createShellError = (message: string): Error => Object.assign(new Error(message), { name: "ShellError" });
