import type { Expression } from "./syntax.ts";
import {
  createText,
  createUnknown,
  getKnownText,
  isKnown,
  joinText,
  joinTexts,
  type Text,
  type Value,
} from "./texts.ts";

const MAX_LENGTH = 16_384;
const MAX_RANGE = 64;

const getNumber = (value: Value): number | undefined => {
  const text = value?.length === 1 ? getKnownText(value[0]) : undefined;
  return text !== undefined && /^-?(?:0x[\da-f]+|\d+)$/i.test(text) ? Number(text) : undefined;
};
const isShort = (texts: readonly Text[]) => texts.reduce((sum, text) => sum + joinText(text).length, 0) <= MAX_LENGTH;

const add: Operator = (left, right) => {
  if (left.length !== 1 || right.length !== 1)
    return right.length === 0 && left.length === 1 ? left : [...left, ...right];
  const [a, b] = [getNumber(left), getNumber(right)];
  return a !== undefined && b !== undefined ? [createText(String(a + b))] : [[...left.flat(), ...right.flat()]];
};

const repeat: Operator = ([text], right) => {
  const [known, count] = [getKnownText(text), getNumber(right)];
  const isShortEnough = known !== undefined && count !== undefined && known.length * count <= MAX_LENGTH;
  return isShortEnough ? [createText(known.repeat(Math.max(0, count)))] : undefined;
};

const listRange: Operator = (left, right) => {
  const [from, to] = [getNumber(left), getNumber(right)];
  if (from === undefined || to === undefined || Math.abs(to - from) >= MAX_RANGE) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => createText(String(from + at * step)));
};

/** Converts a regular expression without special characters to text. Returns undefined for other expressions. */
const toPlainPattern = (text: Text = []): Value => (/[\\^$.|?*+()[\]{}]/.test(joinText(text)) ? undefined : [text]);

type Operator = (left: readonly Text[], right: readonly Text[]) => Value;
const OPERATORS: Readonly<Record<string, Operator>> = {
  "+": add,
  "*": repeat,
  "..": listRange,
  "-join": (left, [between]) => [joinTexts(left, between ? joinText(between) : "")],
  "-f": ([format], values) => format && formatText(format, values),
  "-as": (left) => left,
  "-split": (left, [mark]) => callTextMethod("split", left, [toPlainPattern(mark)]),
  "-replace": (left, [from, to = []]) => callTextMethod("replace", left, [toPlainPattern(from), [to]]),
};

/** Returns the result of a binary operator. Undefined if unknown. */
export function applyOperator(operator: string, left: Value, right: Value): Value {
  if (!left || !right || !isShort([...left, ...right])) return undefined;
  const name = operator.replace(/^-[ci](?=split|replace)/, "-");
  return Object.hasOwn(OPERATORS, name) ? OPERATORS[name]?.(left, right) : undefined;
}

function formatText(format: Text, values: readonly Text[]): Value {
  const found = format.flatMap((segment): Text => {
    const pieces = segment.live ? [] : segment.text.split(/\{(\d{1,2})[^{}]{0,20}\}/);
    return segment.live
      ? [segment]
      : pieces.flatMap((piece, at) => (at % 2 === 0 ? createText(piece) : (values[Number(piece)] ?? [])));
  });
  return isShort([found]) ? [found] : undefined;
}

/** Returns the items at an index: `'abc'[1]`, `$list[0]`, `'cba'[2..0]`. */
export function takeItems(value: Value, index: Value): Value {
  if (!value || !index) return undefined;
  // An index into a single value probably refers to the only item of a list, not to the first character of a string.
  if (value.length === 1 && index.length === 1 && /^(?:0|-1)$/.test(getKnownText(index[0]) ?? "")) return value;
  const text = value.length === 1 ? getKnownText(value[0]) : undefined;
  // Single characters of a variable's value count as the whole value.
  if (value.length === 1 && text === undefined) return value;
  const items = text === undefined ? value : [...text.slice(0, MAX_LENGTH)].map(createText);
  const found = index.map((one) => getNumber([one])).map((at) => (at === undefined ? undefined : items.at(at)));
  return found.includes(undefined) ? undefined : (found as Text[]);
}

/** Casts a value to a type. `[char]` converts numbers to characters. */
export function castValue(name: string, value: Value): Value {
  const type = name.toLowerCase().replace(/^system\./, "");
  if (type === "void") return [];
  // A boolean doesn't reveal the original value.
  if (type === "bool" && value?.some((one) => !isKnown(one))) return [createUnknown("bool")];
  if (type !== "char" && type !== "char[]") return value;
  const codes = value?.map((one) => getNumber([one])) ?? [];
  if (codes.length > 0 && !codes.includes(undefined))
    return codes.map((code) => createText(String.fromCharCode(code as number)));
  if (type === "char") return value;
  const text = getKnownText(value?.[0]);
  return text === undefined ? undefined : [...text.slice(0, MAX_LENGTH)].map(createText);
}

type TextMethod = (text: string, a: string | undefined, b: string | undefined) => readonly string[] | undefined;
/** String methods, without the suffix `Invariant`. The result is unknown if an argument is unknown. */
const TEXT_METHODS: Readonly<Record<string, TextMethod>> = {
  tolower: (text) => [text.toLowerCase()],
  toupper: (text) => [text.toUpperCase()],
  substring: (text, from, count = "9999") =>
    /^\d+$/.test(from ?? "") ? [text.slice(Number(from), Number(from) + Number(count))] : undefined,
  split: (text, mark) => (mark ? text.split(mark) : undefined),
  insert: (text, at, piece) =>
    piece === undefined ? undefined : [text.slice(0, Number(at)) + piece + text.slice(Number(at))],
  tochararray: (text) => [...text],
};

/** Returns the result of a string method. Undefined if unknown. */
export function callTextMethod(given: string, value: Value, args: readonly Value[]): Value {
  const name = given.replace(/invariant$/, "");
  const [a, b] = args.map((one) => getKnownText(one?.[0]));
  if (name === "replace") {
    if (!a || b === undefined) return undefined;
    return value?.map((text) => text.map((one) => (one.live ? one : { ...one, text: one.text.replaceAll(a, b) })));
  }
  if (/^(?:tostring|normalize|trim(?:end|start)?|pad(?:left|right)|remove)$/.test(name)) return value;
  if (!Object.hasOwn(TEXT_METHODS, name)) return undefined;
  const text = value?.length === 1 ? getKnownText(value[0]) : undefined;
  // The result reveals part of the variable's value.
  return text === undefined ? value : TEXT_METHODS[name]?.(text, a, b)?.map(createText);
}

export const getMemberName = (name: Expression): string | undefined =>
  name.type === "word" && name.pieces.every(({ type }) => type === "text")
    ? name.pieces
        .map((piece) => (piece.type === "text" ? piece.text : ""))
        .join("")
        .toLowerCase()
    : undefined;

/** Evaluates `[Text.Encoding]::Unicode.GetString(…)` and `GetBytes(…)`. Latin-1 characters represent the bytes. */
export function convertBytes(name: string, value: Value, encoding: "utf16le" | "utf8"): Value {
  const text = getKnownText(value?.[0]);
  const [from, to] = name === "getbytes" ? ([encoding, "latin1"] as const) : (["latin1", encoding] as const);
  if (text === undefined) return name === "getbytes" ? value : undefined;
  return [createText(Buffer.from(text, from).toString(to))];
}

/** Properties that return a file's path, or another object's name or value. */
export const PATH_PROPERTY = /^(?:fullname|pspath|path|providerpath|directoryname|value|source|definition|name)$/;
