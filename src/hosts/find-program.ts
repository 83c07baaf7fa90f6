import { existsSync } from "../system/files.ts";
import { delimiter, isAbsolute, resolve, win32 } from "../system/paths.ts";
import { followLinks, isInsideFolder } from "./follow-links.ts";

/**
 * Returns the absolute, existing PATH directories outside all `roots`, so a project can't plant programs there. Paths
 * are compared both as written and with symbolic links resolved.
 */
export function filterPathVariable(roots: readonly string[], path = process.env.PATH ?? ""): string {
  const projectFolders = roots.flatMap((root) => [resolve(root), followLinks(root) ?? []].flat());
  const isOutside = (folder: string) => !projectFolders.some((root) => isInsideFolder(root, resolve(folder)));
  return path
    .split(delimiter)
    .filter((folder) => {
      const realFolder = isAbsolute(folder) ? followLinks(folder) : undefined;
      return realFolder !== undefined && isOutside(folder) && isOutside(realFolder);
    })
    .join(delimiter);
}

/**
 * Returns a program's full path. A bare name is searched for on PATH, skipping directories inside `roots`. Relative and
 * empty PATH entries are also skipped, because they refer to the current directory, which might be an untrusted clone.
 * On its own, Windows would always search that directory first.
 */
export function findProgram(
  program: string,
  { roots = [], path }: { roots?: readonly string[]; path?: string | undefined } = {},
) {
  return /[\\/]/.test(program) ? program : (Bun.which(program, { PATH: filterPathVariable(roots, path) }) ?? undefined);
}

/**
 * Returns the path of a Windows system program. The directory is hard-coded, because a project could change the
 * environment variables that name it.
 */
export const systemProgram = (name: string): string => `C:\\Windows\\System32\\${name}.exe`;

/**
 * Default directories of a machine-wide Git for Windows installation [docs
 * https://github.com/git-for-windows/git/wiki].
 */
const GIT_FOLDERS = ["C:\\Program Files\\Git", "C:\\Program Files (x86)\\Git"];

/**
 * Finds Git Bash next to the `git.exe` on PATH (`Git\cmd\git.exe`) or in a default directory. A `bash.exe` on PATH
 * isn't used, because it might belong to WSL and run in a different system.
 */
export function findGitBash(path?: string, find = findProgram, exists: (file: string) => boolean = existsSync): string {
  const git = find("git.exe", { path });
  const gitFolders = git === undefined ? [] : ["..\\..", "..\\..\\.."].map((up) => win32.resolve(git, up));
  const files = [...gitFolders, ...GIT_FOLDERS].map((folder) => win32.join(folder, "bin\\bash.exe"));
  return files.find(exists) ?? (files.at(-2) as string);
}
