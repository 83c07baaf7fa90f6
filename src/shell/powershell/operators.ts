import type { Expression } from "./syntax.ts";
import { createText, getKnownText, joinText, joinTexts, type Text, type Value } from "./values.ts";

const MAX_LENGTH = 16_384;
const MAX_RANGE = 64;

const getNumber = (value: Value): number | undefined => {
  const text = value?.length === 1 ? getKnownText(value[0]) : undefined;
  return text !== undefined && /^-?(?:0x[\da-f]+|\d+)$/i.test(text) ? Number(text) : undefined;
};
const isShort = (texts: readonly Text[]) => texts.reduce((sum, text) => sum + joinText(text).length, 0) <= MAX_LENGTH;
const isPlainPattern = (text: string) => !/[\\^$.|?*+()[\]{}]/.test(text);

/** What a binary operator gives; undefined where that isn't known. */
export function applyOperator(operator: string, left: Value, right: Value): Value {
  if (!left || !right || !isShort([...left, ...right])) return undefined;
  const [first] = left;
  switch (operator) {
    case "+":
      if (left.length === 1 && right.length === 1) {
        const [a, b] = [getNumber(left), getNumber(right)];
        return a !== undefined && b !== undefined
          ? [createText(String(a + b))]
          : [[...(first as Text), ...(right[0] as Text)]];
      }
      return left.length === 1 && right.length === 0 ? left : [...left, ...right];
    case "-join":
      return [joinTexts(left, right[0] ? joinText(right[0]) : "")];
    case "-f":
      return first ? formatText(first, right) : undefined;
    case "*": {
      const count = getNumber(right);
      const text = getKnownText(first);
      if (
        text === undefined ||
        count === undefined ||
        getNumber(left) !== undefined ||
        text.length * count > MAX_LENGTH
      )
        return undefined;
      return [createText(text.repeat(Math.max(0, count)))];
    }
    case "..": {
      const [from, to] = [getNumber(left), getNumber(right)];
      if (from === undefined || to === undefined || Math.abs(to - from) >= MAX_RANGE) return undefined;
      const step = from <= to ? 1 : -1;
      return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => createText(String(from + at * step)));
    }
    case "-as":
      return left;
    case "-split":
    case "-csplit":
    case "-isplit": {
      const [text, mark] = [getKnownText(first), getKnownText(right[0])];
      // The parts of a variable's value are shown as the whole is.
      if (first && text === undefined) return left;
      return text === undefined || mark === undefined || mark === "" || !isPlainPattern(mark)
        ? undefined
        : text.split(mark).map(createText);
    }
    case "-replace":
    case "-creplace":
    case "-ireplace": {
      const [from, to = ""] = right.map(getKnownText);
      if (from === undefined || from === "" || !isPlainPattern(from)) return undefined;
      return left.map((text) => text.map((one) => (one.live ? one : { ...one, text: one.text.replaceAll(from, to) })));
    }
    default:
      return undefined;
  }
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

/** What a cast makes of a value. */
export function castValue(name: string, value: Value): Value {
  const type = name.toLowerCase().replace(/^system\./, "");
  if (type === "char") {
    const code = getNumber(value);
    return code === undefined
      ? value
      : code <= 0xffff && code >= 0
        ? [createText(String.fromCharCode(code))]
        : undefined;
  }
  if (type === "char[]") {
    const codes = value?.map((one) => getNumber([one]));
    if (codes?.every((code) => code !== undefined && code >= 0 && code <= 0xffff))
      return codes.map((code) => createText(String.fromCharCode(code as number)));
    const text = getKnownText(value?.[0]);
    return text === undefined ? undefined : [...text.slice(0, MAX_LENGTH)].map(createText);
  }
  return type === "void" ? [] : value;
}

/** What a method of a text gives; undefined where it isn't known. */
export function callTextMethod(name: string, value: Value, args: readonly Value[]): Value {
  const [first] = value ?? [];
  const text = value?.length === 1 ? getKnownText(first) : undefined;
  const [a, b] = args.map((one) => getKnownText(one?.[0]));
  switch (name) {
    case "tostring":
    case "trim":
    case "trimend":
    case "trimstart":
    case "normalize":
      return value;
    case "tolower":
    case "tolowerinvariant":
      return text === undefined ? value : [createText(text.toLowerCase())];
    case "toupper":
    case "toupperinvariant":
      return text === undefined ? value : [createText(text.toUpperCase())];
    case "replace":
      return a === undefined || a === "" || b === undefined
        ? undefined
        : value?.map((one) => one.map((part) => (part.live ? part : { ...part, text: part.text.replaceAll(a, b) })));
    case "tochararray":
    case "padleft":
    case "padright":
    case "remove":
      return text === undefined ? value : undefined;
    case "substring":
      if (text === undefined) return value;
      return a === undefined || !/^\d+$/.test(a)
        ? undefined
        : [createText(text.slice(Number(a), b === undefined ? undefined : Number(a) + Number(b)))];
    case "split":
      if (text === undefined) return value;
      return a === undefined || a === "" ? undefined : text.split(a).map(createText);
    case "insert":
      return text === undefined || b === undefined
        ? undefined
        : [createText(text.slice(0, Number(a)) + b + text.slice(Number(a)))];
    default:
      return undefined;
  }
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
