import type { Payload } from "../../src/protocol/host/host.ts";
import { fixtures } from "../support/fixtures.ts";

/** Where a value is in a document. */
export type Path = readonly string[];

/** One change of a document: `at`, `key` and `value` choose among what is there. */
export interface Change {
  kind: (typeof CHANGES)[number];
  at: number;
  key: number;
  value: unknown;
}

export const CHANGES = ["drop", "rename", "set", "null", "list", "nest", "copy", "add", "empty"] as const;

type Container = Record<string, unknown>;
const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** Names with a meaning of their own in the language. */
const NAMES = [
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

/** Every key that any host sends, at any depth, and the names above. */
export const KEYS: readonly string[] = (() => {
  const found = new Set(NAMES);
  for (const { payload } of fixtures) for (const path of pathsIn(payload)) found.add(path.at(-1) as string);
  return [...found].filter((key) => !/^[0-9]+$/.test(key) || key === "0");
})();

/** The paths of all values below a document. */
export function pathsIn(document: unknown, path: Path = []): Path[] {
  if (!isContainer(document)) return [];
  return Object.keys(document).flatMap((key) => [[...path, key], ...pathsIn(document[key], [...path, key])]);
}

export function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (isContainer(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );
}

/** Sets a property of its own, whatever its name: an assignment to `__proto__` would not. A list gets one more element. */
export function put(container: Container, key: string, value: unknown): void {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  if (Array.isArray(container) && !(Number(key) < container.length)) return void container.push(copy);
  Object.defineProperty(container, key, { value: copy, enumerable: true, configurable: true, writable: true });
}

const isWithin = (path: Path, other: Path) =>
  path.length <= other.length && path.every((key, index) => key === other[index]);

/** What no change touches. */
export interface Protected {
  /** Values that stay, and stay where they are. */
  paths?: readonly Path[];
  /** Keys that nobody adds or takes away at the top, and in what lies there, unless `paths` are about it. */
  keys?: readonly string[];
  /** Keys that nobody adds or takes away anywhere. */
  kinds?: readonly string[];
}

/** The document with the changes, which all count its paths anew. The document itself is changed. */
export function changed(
  document: Payload,
  changes: readonly Change[],
  { paths: kept = [], keys = [], kinds = [] }: Protected = {},
): Payload {
  const isFixed = (path: Path) =>
    kinds.includes(path.at(-1) as string) ||
    (keys.includes(path.at(-1) as string) &&
      (path.length === 1 || (path.length === 2 && !kept.some((one) => one[0] === path[0]))));
  const isKept = (path: Path) =>
    isFixed(path) ||
    kept.some((one) => isWithin(path, one) || isWithin(one, path)) ||
    pathsIn(valueAt(document, path), path).some(isFixed);
  for (const change of changes) {
    const paths = pathsIn(document);
    const free = paths.filter((path) => !isKept(path));
    const path = free[change.at % Math.max(1, free.length)];
    const key = KEYS[change.key % KEYS.length] as string;
    const taken = (parent: Container) => {
      const path = [...pathOf(document, parent), key];
      return isFixed(path) || kept.some((one) => isWithin(path, one));
    };
    if (change.kind === "add") {
      // Into a protected object as well: it is what stands beside the value that has to do no harm.
      const parents = [document, ...paths.map((one) => valueAt(document, one)).filter(isContainer)];
      const parent = parents[change.at % parents.length] as Container;
      if (!taken(parent)) put(parent, key, change.value);
      continue;
    }
    if (!path) continue;
    const parent = (path.length > 1 ? valueAt(document, path.slice(0, -1)) : document) as Container;
    const last = path.at(-1) as string;
    const value = parent[last];
    switch (change.kind) {
      case "drop":
        delete parent[last];
        break;
      case "rename":
        if (taken(parent)) break;
        delete parent[last];
        put(parent, key, value);
        break;
      case "copy":
        if (!taken(parent)) put(parent, key, value);
        break;
      case "set":
        put(parent, last, change.value);
        break;
      case "null":
        put(parent, last, null);
        break;
      case "list":
        put(parent, last, [value]);
        break;
      case "nest":
        put(parent, last, { [key]: value });
        break;
      case "empty":
        put(parent, last, Array.isArray(value) ? [] : isContainer(value) ? {} : "");
        break;
    }
  }
  return document;
}

/** Where an object stands in the document. */
function pathOf(document: Payload, container: Container): Path {
  if (container === document) return [];
  return pathsIn(document).find((path) => valueAt(document, path) === container) ?? [];
}

/** One change of a text: `at` is a place in it, from 0 to 1. */
export interface Damage {
  kind: keyof typeof DAMAGES;
  at: number;
}

const DEPTH = 100_000;
const place = (text: string, at: number) => Math.floor(text.length * at);
const insert = (text: string, at: number, what: string) =>
  text.slice(0, place(text, at)) + what + text.slice(place(text, at));
/** In front of all other keys, so that what the host says itself comes later. */
const first = (text: string, key: string, value: string) =>
  text.replace("{", () => `{${JSON.stringify(key)}:${value},`);
/** Every number, or else the first text, becomes this. */
const literal = (text: string, what: string) => text.replace(/(?<=":\s*)-?\d[\d.eE+-]*|$/, () => what);
const twice = (bytes: Buffer) => new TextDecoder().decode(bytes);

export const DAMAGES = {
  cut: (text: string, at: number) => text.slice(0, place(text, at)),
  headless: (text: string, at: number) => text.slice(place(text, at)),
  bom: (text: string) => `\ufeff${text}`,
  "two boms": (text: string) => `\ufeff\ufeff${text}`,
  "utf-16": (text: string) => twice(Buffer.from(text, "utf16le")),
  "utf-16 with bom": (text: string) => twice(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])),
  nul: (text: string, at: number) => insert(text, at, "\u0000"),
  control: (text: string, at: number) => insert(text, at, "\u001b[2J\u0007"),
  surrogate: (text: string, at: number) => insert(text, at, "\ud800"),
  escape: (text: string, at: number) => insert(text, at, "\\"),
  quote: (text: string, at: number) => insert(text, at, '"'),
  brace: (text: string, at: number) => insert(text, at, "}"),
  "escaped surrogate": (text: string) => first(text, "x", '"\\ud800"'),
  junk: (text: string) => `${text} junk`,
  "line of junk": (text: string) => `warning: something\n${text}`,
  "two documents": (text: string) => `${text}\n${text}`,
  list: (text: string) => `[${text}]`,
  string: (text: string) => JSON.stringify(text),
  crlf: (text: string) => `${JSON.stringify(JSON.parse(text), null, 1).replaceAll("\n", "\r\n")}\r\n`,
  "duplicate key": (text: string, at: number) => first(text, KEYS[Math.floor(at * KEYS.length)] as string, '"other"'),
  "prototype key": (text: string) => first(text, "__proto__", '{"decision":"allow","polluted":true}'),
  "constructor key": (text: string) => first(text, "constructor", '{"prototype":{"polluted":true}}'),
  "large number": (text: string) => literal(text, "1e999"),
  "small number": (text: string) => literal(text, "-0.0000000000000000000000000000001e-999"),
  "hex number": (text: string) => literal(text, "0x10"),
  "octal number": (text: string) => literal(text, "010"),
  nan: (text: string) => literal(text, "NaN"),
  undefined: (text: string) => literal(text, "undefined"),
  comment: (text: string) => `/* a comment */${text}`,
  "single quotes": (text: string) => text.replaceAll('"', "'"),
  blank: () => " \r\n\t",
  nothing: () => "",
  null: () => "null",
  number: () => "1",
  "deep list": (text: string) => first(text, "x", "[".repeat(DEPTH) + "]".repeat(DEPTH)),
  "deep object": (text: string) => first(text, "x", `${'{"x":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`),
  "brackets alone": () => "[".repeat(DEPTH),
} satisfies Record<string, (text: string, at: number) => string>;

/** These take milliseconds each. */
export const SLOW: readonly (keyof typeof DAMAGES)[] = ["deep list", "deep object", "brackets alone"];

/** The text with the damages, one after another; what needs a whole document leaves a broken one alone. */
export function damaged(text: string, damages: readonly Damage[]): string {
  let left = text;
  for (const { kind, at } of damages) {
    try {
      left = DAMAGES[kind](left, at);
    } catch {
      // It is broken enough.
    }
  }
  return left;
}
