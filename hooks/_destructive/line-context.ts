import { posix } from "bridge-hooks/paths";
import type { Command, Repository } from "bridge-hooks";

const { join } = posix;

/** A shell command and its environment. */
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
  /** Absolute paths of directories outside the project in which files may be deleted, moved, and overwritten. */
  outside: readonly string[];
  /** The session's start in milliseconds; undefined if the host doesn't provide it. */
  startedAt: () => number | undefined;
  /** The git repository that contains a directory, as it is before the command runs. */
  repository: (folder: string) => Repository | undefined;
  /** Whether a variable may be unset: nothing else in the shell command names the variable, and `set -u` isn't used. */
  mayBeUnset: (name: string) => boolean;
  /** Resolves a path's symlinks; returns the path unchanged if that fails. */
  readRealPath: (path: string) => string;
}

/** An operand of a command. */
export interface OperandWord {
  text: string;
  /** The original word, as in `Command.dynamic`, if its value is only known at run time. */
  dynamic?: string;
  /** Set if the word follows an unknown option and may be the option's value: `--profile x`. */
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

/** Makes a path absolute and resolves `.`, `..`, and system-specific prefixes: `C:\X` becomes `/c:/x`. */
export const normalizePath = (path: string): string => {
  const absolute = join("/", path.replace(/\\/g, "/"), ".")
    .replace(/(?<=.)\/$/, "")
    .replace(/^\/private(?=\/(tmp|var|etc)(\/|$))/, "");
  // Windows paths are case-insensitive.
  return /^\/[A-Za-z]:(\/|$)/.test(absolute) ? absolute.toLowerCase() : absolute;
};
