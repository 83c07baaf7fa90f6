import type { FileChange } from "../protocol/tool.ts";

/** One simple command of a shell line. `dynamic`, `cwd`, `more` and `guessed` mark what is only known at run time. */
export interface Command {
  /**
   * The program's name, without its directory and without wrappers: `sudo /bin/rm -rf x` is "rm". Empty if a line only
   * redirects or assigns: `> x`, `A=1`, `{ …; } > x`.
   */
  program: string;
  /** The arguments, with quotes removed, braces expanded, and variables that the line itself assigned filled in. */
  args: readonly string[];
  /** The whole command, wrappers included, with quotes removed: ["sudo", "/bin/rm", "-rf", "x"]. */
  words: readonly string[];
  redirects: readonly Redirect[];
  /**
   * The text that it reads from stdin, where the line shows it: a here-document, a here-string (`<<<`), or what `echo`
   * pipes into it.
   */
  stdin?: string;
  /** NAME=value before the command, and variables set by `env` and `sudo`. */
  env: Readonly<Record<string, string>>;
  /**
   * The words that are only known at run time, by their index in `args` (-1: the program): `$HOME/x`, `$(ls)`, `*.ts`,
   * `~`. The value is the word with a backslash before each character that was quoted, so `"a*"*` becomes `a\**`: the
   * shell expands what has no backslash. The word in `args` has no such backslashes.
   */
  dynamic: Readonly<Record<number, string>>;
  /**
   * The directory it runs in, relative to the line's own: "" is that directory, "sub" is below it, "/x" and "~/x" are
   * anywhere. Absent if unknown. The line is assumed to start at the top of its repository, and a `cd` to succeed. In
   * a call, commands behind one that can't are listed twice, with the directory before it as well: its folder is not
   * there, and nothing in front of it makes one.
   */
  cwd?: string;
  /** The wrappers that run it, outermost first: `sudo`, `xargs`, `find`, `sh`, `ssh`. */
  via: readonly string[];
  /** It runs on another machine, in a container or under another root: its paths are not local ones. */
  remote?: true;
  /** It gets more arguments at run time, as with `xargs rm`. */
  more?: true;
  /**
   * This may not be a command. Either it depends on whether an unknown option before it takes a value, or it comes from
   * a line that bash would not accept as it is (see `ShellLine.problem`).
   */
  guessed?: true;
  /** The files named by a patch in its arguments or here-document, in the format of apply_patch. */
  patched: readonly PatchedFile[];
}

export interface Redirect {
  operator: ">" | ">>" | ">|" | "&>" | "&>>" | ">&" | "<" | "<>" | "<&" | "<<" | "<<-" | "<<<";
  /**
   * The file, or the descriptor that `>&` and `<&` copy; the delimiter of a here-document; the text of a here-string.
   */
  target: string;
  /** The descriptor before the operator. */
  fd?: number;
  /** The text of a here-document. */
  text?: string;
  /** The target if it is only known at run time, in the form of `Command.dynamic`. */
  dynamic?: string;
}

/** A file that a patch changes, with its paths as the patch writes them. */
export type PatchedFile = Omit<FileChange, "edits">;

/** The commands of a shell line. */
export interface ShellLine {
  /** In the order of the line; commands inside a command's words follow it. */
  commands: readonly Command[];
  /** Why commands may be missing: bash would not accept the line, or a script in it, as it is. */
  problem?: string;
  /** A function that it defines and that starts itself several times at once, without end: its name. */
  forkBomb?: string;
}

/**
 * The error for a line that is not read because it is longer or nested deeper than anything a person or an agent
 * writes. Its name is "ShellError".
 */
export const createShellError = (message: string): Error => Object.assign(new Error(message), { name: "ShellError" });
