import { existsSync } from "../system/files.ts";
import { delimiter, isAbsolute, resolve, win32 } from "../system/paths.ts";
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

/** Where Git for Windows is installed for all users [docs https://github.com/git-for-windows/git/wiki]. */
const GIT_FOLDERS = ["C:\\Program Files\\Git", "C:\\Program Files (x86)\\Git"];

/**
 * Git Bash by the installation of Git for Windows: beside the git on PATH (`Git\cmd\git.exe`), or where it is put by
 * default. A `bash.exe` on PATH may be WSL's, which runs in another system.
 */
export function findGitBash(path?: string, find = findProgram, exists: (file: string) => boolean = existsSync): string {
  const git = find("git.exe", { path });
  const own = git === undefined ? [] : ["..\\..", "..\\..\\.."].map((up) => win32.resolve(git, up));
  const files = [...own, ...GIT_FOLDERS].map((folder) => win32.join(folder, "bin\\bash.exe"));
  return files.find(exists) ?? (files.at(-2) as string);
}
