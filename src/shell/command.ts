import type { FileChange } from "../protocol/tool.ts";

/** A simple command. `dynamic`, `cwd`, `more` and `guessed` describe what is only known at run time. */
export interface Command {
  /**
   * The program's name, without its directory and wrappers: "rm" for `sudo /bin/rm -rf x`. Empty for a command that
   * only redirects or assigns: `> x`, `A=1`, `{ …; } > x`.
   */
  program: string;
  /** The arguments, with quotes removed, braces expanded, and variables filled in if the command line assigned them. */
  args: readonly string[];
  /** The whole command, wrappers included, with quotes removed: ["sudo", "/bin/rm", "-rf", "x"]. */
  words: readonly string[];
  redirects: readonly Redirect[];
  /**
   * The text on stdin if the command line contains it: a here-document, a here-string (`<<<`), or the output of
   * `echo x |`.
   */
  stdin?: string;
  /** Variables set for the command: by `NAME=value` before it, `env` or `sudo`. */
  env: Readonly<Record<string, string>>;
  /**
   * Words that are only known at run time (`$HOME/x`, `$(ls)`, `*.ts`, `~`), by their index in `args` (-1: the
   * program). The value is the word with a backslash before each quoted character: `"a*"*` becomes `a\**`, and the
   * shell expands only characters without a backslash. The word in `args` has no added backslashes.
   */
  dynamic: Readonly<Record<number, string>>;
  /**
   * The working directory, relative to where the command line starts: "" is that directory, "sub" is below it, and "/x"
   * and "~/x" are absolute. Undefined if unknown. The command line is assumed to start at the top of its repository,
   * and `cd` to succeed. For a tool call, if a `cd` can't succeed because its directory is missing and nothing creates
   * it, the commands after it are also listed with the previous directory.
   */
  cwd?: string;
  /** The wrappers around the command, outermost first: `sudo`, `xargs`, `find`, `sh`, `ssh`. */
  via: readonly string[];
  /** The command runs on another machine, in a container or in a chroot, so its paths aren't local. */
  remote?: true;
  /** The command gets more arguments at run time, like `rm` in `xargs rm`. */
  more?: true;
  /**
   * This may not be a real command: either an unknown option before it may take it as a value, or bash would reject the
   * command line (see `ShellLine.problem`).
   */
  guessed?: true;
  /** Files changed by a patch in apply_patch format, in an argument or here-document. */
  patched: readonly PatchedFile[];
}

export interface Redirect {
  operator: ">" | ">>" | ">|" | "&>" | "&>>" | ">&" | "<" | "<>" | "<&" | "<<" | "<<-" | "<<<";
  /**
   * The file; for `>&` and `<&`, the copied descriptor; for a here-document, its delimiter; for a here-string, its
   * text.
   */
  target: string;
  /** The descriptor before the operator. */
  fd?: number;
  /** The text of a here-document. */
  text?: string;
  /** The target if it's only known at run time, in the format of `Command.dynamic`. */
  dynamic?: string;
}

/** A file that a patch changes, with the paths as written in the patch. */
export type PatchedFile = Omit<FileChange, "edits">;

/** The commands of a command line. */
export interface ShellLine {
  /** Commands in order. Commands found inside the words of another command follow it. */
  commands: readonly Command[];
  /** The reason why commands may be missing: bash would reject the command line or a script in it. */
  problem?: string;
  /** The name of a function that starts several copies of itself without end. */
  forkBomb?: string;
}

/**
 * Creates the error for a command line that isn't parsed because it is too long or nested too deeply. Its name is
 * "ShellError".
 */
export const createShellError = (message: string): Error => Object.assign(new Error(message), { name: "ShellError" });
