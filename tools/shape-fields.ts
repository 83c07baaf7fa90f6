import type { Payload } from "../src/protocol/host/host.ts";
import { isDeepStrictEqual } from "node:util";
import type { CallShape, ObjectShape } from "../src/call/screen/shapes.ts";

/** A derived shape, before fields with arbitrary values are moved to shared lists. */
export interface FoundShape extends Omit<CallShape, "payload"> {
  event: string;
  fields: Fields;
}

export interface Fields {
  [key: string]: string | Fields;
}

/** Whether a shape requires a string that occurs only in samples, never in a real payload. */
export function isSampleOnly(fields: Fields): boolean {
  return Object.values(fields).some((field) =>
    typeof field === "string" ? field === NO_VALUE || /^=(?:[ab]|do it|.*\n.*)$/s.test(field) : isSampleOnly(field),
  );
}

/** Whether every payload of the inner shape also fits the outer shape, with the same meaning. */
export function includesShape(outer: FoundShape, { fields, ...inner }: FoundShape): boolean {
  const { fields: all, ...rest } = outer;
  return isDeepStrictEqual(rest, inner) && includesFields(all, fields);
}

function includesFields(outer: Fields, inner: Fields): boolean {
  const isOptional = (key: string) => String(outer[key]).startsWith("?");
  return (
    Object.keys(outer).every((key) => Object.hasOwn(inner, key) || isOptional(key)) &&
    Object.entries(inner).every(([key, field]) => {
      const other = Object.hasOwn(outer, key) ? outer[key] : undefined;
      if (isObject(other) && isObject(field)) return includesFields(other as Fields, field as Fields);
      return other === field || other === `?${field}`;
    })
  );
}

/** Moves the names of fields that may be absent or have any value to lists that all shapes share. */
export function packShape({ event: _, fields, ...shape }: FoundShape, free: string[]): CallShape {
  return { ...shape, payload: packFields(fields, free) };
}

function packFields(fields: Fields, free: string[]): ObjectShape {
  const entries = Object.entries(fields);
  const isFree = ([, field]: [string, string | Fields]) => field === "?x";
  const names = entries.filter(isFree).map(([name]) => name);
  const list = `|${names.sort().join("|")}|`;
  if (!free.includes(list)) free.push(list);
  const others = entries.filter((entry) => !isFree(entry));
  const packedFields = others.map(([name, field]) => [
    name,
    typeof field === "string" ? field : packFields(field, free),
  ]);
  return [Object.fromEntries(packedFields), free.indexOf(list)];
}

export const NO_VALUE = "!";

export const isObject = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a copy of the payload with a different value at a path. If the value is undefined, removes the field. */
export function withValue(payload: Payload, [key = "", ...rest]: readonly string[], value: unknown): Payload {
  const copy = { ...payload };
  if (rest.length > 0) copy[key] = withValue(isObject(copy[key]) ? copy[key] : {}, rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy;
}
