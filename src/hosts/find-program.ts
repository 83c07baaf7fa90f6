import { delimiter, isAbsolute, resolve } from "node:path";
import { followLinks, isUnder } from "./follow-links.ts";

/**
 * The folders of PATH in which no project puts programs: the absolute ones that are there, and in none of `roots`, by their names and
 * with links followed.
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
 * A program's full path: a name is looked up on PATH, of which neither the folders of `roots` nor relative and empty entries count.
 * Windows, and every system with such an entry, would start what lies by that name in the current folder, which may be a clone.
 */
export function findProgram(
  program: string,
  { roots = [], path }: { roots?: readonly string[]; path?: string | undefined } = {},
) {
  return /[\\/]/.test(program) ? program : (Bun.which(program, { PATH: filterPathVariable(roots, path) }) ?? undefined);
}

/** A program of Windows; its folder is fixed, since a project may set the variables that name it. */
export const systemProgram = (name: string): string => `C:\\Windows\\System32\\${name}.exe`;
