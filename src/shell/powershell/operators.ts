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
} from "./values.ts";

const MAX_LENGTH = 16_384;
const MAX_RANGE = 64;

const getNumber = (value: Value): number | undefined => {
  const text = value?.length === 1 ? getKnownText(value[0]) : undefined;
  return text !== undefined && /^-?(?:0x[\da-f]+|\d+)$/i.test(text) ? Number(text) : undefined;
};
const isShort = (texts: readonly Text[]) => texts.reduce((sum, text) => sum + joinText(text).length, 0) <= MAX_LENGTH;
const isPlainPattern = (text: string) => !/[\\^$.|?*+()[\]{}]/.test(text);

/** Replaces in what is known of texts. */
const replaceTexts = (value: Value, from: string | undefined, to: string | undefined): Value =>
  from === undefined || from === "" || to === undefined
    ? undefined
    : value?.map((text) => text.map((one) => (one.live ? one : { ...one, text: one.text.replaceAll(from, to) })));

const add: Operator = (left, right) => {
  if (left.length !== 1 || right.length !== 1)
    return right.length === 0 && left.length === 1 ? left : [...left, ...right];
  const [a, b] = [getNumber(left), getNumber(right)];
  return a !== undefined && b !== undefined ? [createText(String(a + b))] : [[...left.flat(), ...right.flat()]];
};

const repeat: Operator = (left, right) => {
  const [text, count] = [getKnownText(left[0]), getNumber(right)];
  const isKnown = text !== undefined && count !== undefined && getNumber(left) === undefined;
  return isKnown && text.length * count <= MAX_LENGTH ? [createText(text.repeat(Math.max(0, count)))] : undefined;
};

const listRange: Operator = (left, right) => {
  const [from, to] = [getNumber(left), getNumber(right)];
  if (from === undefined || to === undefined || Math.abs(to - from) >= MAX_RANGE) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => createText(String(from + at * step)));
};

const split: Operator = (left, right) => {
  const [text, mark] = [getKnownText(left[0]), getKnownText(right[0])];
  // The parts of a variable's value are shown as the whole is.
  if (left[0] && text === undefined) return left;
  return text === undefined || !mark || !isPlainPattern(mark) ? undefined : text.split(mark).map(createText);
};

const replace: Operator = (left, right) => {
  const [from, to = ""] = right.map(getKnownText);
  return isPlainPattern(from ?? "") ? replaceTexts(left, from, to) : undefined;
};

type Operator = (left: readonly Text[], right: readonly Text[]) => Value;
const OPERATORS: Readonly<Record<string, Operator>> = {
  "+": add,
  "*": repeat,
  "..": listRange,
  "-join": (left, [between]) => [joinTexts(left, between ? joinText(between) : "")],
  "-f": ([format], values) => format && formatText(format, values),
  "-as": (left) => left,
  "-split": split,
  "-replace": replace,
};

/** What a binary operator gives; undefined where that isn't known. */
export function applyOperator(operator: string, left: Value, right: Value): Value {
  if (!left || !right || !isShort([...left, ...right])) return undefined;
  const name = operator.replace(/^-[ci](?=split|replace)/, "-");
  return Object.hasOwn(OPERATORS, name) ? OPERATORS[name]?.(left, right) : undefined;
}

/** `'{0} {1}' -f 'a', 'b'` */
function formatText(format: Text, values: readonly Text[]): Value {
  const found = format.flatMap((segment): Text => {
    if (segment.live) return [segment];
    return segment.text.split(/(\{\d{1,2}[^{}]{0,20}\})/).flatMap((piece): Text => {
      const index = /^\{(\d+)/.exec(piece)?.[1];
      return index === undefined ? [{ text: piece, live: false }] : (values[Number(index)] ?? []);
    });
  });
  return isShort([found]) ? [found] : undefined;
}

/** `'abc'[1]`, `$list[0]`, `'cba'[2..0]` */
export function takeItems(value: Value, index: Value): Value {
  if (!value || !index) return undefined;
  // A list of one is more likely than the first letter of a text.
  if (value.length === 1 && index.length === 1 && /^(?:0|-1)$/.test(getKnownText(index[0]) ?? "")) return value;
  const text = value.length === 1 ? getKnownText(value[0]) : undefined;
  // Letters of a variable's value are shown as the whole is.
  if (value.length === 1 && text === undefined) return value;
  const items = text === undefined ? value : [...text.slice(0, MAX_LENGTH)].map(createText);
  const found = index.map((one) => getNumber([one])).map((at) => (at === undefined ? undefined : items.at(at)));
  return found.includes(undefined) ? undefined : (found as Text[]);
}

const createLetter = (code: number | undefined): Text | undefined =>
  code !== undefined && code >= 0 && code <= 0xffff ? createText(String.fromCharCode(code)) : undefined;

/** What a cast makes of a value. */
export function castValue(name: string, value: Value): Value {
  const type = name.toLowerCase().replace(/^system\./, "");
  if (type === "void") return [];
  // Whether there is a value tells nothing of it.
  if (type === "bool" && value?.some((one) => !isKnown(one))) return [createUnknown("bool")];
  if (type !== "char" && type !== "char[]") return value;
  const letters = value?.map((one) => createLetter(getNumber([one])));
  if (letters?.length && !letters.includes(undefined)) return letters as Text[];
  if (type === "char") return getNumber(value) === undefined ? value : undefined;
  const text = getKnownText(value?.[0]);
  return text === undefined ? undefined : [...text.slice(0, MAX_LENGTH)].map(createText);
}

/** Methods of a text that is known; what they give is unknown where they are given other things. */
const TEXT_METHODS: Readonly<Record<string, (text: string, a?: string, b?: string) => string | string[] | undefined>> =
  {
    tolower: (text) => text.toLowerCase(),
    tolowerinvariant: (text) => text.toLowerCase(),
    toupper: (text) => text.toUpperCase(),
    toupperinvariant: (text) => text.toUpperCase(),
    substring: (text, from = "", count) =>
      /^\d+$/.test(from)
        ? text.slice(Number(from), count === undefined ? undefined : Number(from) + Number(count))
        : undefined,
    split: (text, mark) => (mark ? text.split(mark) : undefined),
    insert: (text, at, piece) =>
      piece === undefined ? undefined : text.slice(0, Number(at)) + piece + text.slice(Number(at)),
    tochararray: () => undefined,
    padleft: () => undefined,
    padright: () => undefined,
    remove: () => undefined,
  };

/** What a method of a text gives; undefined where it isn't known. */
export function callTextMethod(name: string, value: Value, args: readonly Value[]): Value {
  const [a, b] = args.map((one) => getKnownText(one?.[0]));
  if (name === "replace") return replaceTexts(value, a, b);
  if (/^(?:tostring|normalize|trim(?:end|start)?)$/.test(name)) return value;
  if (!Object.hasOwn(TEXT_METHODS, name)) return undefined;
  const text = value?.length === 1 ? getKnownText(value[0]) : undefined;
  // Of a variable's value, they show some.
  if (text === undefined) return value;
  const found = TEXT_METHODS[name]?.(text, a, b);
  return found === undefined ? undefined : [found].flat().map(createText);
}

/** The name of a member that is known as such. */
export const getMemberName = (name: Expression): string | undefined =>
  name.type === "word" && name.pieces.every(({ type }) => type === "text")
    ? name.pieces
        .map((piece) => (piece.type === "text" ? piece.text : ""))
        .join("")
        .toLowerCase()
    : undefined;

/** Decodes base64 to the letters of its bytes. */
export function decodeBase64(text: string): string | undefined {
  try {
    return atob(text.replace(/\s+/g, ""));
  } catch {
    return undefined;
  }
}

/** Encodes bytes, given as letters, as base64; empty if there are other letters. */
export const encodeBase64 = (bytes: string): string => (/^[\0-\xff]*$/.test(bytes) ? btoa(bytes) : "");

/** The bytes of a text as letters. */
export const encodeBytes = (text: string, isWide: boolean): string =>
  Buffer.from(text, isWide ? "utf16le" : "utf8").toString("latin1");

/** Reads bytes, given as letters, as UTF-16LE or UTF-8. */
export function decodeBytes(bytes: string, isWide: boolean): string {
  const data = Uint8Array.from(bytes, (letter) => letter.charCodeAt(0));
  return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(data);
}
