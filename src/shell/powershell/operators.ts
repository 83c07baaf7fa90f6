import type { Expression } from "./syntax.ts";
import {
  createText,
  createUnknownValue,
  getKnownText,
  isKnown,
  joinText,
  joinTexts,
  type Text,
  type Value,
} from "./text-values.ts";

const MAX_LENGTH = 16_384;
const MAX_RANGE_LENGTH = 64;

const toNumber = (value: Value): number | undefined => {
  const text = value?.length === 1 ? getKnownText(value[0]) : undefined;
  return text !== undefined && /^-?(?:0x[\da-f]+|\d+)$/i.test(text) ? Number(text) : undefined;
};
const isWithinLengthLimit = (texts: readonly Text[]) =>
  texts.reduce((sum, text) => sum + joinText(text).length, 0) <= MAX_LENGTH;

const addValues: Operator = (left, right) => {
  if (left.length !== 1 || right.length !== 1)
    return right.length === 0 && left.length === 1 ? left : [...left, ...right];
  const [a, b] = [toNumber(left), toNumber(right)];
  return a !== undefined && b !== undefined ? [createText(String(a + b))] : [[...left.flat(), ...right.flat()]];
};

const repeat: Operator = ([text], right) => {
  const [knownText, count] = [getKnownText(text), toNumber(right)];
  const isShortEnough = knownText !== undefined && count !== undefined && knownText.length * count <= MAX_LENGTH;
  return isShortEnough ? [createText(knownText.repeat(Math.max(0, count)))] : undefined;
};

const listRange: Operator = (left, right) => {
  const [start, end] = [toNumber(left), toNumber(right)];
  if (start === undefined || end === undefined || Math.abs(end - start) >= MAX_RANGE_LENGTH) return undefined;
  const step = start <= end ? 1 : -1;
  return Array.from({ length: Math.abs(end - start) + 1 }, (_, at) => createText(String(start + at * step)));
};

/**
 * Converts a regular expression without special characters to plain text. Returns undefined for any other regular
 * expression.
 */
const toPlainPattern = (text: Text = []): Value => (/[\\^$.|?*+()[\]{}]/.test(joinText(text)) ? undefined : [text]);

type Operator = (left: readonly Text[], right: readonly Text[]) => Value;
const OPERATORS: Readonly<Record<string, Operator>> = {
  "+": addValues,
  "*": repeat,
  "..": listRange,
  "-join": (left, [separator]) => [joinTexts(left, separator ? joinText(separator) : "")],
  "-f": ([format], values) => format && formatText(format, values),
  "-as": (left) => left,
  "-split": (left, [separator]) => callTextMethod("split", left, [toPlainPattern(separator)]),
  "-replace": (left, [pattern, replacement = []]) =>
    callTextMethod("replace", left, [toPlainPattern(pattern), [replacement]]),
};

/** Returns the result of a binary operator. Undefined if unknown. */
export function applyOperator(operator: string, left: Value, right: Value): Value {
  if (!left || !right || !isWithinLengthLimit([...left, ...right])) return undefined;
  const name = operator.replace(/^-[ci](?=split|replace)/, "-");
  return Object.hasOwn(OPERATORS, name) ? OPERATORS[name]?.(left, right) : undefined;
}

function formatText(format: Text, values: readonly Text[]): Value {
  const segments = format.flatMap((segment): Text => {
    const pieces = segment.isDynamic ? [] : segment.text.split(/\{(\d{1,2})[^{}]{0,20}\}/);
    return segment.isDynamic
      ? [segment]
      : pieces.flatMap((piece, at) => (at % 2 === 0 ? createText(piece) : (values[Number(piece)] ?? [])));
  });
  return isWithinLengthLimit([segments]) ? [segments] : undefined;
}

/** Returns the items at an index: `'abc'[1]`, `$list[0]`, `'cba'[2..0]`. */
export function getItemsAt(value: Value, index: Value): Value {
  if (!value || !index) return undefined;
  // With only one value, the index probably selects the only item of a list rather than the first character of a
  // string.
  if (value.length === 1 && index.length === 1 && /^(?:0|-1)$/.test(getKnownText(index[0]) ?? "")) return value;
  const text = value.length === 1 ? getKnownText(value[0]) : undefined;
  // Treat a single character of a variable's value like the entire value.
  if (value.length === 1 && text === undefined) return value;
  const items = text === undefined ? value : [...text.slice(0, MAX_LENGTH)].map(createText);
  const selectedItems = index
    .map((indexText) => toNumber([indexText]))
    .map((at) => (at === undefined ? undefined : items.at(at)));
  return selectedItems.includes(undefined) ? undefined : (selectedItems as Text[]);
}

/** Casts a value to a type. `[char]` converts numbers to characters. */
export function castValue(name: string, value: Value): Value {
  const type = name.toLowerCase().replace(/^system\./, "");
  if (type === "void") return [];
  // A boolean doesn't reveal the value it was cast from.
  if (type === "bool" && value?.some((text) => !isKnown(text))) return [createUnknownValue("bool")];
  if (type !== "char" && type !== "char[]") return value;
  const codes = value?.map((text) => toNumber([text])) ?? [];
  if (codes.length > 0 && !codes.includes(undefined))
    return codes.map((code) => createText(String.fromCharCode(code as number)));
  if (type === "char") return value;
  const text = getKnownText(value?.[0]);
  return text === undefined ? undefined : [...text.slice(0, MAX_LENGTH)].map(createText);
}

type TextMethod = (text: string, a: string | undefined, b: string | undefined) => readonly string[] | undefined;
/** String methods by name without the suffix `Invariant`. The result is unknown if an argument is unknown. */
const TEXT_METHODS: Readonly<Record<string, TextMethod>> = {
  tolower: (text) => [text.toLowerCase()],
  toupper: (text) => [text.toUpperCase()],
  substring: (text, start, count = "9999") =>
    /^\d+$/.test(start ?? "") ? [text.slice(Number(start), Number(start) + Number(count))] : undefined,
  split: (text, separator) => (separator ? text.split(separator) : undefined),
  insert: (text, at, piece) =>
    piece === undefined ? undefined : [text.slice(0, Number(at)) + piece + text.slice(Number(at))],
  tochararray: (text) => [...text],
};

/** Returns the result of a string method. Undefined if unknown. */
export function callTextMethod(methodName: string, value: Value, args: readonly Value[]): Value {
  const name = methodName.replace(/invariant$/, "");
  const [a, b] = args.map((argument) => getKnownText(argument?.[0]));
  if (name === "replace") {
    if (!a || b === undefined) return undefined;
    return value?.map((text) =>
      text.map((segment) => (segment.isDynamic ? segment : { ...segment, text: segment.text.replaceAll(a, b) })),
    );
  }
  if (/^(?:tostring|normalize|trim(?:end|start)?|pad(?:left|right)|remove)$/.test(name)) return value;
  if (!Object.hasOwn(TEXT_METHODS, name)) return undefined;
  const text = value?.length === 1 ? getKnownText(value[0]) : undefined;
  // If the string is a variable, the result reveals part of its value and is treated like the entire value.
  return text === undefined ? value : TEXT_METHODS[name]?.(text, a, b)?.map(createText);
}

export const getMemberName = (name: Expression): string | undefined =>
  name.type === "word" && name.pieces.every(({ type }) => type === "text")
    ? name.pieces
        .map((piece) => (piece.type === "text" ? piece.text : ""))
        .join("")
        .toLowerCase()
    : undefined;

/** Evaluates `[Text.Encoding]::Unicode.GetString(…)` and `GetBytes(…)`. Bytes are represented as Latin-1 characters. */
export function convertEncodedBytes(name: string, value: Value, encoding: "utf16le" | "utf8"): Value {
  const text = getKnownText(value?.[0]);
  const [sourceEncoding, targetEncoding] =
    name === "getbytes" ? ([encoding, "latin1"] as const) : (["latin1", encoding] as const);
  if (text === undefined) return name === "getbytes" ? value : undefined;
  return [createText(Buffer.from(text, sourceEncoding).toString(targetEncoding))];
}

/** Properties that return a file's path, or the name or value of another object. */
export const PATH_PROPERTY = /^(?:fullname|pspath|path|providerpath|directoryname|value|source|definition|name)$/;
