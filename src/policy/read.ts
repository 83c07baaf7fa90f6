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

/** Reads a regular file. Pipes and devices, even behind a link, are rejected, because reading them could block. */
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

/** Parses JSON with optional comments. The engine's own JSON parser is tried first, because it takes half the time. */
function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return Bun.JSONC.parse(text);
  }
}

/**
 * Reads the object in a config file. Returns undefined if the file doesn't exist.
 * @throws Error that names the file and the position.
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
 * The most recently parsed document of each file. A call uses a document several times, for modes, settings and log
 * settings. Callers must not modify the documents.
 */
const parsedDocuments = new Map<string, { text: string; document: Readonly<Record<string, unknown>> }>();

/** Reads a config file's text. Returns undefined if the file doesn't exist. */
function readConfigText(path: string): string | undefined {
  // Check whether the file exists. Most config files don't, and an exception takes longer than a `stat` call.
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
 * Reads the text of a config file that existed a moment ago. In a resident process, calls that arrive at the same time
 * share the text. Within a call, all functions that read settings share the text.
 * @throws Error with the file's path if the file can't be read.
 */
export const readSharedConfig = (path: string): string | undefined =>
  cacheLookup(`text ${path}`, () => readPresentText(path));

/**
 * Parses a config file's text.
 * @throws Error that names the file and the position.
 */
export async function parseConfigText(path: string, text: string): Promise<Record<string, unknown>> {
  // Reject an empty file, because it would remove all locks. An interrupted write may leave an empty file behind.
  if (text.trim() === "") throw new Error(`${path}: the file is empty; write {} or delete the file`);
  let document: unknown;
  try {
    document = parseJsonc(text);
  } catch (error) {
    // Load this module only for an error message.
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

/**
 * Returns the directory of a config file. For a proposed file, this is the directory in which the file will be
 * installed.
 */
export const getConfigFolder = ({ path, target = path }: ConfigSource): string => dirname(target);

/** Returns whether a config file's directory matches a glob, after links are resolved. */
export function isTrusted(source: ConfigSource, folders: readonly string[]): boolean {
  if (folders.length === 0) return false;
  const folder = resolveFolder(getConfigFolder(source));
  return folders.some((glob) => matchesFolder(folder, glob));
}

/** Returns whether a directory or a parent directory matches a glob, after links are resolved. */
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
