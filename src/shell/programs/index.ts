import { createNameTest, listProgramNames } from "./names.ts";
import { getOptionTable, mayTakeNextWord, readKnownOptions, type ValueKind } from "./options.ts";
import type { OperandFiles, Program, Wrapper } from "./program.ts";
import { ROW_NAMES } from "./row-names.build.ts";
import { ROW_GROUPS } from "./rows.ts";

/** Groups of rows that have been loaded. */
const knownGroups: (readonly Program[] | undefined)[] = [];

/** Finds the row of a name without loading the other groups, since a call looks up only a few names. */
function findRow(name: string): Program | undefined {
  const at = ROW_NAMES.indexOf(`\t${name}\t`);
  if (at < 0) return undefined;
  const line = ROW_NAMES.lastIndexOf("\n", at) + 1;
  const group = ROW_NAMES.charCodeAt(line) - ZERO;
  const rows = (knownGroups[group] ??= Object.values(ROW_GROUPS[group]?.() ?? {}));
  return rows[Number.parseInt(ROW_NAMES.slice(line + 2), 10)];
}
const ZERO = 48;

const knownPrograms = new Map<string, Program | undefined>();

/** Looks up a program by name, or a subcommand by both names: "git add". */
export function lookUpProgram(name: string): Program | undefined {
  if (knownPrograms.has(name)) return knownPrograms.get(name);
  const found = findProgram(name);
  if (knownPrograms.size >= MAX_CACHED_PROGRAMS) knownPrograms.clear();
  knownPrograms.set(name, found);
  return found;
}
/** Maximum size of the cache, because a long-running process may look up any number of names. */
const MAX_CACHED_PROGRAMS = 2_000;

function findProgram(name: string): Program | undefined {
  const known = getTableName(name);
  return known === undefined ? undefined : findRow(known);
}

/** Returns the name under which the table lists a program. Subcommands ("git add") are only looked up as given. */
export function getTableName(name: string): string | undefined {
  if (name.includes("\t") || name.includes("\n")) return undefined;
  return (name.includes(" ") ? [name] : listProgramNames(name)).find((one) => findRow(one) !== undefined);
}

/** Lists the programs in the table that match a wildcard, without subcommands. */
export function listMatchingPrograms(pattern: string): string[] {
  allNames ??= ROW_NAMES.split(/[\t\n]/).filter((name) => name !== "" && !/ |^\d+\.\d+$/.test(name));
  return allNames.filter(createNameTest(pattern));
}
let allNames: readonly string[] | undefined;

/** Returns a name in the case that the table uses; names that aren't listed stay unchanged. */
export function toTableCase(name: string): string {
  const lower = name.toLowerCase();
  return lower !== name && !findRow(name) && findRow(lower) ? lower : name;
}

/** Whether a program runs shell scripts: `bash`, `/bin/sh`. */
export const isShell = (name: string): boolean => lookUpProgram(name)?.isShell === true;

export const getWrapper = (name: string): Wrapper | undefined => lookUpProgram(name)?.wrapper;

/** Returns how a program uses the files in its arguments; undefined if unknown. */
export const getOperandFiles = (name: string): OperandFiles | undefined => lookUpProgram(name)?.files;

/** The characters with which options start. */
const DASH = 45;
const SLASH = 47;

/**
 * Returns the meaning of the word after an option, if that word is the option's value: `optionKind("ssh", "-i")` is
 * "uses". Undefined if the option takes no value, takes it only in the same word, or is unknown. For options of a
 * subcommand, pass both names: "git push".
 */
export function optionKind(program: string, option: string): ValueKind | undefined {
  // A quick exit, because every word of a command is checked and most are operands.
  const first = option.charCodeAt(0);
  if (first !== DASH && first !== SLASH) return undefined;
  const kind = getOptionTable(lookUpProgram(program)).get(option);
  return mayTakeNextWord(kind) ? kind : undefined;
}

/**
 * Returns the options in the word at an index, and the number of words that they occupy with their values. Undefined if
 * one of them is unknown, because the next word may then be its value.
 */
export const knownOptions = (
  program: string,
  args: readonly string[],
  at: number,
): { names: readonly string[]; words: 1 | 2 } | undefined =>
  readKnownOptions(args, at, getOptionTable(lookUpProgram(program)));

/** Whether a program is the interpreter of a programming language: `node`, `python3.12`; not true of shells. */
export const isInterpreter = (program: string): boolean => lookUpProgram(program)?.isInterpreter === true;

/** Whether a program runs other programs by their package names: `npx`, `pnpm`. */
export const runsPackages = (program: string): boolean => lookUpProgram(program)?.runsPackages === true;

/** Whether a program's first operand is a pattern or code: `grep x file`, `jq . file`. */
export function takesPattern(program: string): boolean {
  const { files, code, source } = lookUpProgram(program) ?? {};
  return files?.skip === 1 && (code ?? source) !== undefined;
}
