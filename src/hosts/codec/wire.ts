import * as v from "valibot";
import type { Payload } from "../../protocol/host/payload.ts";
import { isObject, isStringList, parseJsonText } from "../../protocol/object.ts";

/**
 * Whether hosts can't find a document on stdout: with LD_SHOW_AUXV, which a project can set, glibc's loader prints
 * there before any program does [seen glibc 2.36, 2026-11-22]. An exit code still denies.
 */
export const isStdoutPolluted = (): boolean => process.env.LD_SHOW_AUXV !== undefined;

const schemaCache = new Map<() => v.GenericSchema, v.GenericSchema>();

/**
 * Parses a value with a schema. Schemas are functions, so that a call creates only the two or three that it needs, each
 * once.
 * @throws Error naming the field that does not fit.
 */
export function parseWith<S extends v.GenericSchema>(schema: () => S, value: unknown, where: string): v.InferOutput<S> {
  let known = schemaCache.get(schema) as S | undefined;
  if (!known) schemaCache.set(schema, (known = schema()));
  const result = v.safeParse(known, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw createFieldError(where, v.getDotPath(issue) ?? "it", issue.input, issue.expected);
}

/**
 * Creates the error for a field that is missing or has the wrong type. It names the type only, since a value may be
 * long or secret.
 */
export const createFieldError = (where: string, field: string, value: unknown, expected: string | null): Error =>
  new Error(
    `${where}: ${value === undefined || value === null ? `${field} is missing` : `${field} is ${describeKind(value)}, not ${expected}`}`,
  );

const describeKind = (value: unknown) =>
  Array.isArray(value) ? "Array" : typeof value === "object" ? "Object" : typeof value;

/**
 * Parses a tool's input with a schema; a missing or empty one counts as an empty object.
 * @throws Error when it is not an object, or naming the field that does not fit.
 */
export function parseToolInput<S extends v.GenericSchema>(
  schema: () => S,
  input: unknown,
  where: string,
): v.InferOutput<S> {
  return parseWith(schema, requireObject(input, where), where);
}

/**
 * Returns a tool's input, which may be JSON text; a missing or empty one counts as an empty object.
 * @throws Error when it is not an object.
 */
export function requireObject(given: unknown, where: string): Payload {
  const input = parseInputText(given);
  if (isEmptyInput(input)) return {};
  if (typeof input === "object" && !Array.isArray(input)) return input as Payload;
  throw createFieldError(where, "it", input, "Object");
}

/** Returns the object or the list of words of an input that is JSON text; any other input unchanged. */
export function parseInputText(input: unknown): unknown {
  const parsed = parseJsonText(input);
  return isObject(parsed) || isStringList(parsed) ? parsed : input;
}

// A field that policies judge is never skipped: it has its type, or it is absent (null counts as absent), or decoding
// fails and the failure policy answers.

export const createPolicyTextSchema = () => v.nullish(v.string(), () => undefined);

/**
 * Returns the value of a field that a tool may have under several names. Directories are compared without a trailing
 * separator.
 * @throws Error when the values differ: it is ambiguous which one counts, and none may hide another.
 */
export function requireOneValue(
  fields: Readonly<Record<string, string | undefined>>,
  where: string,
): string | undefined {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  const [[name, first] = ["", undefined], ...more] = said;
  const plain = (value = "") => (/[\\/]$/.test(value) ? value.slice(0, -1) : value);
  const other = more.find(([, value]) => plain(value) !== plain(first));
  if (other)
    throw new Error(
      `${where}: "${name}" and "${other[0]}" differ, so it is unclear which one applies; give one of them`,
    );
  return first;
}

/** Joins a text for people or models that a tool may have under several names. */
export const joinUnique = (...said: (string | undefined)[]): string => [...new Set(said)].filter(Boolean).join("\n");

// Fields that only inform are lenient: null, or a value of a new type, counts as absent and keeps no policy from
// running.

export const createTextSchema = () => v.fallback(v.optional(v.string()), undefined);
export const createNumberSchema = () => v.fallback(v.optional(v.number()), undefined);
export const createFlagSchema = () => v.fallback(v.optional(v.boolean()), undefined);

/** The input of a tool without arguments; where inputs are JSON strings, it may be an empty one. */
const isEmptyInput = (value: unknown) => value === undefined || value === null || value === "";

/** Returns the input of a tool without a schema; a value that is not an object is wrapped as `value`. */
export function toRecord(value: unknown): Payload {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  return isEmptyInput(value) ? {} : { value };
}

/**
 * Returns a call's working directory, the base of its relative paths.
 * @throws Error when it is not a string.
 */
export function readCwd({ cwd }: Payload): string {
  if (typeof cwd === "string") return cwd;
  if (cwd === null || cwd === undefined) return "";
  throw new Error(`cwd is ${describeKind(cwd)}, not string`);
}

/** Picks informational fields that are strings; other values count as absent. */
export function pickTexts<K extends string>(payload: Payload, keys: readonly K[]): { [key in K]?: string } {
  const found: { [key in K]?: string } = {};
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === "string") found[key] = value;
  }
  return found;
}

/**
 * Reads a field that a payload must have.
 * @throws Error when it is not a text.
 */
export function readText(payload: Payload, field: string, where: string): string {
  const value = payload[field];
  if (typeof value === "string") return value;
  throw createFieldError(where, field, value, "string");
}

/** Splits `mcp__<server>__<tool>`; a known server name determines where the tool's name starts. */
export function parseMcpName(tool_name: string, server?: string): { server: string; tool: string } | undefined {
  if (!tool_name.startsWith("mcp__")) return undefined;
  const rest = tool_name.slice(5);
  if (server && rest.startsWith(`${server}__`)) return { server, tool: rest.slice(server.length + 2) };
  const at = rest.indexOf("__");
  return at > 0 ? { server: rest.slice(0, at), tool: rest.slice(at + 2) } : undefined;
}

/**
 * Formats a tool's result (or another list of blocks) as text: strings unchanged, text blocks joined, anything else as
 * JSON.
 */
export function formatOutput(raw: unknown): string {
  if (raw === undefined || raw === null) return "";
  if (typeof raw === "string") return raw;
  const content = Array.isArray(raw) ? raw : (raw as Payload).content;
  if (Array.isArray(content) && content.every((block) => typeof block?.text === "string")) {
    return content.map((block) => block.text).join("\n");
  }
  return JSON.stringify(raw);
}

/** Returns the text of a new result, where an empty text would leave the original in place. */
export function formatNewResult(output: unknown): string | undefined {
  const text = output === undefined ? undefined : formatOutput(output);
  return text?.trim() === "" ? "[nothing]" : text;
}

/**
 * Formats a document as one line; an empty string if it has no fields. For Windows in ASCII: PowerShell 5.1 reads what a
 * program prints in the system's code page, and a text in UTF-8 would not be what the hook said [unverified].
 */
export function formatDocument(document: Payload, platform: NodeJS.Platform = process.platform): string {
  const text = JSON.stringify(document);
  if (text === "{}") return "";
  return platform === "win32" ? escapeNonAscii(text) : text;
}

/** Writes a JSON text in ASCII; it means the same. */
const escapeNonAscii = (json: string): string =>
  json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
