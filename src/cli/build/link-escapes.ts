import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import { isInsideFolder } from "../../hosts/follow-links.ts";
import { homedir } from "../../system/home.ts";

/** Names of files and directories that mark a project's root directory. */
const PROJECT_MARKERS = [".git", "package.json"];

/**
 * Finds the project that contains a directory, or returns the directory itself. A home directory under version control
 * doesn't count as a project.
 */
function findProjectFolder(folder: string): string {
  for (let at = folder; at !== homedir() && at !== dirname(at); at = dirname(at))
    if (PROJECT_MARKERS.some((name) => existsSync(join(at, name)))) return at;
  return folder;
}

/**
 * Returns the real path if a path in the directory's project leads out of the project through a link, otherwise
 * undefined. Content embedded through such a link wouldn't be the project's own.
 */
function findLinkEscape(folder: string, path: string): string | undefined {
  if (!existsSync(resolve(folder, path))) return undefined;
  const project = findProjectFolder(realpathSync(folder));
  const realPath = realpathSync(resolve(folder, path));
  return isInsideFolder(project, resolve(realpathSync(folder), path)) && !isInsideFolder(project, realPath)
    ? realPath
    : undefined;
}

const formatEscapeProblem = (path: string, to: string) =>
  `"${path}" is a link to "${to}", outside the project; replace the link with a copy of the file`;

/** Explains why a file can't be embedded with a hook. */
export function checkCarriedFile(folder: string, path: string): string | undefined {
  if (!orAbsent(() => statSync(join(folder, path)))?.isFile()) return `no file ${path} in the module's directory`;
  const to = findLinkEscape(folder, path);
  return to && formatEscapeProblem(path, to);
}

/**
 * Explains why an import can't be followed. A link to a module outside the project is allowed, because users place
 * source code there on purpose.
 * @param use "run" for an imported module, "read" for a file whose content is embedded
 */
export function checkImport(folder: string, path: string, use: "run" | "read"): string | undefined {
  const to = findLinkEscape(folder, path);
  const isModule = to !== undefined && use === "run" && (/\.[cm]?[jt]sx?$/.test(to) || statSync(to).isDirectory());
  return to === undefined || isModule ? undefined : formatEscapeProblem(path, to);
}
