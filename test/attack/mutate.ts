import type { Payload } from "../../src/protocol/host/host.ts";
import { fixtures } from "../support/fixtures.ts";

/** Path to a value in a document. */
export type DocumentPath = readonly string[];

/** A change to a document. `at`, `key` and `value` are indexes into lists of the available choices. */
export interface DocumentChange {
  kind: (typeof CHANGE_KINDS)[number];
  at: number;
  key: number;
  value: unknown;
}

export const CHANGE_KINDS = ["drop", "rename", "set", "null", "list", "nest", "copy", "add", "empty"] as const;

type Container = Record<string, unknown>;
const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** Property names that JavaScript treats specially. */
const SPECIAL_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "toJSON",
  "hasOwnProperty",
  "then",
  "length",
  "0",
  "",
  "\u0000",
  "\ud800",
];

/** Every key that any host sends, at any depth, plus JavaScript's special names. */
export const PAYLOAD_KEYS: readonly string[] = (() => {
  const found = new Set(SPECIAL_NAMES);
  for (const { payload } of fixtures) for (const path of listPaths(payload)) found.add(path.at(-1) as string);
  return [...found].filter((key) => !/^[0-9]+$/.test(key) || key === "0");
})();

/** Lists the paths to all values in a document. */
export function listPaths(document: unknown, path: DocumentPath = []): DocumentPath[] {
  if (!isContainer(document)) return [];
  return Object.keys(document).flatMap((key) => [[...path, key], ...listPaths(document[key], [...path, key])]);
}

export function getValue(document: unknown, path: DocumentPath): unknown {
  return path.reduce<unknown>(
    (value, key) => (isContainer(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );
}

/**
 * Sets an own property with any name, including `__proto__`, which an assignment can't set. On an array, appends the
 * value.
 */
export function setProperty(container: Container, key: string, value: unknown): void {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  if (Array.isArray(container) && !(Number(key) < container.length)) return void container.push(copy);
  Object.defineProperty(container, key, { value: copy, enumerable: true, configurable: true, writable: true });
}

const isPathPrefix = (path: DocumentPath, other: DocumentPath) =>
  path.length <= other.length && path.every((key, index) => key === other[index]);

/** Parts of a document that must not be changed. */
export interface ProtectedParts {
  /** Values that must keep their contents and position. */
  paths?: readonly DocumentPath[];
  /**
   * Keys that must not be added or removed at the top level, or in any top-level object that contains no value listed
   * in `paths`.
   */
  keys?: readonly string[];
  /** Keys that must not be added or removed at any level. */
  kinds?: readonly string[];
}

/** Applies changes to a document in place. Paths are listed again before each change. */
export function applyChanges(
  document: Payload,
  changes: readonly DocumentChange[],
  { paths: kept = [], keys = [], kinds = [] }: ProtectedParts = {},
): Payload {
  const isFixed = (path: DocumentPath) =>
    kinds.includes(path.at(-1) as string) ||
    (keys.includes(path.at(-1) as string) &&
      (path.length === 1 || (path.length === 2 && !kept.some((one) => one[0] === path[0]))));
  const isKept = (path: DocumentPath) =>
    isFixed(path) ||
    kept.some((one) => isPathPrefix(path, one) || isPathPrefix(one, path)) ||
    listPaths(getValue(document, path), path).some(isFixed);
  for (const change of changes) {
    const paths = listPaths(document);
    const free = paths.filter((path) => !isKept(path));
    const path = free[change.at % Math.max(1, free.length)];
    const key = PAYLOAD_KEYS[change.key % PAYLOAD_KEYS.length] as string;
    const taken = (parent: Container) => {
      const path = [...findPath(document, parent), key];
      return isFixed(path) || kept.some((one) => isPathPrefix(path, one));
    };
    if (change.kind === "add") {
      // Fields are added even to protected objects, because a field beside a protected value must not affect the
      // result.
      const parents = [document, ...paths.map((one) => getValue(document, one)).filter(isContainer)];
      const parent = parents[change.at % parents.length] as Container;
      if (!taken(parent)) setProperty(parent, key, change.value);
      continue;
    }
    if (!path) continue;
    const parent = (path.length > 1 ? getValue(document, path.slice(0, -1)) : document) as Container;
    const last = path.at(-1) as string;
    const value = parent[last];
    switch (change.kind) {
      case "drop":
        delete parent[last];
        break;
      case "rename":
        if (taken(parent)) break;
        delete parent[last];
        setProperty(parent, key, value);
        break;
      case "copy":
        if (!taken(parent)) setProperty(parent, key, value);
        break;
      case "set":
        setProperty(parent, last, change.value);
        break;
      case "null":
        setProperty(parent, last, null);
        break;
      case "list":
        setProperty(parent, last, [value]);
        break;
      case "nest":
        setProperty(parent, last, { [key]: value });
        break;
      case "empty":
        setProperty(parent, last, Array.isArray(value) ? [] : isContainer(value) ? {} : "");
        break;
    }
  }
  return document;
}

/** Returns the path to an object in a document. */
function findPath(document: Payload, container: Container): DocumentPath {
  if (container === document) return [];
  return listPaths(document).find((path) => getValue(document, path) === container) ?? [];
}

/** A change to a string. `at` is a relative position from 0 to 1. */
export interface TextDamage {
  kind: keyof typeof DAMAGE_KINDS;
  at: number;
}

const DEPTH = 100_000;
const toOffset = (text: string, at: number) => Math.floor(text.length * at);
const insertText = (text: string, at: number, what: string) =>
  text.slice(0, toOffset(text, at)) + what + text.slice(toOffset(text, at));
/** Inserts a key before all others, so that the host's own value for it comes later. */
const insertFirstKey = (text: string, key: string, value: string) =>
  text.replace("{", () => `{${JSON.stringify(key)}:${value},`);
/** Replaces all numbers or, if there are none, the first string. */
const replaceNumber = (text: string, what: string) => text.replace(/(?<=":\s*)-?\d[\d.eE+-]*|$/, () => what);
const decodeBytes = (bytes: Buffer) => new TextDecoder().decode(bytes);

export const DAMAGE_KINDS = {
  cut: (text: string, at: number) => text.slice(0, toOffset(text, at)),
  headless: (text: string, at: number) => text.slice(toOffset(text, at)),
  bom: (text: string) => `\ufeff${text}`,
  "two boms": (text: string) => `\ufeff\ufeff${text}`,
  "utf-16": (text: string) => decodeBytes(Buffer.from(text, "utf16le")),
  "utf-16 with bom": (text: string) =>
    decodeBytes(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])),
  nul: (text: string, at: number) => insertText(text, at, "\u0000"),
  control: (text: string, at: number) => insertText(text, at, "\u001b[2J\u0007"),
  surrogate: (text: string, at: number) => insertText(text, at, "\ud800"),
  escape: (text: string, at: number) => insertText(text, at, "\\"),
  quote: (text: string, at: number) => insertText(text, at, '"'),
  brace: (text: string, at: number) => insertText(text, at, "}"),
  "escaped surrogate": (text: string) => insertFirstKey(text, "x", '"\\ud800"'),
  junk: (text: string) => `${text} junk`,
  "line of garbage": (text: string) => `warning: something\n${text}`,
  "two documents": (text: string) => `${text}\n${text}`,
  list: (text: string) => `[${text}]`,
  string: (text: string) => JSON.stringify(text),
  crlf: (text: string) => `${JSON.stringify(JSON.parse(text), null, 1).replaceAll("\n", "\r\n")}\r\n`,
  "duplicate key": (text: string, at: number) =>
    insertFirstKey(text, PAYLOAD_KEYS[Math.floor(at * PAYLOAD_KEYS.length)] as string, '"other"'),
  "prototype key": (text: string) => insertFirstKey(text, "__proto__", '{"decision":"allow","polluted":true}'),
  "constructor key": (text: string) => insertFirstKey(text, "constructor", '{"prototype":{"polluted":true}}'),
  "large number": (text: string) => replaceNumber(text, "1e999"),
  "small number": (text: string) => replaceNumber(text, "-0.0000000000000000000000000000001e-999"),
  "hex number": (text: string) => replaceNumber(text, "0x10"),
  "octal number": (text: string) => replaceNumber(text, "010"),
  nan: (text: string) => replaceNumber(text, "NaN"),
  undefined: (text: string) => replaceNumber(text, "undefined"),
  comment: (text: string) => `/* a comment */${text}`,
  "single quotes": (text: string) => text.replaceAll('"', "'"),
  blank: () => " \r\n\t",
  nothing: () => "",
  null: () => "null",
  number: () => "1",
  "deep list": (text: string) => insertFirstKey(text, "x", "[".repeat(DEPTH) + "]".repeat(DEPTH)),
  "deep object": (text: string) => insertFirstKey(text, "x", `${'{"x":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`),
  "only brackets": () => "[".repeat(DEPTH),
} satisfies Record<string, (text: string, at: number) => string>;

/** Changes that each take milliseconds to apply. */
export const SLOW_DAMAGES: readonly (keyof typeof DAMAGE_KINDS)[] = ["deep list", "deep object", "only brackets"];

/** Applies changes one after another. Once the document is invalid JSON, changes that have to parse it are skipped. */
export function applyDamages(text: string, damages: readonly TextDamage[]): string {
  let left = text;
  for (const { kind, at } of damages) {
    try {
      left = DAMAGE_KINDS[kind](left, at);
    } catch {
      // An earlier change made the document invalid.
    }
  }
  return left;
}
