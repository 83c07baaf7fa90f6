import { posix } from "bridge-hooks/paths";
import type { Command, Repository } from "bridge-hooks";

const { join } = posix;

/** A shell command and the context in which it runs. */
export interface LineContext {
  line: string;
  /** The shell that runs the command. */
  shell: "bash" | "powershell" | "cmd";
  /** All parsed commands in the shell command. */
  commands: readonly Command[];
  /** The absolute working directory. */
  cwd: string;
  /** The directories of the session's project, including `cwd`. */
  folders: readonly string[];
  home: string;
  /** Absolute paths of additional precious files and directories. */
  protect: readonly string[];
  /** Absolute paths of directories outside the project where deleting, moving, and overwriting files is allowed. */
  outside: readonly string[];
  /** Returns the session's start time in milliseconds; undefined if the host doesn't provide it. */
  startedAt: () => number | undefined;
  /** Returns the git repository that contains a directory, in its state before the command runs. */
  repository: (folder: string) => Repository | undefined;
  /** Whether a variable could be unset, because nothing else in the shell command names it and `set -u` isn't used. */
  mayBeUnset: (name: string) => boolean;
  /** Resolves the symlinks in a path; returns the path unchanged if that fails. */
  readRealPath: (path: string) => string;
}

/** An operand of a command. */
export interface OperandWord {
  text: string;
  /** The original word, as in `Command.dynamic`, if its value is only known at run time. */
  dynamic?: string;
  /** Set if the word follows an unknown option and could be its value, as in `--profile x`. */
  mayBeValue?: true;
}

/** The location that an operand refers to. */
export interface OperandPath {
  /** The operand as written. */
  text: string;
  /** The absolute path. */
  path: string;
  /** Whether the operand refers only to the directory's contents, as in `x/*`. */
  isContents: boolean;
  /** Whether the operand refers to a symlink's target, as in `x/`. */
  isBehindLink: boolean;
  /** Whether the path is on another machine or in a container. */
  remote: boolean;
}

/** Whether `path` is the directory `folder` or one of its parents. */
export const isSameOrAbove = (path: string, folder: string) =>
  path === folder || folder.startsWith(path === "/" ? "/" : `${path}/`);

/** Whether a path belongs to another operating system and can't be checked on this machine. */
export const isForeignPath = (path: string): boolean => FOREIGN_PATH.test(path);
const FOREIGN_PATH = process.platform === "win32" ? /^\/(?![a-z]:)/i : /^\/[a-z]:(?:\/|$)/i;

/** Converts `/c:/x` to `c:/x` on Windows. */
export const toDiskPath = (path: string): string =>
  process.platform === "win32" ? path.replace(/^\/(?=[a-z]:)/i, "") : path;

/** Makes a path absolute and resolves `.`, `..`, and system-specific prefixes, which turns `C:\X` into `/c:/x`. */
export const normalizePath = (path: string): string => {
  const absolute = join("/", path.replace(/\\/g, "/"), ".")
    .replace(/(?<=.)\/$/, "")
    .replace(/^\/private(?=\/(tmp|var|etc)(\/|$))/, "");
  // Windows paths are case-insensitive.
  return /^\/[A-Za-z]:(\/|$)/.test(absolute) ? absolute.toLowerCase() : absolute;
};
