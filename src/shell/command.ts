import type { FileChange } from "../protocol/tool.ts";

/** A simple command. `dynamic`, `cwd`, `more` and `guessed` describe parts that are unknown until run time. */
export interface Command {
  /**
   * Program name without its directory and wrappers: "rm" for `sudo /bin/rm -rf x`. Empty for a command that only
   * redirects or assigns: `> x`, `A=1`, `{ …; } > x`.
   */
  program: string;
  /** Arguments after quote removal, brace expansion, and substitution of variables that the command line assigns. */
  args: readonly string[];
  /** All words of the command, including wrappers, after quote removal: ["sudo", "/bin/rm", "-rf", "x"]. */
  words: readonly string[];
  redirects: readonly Redirect[];
  /**
   * Text on stdin, if the command line contains that text: a here-document, a here-string (`<<<`), or the output of
   * `echo x |`.
   */
  stdin?: string;
  /** Environment variables set for the command by `NAME=value`, `env` or `sudo`. */
  env: Readonly<Record<string, string>>;
  /**
   * Words that are unknown until run time, such as `$HOME/x`, `$(ls)`, `*.ts` and `~`. The key is the word's index in
   * `args`, or -1 for the program. The value is the word with a backslash before every quoted character, so the shell
   * expands only characters without a backslash: `"a*"*` becomes `a\**`. The same word in `args` doesn't contain these
   * backslashes.
   */
  dynamic: Readonly<Record<number, string>>;
  /**
   * Working directory, relative to the directory in which the command line starts: "" is that directory, "sub" is below
   * it, and "/x" and "~/x" are absolute. Undefined if unknown. The command line is assumed to start at the top of its
   * repository. Every `cd` is assumed to succeed, except in a tool call: if its directory is missing and no command
   * creates it, the commands after the `cd` are listed a second time with the previous directory.
   */
  cwd?: string;
  /** Wrappers around the command, outermost first: `sudo`, `xargs`, `find`, `sh`, `ssh`. */
  via: readonly string[];
  /** The command runs on another machine, in a container or in a chroot. Its paths don't refer to local files. */
  remote?: true;
  /** The command receives more arguments at run time, like `rm` in `xargs rm`. */
  more?: true;
  /**
   * The command is a guess and might not run: either an unknown option might take the command's first word as its
   * value, or bash would reject the command line (see `ShellLine.problem`).
   */
  guessed?: true;
  /** Files changed by an apply_patch patch in an argument or a here-document. */
  patched: readonly PatchedFile[];
}

export interface Redirect {
  operator: ">" | ">>" | ">|" | "&>" | "&>>" | ">&" | "<" | "<>" | "<&" | "<<" | "<<-" | "<<<";
  /**
   * Target of the redirection: a file, a file descriptor for `>&` and `<&`, the delimiter of a here-document, or the
   * text of a here-string.
   */
  target: string;
  /** File descriptor number before the operator. */
  fd?: number;
  /** Contents of the here-document. */
  text?: string;
  /** Target in the format of `Command.dynamic`, if it's unknown until run time. */
  dynamic?: string;
}

/** A file changed by a patch. The paths are exactly as written in the patch. */
export type PatchedFile = Omit<FileChange, "edits">;

/** The commands of a parsed command line. */
export interface ShellLine {
  /** Commands in order. A command nested in another command's words comes after it. */
  commands: readonly Command[];
  /** Why bash would reject the command line or a script in it. If set, commands may be missing. */
  problem?: string;
  /** Name of a function that endlessly starts copies of itself (a fork bomb). */
  forkBomb?: string;
}

/**
 * Creates the error thrown if a command line is too long or too deeply nested to parse. The error's name is
 * "ShellError".
 */
export const createShellError = (message: string): Error => Object.assign(new Error(message), { name: "ShellError" });
