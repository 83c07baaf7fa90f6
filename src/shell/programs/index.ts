import { createNameTest, listProgramNames } from "./names.ts";
import { getOptionTable, mayTakeNextWord, readKnownOptions, type ValueKind } from "./options.ts";
import type { OperandFiles, Program, Wrapper } from "./program.ts";
import { ROW_NAMES } from "./row-names.build.ts";
import { ROW_GROUPS } from "./rows.ts";

/** Row groups that have been loaded. */
const loadedGroups: (readonly Program[] | undefined)[] = [];

/** Finds a name's row without loading the other groups, because a call looks up only a few names. */
function findProgramRow(name: string): Program | undefined {
  const at = ROW_NAMES.indexOf(`\t${name}\t`);
  if (at < 0) return undefined;
  const line = ROW_NAMES.lastIndexOf("\n", at) + 1;
  const group = ROW_NAMES.charCodeAt(line) - ZERO_CODE;
  const rows = (loadedGroups[group] ??= Object.values(ROW_GROUPS[group]?.() ?? {}));
  return rows[Number.parseInt(ROW_NAMES.slice(line + 2), 10)];
}
const ZERO_CODE = 48;

const knownPrograms = new Map<string, Program | undefined>();

/** Looks up a program by name, or a subcommand by its full name: "git add". */
export function lookUpProgram(name: string): Program | undefined {
  if (knownPrograms.has(name)) return knownPrograms.get(name);
  const program = findProgram(name);
  if (knownPrograms.size >= MAX_CACHED_PROGRAMS) knownPrograms.clear();
  knownPrograms.set(name, program);
  return program;
}
/** Maximum cache size. A long-running process may look up an unlimited number of names. */
const MAX_CACHED_PROGRAMS = 2_000;

function findProgram(name: string): Program | undefined {
  const tableName = getTableName(name);
  return tableName === undefined ? undefined : findProgramRow(tableName);
}

/** Returns a program's name in the table. Subcommands ("git add") are looked up only by their exact name. */
export function getTableName(name: string): string | undefined {
  if (name.includes("\t") || name.includes("\n")) return undefined;
  return (name.includes(" ") ? [name] : listProgramNames(name)).find(
    (candidate) => findProgramRow(candidate) !== undefined,
  );
}

/** Lists the programs in the table that match a wildcard. Subcommands are excluded. */
export function listMatchingPrograms(pattern: string): string[] {
  allNames ??= ROW_NAMES.split(/[\t\n]/).filter((name) => name !== "" && !/ |^\d+\.\d+$/.test(name));
  return allNames.filter(createNameTest(pattern));
}
let allNames: readonly string[] | undefined;

/** Returns a name with the table's capitalization. A name that isn't in the table is returned unchanged. */
export function toTableCase(name: string): string {
  const lowerName = name.toLowerCase();
  return lowerName !== name && !findProgramRow(name) && findProgramRow(lowerName) ? lowerName : name;
}

/** Whether a program runs shell scripts: `bash`, `/bin/sh`. */
export const isShell = (name: string): boolean => lookUpProgram(name)?.isShell === true;

export const getWrapper = (name: string): Wrapper | undefined => lookUpProgram(name)?.wrapper;

/** Returns how a program uses the files in its arguments. Undefined if unknown. */
export const getOperandFiles = (name: string): OperandFiles | undefined => lookUpProgram(name)?.files;

/** Codes of the characters that an option can start with. */
const DASH_CODE = 45;
const SLASH_CODE = 47;

/**
 * If the word after an option is the option's value, returns the meaning of that value: `optionKind("ssh", "-i")` is
 * "uses". Returns undefined if the option is unknown, takes no value, or takes its value only in the same word. For
 * options of a subcommand, pass the program and the subcommand: "git push".
 */
export function optionKind(program: string, option: string): ValueKind | undefined {
  // Return early: this function runs for every word, and most words are operands.
  const firstCode = option.charCodeAt(0);
  if (firstCode !== DASH_CODE && firstCode !== SLASH_CODE) return undefined;
  const kind = getOptionTable(lookUpProgram(program)).get(option);
  return mayTakeNextWord(kind) ? kind : undefined;
}

/**
 * Returns the options in the word at an index, and how many words they take up including their values. Returns
 * undefined if an option is unknown, because the next word may be its value.
 */
export const knownOptions = (
  program: string,
  args: readonly string[],
  at: number,
): { names: readonly string[]; words: 1 | 2 } | undefined =>
  readKnownOptions(args, at, getOptionTable(lookUpProgram(program)));

/** Whether a program interprets a programming language: `node`, `python3.12`. False for shells. */
export const isInterpreter = (program: string): boolean => lookUpProgram(program)?.isInterpreter === true;

/** Whether a program runs other programs by package name: `npx`, `pnpm`. */
export const runsPackages = (program: string): boolean => lookUpProgram(program)?.runsPackages === true;

/** Whether a program's first operand is a pattern or code: `grep x file`, `jq . file`. */
export function takesPattern(program: string): boolean {
  const { files, code, source } = lookUpProgram(program) ?? {};
  return files?.leadingOperands === 1 && (code ?? source) !== undefined;
}
