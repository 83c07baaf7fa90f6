import { listFileRows } from "./files.ts";
import { listGitRows } from "./git.ts";
import { listLanguageRows } from "./languages.ts";
import { getOptionTable, mayTakeNextWord, readKnownOptions, type ValueKind } from "./options.ts";
import type { OperandFiles, Program, ProgramRows, Wrapper } from "./program.ts";
import { listServiceRows } from "./services.ts";
import { listWrapperRows } from "./wrappers.ts";

/** The rows of all programs. */
export const listProgramRows = (): ProgramRows => [
  ...listWrapperRows(),
  ...listLanguageRows(),
  ...listFileRows(),
  ...listGitRows(),
  ...listServiceRows(),
];

let table: { rows: ProgramRows; names: string } | undefined;

/** The rows with all names in one text, a line a row with its number: a call asks about some of its hundreds. */
function buildTable(): { rows: ProgramRows; names: string } {
  const rows = listProgramRows();
  let names = "";
  for (let at = 0; at < rows.length; at++) {
    const [row, , of] = rows[at] as ProgramRows[number];
    const before = of === undefined ? "" : `${of} `;
    names += `\n${at}\t${before}${row.replaceAll(" ", `\t${before}`)}\t`;
  }
  return { rows, names };
}

const knownPrograms = new Map<string, Program | undefined>();

/** Looks up a program by name, or a subcommand by both names: "git add". The table is built on first use. */
export function lookUpProgram(name: string): Program | undefined {
  if (knownPrograms.has(name)) return knownPrograms.get(name);
  if (/[\t\n]/.test(name)) return undefined;
  const { rows, names } = (table ??= buildTable());
  const at = names.indexOf(`\t${name}\t`);
  const row = at < 0 ? undefined : rows[Number.parseInt(names.slice(names.lastIndexOf("\n", at) + 1), 10)];
  const found = row?.[1];
  if (knownPrograms.size >= MOST_KNOWN) knownPrograms.clear();
  knownPrograms.set(name, found);
  return found;
}
/** A resident process may be asked about any names. */
const MOST_KNOWN = 2_000;

/** A program's name without its directory and `.exe`: `/bin/rm` is `rm`. */
export const getProgramName = (program: string): string =>
  program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1).replace(/\.exe$/i, "");

/** Whether a program runs shell text: `bash`, `/bin/sh`. */
export const isShell = (name: string): boolean => lookUpProgram(name)?.isShell === true;

export const getWrapper = (name: string): Wrapper | undefined => lookUpProgram(name)?.wrapper;

/** What a program does with the files in its arguments; undefined if unknown. */
export const getOperandFiles = (name: string): OperandFiles | undefined => lookUpProgram(name)?.files;

/** The program with its own language under this name; Python's name may include a version. */
export const getLanguageProgram = (name: string): Program | undefined =>
  lookUpProgram(name) ??
  (name.startsWith("python") && /^python[\d.]+$/.test(name) ? lookUpProgram("python") : undefined);

/** What the options of all programs begin with. */
const DASH = 45;
const SLASH = 47;

/**
 * What an option's next word means to a program, if it is the option's value: `optionKind("ssh", "-i")` is "uses".
 * Undefined if the option takes no value, takes it only in the same word, or is unknown. For a subcommand's options
 * pass both names: "git push".
 */
export function optionKind(program: string, option: string): ValueKind | undefined {
  // Each word of a command is asked about, and most are operands.
  const first = option.charCodeAt(0);
  if (first !== DASH && first !== SLASH) return undefined;
  const kind = getOptionTable(getLanguageProgram(program)).get(option);
  return mayTakeNextWord(kind) ? kind : undefined;
}

/**
 * The options in the word at an index, and how many words they take up with their values; undefined if one of them is
 * unknown, so that the next word may be its value.
 */
export const knownOptions = (
  program: string,
  args: readonly string[],
  at: number,
): { names: readonly string[]; words: 1 | 2 } | undefined =>
  readKnownOptions(args, at, getOptionTable(getLanguageProgram(program)));

/** Whether a program is an interpreter of its own language: `node`, `python3.12`; shells don't count. */
export const isInterpreter = (program: string): boolean => getLanguageProgram(program)?.isInterpreter === true;

/** Whether a program runs others by their package names: `npx`, `pnpm`. */
export const runsPackages = (program: string): boolean => lookUpProgram(program)?.runsPackages === true;

/** Whether a program's first operand is a pattern, or code in its own language: `grep x file`, `jq . file`. */
export function takesPattern(program: string): boolean {
  const { files, code, source } = lookUpProgram(program) ?? {};
  return files?.skip === 1 && (code ?? source) !== undefined;
}
