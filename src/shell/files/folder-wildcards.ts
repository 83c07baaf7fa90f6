import type { Dirent } from "node:fs";
import { readdirSync } from "../../system/files.ts";
import { dirname, join, resolve } from "../../system/paths.ts";
import type { Command } from "../command.ts";
import { scanUnknownParts } from "../programs/unknown-parts.ts";
import { wildcardPattern } from "../words/wildcard.ts";
import { dropBackslashes } from "../words/text.ts";

/** Where a line runs, and what it has run before. */
export interface LinePlace {
  /** The directory of the line, absolute. */
  folder: string;
  /** The directory that `~` stands for. */
  home: string;
  /** The commands before, which may create the directories that a wildcard matches. */
  before: readonly Command[];
  /** Whether a variable has no value. */
  isUnset: (name: string) => boolean;
  /** Asks the disk, or a cache. */
  look: <T>(question: string, ask: () => T) => T;
}

/** A shell takes only one directory; above this number of matches, it refuses to change to any. */
const MOST_MATCHES = 8;
/** Directories with more names are not searched. */
const MOST_NAMES = 5_000;
const MOST_WORDS = 200;

const escapeWildcards = (text: string) => text.replace(/[\\*?[\]]/g, "\\$&");
const isWildcard = (part: string) => /(?<!\\)[*?[]/.test(part);

/** An absolute directory in the form of `Command.cwd`. */
export const toCommandFolder = (path: string, folder: string): string =>
  path === folder ? "" : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

/**
 * The directories that `cd` with such a word may change to, absolute: those that a wildcard matches, on the disk or
 * among the names in the commands before. Undefined if the word has a part that is not known.
 * @param from the directory that the shell is in, absolute.
 * @param word in the form of `Command.dynamic`.
 */
export function listMatchingFolders(from: string, word: string, context: LinePlace): string[] | undefined {
  const pattern = expandPattern(from, word, context.home);
  if (pattern === undefined) return undefined;
  const parts = splitPath(pattern.startsWith("/") ? pattern : `${escapeWildcards(from)}/${pattern}`);
  return [...new Set([...findOnDisk(parts, context), ...findAmongNames(parts, context)])].slice(0, MOST_MATCHES);
}

/** The steps of a path; `..` takes back the one before. */
function splitPath(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts;
}

/** The word as a wildcard for paths, with what variables hold. */
function expandPattern(from: string, word: string, home: string): string | undefined {
  let pattern = "";
  for (const { kind, text } of scanUnknownParts(word.replace(/^~(?=\/|$)/, () => escapeWildcards(home)))) {
    const value = kind === "expansion" ? expandVariable(text, from, home) : text;
    if (value === undefined) return undefined;
    pattern += kind === "wildcard" || kind === "step" ? value : escapeWildcards(value);
  }
  return pattern;
}

/** The value of `$NAME`, `${NAME}` or `${NAME:-default}`: a shell is assumed to have this process's variables. */
function expandVariable(text: string, from: string, home: string): string | undefined {
  if (/^(?:\$\(pwd\)|`pwd`|\$PWD|\$\{PWD\})$/.test(text)) return from;
  const [, name = "", ifUnset] = /^\$\{?([A-Za-z_]\w*)(?::?-([^{}$`]*))?\}?$/.exec(text) ?? [];
  return name === "HOME" ? home : (process.env[name] ?? ifUnset);
}

function findOnDisk(parts: readonly string[], { look }: LinePlace): string[] {
  const list = (path: string): readonly string[] =>
    look(`folders ${path}`, () => {
      try {
        const found = readdirSync(path, { withFileTypes: true });
        return found.length > MOST_NAMES ? [] : found.filter(mayBeFolder).map(({ name }) => name);
      } catch {
        return [];
      }
    });
  let found = ["/"];
  for (const part of parts) {
    if (isWildcard(part)) {
      const isMatch = wildcardPattern(part);
      const isHidden = /^\\?\./.test(part);
      found = found.flatMap((path) =>
        list(path)
          .filter((name) => (isHidden || !name.startsWith(".")) && isMatch(name))
          .map((name) => join(path, name)),
      );
    } else found = found.map((path) => join(path, dropBackslashes(part)));
    if (found.length > MOST_MATCHES) found = found.slice(0, MOST_MATCHES);
  }
  return parts.some(isWildcard)
    ? found.filter((path) => list(dirname(path)).includes(path.slice(path.lastIndexOf("/") + 1)))
    : found;
}

const mayBeFolder = (entry: Dirent) => entry.isDirectory() || entry.isSymbolicLink();

/** Directories that commands before name, or that are on the way to what they name. */
function findAmongNames(parts: readonly string[], { before, folder, home }: LinePlace): string[] {
  if (!parts.some(isWildcard)) return [];
  const isMatch = wildcardPattern(`/${parts.join("/")}`);
  const found: string[] = [];
  for (const { args, dynamic, cwd = "" } of before.slice(-MOST_WORDS))
    for (const [at, arg] of args.slice(0, MOST_WORDS).entries()) {
      if (dynamic[at] !== undefined) continue;
      const inside = resolve(
        folder,
        cwd.replace(/^~(?=\/|$)/, () => home),
      );
      const steps = resolve(
        inside,
        arg.replace(/^~(?=\/|$)/, () => home),
      ).split("/");
      const path = steps.slice(0, parts.length + 1).join("/");
      if (steps.length > parts.length && isMatch(path)) found.push(path);
    }
  return found;
}
