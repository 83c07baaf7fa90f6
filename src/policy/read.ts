import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { statSync } from "../system/files.ts";
import { dirname } from "node:path";
import { isObject } from "../protocol/object.ts";
import { isAbsentError } from "../system/errors.ts";
import { homedir } from "../system/home.ts";
import { lookOnce } from "../system/looks.ts";
import type { ConfigSource } from "./sources.ts";
import { HOOKS_MESSAGE } from "./vocabulary.ts";

/** Maximum size of a config file in bytes. */
const MAX_CONFIG_BYTES = 1_000_000;

/** Reads a regular file; reading a pipe or a device, which a link may point to, could block. */
function readRegularFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error("it is not a regular file");
    if (found.size > MAX_CONFIG_BYTES) throw new Error(`it has more than ${MAX_CONFIG_BYTES} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Parses JSON that may have comments. Without them, the engine's own parser takes half the time. */
function parseJsonc(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return Bun.JSONC.parse(text);
  }
}

/**
 * The object in a config file; undefined if the file does not exist.
 * @throws Error naming the file and the position in it.
 */
export async function readConfigDocument({
  path,
}: ConfigSource): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = lookOnce(`text ${path}`, () => readConfigText(path));
  if (text === undefined) return undefined;
  const known = parsed.get(path);
  if (known?.text === text) return known.document;
  const document = await parseConfigText(path, text);
  parsed.set(path, { text, document });
  return document;
}

/** What was parsed last of each file: a call asks for its modes, its settings and those of the log. Nobody changes it. */
const parsed = new Map<string, { text: string; document: Readonly<Record<string, unknown>> }>();

/** The text of a config file; undefined if the file does not exist. */
function readConfigText(path: string): string | undefined {
  // Most of these files do not exist, and an exception costs more than a stat.
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
 * The text of a config file that was there just now. Calls that a resident process has read at the same time share it,
 * and what reads their settings does, too.
 * @throws Error naming the file if it can't be read.
 */
export const readSharedConfig = (path: string): string | undefined =>
  lookOnce(`text ${path}`, () => readPresentText(path));

/** @throws Error naming the file and the position in it. */
export async function parseConfigText(path: string, text: string): Promise<Record<string, unknown>> {
  // An interrupted write leaves an empty file: it must not unlock what was locked.
  if (text.trim() === "") throw new Error(`${path}: it is empty; write {} or delete it`);
  let document: unknown;
  try {
    document = parseJsonc(text);
  } catch (error) {
    // Loaded only to build the message.
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

/** The folder that a config file is in, or meant for. */
export const getConfigFolder = ({ path, target = path }: ConfigSource): string => dirname(target);

/** Whether a config file is in one of the directories, links resolved. */
export function isTrusted(source: ConfigSource, folders: readonly string[]): boolean {
  if (folders.length === 0) return false;
  const folder = resolveFolder(getConfigFolder(source));
  return folders.some((glob) => matchesFolder(folder, glob));
}

/** Whether a directory is one that a glob names, or below it, links resolved. */
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
