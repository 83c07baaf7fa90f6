import type { Payload } from "./host/payload.ts";

/** Returns whether a value is an object and not an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns the value if it's an object, or an empty object otherwise. Used for reading nested fields of untyped
 * documents.
 */
export const toObject = (value: unknown): Payload => (isObject(value) ? value : {});

/** Parses a string as a JSON object. Returns undefined for any other string. */
export function parseJsonObject(text: string): Payload | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a string that contains a JSON object or array; returns any other value unchanged. */
export function parseJsonText(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Removes fields whose value is undefined. */
export const omitUndefined = (fields: Payload): Payload =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export const isStringList = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((item) => typeof item === "string");

/** Applies a patch to an object. In the patch, null removes a field. */
export const applyPatch = <T extends object>(fields: T, patch: Payload): T =>
  Object.fromEntries(Object.entries({ ...fields, ...patch }).filter(([key]) => patch[key] !== null)) as T;

/** Returns the value at a path inside another value, or undefined if the path doesn't exist. */
export const getValueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (parent, key) =>
      typeof parent === "object" && parent !== null ? (parent as Record<string | number, unknown>)[key] : undefined,
    value,
  );

/** Fields to keep even if they're null, because they identify the event of a payload without an event name. */
const IDENTIFYING_FIELDS: readonly string[] = ["params", "result", "changes"];

/** Removes top-level nulls, because every host uses null for absent values. */
export function omitNulls(payload: Payload): Payload {
  let copy: Payload | undefined;
  for (const key in payload) {
    if (payload[key] !== null || IDENTIFYING_FIELDS.includes(key)) continue;
    copy ??= { ...payload };
    delete copy[key];
  }
  return copy ?? payload;
}
