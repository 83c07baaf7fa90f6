import type { Payload } from "../src/protocol/host/host.ts";
import { isDeepStrictEqual } from "node:util";
import type { CallShape, ObjectShape } from "../src/call/screen/shapes.ts";

/** A derived shape, before fields with arbitrary values are separated. */
export interface FoundShape extends Omit<CallShape, "payload"> {
  event: string;
  fields: Fields;
}

export interface Fields {
  [key: string]: string | Fields;
}

/** Whether a shape requires a text from the samples, which no real payload contains. */
export function isSampleOnly(fields: Fields): boolean {
  return Object.values(fields).some((field) =>
    typeof field === "string" ? field === NEVER || /^=(?:[ab]|do it|.*\n.*)$/s.test(field) : isSampleOnly(field),
  );
}

/** Whether every payload of one shape also has the other shape, with the same meaning. */
export function includesShape(wide: FoundShape, { fields, ...narrow }: FoundShape): boolean {
  const { fields: all, ...rest } = wide;
  return isDeepStrictEqual(rest, narrow) && includesFields(all, fields);
}

function includesFields(wide: Fields, narrow: Fields): boolean {
  const isOptional = (key: string) => String(wide[key]).startsWith("?");
  return (
    Object.keys(wide).every((key) => Object.hasOwn(narrow, key) || isOptional(key)) &&
    Object.entries(narrow).every(([key, field]) => {
      const other = Object.hasOwn(wide, key) ? wide[key] : undefined;
      if (isObject(other) && isObject(field)) return includesFields(other as Fields, field as Fields);
      return other === field || other === `?${field}`;
    })
  );
}

/** Moves the names of fields that may be arbitrary or absent to lists shared by all shapes. */
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
  const packed = others.map(([name, field]) => [name, typeof field === "string" ? field : packFields(field, free)]);
  return [Object.fromEntries(packed), free.indexOf(list)];
}

export const NEVER = "!";

export const isObject = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a copy with another value at a path. With undefined, the field is removed. */
export function withValue(payload: Payload, [key = "", ...rest]: readonly string[], value: unknown): Payload {
  const copy = { ...payload };
  if (rest.length > 0) copy[key] = withValue(isObject(copy[key]) ? copy[key] : {}, rest, value);
  else if (value === undefined) delete copy[key];
  else copy[key] = value;
  return copy;
}
