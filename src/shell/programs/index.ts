import { fileRows } from "./files.ts";
import { gitRows } from "./git.ts";
import { languageRows } from "./languages.ts";
import { optionTable, takesWord, type ValueKind } from "./options.ts";
import type { Files, Program, Rows, Wrapper } from "./program.ts";
import { serviceRows } from "./services.ts";
import { wrapperRows } from "./wrappers.ts";

/** All that is known of programs. */
export const programRows = (): Rows => [
  ...wrapperRows(),
  ...languageRows(),
  ...fileRows(),
  ...gitRows(),
  ...serviceRows(),
];

let byName: Map<string, Program> | undefined;

/**
 * What is known of a program, by its name; of a subcommand, by both names: "git add". The table is made when it is
 * first asked.
 */
export function programOf(name: string): Program | undefined {
  if (byName) return byName.get(name);
  byName = new Map();
  for (const [names, program, of] of programRows())
    for (const one of names.split(" ")) byName.set(of === undefined ? one : `${of} ${one}`, program);
  return byName.get(name);
}

/** A program without its folder and `.exe`: `/bin/rm` is `rm`. */
export const nameOf = (program: string): string =>
  program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1).replace(/\.exe$/i, "");

/** Whether a program runs shell text: `bash`, `/bin/sh`. */
export const isShell = (name: string): boolean => programOf(name)?.isShell === true;

export const wrapperOf = (name: string): Wrapper | undefined => programOf(name)?.wrapper;

/** What a program does with the files in its arguments; nothing where it isn't known. */
export const filesUsedBy = (name: string): Files | undefined => programOf(name)?.files;

/** The program that takes code by this name: Python has its version in it. */
export const languageOf = (name: string): Program | undefined =>
  programOf(name) ?? (/^python[\d.]+$/.test(name) ? programOf("python") : undefined);

/**
 * What an option's next word is to a program, if that is its value: `optionKind("ssh", "-i")` is "uses". Nothing where
 * it has no
 * value, has it only in its own word, or isn't known. The options of a subcommand stand with both names: "git push".
 */
export function optionKind(program: string, option: string): ValueKind | undefined {
  const kind = optionTable(languageOf(program)).get(option);
  return takesWord(kind) ? kind : undefined;
}

/** Whether a program runs programs of a language of its own: `node`, `python3.12`; shells don't count. */
export const isInterpreter = (program: string): boolean => languageOf(program)?.isInterpreter === true;

/** Whether a program runs others by their packages' names: `npx`, `pnpm`. */
export const runsPackages = (program: string): boolean => programOf(program)?.runsPackages === true;

/** Whether a program's first operand is a pattern, or a program of its own language: `grep x file`, `jq . file`. */
export function takesPattern(program: string): boolean {
  const { files, code, source } = programOf(program) ?? {};
  return files?.skip === 1 && (code ?? source) !== undefined;
}
