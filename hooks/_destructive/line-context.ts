import { posix } from "bridge-hooks/paths";
import type { Command, Repository } from "bridge-hooks";

const { join } = posix;

/** What a line is judged by. */
export interface LineContext {
  line: string;
  /** The shell that the line is for. */
  shell: "bash" | "powershell" | "cmd";
  /** All commands of the line. */
  commands: readonly Command[];
  /** The folder that the line runs in, absolute. */
  cwd: string;
  /** The folders of the session's project, `cwd` among them. */
  folders: readonly string[];
  home: string;
  /** Further folders and files that are precious, absolute. */
  protect: readonly string[];
  /** Folders outside of the project in which files may be deleted, moved and overwritten all the same, absolute. */
  outside: readonly string[];
  /** When the session began, in milliseconds; undefined where the host does not tell. */
  startedAt: () => number | undefined;
  /** The git repository around a folder, as it is before the line runs. */
  repository: (folder: string) => Repository | undefined;
  /** Whether a variable may have no value: the line does not name it elsewhere, nor `set -u`. */
  mayBeUnset: (name: string) => boolean;
  /** A path with its links followed; as it is where it leads nowhere. */
  readRealPath: (path: string) => string;
}

/** A word that a command was given. */
export interface OperandWord {
  text: string;
  /** As in `Command.dynamic`. */
  dynamic?: string;
  /** It follows an option that no table knows, and may be its value: `--profile x`. */
  mayBeValue?: true;
}

/** What such a word stands for. */
export interface OperandPlace {
  /** As it was written. */
  text: string;
  /** Absolute. */
  path: string;
  /** All that is in there, not the folder itself: `x/*`. */
  isContents: boolean;
  /** What is behind it if it is a link, as with `x/`. */
  isBehindLink: boolean;
  /** On another machine, or in a container. */
  remote: boolean;
}

/** The folder itself or one above it. */
export const isSameOrAbove = (path: string, folder: string) =>
  path === folder || folder.startsWith(path === "/" ? "/" : `${path}/`);

/** Whether a path is one of another system, which this one's disk says nothing about. */
export const isForeignPath = (path: string): boolean => FOREIGN_PATH.test(path);
const FOREIGN_PATH = process.platform === "win32" ? /^\/(?![a-z]:)/i : /^\/[a-z]:(?:\/|$)/i;

/** `/c:/x` is `c:/x` to Windows. */
export const toDiskPath = (path: string): string =>
  process.platform === "win32" ? path.replace(/^\/(?=[a-z]:)/i, "") : path;

/** An absolute path without `.`, `..` and what only one system puts before it: `C:\X` is `/c:/x`. */
export const normalizePath = (path: string): string => {
  const absolute = join("/", path.replace(/\\/g, "/"), ".")
    .replace(/(?<=.)\/$/, "")
    .replace(/^\/private(?=\/(tmp|var|etc)(\/|$))/, "");
  // Windows takes capital letters for small ones.
  return /^\/[A-Za-z]:(\/|$)/.test(absolute) ? absolute.toLowerCase() : absolute;
};
