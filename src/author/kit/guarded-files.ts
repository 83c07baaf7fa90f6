import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { MachineContext } from "../../protocol/host/install.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { configSources, PROJECT_CONFIG } from "../../run/settings.ts";
import { stateDirectory } from "../../run/state-directory.ts";
import { git } from "./git.ts";

/** The files of a `Guarded`. */
export interface GuardedFiles {
  /** Whole paths; a folder ends in "/". */
  wholePaths: readonly string[];
  /** What a path ends in; a folder ends in "/". */
  pathEndings: readonly string[];
  /** Folders in which an ending means the session's own file. */
  baseFolders: readonly string[];
  /** What comes of these, made when it is first asked: a call may be about thousands of files. */
  getNames: () => GuardedNames;
  getSessionFiles: () => SessionFiles;
  /** What the system knows folders by; each is asked once. */
  folderIds: Map<string, string | undefined>;
}

/** The names of the table, as paths are compared with them. */
interface GuardedNames {
  whole: readonly string[];
  endings: readonly string[];
  /** How endings begin: a path without any of these steps has no such ending. */
  steps: ReadonlySet<string>;
}

/** The session's own files, as paths are compared with them. */
interface SessionFiles {
  /** All of them, there or not, by their names and where links lead; the name ends in "/". */
  namedFiles: readonly { path: string; name: string }[];
  /** Those names, each behind a newline: most folders are no part of it. */
  allNames: string;
  /** What folders called ".host" hold: how the folder's path ends, and what is in it. */
  parts: readonly { end: string; rest: string }[];
  /** The last steps of these folders. */
  lastSteps: ReadonlySet<string>;
  /** What the system knows files and folders by. */
  fileIds: ReadonlySet<string>;
  folderIds: ReadonlySet<string>;
  /** Whether a folder is one of those, or lies in one; each is asked once. */
  insideByFolder: Map<string, boolean>;
}

export function buildGuardedFiles(
  cwd: string,
  { home, platform, env }: Pick<MachineContext, "home" | "platform" | "env">,
): GuardedFiles {
  const files = [
    ...hostRegistry.flatMap((host) => host.hookControls.files({ home, platform, env })),
    `**/${PROJECT_CONFIG}`,
    ...configSources(cwd).flatMap(({ scope, path }) => (scope === "project" ? [] : [`${dirname(path)}/`])),
    `${stateDirectory(env)}/`,
    process.execPath,
  ];
  const folders = [home, cwd, git({ cwd })?.root ?? ""].filter(Boolean);
  const whole = files.filter((file) => !file.startsWith("**/"));
  const endings = files.filter((file) => file.startsWith("**/")).map((file) => file.slice(3));
  const bases = [...new Set(folders)];
  let names: GuardedNames | undefined;
  let own: SessionFiles | undefined;
  return {
    wholePaths: whole,
    pathEndings: endings,
    baseFolders: bases,
    getNames: () => (names ??= buildGuardedNames(whole.map(toComparablePath), endings.map(toComparablePath))),
    getSessionFiles: () => (own ??= buildSessionFiles({ wholePaths: whole, pathEndings: endings, baseFolders: bases })),
    folderIds: new Map(),
  };
}

const buildGuardedNames = (whole: readonly string[], endings: readonly string[]): GuardedNames => ({
  whole,
  endings,
  steps: new Set(endings.map((ending) => ending.split("/", 1)[0] as string)),
});

function buildSessionFiles(table: Pick<GuardedFiles, "wholePaths" | "pathEndings" | "baseFolders">): SessionFiles {
  const { wholePaths, pathEndings, baseFolders } = table;
  const files = listSessionFiles(table);
  const named = [...wholePaths, ...baseFolders.flatMap((base) => pathEndings.map((ending) => join(base, ending)))];
  const linked = files
    .filter((path) => existsSync(path))
    .map((path) => ({ path, name: toComparableFolder(realpathSync(path)) }));
  const idsOf = (list: string[]) => new Set(list.flatMap((file) => readFileId(file) ?? []));
  const below = [...named.map((path) => ({ path, name: toComparableFolder(path) })), ...linked];
  const parts = pathEndings.flatMap((ending) =>
    [...ending.matchAll(/\/(?=.)/g)].map(({ index }) => ({
      end: toComparablePath(`/${ending.slice(0, index + 1)}`),
      rest: ending.slice(index + 1),
    })),
  );
  return {
    namedFiles: below,
    allNames: below.map(({ name }) => `\n${name}`).join(""),
    parts,
    lastSteps: new Set(parts.map(({ end }) => getLastStep(end))),
    fileIds: idsOf(files.filter((file) => !file.endsWith("/"))),
    folderIds: idsOf(files.filter((file) => file.endsWith("/"))),
    insideByFolder: new Map(),
  };
}

/** A path as it is compared: some systems make no difference between large and small letters. */
export const toComparablePath = (path: string) => path.replaceAll("\\", "/").toLowerCase();
export const toComparableFolder = (path: string) => toComparablePath(join(path, "/"));
/** The last step of a folder's path, which ends in "/". */
const getLastStep = (folder: string) => folder.slice(folder.lastIndexOf("/", folder.length - 2));

/** Whether a path is one that the table names, or lies in one, by whatever name. */
export function isGuarded(table: GuardedFiles, path: string): boolean {
  const { whole, endings, steps } = table.getNames();
  const given = toComparablePath(path);
  const isPart = (file: string) => (file.endsWith("/") ? `${given}/`.startsWith(file) : given === file);
  const endsIn = (ending: string) =>
    ending.endsWith("/") ? `${given}/`.includes(`/${ending}`) : given.endsWith(`/${ending}`);
  if (whole.some(isPart) || (given.split("/").some((step) => steps.has(step)) && endings.some(endsIn))) return true;
  // A person may keep such a file elsewhere, with a link in its place.
  const id = readFileId(path, table.folderIds);
  if (id === undefined) return false;
  const own = table.getSessionFiles();
  return own.fileIds.has(id) || own.folderIds.has(id) || isInSessionFolder(own, dirname(path));
}

/** Whether a folder is one of the own folders, or lies in one, by whatever name. */
function isInSessionFolder(own: SessionFiles, folder: string): boolean {
  const known = own.insideByFolder.get(folder);
  if (known !== undefined) return known;
  const above = dirname(folder);
  const is = above !== folder && (own.folderIds.has(readFileId(folder) ?? "") || isInSessionFolder(own, above));
  own.insideByFolder.set(folder, is);
  return is;
}

/** Whether a file is part of the table, or a link, which may lead to one; also where the system doesn't say. */
export function mayLeadToGuarded(table: GuardedFiles, file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true || isGuarded(table, file);
  } catch {
    return true;
  }
}

/** The session's own files, of those folders that are there. */
function listSessionFiles({
  wholePaths,
  pathEndings,
  baseFolders,
}: Pick<GuardedFiles, "wholePaths" | "pathEndings" | "baseFolders">): string[] {
  const first = (ending: string) => ending.slice(0, ending.indexOf("/") + 1) || ending;
  const steps = [...new Set(pathEndings.map(first))];
  const own = baseFolders.flatMap((base) => {
    const there = steps.filter((step) => existsSync(join(base, step)));
    return pathEndings.filter((ending) => there.includes(first(ending))).map((ending) => join(base, ending));
  });
  return [...wholePaths, ...own];
}

/** What the system knows a file by, whatever its name; of one that is not there, its folder and its name. */
function readFileId(path: string, folders?: GuardedFiles["folderIds"]): string | undefined {
  const found = readStats(path);
  if (found) return `${found.dev} ${found.ino}`;
  const above = dirname(path);
  let folder = folders?.get(above);
  if (folder === undefined && !folders?.has(above)) {
    const stat = readStats(above);
    folder = stat && `${stat.dev} ${stat.ino}`;
    folders?.set(above, folder);
  }
  return folder && `${folder}/${toComparablePath(basename(path))}`;
}

function readStats(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The session's own files that lie in a folder, by its name or where links lead, whether or not they are there. */
export function listFilesBelow(table: GuardedFiles, folder: string): string[] {
  const above = toComparableFolder(folder);
  const { allNames, namedFiles } = table.getSessionFiles();
  if (!allNames.includes(`\n${above}`)) return [];
  return [...new Set(namedFiles.flatMap(({ path, name }) => (name.startsWith(above) ? [path] : [])))];
}

/** What a folder called ".host" may hold, wherever it is. */
export function listPossibleParts(table: GuardedFiles, path: string): string[] {
  const folder = join(path, "/");
  const given = toComparablePath(`/${folder}`);
  const { parts, lastSteps } = table.getSessionFiles();
  return lastSteps.has(getLastStep(given))
    ? parts.flatMap(({ end, rest }) => (given.endsWith(end) ? [folder + rest] : []))
    : [];
}
