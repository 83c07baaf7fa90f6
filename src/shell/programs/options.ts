import type { Program } from "./program.ts";

/**
 * The meaning of an option's value. "code": code in the program's own language, or a pattern; "source": a file of such
 * code; "shell": a text for a shell; "uses": a file that it uses without showing it (a key); "makes": a key that it
 * creates; "into": the directory for its operands; "fills": the directory for what an archive
 * holds; "attached": a value in the same word only; "none": no value.
 */
export type ValueKind =
  | "code"
  | "source"
  | "shell"
  | "reads"
  | "writes"
  | "into"
  | "fills"
  | "uses"
  | "makes"
  | "settings"
  | "folder"
  | "mounts"
  | "text"
  | "attached"
  | "none";

/** The kinds that have a list of options. */
const LISTED = [
  "code",
  "source",
  "shell",
  "reads",
  "writes",
  "into",
  "fills",
  "uses",
  "makes",
  "settings",
  "folder",
  "mounts",
] as const satisfies readonly (ValueKind & keyof Program)[];

/** The kind of each option of a program, by option name. */
export type OptionTable = ReadonlyMap<string, ValueKind>;

const NO_OPTIONS: OptionTable = new Map();
const optionTables = new WeakMap<Program, OptionTable>();

/** The options of a program; built on first use. */
export function getOptionTable(program: Program | undefined): OptionTable {
  if (!program) return NO_OPTIONS;
  let table = optionTables.get(program);
  if (!table) optionTables.set(program, (table = buildOptionTable(program)));
  return table;
}

function buildOptionTable(program: Program): OptionTable {
  const table = new Map<string, ValueKind>();
  const [short = "", ...long] = (program.options ?? "").split(" ");
  for (const [, letter, colons] of short.matchAll(/([^:])(:*)/g))
    table.set(`-${letter}`, colons === "" ? "none" : colons === ":" ? "text" : "attached");
  for (const name of long) table.set(name.replace("=", ""), name.endsWith("=") ? "text" : "none");
  for (const kind of LISTED) for (const name of program[kind]?.split(" ") ?? []) table.set(name, kind);
  return table;
}

/** Whether an option's value may be the next word. */
export const mayTakeNextWord = (kind: ValueKind | undefined): boolean =>
  kind !== undefined && kind !== "none" && kind !== "attached";

/** One parsed option, e.g. `-u` or `--user`, with its value if it has one. */
export interface ReadOption {
  name: string;
  value?: string;
  /** The number of words that it takes; an unknown option may take one more. */
  words: 1 | 2;
  known: boolean;
}

/** A word with more letters than this is not a cluster of options. */
const MOST_LETTERS = 32;

/** The long option that a prefix of its name stands for, as in getopt: `--comm` is `--command`. */
function completeName(name: string, table: OptionTable): string {
  if (table.has(name) || name.length < SHORTEST_PREFIX) return name;
  let found = name;
  for (const known of table.keys())
    if (known.startsWith(name)) {
      if (found !== name) return name;
      found = known;
    }
  return found;
}
const SHORTEST_PREFIX = "--x".length;

/**
 * Parses the options in one word as getopt does: a cluster (`-xvf`), of which only the last may have a value, or a long
 * option, which may begin with a single dash.
 */
export function readOptionsAt(words: readonly string[], at: number, table: OptionTable): ReadOption[] {
  const word = words[at] as string;
  const isLong = word.startsWith("--");
  // Programs in Go have `-exec=x` as well.
  const equals = word.indexOf("=");
  const isGlued = !isLong && equals > 2 && table.has(word.slice(0, equals));
  if (isLong || isGlued || table.has(word)) {
    const name = isGlued
      ? word.slice(0, equals)
      : isLong
        ? completeName(equals > 0 ? word.slice(0, equals) : word, table)
        : word;
    if (equals > 0 && (isLong || isGlued)) return [{ name, value: word.slice(equals + 1), words: 1, known: true }];
    const kind = table.get(name);
    if (mayTakeNextWord(kind)) return [{ name, value: words[at + 1], words: 2, known: true }];
    return [{ name, words: 1, known: kind !== undefined }];
  }
  const found: ReadOption[] = [];
  for (let i = 1; i < Math.min(word.length, MOST_LETTERS); i++) {
    const name = `-${word[i]}`;
    const kind = table.get(name);
    if (kind !== undefined && kind !== "none") {
      const value = word.slice(i + 1);
      const isAttached = value !== "" || kind === "attached";
      found.push({ name, value: isAttached ? value : words[at + 1], words: isAttached ? 1 : 2, known: true });
      break;
    }
    found.push({ name, words: 1, known: kind !== undefined });
  }
  return found;
}

/**
 * The options in a word, and how many words they take up, if the table knows all of them; undefined if an unknown one
 * may have the rest, or the next word, as its value.
 */
export function readKnownOptions(
  words: readonly string[],
  at: number,
  table: OptionTable,
): { names: readonly string[]; words: 1 | 2 } | undefined {
  const word = words[at] as string;
  const whole = table.get(word);
  if (whole !== undefined) return { names: [word], words: mayTakeNextWord(whole) ? 2 : 1 };
  const read = readOptionsAt(words, at, table);
  return read.length > 0 && read.every(({ known }) => known)
    ? { names: read.map(({ name }) => name), words: read.at(-1)?.words ?? 1 }
    : undefined;
}

/** The index of the first word after options; a `--` ends them. */
export function skipOptions(words: readonly string[], start: number, table: OptionTable): number {
  let at = start;
  while (/^-./.test(words[at] ?? "")) {
    if (words[at] === "--") return at + 1;
    at += readOptionsAt(words, at, table).at(-1)?.words ?? 1;
  }
  return at;
}

/** The last option in a word, which alone may have a value: `-m` in `-am`, `--rsh` in `--rsh=x`. */
export const readLastOption = (word: string, next: string | undefined, table: OptionTable): ReadOption | undefined =>
  word.length > 1 && (word.startsWith("-") || table.has(word))
    ? readOptionsAt(next === undefined ? [word] : [word, next], 0, table).at(-1)
    : undefined;

/** Whether the word is, or ends with, an option of a certain kind whose value is the next word: `-m` in `-am`. */
export function isValueInNextWord(table: OptionTable, word: string, isKind: (kind: ValueKind) => boolean): boolean {
  const option = readLastOption(word, undefined, table);
  const kind = option?.words === 2 ? table.get(option.name) : undefined;
  return kind !== undefined && isKind(kind);
}
