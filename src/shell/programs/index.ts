import { files } from "./files.ts";
import { git } from "./git.ts";
import { languages } from "./languages.ts";
import type { Files, Program, Rows, Wrapper } from "./program.ts";
import { services } from "./services.ts";
import { wrappers } from "./wrappers.ts";

/** All that is known of programs. */
export const ROWS: Rows = [...wrappers, ...languages, ...files, ...git, ...services];

/** The rows by each of their names. */
const byName = new Map(
  ROWS.flatMap(([names, program, of]) =>
    names.split(" ").map((name) => [of === undefined ? name : `${of} ${name}`, program] as const),
  ),
);

/** What is known of a program, by its name; of a subcommand, by both names: "git add". */
export const programOf = (name: string): Program | undefined => byName.get(name);

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
