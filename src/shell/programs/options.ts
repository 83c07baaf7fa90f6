import type { Program } from "./program.ts";

/**
 * Meaning of an option's value.
 * - "code": code in the program's language, or a pattern
 * - "source": a file with code
 * - "shell": a shell script
 * - "uses": a file that is used but not shown, such as a key
 * - "makes": a key file to create
 * - "into": the directory that receives the operands
 * - "fills": the directory that receives an archive's contents
 * - "attached": a value in the same word only
 * - "none": no value
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

/** Kinds of option values that have their own field in a program's row. */
const LISTED_KINDS = [
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

/** Kind of value that each option takes, by option name. */
export type OptionTable = ReadonlyMap<string, ValueKind>;

const NO_OPTIONS: OptionTable = new Map();
const optionTables = new WeakMap<Program, OptionTable>();

/** Returns the options of a program. The table is built on first use. */
export function getOptionTable(program: Program | undefined): OptionTable {
  if (!program) return NO_OPTIONS;
  let table = optionTables.get(program);
  if (!table) optionTables.set(program, (table = buildOptionTable(program)));
  return table;
}

function buildOptionTable(program: Program): OptionTable {
  const table = new Map<string, ValueKind>();
  const [shortOptions = "", ...longOptions] = (program.options ?? "").split(" ");
  for (const [, letter, colons] of shortOptions.matchAll(/([^:])(:*)/g))
    table.set(`-${letter}`, colons === "" ? "none" : colons === ":" ? "text" : "attached");
  for (const name of longOptions) table.set(name.replace("=", ""), name.endsWith("=") ? "text" : "none");
  for (const kind of LISTED_KINDS) for (const name of program[kind]?.split(" ") ?? []) table.set(name, kind);
  return table;
}

/** Whether an option's value may be the next word. */
export const mayTakeNextWord = (kind: ValueKind | undefined): boolean =>
  kind !== undefined && kind !== "none" && kind !== "attached";

/** A parsed option such as `-u` or `--user`, with its optional value. */
export interface ParsedOption {
  name: string;
  value?: string;
  /** Number of words that the option takes up. An unknown option may take up one more. */
  words: 1 | 2;
  isKnown: boolean;
}

/** Maximum length of a word to parse as bundled options. */
const MAX_BUNDLED_LENGTH = 32;

/** Completes an abbreviated long option the way getopt does: `--comm` to `--command`. */
function completeOptionName(name: string, table: OptionTable): string {
  if (table.has(name) || name.length < MIN_PREFIX_LENGTH) return name;
  let completedName = name;
  for (const optionName of table.keys())
    if (optionName.startsWith(name)) {
      if (completedName !== name) return name;
      completedName = optionName;
    }
  return completedName;
}
const MIN_PREFIX_LENGTH = "--x".length;

/**
 * Parses the options in a word as getopt does. The word is either a bundle of letters (`-xvf`), in which only the last
 * option may have a value, or a long option. A long option may start with a single dash.
 */
export function readOptionsAt(words: readonly string[], at: number, table: OptionTable): ParsedOption[] {
  const word = words[at] as string;
  const isLong = word.startsWith("--");
  // Go programs also accept a single dash: `-exec=x`.
  const equals = word.indexOf("=");
  const isGlued = !isLong && equals > 2 && table.has(word.slice(0, equals));
  if (isLong || isGlued || table.has(word)) {
    const name = isGlued
      ? word.slice(0, equals)
      : isLong
        ? completeOptionName(equals > 0 ? word.slice(0, equals) : word, table)
        : word;
    if (equals > 0 && (isLong || isGlued)) return [{ name, value: word.slice(equals + 1), words: 1, isKnown: true }];
    const kind = table.get(name);
    if (mayTakeNextWord(kind)) return [{ name, value: words[at + 1], words: 2, isKnown: true }];
    return [{ name, words: 1, isKnown: kind !== undefined }];
  }
  const options: ParsedOption[] = [];
  for (let i = 1; i < Math.min(word.length, MAX_BUNDLED_LENGTH); i++) {
    const name = `-${word[i]}`;
    const kind = table.get(name);
    if (kind !== undefined && kind !== "none") {
      const value = word.slice(i + 1);
      const isAttached = value !== "" || kind === "attached";
      options.push({ name, value: isAttached ? value : words[at + 1], words: isAttached ? 1 : 2, isKnown: true });
      break;
    }
    options.push({ name, words: 1, isKnown: kind !== undefined });
  }
  return options;
}

/**
 * Returns the options in a word and the number of words they take up. Returns undefined if an option is unknown,
 * because the rest of the word or the next word may be its value.
 */
export function readKnownOptions(
  words: readonly string[],
  at: number,
  table: OptionTable,
): { names: readonly string[]; words: 1 | 2 } | undefined {
  const word = words[at] as string;
  const wordKind = table.get(word);
  if (wordKind !== undefined) return { names: [word], words: mayTakeNextWord(wordKind) ? 2 : 1 };
  const options = readOptionsAt(words, at, table);
  return options.length > 0 && options.every(({ isKnown }) => isKnown)
    ? { names: options.map(({ name }) => name), words: options.at(-1)?.words ?? 1 }
    : undefined;
}

/** Returns the index of the first word after the options. `--` ends the options. */
export function skipOptions(words: readonly string[], start: number, table: OptionTable): number {
  let at = start;
  while (/^-./.test(words[at] ?? "")) {
    if (words[at] === "--") return at + 1;
    at += readOptionsAt(words, at, table).at(-1)?.words ?? 1;
  }
  return at;
}

/** Returns the last option in a word. Only the last option may have a value: `-m` in `-am`, `--rsh` in `--rsh=x`. */
export const readLastOption = (
  word: string,
  nextWord: string | undefined,
  table: OptionTable,
): ParsedOption | undefined =>
  word.length > 1 && (word.startsWith("-") || table.has(word))
    ? readOptionsAt(nextWord === undefined ? [word] : [word, nextWord], 0, table).at(-1)
    : undefined;

/** Whether a word ends with an option of a certain kind that takes the next word as its value: `-m` in `-am`. */
export function isValueInNextWord(
  table: OptionTable,
  word: string,
  isExpectedKind: (kind: ValueKind) => boolean,
): boolean {
  const option = readLastOption(word, undefined, table);
  const kind = option?.words === 2 ? table.get(option.name) : undefined;
  return kind !== undefined && isExpectedKind(kind);
}
