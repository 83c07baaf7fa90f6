import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isUnder } from "../../hosts/follow-links.ts";
import { homedir } from "../../run/home.ts";

/** What lies at the top of a project. */
const PROJECT_MARKERS = [".git", "package.json"];

/** The project that a folder is in; without one, the folder itself. A home directory that is kept in git is not a project. */
function findProjectFolder(folder: string): string {
  for (let at = folder; at !== homedir() && at !== dirname(at); at = dirname(at))
    if (PROJECT_MARKERS.some((name) => existsSync(join(at, name)))) return at;
  return folder;
}

/**
 * Where a path leads that lies in the project of a folder and, by a link on its way, leads out of it: what is compiled in there is
 * not what people see in the project. Nothing for any other path.
 */
function findLinkEscape(folder: string, path: string): string | undefined {
  if (!existsSync(resolve(folder, path))) return undefined;
  const project = findProjectFolder(realpathSync(folder));
  const real = realpathSync(resolve(folder, path));
  return isUnder(project, resolve(realpathSync(folder), path)) && !isUnder(project, real) ? real : undefined;
}

const formatEscapeProblem = (path: string, to: string) =>
  `"${path}" leads out of the project, to "${to}"; put a copy of the file in the place of the link`;

/** Why a file that a hook takes along can't be compiled in. */
export function checkCarriedFile(folder: string, path: string): string | undefined {
  if (!statSync(join(folder, path), { throwIfNoEntry: false })?.isFile())
    return `there is no file ${path} beside this module`;
  const to = findLinkEscape(folder, path);
  return to && formatEscapeProblem(path, to);
}

/**
 * Why an import can't be followed. A link to a module elsewhere is: people put that source there, and it runs as such.
 * @param runs whether it is imported as a module, where it is one.
 */
export function checkImport(folder: string, path: string, runs: boolean): string | undefined {
  const to = findLinkEscape(folder, path);
  const isModule = to !== undefined && runs && (/\.[cm]?[jt]sx?$/.test(to) || statSync(to).isDirectory());
  return to === undefined || isModule ? undefined : formatEscapeProblem(path, to);
}
