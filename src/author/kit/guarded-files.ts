import { type BigIntStats, existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { MachineContext } from "../../protocol/host/install.ts";
import { PROJECT_CONFIG } from "../../run/config-paths.ts";
import { lookOnce } from "../../run/looks.ts";
import { listSharedSources } from "../../run/settings.ts";
import { getStateDirectory, getUsualStateDirectory } from "../../run/state-directory.ts";
import { comparablePath, expandShortNames, isWindowsPath } from "./comparable-path.ts";
import { findWorkingTree } from "./git.ts";
import { listHostFiles } from "./host-files.ts";

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

export function buildGuardedFiles(cwd: string, place: Pick<MachineContext, "home" | "platform" | "env">): GuardedFiles {
  const root = lookOnce(`root ${cwd}`, () => findWorkingTree(cwd)?.root ?? "");
  const names = findTableNames(cwd, root, place);
  return lookOnce(`guarded ${names.id}`, () => createTable(names));
}

function createTable(names: TableNames): GuardedFiles {
  let present: readonly PresentFile[] | undefined;
  let session: SessionFiles | undefined;
  let ids: SessionIds | undefined;
  const listPresent = () => (present ??= findSessionFiles(names.sessionFolders(), names.wholePaths));
  return {
    ...names,
    getSessionFiles: () => (session ??= buildSessionFiles(names.sessionNames(), listPresent())),
    getSessionIds: () => (ids ??= readSessionIds(listPresent())),
    folderIds: new Map(),
  };
}

/** The part of a table that follows from names, whatever the disk holds. */
interface TableNames extends Pick<
  GuardedFiles,
  "wholePaths" | "pathEndings" | "baseFolders" | "platform" | "getNames"
> {
  /** Unique in this process. */
  id: number;
  sessionNames: () => SessionFiles;
  /** The first directory, or file, of every ending in every base folder, and the session's files there. */
  sessionFolders: () => readonly { path: string; files: readonly string[] }[];
}

/** The names of the last places: most calls of a resident process come from one of them. */
const knownNames = new Map<string, { hostFiles: readonly string[]; names: TableNames }>();
const MAX_KNOWN_PLACES = 16;
let nextId = 0;

function findTableNames(
  cwd: string,
  root: string,
  place: Pick<MachineContext, "home" | "platform" | "env">,
): TableNames {
  const { home, platform, env } = place;
  const hostFiles = listHostFiles(place);
  // A trial keeps its own state elsewhere, and is asked about calls that are about the usual one.
  const states = [getStateDirectory(env), getUsualStateDirectory(env)];
  const key = [home, platform, cwd, root, ...states].join("\0");
  const known = knownNames.get(key);
  if (known?.hostFiles === hostFiles) return known.names;
  const files = [
    ...hostFiles,
    `**/${PROJECT_CONFIG}`,
    ...listSharedSources().map(({ path }) => `${dirname(path)}/`),
    ...new Set(states.map((folder) => `${folder}/`)),
    process.execPath,
  ];
  const names = buildTableNames(files, [...new Set([home, cwd, root].filter(Boolean))], platform);
  if (knownNames.size >= MAX_KNOWN_PLACES) knownNames.clear();
  knownNames.set(key, { hostFiles, names });
  return names;
}

function buildTableNames(
  files: readonly string[],
  baseFolders: readonly string[],
  platform: NodeJS.Platform,
): TableNames {
  const wholePaths = files.filter((file) => !file.startsWith("**/"));
  const pathEndings = files.filter((file) => file.startsWith("**/")).map((file) => file.slice(3));
  const toComparable = (path: string) => comparablePath(path, platform);
  let names: GuardedNames | undefined;
  let session: SessionFiles | undefined;
  let folders: ReturnType<TableNames["sessionFolders"]> | undefined;
  return {
    ...{ id: nextId++, wholePaths, pathEndings, baseFolders, platform },
    getNames: () =>
      (names ??= buildGuardedNames(
        ...[wholePaths, [...pathEndings, EXCEPTIONS]].map((list) => list.map(toComparable)),
      )),
    sessionNames: () => (session ??= buildSessionNames(wholePaths, pathEndings, baseFolders)),
    sessionFolders: () => (folders ??= listSessionFolders(pathEndings, baseFolders)),
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

function buildSessionNames(
  wholePaths: readonly string[],
  pathEndings: readonly string[],
  baseFolders: readonly string[],
): SessionFiles {
  const named = [...wholePaths, ...baseFolders.flatMap((base) => pathEndings.map((ending) => join(base, ending)))];
  const parts = pathEndings.flatMap((ending) =>
    [...ending.matchAll(/\/(?=.)/g)].map(({ index }) => ({
      end: comparablePath(`/${ending.slice(0, index + 1)}`),
      rest: ending.slice(index + 1),
    })),
  );
  const namedFiles = named.map((path) => ({ path, name: toComparableFolder(path) }));
  return { ...nameFiles(namedFiles), parts, lastSteps: new Set(parts.map(({ end }) => getLastStep(end))) };
}

const nameFiles = (namedFiles: SessionFiles["namedFiles"]): Pick<SessionFiles, "namedFiles" | "allNames"> => ({
  namedFiles,
  allNames: namedFiles.map(({ name }) => `\n${name}`).join(""),
});

/** The names, with those that the files have by links. */
function buildSessionFiles(names: SessionFiles, present: readonly PresentFile[]): SessionFiles {
  const linked = present.flatMap(({ path, stats }) =>
    stats ? [{ path, name: toComparableFolder(realpathSync(path)) }] : [],
  );
  return linked.length === 0 ? names : { ...names, ...nameFiles([...names.namedFiles, ...linked]) };
}

function readSessionIds(present: readonly PresentFile[]): SessionIds {
  const [fileIds, folderIds] = [new Set<string>(), new Set<string>()];
  const known: GuardedFiles["folderIds"] = new Map();
  for (const { path, stats } of present) {
    const id = toFileId(path, stats, known);
    if (id !== undefined) (path.endsWith("/") ? folderIds : fileIds).add(id);
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
  const folder = `${given}/`;
  for (const file of whole) if (file.endsWith("/") ? folder.startsWith(file) : given === file) return true;
  const endsIn = (ending: string) =>
    ending.endsWith("/") ? folder.includes(`/${ending}`) : given.endsWith(`/${ending}`);
  for (const step of given.split("/")) if (steps.has(step)) return endings.some(endsIn);
  return false;
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

const listSessionFolders = (
  pathEndings: readonly string[],
  baseFolders: readonly string[],
): ReturnType<TableNames["sessionFolders"]> => {
  const byStep = new Map<string, string[]>();
  for (const ending of pathEndings) {
    const step = ending.slice(0, ending.indexOf("/") + 1) || ending;
    const others = byStep.get(step);
    if (others) others.push(ending);
    else byStep.set(step, [ending]);
  }
  return baseFolders.flatMap((base) =>
    [...byStep].map(([step, endings]) => ({
      path: join(base, step),
      files: endings.map((ending) => join(base, ending)),
    })),
  );
};

/** A file of the session, and what the disk says about it; undefined if it does not exist or can't be accessed. */
interface PresentFile {
  path: string;
  stats: BigIntStats | undefined;
}

/** Looks at the session's files, in those directories that exist. */
function findSessionFiles(
  folders: ReturnType<TableNames["sessionFolders"]>,
  wholePaths: readonly string[],
): PresentFile[] {
  const found = [...wholePaths];
  for (const { path, files } of folders) if (existsSync(path)) found.push(...files);
  return found.map((path) => ({ path, stats: readStats(path) }));
}

/** Identifies a file independently of its name. A file that does not exist is identified by its directory and name. */
const readFileId = (path: string, folders?: GuardedFiles["folderIds"]): string | undefined =>
  toFileId(path, readStats(path), folders);

function toFileId(
  path: string,
  found: BigIntStats | undefined,
  folders?: GuardedFiles["folderIds"],
): string | undefined {
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
