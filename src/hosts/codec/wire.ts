import * as v from "valibot";
import type { Payload } from "../../protocol/host/payload.ts";
import { isObject, isStringList, parseJsonText } from "../../protocol/object.ts";

/**
 * Whether stdout might contain text that hosts can't parse. A project can set LD_SHOW_AUXV, which makes glibc's loader
 * print to stdout before any program starts [seen glibc 2.36, 2026-11-22]. A denial by exit code still takes effect.
 */
export const isStdoutPolluted = (): boolean => process.env.LD_SHOW_AUXV !== undefined;

const schemaCache = new Map<() => v.GenericSchema, v.GenericSchema>();

/**
 * Parses a value with a schema. Schemas are passed as functions so that only those needed are created, each only once.
 * @throws Error naming the field that is missing or has the wrong type.
 */
export function parseWith<S extends v.GenericSchema>(
  schema: () => S,
  value: unknown,
  location: string,
): v.InferOutput<S> {
  let cachedSchema = schemaCache.get(schema) as S | undefined;
  if (!cachedSchema) schemaCache.set(schema, (cachedSchema = schema()));
  const result = v.safeParse(cachedSchema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw createFieldError(location, v.getDotPath(issue) ?? "it", issue.input, issue.expected);
}

/**
 * Creates the error for a missing or mistyped field. The message contains the value's type rather than the value
 * itself, which could be long or secret.
 */
export const createFieldError = (location: string, field: string, value: unknown, expected: string | null): Error =>
  new Error(
    `${location}: ${value === undefined || value === null ? `${field} is missing` : `${field} is ${describeKind(value)}, not ${expected}`}`,
  );

const describeKind = (value: unknown) =>
  Array.isArray(value) ? "Array" : typeof value === "object" ? "Object" : typeof value;

/**
 * Parses a tool's input with a schema. Missing or empty input counts as an empty object.
 * @throws Error when the input is not an object or when a field has the wrong type.
 */
export function parseToolInput<S extends v.GenericSchema>(
  schema: () => S,
  input: unknown,
  location: string,
): v.InferOutput<S> {
  return parseWith(schema, requireObject(input, location), location);
}

/**
 * Returns a tool's input as an object. A JSON string is parsed, and missing or empty input counts as an empty object.
 * @throws Error when the input is not an object.
 */
export function requireObject(rawInput: unknown, location: string): Payload {
  const input = parseInputText(rawInput);
  if (isEmptyInput(input)) return {};
  if (typeof input === "object" && !Array.isArray(input)) return input as Payload;
  throw createFieldError(location, "it", input, "Object");
}

/** Parses a string that contains a JSON object or a JSON list of strings; returns any other input unchanged. */
export function parseInputText(input: unknown): unknown {
  const parsed = parseJsonText(input);
  return isObject(parsed) || isStringList(parsed) ? parsed : input;
}

// Unlike an informational field, a field that policies check must never be skipped. If its value has the wrong type,
// decoding fails and the failure policy applies. Null counts as absent.

export const createPolicyTextSchema = () => v.nullish(v.string(), () => undefined);

/**
 * Returns the value of a field that can appear under several names. Values that differ only in a trailing path
 * separator count as equal.
 * @throws Error when the values differ, because it is ambiguous which one applies and none must hide another.
 */
export function requireOneValue(
  fields: Readonly<Record<string, string | undefined>>,
  location: string,
): string | undefined {
  const presentFields = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  const [[name, firstValue] = ["", undefined], ...otherFields] = presentFields;
  const dropSeparator = (value = "") => (/[\\/]$/.test(value) ? value.slice(0, -1) : value);
  const conflict = otherFields.find(([, value]) => dropSeparator(value) !== dropSeparator(firstValue));
  if (conflict)
    throw new Error(
      `${location}: "${name}" and "${conflict[0]}" differ, so it is unclear which one applies; send only one`,
    );
  return firstValue;
}

/** Joins the distinct values of an informational field that can appear under several names. */
export const joinUnique = (...texts: (string | undefined)[]): string => [...new Set(texts)].filter(Boolean).join("\n");

// Informational fields are read leniently: a null or mistyped value is treated as absent, so it can't keep policies
// from running.

export const createStringSchema = () => v.fallback(v.optional(v.string()), undefined);
export const createNumberSchema = () => v.fallback(v.optional(v.number()), undefined);
export const createBooleanSchema = () => v.fallback(v.optional(v.boolean()), undefined);

/**
 * Whether an input is absent. For a tool without arguments, a host that sends inputs as JSON strings might send an
 * empty string.
 */
const isEmptyInput = (value: unknown) => value === undefined || value === null || value === "";

/** Returns the input of a tool that has no schema. A value that isn't an object is wrapped as `{ value }`. */
export function toRecord(value: unknown): Payload {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Payload;
  return isEmptyInput(value) ? {} : { value };
}

/**
 * Returns a call's working directory, which relative paths are resolved against.
 * @throws Error when the directory is not a string.
 */
export function readCwd({ cwd }: Payload): string {
  if (typeof cwd === "string") return cwd;
  if (cwd === null || cwd === undefined) return "";
  throw new Error(`cwd is ${describeKind(cwd)}, not string`);
}

/** Picks the informational fields that are strings and ignores the others. */
export function pickStringFields<K extends string>(payload: Payload, keys: readonly K[]): { [key in K]?: string } {
  const strings: { [key in K]?: string } = {};
  for (const key of keys) {
    const value = payload[key];
    if (typeof value === "string") strings[key] = value;
  }
  return strings;
}

/**
 * Reads a required string field.
 * @throws Error when the field is missing or not a string.
 */
export function readStringField(payload: Payload, field: string, location: string): string {
  const value = payload[field];
  if (typeof value === "string") return value;
  throw createFieldError(location, field, value, "string");
}

/** Splits `mcp__<server>__<tool>`. Pass the server name if it is known, because a server name can contain `__`. */
export function parseMcpName(tool_name: string, server?: string): { server: string; tool: string } | undefined {
  if (!tool_name.startsWith("mcp__")) return undefined;
  const suffix = tool_name.slice(5);
  if (server && suffix.startsWith(`${server}__`)) return { server, tool: suffix.slice(server.length + 2) };
  const at = suffix.indexOf("__");
  return at > 0 ? { server: suffix.slice(0, at), tool: suffix.slice(at + 2) } : undefined;
}

/**
 * Formats a tool result or another list of blocks as text. Strings are returned unchanged, text blocks are joined, and
 * other values become JSON.
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

/**
 * Returns the text of a modified result. Empty text is replaced by a placeholder, because the host would otherwise keep
 * the original result.
 */
export function formatNewResult(output: unknown): string | undefined {
  const text = output === undefined ? undefined : formatOutput(output);
  return text?.trim() === "" ? "[nothing]" : text;
}

/**
 * Formats a document as one line; returns an empty string if the document has no fields. On Windows, the line is ASCII:
 * PowerShell 5.1 decodes program output with the system's code page and would garble UTF-8 [unverified].
 */
export function formatDocument(document: Payload, platform: NodeJS.Platform = process.platform): string {
  const text = JSON.stringify(document);
  if (text === "{}") return "";
  return platform === "win32" ? escapeNonAscii(text) : text;
}

/** Escapes non-ASCII characters in JSON. */
const escapeNonAscii = (json: string): string =>
  json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
