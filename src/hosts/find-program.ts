import { delimiter, isAbsolute, resolve } from "node:path";
import { followLinks, isUnder } from "./follow-links.ts";

/**
 * Returns the PATH directories in which a project can't put programs: those that are absolute, exist, and lie outside
 * of all `roots`, both by name and with links resolved.
 */
export function filterPathVariable(roots: readonly string[], path = process.env.PATH ?? ""): string {
  const within = roots.flatMap((root) => [resolve(root), followLinks(root) ?? []].flat());
  const isOutside = (folder: string) => !within.some((root) => isUnder(root, resolve(folder)));
  return path
    .split(delimiter)
    .filter((folder) => {
      const found = isAbsolute(folder) ? followLinks(folder) : undefined;
      return found !== undefined && isOutside(folder) && isOutside(found);
    })
    .join(delimiter);
}

/**
 * Returns a program's full path. A name is looked up on PATH, ignoring directories inside `roots` and relative or empty
 * entries. Windows, and every system with such an entry, would otherwise start a program of that name from the current
 * directory, which may be a clone.
 */
export function findProgram(
  program: string,
  { roots = [], path }: { roots?: readonly string[]; path?: string | undefined } = {},
) {
  return /[\\/]/.test(program) ? program : (Bun.which(program, { PATH: filterPathVariable(roots, path) }) ?? undefined);
}

/** The path of a Windows program. The directory is fixed, since a project may set the variables that name it. */
export const systemProgram = (name: string): string => `C:\\Windows\\System32\\${name}.exe`;
