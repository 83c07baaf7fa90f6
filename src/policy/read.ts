import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { statSync } from "../system/files.ts";
import { dirname } from "node:path";
import { isObject } from "../protocol/object.ts";
import { isAbsentError } from "../system/errors.ts";
import { homedir } from "../system/home.ts";
import { cacheLookup } from "../system/lookups.ts";
import type { ConfigSource } from "./sources.ts";
import { HOOKS_MESSAGE } from "./vocabulary.ts";

/** Maximum size of a config file in bytes. */
const MAX_CONFIG_BYTES = 1_000_000;

/** Reads a regular file. Rejects pipes and devices, even at the end of a symlink, because reading them could block. */
function readRegularFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error("not a regular file");
    if (stats.size > MAX_CONFIG_BYTES) throw new Error(`larger than ${MAX_CONFIG_BYTES} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Parses JSON with optional comments. Tries the engine's JSON parser first because it takes only half the time. */
function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return Bun.JSONC.parse(text);
  }
}

/**
 * Reads a config file, which must contain an object. Returns undefined if the file doesn't exist.
 * @throws Error with the file and the position
 */
export async function readConfigDocument({
  path,
}: ConfigSource): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = cacheLookup(`text ${path}`, () => readConfigText(path));
  if (text === undefined) return undefined;
  const lastParsed = parsedDocuments.get(path);
  if (lastParsed?.text === text) return lastParsed.document;
  const document = await parseConfigText(path, text);
  parsedDocuments.set(path, { text, document });
  return document;
}

/**
 * Each file's most recently parsed document. A call needs it several times: for modes, settings and log settings.
 * Callers must not modify it.
 */
const parsedDocuments = new Map<string, { text: string; document: Readonly<Record<string, unknown>> }>();

/** Reads a config file's text. Returns undefined if the file doesn't exist. */
function readConfigText(path: string): string | undefined {
  // Most config files don't exist, and an exception takes longer than a `stat` call, so check first.
  return statSync(path, { throwIfNoEntry: false }) ? readPresentText(path) : undefined;
}

function readPresentText(path: string): string | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    if (isAbsentError(error)) return undefined;
    throw new Error(`${path} can't be read (${(error as Error).message})`);
  }
}

/**
 * Reads the text of a config file that existed a moment ago. The text is shared by all functions that read settings
 * during a call and, in a resident process, by calls that arrive at the same time.
 * @throws Error with the file's path if the file can't be read
 */
export const readSharedConfig = (path: string): string | undefined =>
  cacheLookup(`text ${path}`, () => readPresentText(path));

/**
 * Parses a config file's text.
 * @throws Error with the file and the position
 */
export async function parseConfigText(path: string, text: string): Promise<Record<string, unknown>> {
  // An interrupted write may leave an empty file behind. Accepting it would remove all locks.
  if (text.trim() === "") throw new Error(`${path}: the file is empty; write {} or delete the file`);
  let document: unknown;
  try {
    document = parseJsonc(text);
  } catch (error) {
    // Only needed for the error message.
    const { line, column, message } = (await import("./syntax.ts")).findSyntaxError(text) ?? {
      line: 1,
      column: 1,
      message: (error as Error).message,
    };
    throw new Error(`${path}:${line}:${column}: not valid JSON (${message}); comments are allowed`);
  }
  if (!isObject(document)) throw new Error(`${path}: not a JSON object`);
  if (document.hooks !== undefined && !isObject(document.hooks)) throw new Error(`${path}: hooks: ${HOOKS_MESSAGE}`);
  return document;
}

/** Returns a config file's directory. For a proposed file, that is the directory it will be installed in. */
export const getConfigFolder = ({ path, target = path }: ConfigSource): string => dirname(target);

/** Returns whether a config file's directory matches a glob once symlinks are resolved. */
export function isTrusted(source: ConfigSource, folders: readonly string[]): boolean {
  if (folders.length === 0) return false;
  const folder = resolveFolder(getConfigFolder(source));
  return folders.some((glob) => matchesFolder(folder, glob));
}

/** Returns whether a directory or one of its parents matches a glob once symlinks are resolved. */
export function isInside(folder: string, glob: string): boolean {
  for (let at = resolveFolder(folder); ; at = dirname(at)) {
    if (matchesFolder(at, glob)) return true;
    if (dirname(at) === at) return false;
  }
}

function resolveFolder(folder: string): string {
  try {
    return realpathSync(folder).replaceAll("\\", "/");
  } catch {
    return folder.replaceAll("\\", "/");
  }
}

const matchesFolder = (folder: string, glob: string) =>
  new Bun.Glob(glob.replace(/^~(?=\/|$)/, homedir()).replaceAll("\\", "/")).match(folder);
