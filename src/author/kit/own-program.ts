import { existsSync, readdirSync, readFileSync, statSync } from "../../system/files.ts";
import { orAbsent } from "../../system/errors.ts";
import { ENTRY_NAME, isOwnImage } from "../../system/own-image.ts";
import { basename, delimiter, join, resolve } from "../../system/paths.ts";
import { wildcardPattern } from "../../shell/words/wildcard.ts";
import { getProgramName } from "../../shell/programs/names.ts";
import { getShellHome, toNativePath } from "./expand-word.ts";
import { createFolderCache, findMatchingPaths } from "./wildcards.ts";
import { expandWord } from "./word-path.ts";

/** Context for resolving a word in program position to files. */
export interface ProgramSearch {
  /** `cwd` is the command line's initial directory; `folder` is the command's own directory. */
  cwd: string;
  folder: string;
  /** Value of PATH. */
  path: string;
  /** Whether a path is a guarded file. */
  covers: (path: string) => boolean;
}

/** A word as written in the command. `dynamic` has the same meaning as in `Command.dynamic`. */
export interface ProgramWord {
  text: string;
  dynamic?: string | undefined;
}

/** Upper limits. No program has a longer name, and no shell's PATH has more directories. */
const [MAX_NAME_LENGTH, MAX_FOLDERS] = [255, 1000];

/** Whether a word names this executable, another build of it, or its launcher, under any name. */
export function isOwnProgram(word: ProgramWord, search: ProgramSearch): boolean {
  if (isLauncherName(word.text) || isOpenFile(word.text)) return true;
  // A program on PATH that runs hooks might be a general-purpose runtime, such as Bun.
  const isPath = /[\\/]/.test(word.text);
  const files = listProgramFiles(word, search);
  if (files.some((path) => (isPath && search.covers(path)) || isOwnImage(path) || isLauncher(path))) return true;
  // PATH was cut at the limit. A program that wasn't found might be in a later directory.
  const isPathTruncated =
    !isPath && word.text !== "" && search.path.split(delimiter, MAX_FOLDERS + 1).length > MAX_FOLDERS;
  return isPathTruncated && !files.some((path) => existsSync(path));
}

/** Lists the names of copies of this executable. Searches the files and directories that a word refers to. */
export function listOwnNames(word: ProgramWord, search: ProgramSearch): string[] {
  const folders = listProgramFiles(word, { ...search, path: "" });
  const names = folders.filter(isOwnImage).map((path) => basename(path));
  for (let at = 0, remaining = MAX_FOUND_NAMES; at < folders.length; at++)
    for (const entry of readEntries(folders[at] as string)) {
      if (--remaining < 0) return names;
      const path = join(folders[at] as string, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (isOwnImage(path)) names.push(entry.name);
    }
  return names;
}

function listProgramFiles({ text, dynamic }: ProgramWord, { cwd, folder, path }: ProgramSearch): string[] {
  const expandedWord = expandWord(text, dynamic ?? (text.startsWith("~") ? text : undefined), folder, cwd);
  if (expandedWord?.pattern !== undefined)
    return [...findMatchingPaths(resolve(folder, expandedWord.pattern), createFolderCache())];
  const name = expandedWord?.text ?? text;
  if (/[\\/]/.test(name)) return [resolve(folder, name)];
  if (name === "" || name.length > MAX_NAME_LENGTH) return [];
  // A program that runs other programs might also search its working directory.
  const folders = new Set([folder, ...path.split(delimiter, MAX_FOLDERS).map((entry) => resolve(folder, entry))]);
  const names = process.platform === "win32" ? [name, `${name}.exe`] : [name];
  return [...folders].flatMap((directory) => names.map((file) => join(directory, file)));
}

/** Returns the value of PATH after it is set to a value such as `/x:$PATH`. */
export const expandSearchPath = (value: string, previousPath: string): string =>
  value
    .split(delimiter, MAX_FOLDERS + 1)
    .map((folder) => (/^\$\{?PATH\}?$/i.test(folder) ? previousPath : expandFolder(folder)))
    .join(delimiter);

const expandFolder = (folder: string): string =>
  toNativePath(expandWord(folder, folder, "/")?.text ?? folder.replace(/^~(?=\/|$)/, getShellHome));

/** Whether a word runs a file through a descriptor, which hides the file's name: `exec 3<x; /proc/self/fd/3`. */
const isOpenFile = (word: string): boolean => /^\/(?:proc\/[^/]+|dev)\/fd\//.test(word);

/** Whether a word names the npm package's launcher script: `node_modules/bridge-hooks/bin/bridge-hooks.js`. */
function isLauncherName(word: string): boolean {
  const steps = word.split(/[\\/]/);
  const file = steps.at(-1)?.toLowerCase() ?? "";
  return (
    /^bridge-hooks\.(?:[cm]?js|ps1|sh)$/.test(file) || (/^launcher\.[cm]?js$/.test(file) && steps.includes(ENTRY_NAME))
  );
}

/** Maximum size of a launcher, in bytes. */
const MAX_LAUNCHER_BYTES = 1 << 13;
/** npm scope of the packages that contain the executable. */
const PLATFORM_PACKAGES = "@bridge-hooks/";

function isLauncher(path: string): boolean {
  try {
    const stats = orAbsent(() => statSync(path));
    return (
      stats?.isFile() === true &&
      stats.size <= MAX_LAUNCHER_BYTES &&
      readFileSync(path, "utf8").includes(PLATFORM_PACKAGES)
    );
  } catch {
    return false;
  }
}

/** Maximum number of files to search. If there are more, this executable could be among the rest. */
const MAX_FOUND_NAMES = 20_000;

/** Whether any file in these directories with one of these names could be this executable. */
export function mayFindOwnProgram(startFolders: readonly string[], names: readonly string[]): boolean {
  const matches = names.map((name) => wildcardPattern(name.toLowerCase()));
  const folders = [...startFolders];
  for (let at = 0, remaining = MAX_FOUND_NAMES; at < folders.length; at++) {
    const folder = folders[at] as string;
    if (isOwnImage(folder)) return true;
    for (const entry of readEntries(folder)) {
      if (--remaining < 0) return true;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if ((names.length === 0 || matches.some((isMatch) => isMatch(entry.name.toLowerCase()))) && isOwnImage(path))
        return true;
    }
  }
  return false;
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Returns the word in program position, as written in the command. */
export function findProgramWord(program: string, words: readonly string[], args: readonly string[]): string {
  const word = words.at(-1 - args.length) ?? "";
  if (getProgramName(word) === program) return word;
  return words.findLast((candidate) => getProgramName(candidate) === program) ?? program;
}
