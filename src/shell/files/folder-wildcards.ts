import type { Dirent } from "node:fs";
import { readdirSync } from "../../system/files.ts";
import { dirname, join, resolve } from "../../system/paths.ts";
import type { Command } from "../command.ts";
import { scanUnknownParts } from "../programs/unknown-parts.ts";
import { wildcardPattern } from "../words/wildcard.ts";
import { removeBackslashes } from "../words/text.ts";

/** Context for resolving a `cd` command: directories, earlier commands, and disk access. */
export interface FolderContext {
  /** Absolute initial directory of the command line. */
  folder: string;
  /** Directory that `~` expands to. */
  home: string;
  /** Earlier commands, which may create directories that match a wildcard. */
  earlierCommands: readonly Command[];
  /** Whether a variable is unset. */
  isUnset: (name: string) => boolean;
  /** Reads from the disk or from a cache. */
  readCached: <T>(question: string, ask: () => T) => T;
}

/** Maximum number of matching directories to list. `cd` fails if a wildcard has more than one match. */
const MAX_MATCHES = 8;
/** Maximum number of entries to read from a directory. */
const MAX_FOLDER_ENTRIES = 5_000;
const MAX_WORDS = 200;

const escapeWildcards = (text: string) => text.replace(/[\\*?[\]]/g, "\\$&");
const isWildcard = (part: string) => /(?<!\\)[*?[]/.test(part);

/** Converts an absolute directory to the format of `Command.cwd`. */
export const toCommandFolder = (path: string, folder: string): string =>
  path === folder ? "" : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

/**
 * Lists the absolute directories that `cd` may change to with this word: matches on disk, and names in earlier
 * commands. Returns undefined if part of the word is unknown.
 * @param currentFolder the shell's absolute current directory
 * @param word in the format of `Command.dynamic`
 */
export function listMatchingFolders(currentFolder: string, word: string, context: FolderContext): string[] | undefined {
  const pattern = expandPattern(currentFolder, word, context.home);
  if (pattern === undefined) return undefined;
  const parts = splitPath(pattern.startsWith("/") ? pattern : `${escapeWildcards(currentFolder)}/${pattern}`);
  return [...new Set([...findFoldersOnDisk(parts, context), ...findInEarlierCommands(parts, context)])].slice(
    0,
    MAX_MATCHES,
  );
}

/** Splits a path into segments and resolves `..`. */
function splitPath(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts;
}

/** Expands the variables in a word. Wildcards stay in the word. */
function expandPattern(currentFolder: string, word: string, home: string): string | undefined {
  let pattern = "";
  for (const { kind, text } of scanUnknownParts(word.replace(/^~(?=\/|$)/, () => escapeWildcards(home)))) {
    const value = kind === "expansion" ? expandVariable(text, currentFolder, home) : text;
    if (value === undefined) return undefined;
    pattern += kind === "wildcard" || kind === "step" ? value : escapeWildcards(value);
  }
  return pattern;
}

/** Expands `$NAME`, `${NAME}` or `${NAME:-default}`. The shell is assumed to share this process's environment. */
function expandVariable(text: string, currentFolder: string, home: string): string | undefined {
  if (/^(?:\$\(pwd\)|`pwd`|\$PWD|\$\{PWD\})$/.test(text)) return currentFolder;
  const [, name = "", ifUnset] = /^\$\{?([A-Za-z_]\w*)(?::?-([^{}$`]*))?\}?$/.exec(text) ?? [];
  return name === "HOME" ? home : (process.env[name] ?? ifUnset);
}

function findFoldersOnDisk(parts: readonly string[], { readCached }: FolderContext): string[] {
  const list = (path: string): readonly string[] =>
    readCached(`folders ${path}`, () => {
      try {
        const entries = readdirSync(path, { withFileTypes: true });
        return entries.length > MAX_FOLDER_ENTRIES ? [] : entries.filter(mayBeFolder).map(({ name }) => name);
      } catch {
        return [];
      }
    });
  let folders = ["/"];
  for (const part of parts) {
    if (isWildcard(part)) {
      const isMatch = wildcardPattern(part);
      const isHidden = /^\\?\./.test(part);
      folders = folders.flatMap((path) =>
        list(path)
          .filter((name) => (isHidden || !name.startsWith(".")) && isMatch(name))
          .map((name) => join(path, name)),
      );
    } else folders = folders.map((path) => join(path, removeBackslashes(part)));
    if (folders.length > MAX_MATCHES) folders = folders.slice(0, MAX_MATCHES);
  }
  return parts.some(isWildcard)
    ? folders.filter((path) => list(dirname(path)).includes(path.slice(path.lastIndexOf("/") + 1)))
    : folders;
}

const mayBeFolder = (entry: Dirent) => entry.isDirectory() || entry.isSymbolicLink();

/** Finds matching directories among the paths in earlier commands and their parent directories. */
function findInEarlierCommands(parts: readonly string[], { earlierCommands, folder, home }: FolderContext): string[] {
  if (!parts.some(isWildcard)) return [];
  const isMatch = wildcardPattern(`/${parts.join("/")}`);
  const folders: string[] = [];
  for (const { args, dynamic, cwd = "" } of earlierCommands.slice(-MAX_WORDS))
    for (const [at, arg] of args.slice(0, MAX_WORDS).entries()) {
      if (dynamic[at] !== undefined) continue;
      const absoluteFolder = resolve(
        folder,
        cwd.replace(/^~(?=\/|$)/, () => home),
      );
      const steps = resolve(
        absoluteFolder,
        arg.replace(/^~(?=\/|$)/, () => home),
      ).split("/");
      const path = steps.slice(0, parts.length + 1).join("/");
      if (steps.length > parts.length && isMatch(path)) folders.push(path);
    }
  return folders;
}
