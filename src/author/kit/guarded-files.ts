import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { MachineContext } from "../../protocol/host/install.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { PROJECT_CONFIG } from "../../run/config-paths.ts";
import { listConfigSources } from "../../run/settings.ts";
import { getStateDirectory, getUsualStateDirectory } from "../../run/state-directory.ts";
import { comparablePath, expandShortNames, isWindowsPath } from "./comparable-path.ts";
import { git } from "./git.ts";

/** The files of a `Guarded`. */
export interface GuardedFiles {
  /** Absolute paths; a directory ends in "/". */
  wholePaths: readonly string[];
  /** Endings of paths; a directory ends in "/". */
  pathEndings: readonly string[];
  /** Directories in which a path ending means a file of this session. */
  baseFolders: readonly string[];
  /** The system that the paths are for. */
  platform: NodeJS.Platform;
  /** Derived data, computed on first use: a call may involve thousands of files. */
  getNames: () => GuardedNames;
  getSessionFiles: () => SessionFiles;
  getSessionIds: () => SessionIds;
  /** File system ids of directories, cached. */
  folderIds: Map<string, string | undefined>;
}

/** The names of the table, in comparable form. */
interface GuardedNames {
  whole: readonly string[];
  endings: readonly string[];
  /** The first segments of all endings: a path without any of them has no guarded ending. */
  steps: ReadonlySet<string>;
  /** Every segment of every name. */
  allSteps: () => ReadonlySet<string>;
}

/** The names of this session's files, in comparable form. */
interface SessionFiles {
  /** All of them, whether they exist or not, by path and by link target; the name ends in "/". */
  namedFiles: readonly { path: string; name: string }[];
  /** Those names, each after a newline, as a quick test: most directories are not among them. */
  allNames: string;
  /** Possible contents of directories like ".host": the end of the directory's path, and the rest of the file's. */
  parts: readonly { end: string; rest: string }[];
  /** The last segments of these directories. */
  lastSteps: ReadonlySet<string>;
}

/** What tells this session's files by any name. */
interface SessionIds {
  /** File system ids of files, and of directories. */
  fileIds: ReadonlySet<string>;
  folderIds: ReadonlySet<string>;
  /** Whether a directory is one of those or below one, cached. */
  insideByFolder: Map<string, boolean>;
}

/** The folder of exceptions is in the account's own home, wherever the environment says that home is. */
const EXCEPTIONS = "bridge-hooks/exceptions/";

export function buildGuardedFiles(
  cwd: string,
  { home, platform, env }: Pick<MachineContext, "home" | "platform" | "env">,
): GuardedFiles {
  const files = [
    ...hostRegistry.flatMap((host) => host.hookControls.files({ home, platform, env })),
    `**/${PROJECT_CONFIG}`,
    ...listConfigSources(cwd).flatMap(({ scope, path }) => (scope === "project" ? [] : [`${dirname(path)}/`])),
    // A trial keeps its own state elsewhere, and is asked about calls that are about the usual one.
    ...new Set([getStateDirectory(env), getUsualStateDirectory(env)].map((folder) => `${folder}/`)),
    process.execPath,
  ];
  const folders = [home, cwd, git({ cwd })?.root ?? ""].filter(Boolean);
  const whole = files.filter((file) => !file.startsWith("**/"));
  const endings = files.filter((file) => file.startsWith("**/")).map((file) => file.slice(3));
  const bases = [...new Set(folders)];
  const toComparable = (path: string) => comparablePath(path, platform);
  let names: GuardedNames | undefined;
  let session: SessionFiles | undefined;
  let ids: SessionIds | undefined;
  const table = { wholePaths: whole, pathEndings: endings, baseFolders: bases };
  return {
    ...table,
    platform,
    getNames: () =>
      (names ??= buildGuardedNames(...[whole, [...endings, EXCEPTIONS]].map((list) => list.map(toComparable)))),
    getSessionFiles: () => (session ??= buildSessionFiles(table)),
    getSessionIds: () => (ids ??= readSessionIds(table)),
    folderIds: new Map(),
  };
}

function buildGuardedNames(whole: readonly string[] = [], endings: readonly string[] = []): GuardedNames {
  let all: ReadonlySet<string> | undefined;
  return {
    whole,
    endings,
    steps: new Set(endings.map((ending) => ending.split("/", 1)[0] as string)),
    allSteps: () => (all ??= new Set([...whole, ...endings].flatMap((path) => path.split("/")))),
  };
}

function buildSessionFiles(table: Pick<GuardedFiles, "wholePaths" | "pathEndings" | "baseFolders">): SessionFiles {
  const { wholePaths, pathEndings, baseFolders } = table;
  const named = [...wholePaths, ...baseFolders.flatMap((base) => pathEndings.map((ending) => join(base, ending)))];
  const linked = listSessionFiles(table)
    .filter((path) => existsSync(path))
    .map((path) => ({ path, name: toComparableFolder(realpathSync(path)) }));
  const below = [...named.map((path) => ({ path, name: toComparableFolder(path) })), ...linked];
  const parts = pathEndings.flatMap((ending) =>
    [...ending.matchAll(/\/(?=.)/g)].map(({ index }) => ({
      end: comparablePath(`/${ending.slice(0, index + 1)}`),
      rest: ending.slice(index + 1),
    })),
  );
  return {
    namedFiles: below,
    allNames: below.map(({ name }) => `\n${name}`).join(""),
    parts,
    lastSteps: new Set(parts.map(({ end }) => getLastStep(end))),
  };
}

function readSessionIds(table: Pick<GuardedFiles, "wholePaths" | "pathEndings" | "baseFolders">): SessionIds {
  const [fileIds, folderIds] = [new Set<string>(), new Set<string>()];
  const known: GuardedFiles["folderIds"] = new Map();
  for (const file of listSessionFiles(table)) {
    const id = readFileId(file, known);
    if (id !== undefined) (file.endsWith("/") ? folderIds : fileIds).add(id);
  }
  return { fileIds, folderIds, insideByFolder: new Map() };
}

export const toComparableFolder = (path: string): string => comparablePath(join(path, "/"));
/** The last segment of a directory's path, which ends in "/". */
const getLastStep = (folder: string) => folder.slice(folder.lastIndexOf("/", folder.length - 2));

/** Whether a path is in the table, or below a directory that is, under any name. */
export function isGuarded(table: GuardedFiles, path: string): boolean {
  const names = table.getNames();
  const given = comparablePath(path, table.platform);
  if (hasGuardedEnding(names, given)) return true;
  if (isWindowsPath(path, table.platform) && given.includes("~"))
    if (expandShortNames(given, names.allSteps()).some((long) => hasGuardedEnding(names, long))) return true;
  // A person may keep such a file elsewhere, with a link in its place.
  const id = readFileId(path, table.folderIds);
  if (id === undefined) return false;
  const own = table.getSessionIds();
  return own.fileIds.has(id) || own.folderIds.has(id) || isInSessionFolder(own, dirname(path));
}

/** Whether a path in comparable form is in the table, judged by names only. */
function hasGuardedEnding({ whole, endings, steps }: GuardedNames, given: string): boolean {
  const isPart = (file: string) => (file.endsWith("/") ? `${given}/`.startsWith(file) : given === file);
  const endsIn = (ending: string) =>
    ending.endsWith("/") ? `${given}/`.includes(`/${ending}`) : given.endsWith(`/${ending}`);
  return whole.some(isPart) || (given.split("/").some((step) => steps.has(step)) && endings.some(endsIn));
}

/** Whether a directory is one of the session's or below one, under any name. */
function isInSessionFolder(own: SessionIds, folder: string): boolean {
  const known = own.insideByFolder.get(folder);
  if (known !== undefined) return known;
  const above = dirname(folder);
  const is = above !== folder && (own.folderIds.has(readFileId(folder) ?? "") || isInSessionFolder(own, above));
  own.insideByFolder.set(folder, is);
  return is;
}

/** Whether a file is in the table, or is a link, which may point to one; true if the system can't say. */
export function mayLeadToGuarded(table: GuardedFiles, file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true || isGuarded(table, file);
  } catch {
    return true;
  }
}

/** The session's files, in those directories that exist. */
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

/** Identifies a file independently of its name. A file that does not exist is identified by its directory and name. */
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
  return folder && `${folder}/${comparablePath(basename(path))}`;
}

function readStats(path: string) {
  try {
    // As numbers, the ids of NTFS and ReFS lose digits, and two files could have the same.
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}

/** The session's files in a directory, by path or link target, whether they exist or not. */
export function listFilesBelow(table: GuardedFiles, folder: string): string[] {
  const above = toComparableFolder(folder);
  const { allNames, namedFiles } = table.getSessionFiles();
  if (!allNames.includes(`\n${above}`)) return [];
  return [...new Set(namedFiles.flatMap(({ path, name }) => (name.startsWith(above) ? [path] : [])))];
}

/** The guarded files that a directory like ".host" may hold, wherever it is. */
export function listPossibleParts(table: GuardedFiles, path: string): string[] {
  const folder = join(path, "/");
  const given = comparablePath(`/${folder}`);
  const { parts, lastSteps } = table.getSessionFiles();
  return lastSteps.has(getLastStep(given))
    ? parts.flatMap(({ end, rest }) => (given.endsWith(end) ? [folder + rest] : []))
    : [];
}
