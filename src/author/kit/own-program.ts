import { existsSync, readdirSync, readFileSync, statSync } from "../../system/files.ts";
import { orAbsent } from "../../system/errors.ts";
import { ENTRY_NAME, isOwnImage } from "../../system/own-image.ts";
import { basename, delimiter, join, resolve } from "../../system/paths.ts";
import { wildcardPattern } from "../../shell/words/wildcard.ts";
import { getProgramName } from "../../shell/programs/names.ts";
import { getShellHome, toNativePath } from "./expand-word.ts";
import { createFolderCache, findMatchingPaths } from "./wildcards.ts";
import { expandWord } from "./word-path.ts";

/** Where a word in a program's place is looked up. */
export interface ProgramSearch {
  /** The folder of the line, and the one that the command runs in. */
  cwd: string;
  folder: string;
  /** The value of PATH. */
  path: string;
  /** Whether a file keeps hooks in force. */
  covers: (path: string) => boolean;
}

/** A word as a line has it; `dynamic` as in `Command.dynamic`. */
export interface ProgramWord {
  text: string;
  dynamic?: string | undefined;
}

/** No program has a longer name, and no shell more folders. */
const [MAX_NAME_LENGTH, MAX_FOLDERS] = [255, 1000];

/** Whether a word names this executable, another build of it, or what starts it, under any name. */
export function isOwnProgram(word: ProgramWord, search: ProgramSearch): boolean {
  if (isLauncherName(word.text) || isOpenFile(word.text)) return true;
  // On PATH, what runs the hooks may be a program for anything, such as Bun.
  const isPath = /[\\/]/.test(word.text);
  const files = listProgramFiles(word, search);
  if (files.some((path) => (isPath && search.covers(path)) || isOwnImage(path) || isLauncher(path))) return true;
  // Beyond the limit it may be anywhere, unless it is found before.
  const isCut = !isPath && word.text !== "" && search.path.split(delimiter, MAX_FOLDERS + 1).length > MAX_FOLDERS;
  return isCut && !files.some((path) => existsSync(path));
}

/** The names of this executable's files among those that a word names and those in the folders that it names. */
export function listOwnNames(word: ProgramWord, search: ProgramSearch): string[] {
  const folders = listProgramFiles(word, { ...search, path: "" });
  const names = folders.filter(isOwnImage).map((path) => basename(path));
  for (let at = 0, left = MAX_FOUND_NAMES; at < folders.length; at++)
    for (const entry of readEntries(folders[at] as string)) {
      if (--left < 0) return names;
      const path = join(folders[at] as string, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (isOwnImage(path)) names.push(entry.name);
    }
  return names;
}

function listProgramFiles({ text, dynamic }: ProgramWord, { cwd, folder, path }: ProgramSearch): string[] {
  const expanded = expandWord(text, dynamic ?? (text.startsWith("~") ? text : undefined), folder, cwd);
  if (expanded?.pattern !== undefined)
    return [...findMatchingPaths(resolve(folder, expanded.pattern), createFolderCache())];
  const name = expanded?.text ?? text;
  if (/[\\/]/.test(name)) return [resolve(folder, name)];
  if (name === "" || name.length > MAX_NAME_LENGTH) return [];
  // A program that runs others may look in its own folder.
  const folders = new Set([folder, ...path.split(delimiter, MAX_FOLDERS).map((one) => resolve(folder, one))]);
  const names = process.platform === "win32" ? [name, `${name}.exe`] : [name];
  return [...folders].flatMap((one) => names.map((file) => join(one, file)));
}

/** The value of PATH behind an assignment: `/x:$PATH`. */
export const expandSearchPath = (value: string, before: string): string =>
  value
    .split(delimiter, MAX_FOLDERS + 1)
    .map((folder) => (/^\$\{?PATH\}?$/i.test(folder) ? before : expandFolder(folder)))
    .join(delimiter);

const expandFolder = (folder: string): string =>
  toNativePath(expandWord(folder, folder, "/")?.text ?? folder.replace(/^~(?=\/|$)/, getShellHome));

/** A file that is run by its descriptor has no name to look at: `exec 3<x; /proc/self/fd/3`. */
const isOpenFile = (word: string): boolean => /^\/(?:proc\/[^/]+|dev)\/fd\//.test(word);

/** What npm installs beside the executable, and starts it: `node_modules/bridge-hooks/bin/bridge-hooks.js`. */
function isLauncherName(word: string): boolean {
  const steps = word.split(/[\\/]/);
  const file = steps.at(-1)?.toLowerCase() ?? "";
  return (
    /^bridge-hooks\.(?:[cm]?js|ps1|sh)$/.test(file) || (/^launcher\.[cm]?js$/.test(file) && steps.includes(ENTRY_NAME))
  );
}

/** Larger files are programs of their own. */
const MAX_LAUNCHER_BYTES = 1 << 13;
/** The packages that hold an executable. */
const PLATFORM_PACKAGES = "@bridge-hooks/";

function isLauncher(path: string): boolean {
  try {
    const found = orAbsent(() => statSync(path));
    return (
      found?.isFile() === true &&
      found.size <= MAX_LAUNCHER_BYTES &&
      readFileSync(path, "utf8").includes(PLATFORM_PACKAGES)
    );
  } catch {
    return false;
  }
}

/** With more names than these below a folder, one may be any program. */
const MAX_FOUND_NAMES = 20_000;

/** Whether this executable may be among the files below some folders that have one of these names. */
export function mayFindOwnProgram(starts: readonly string[], names: readonly string[]): boolean {
  const matches = names.map((name) => wildcardPattern(name.toLowerCase()));
  const folders = [...starts];
  for (let at = 0, left = MAX_FOUND_NAMES; at < folders.length; at++) {
    const folder = folders[at] as string;
    if (isOwnImage(folder)) return true;
    for (const entry of readEntries(folder)) {
      if (--left < 0) return true;
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

/** The word in a command's program place, as the line has it. */
export function findProgramWord(program: string, words: readonly string[], args: readonly string[]): string {
  const word = words.at(-1 - args.length) ?? "";
  if (getProgramName(word) === program) return word;
  return words.findLast((one) => getProgramName(one) === program) ?? program;
}
