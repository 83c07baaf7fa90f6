import type { BigIntStats } from "node:fs";
import { existsSync, realpathSync, statSync } from "../../system/files.ts";
import { basename, dirname, join } from "../../system/paths.ts";
import type { MachineContext } from "../../protocol/host/install.ts";
import { cacheLookup } from "../../system/lookups.ts";
import { comparablePath, expandShortNames, isWindowsPath } from "./comparable-path.ts";
import { findWorkingTree } from "../../system/working-tree.ts";
import {
  findTableNames,
  getLastStep,
  type GuardedNames,
  joinFileNames,
  type SessionFiles,
  type TableNames,
  toComparableFolder,
} from "./guarded-names.ts";

/** The guarded files of a `Guarded` object. */
export interface GuardedFiles extends TableNames {
  /** Returns the session's files. Computed on demand, because a call can involve thousands of files. */
  getSessionFiles: () => SessionFiles;
  /** Returns the existing session files, each with the path that it resolves to. */
  getLinkedFiles: () => SessionFiles["namedFiles"];
  /** Counts directory lookups made without the list of all names. */
  unindexed: { queries: number };
  getSessionIds: () => SessionIds;
  /** Cached file system ids of directories. */
  folderIds: Map<string, string | undefined>;
}

/** File system ids that identify the session's files regardless of the files' names. */
interface SessionIds {
  fileIds: ReadonlySet<string>;
  folderIds: ReadonlySet<string>;
  /** Caches whether a directory is guarded or inside a guarded directory. */
  insideByFolder: Map<string, boolean>;
}

/** @param folders The directories of the session's project. */
export function buildGuardedFiles(
  folders: readonly string[],
  machine: Pick<MachineContext, "home" | "platform" | "env">,
): GuardedFiles {
  const roots = folders.map((folder) => cacheLookup(`root ${folder}`, () => findWorkingTree(folder)?.root ?? ""));
  const names = findTableNames([...folders, ...roots].filter(Boolean), machine);
  return cacheLookup(`guarded ${names.id}`, () => createTable(names));
}

function createTable(names: TableNames): GuardedFiles {
  let presentFiles: readonly PresentFile[] | undefined;
  let session: SessionFiles | undefined;
  let ids: SessionIds | undefined;
  let linkedFiles: SessionFiles["namedFiles"] | undefined;
  const listPresent = () => (presentFiles ??= findSessionFiles(names.sessionFolders(), names.wholePaths));
  const getLinkedFiles = () => (linkedFiles ??= listLinkedNames(listPresent()));
  return {
    ...names,
    getLinkedFiles,
    unindexed: { queries: 0 },
    getSessionFiles: () => (session ??= buildSessionFiles(names.sessionNames(), getLinkedFiles())),
    getSessionIds: () => (ids ??= readSessionIds(listPresent())),
    folderIds: new Map(),
  };
}

const listLinkedNames = (presentFiles: readonly PresentFile[]): SessionFiles["namedFiles"] =>
  presentFiles.flatMap(({ path, stats }) => (stats ? [{ path, name: toComparableFolder(realpathSync(path)) }] : []));

/** Adds the session's files under the paths that they resolve to. */
function buildSessionFiles(names: SessionFiles, linkedFiles: SessionFiles["namedFiles"]): SessionFiles {
  return linkedFiles.length === 0 ? names : joinFileNames([...names.namedFiles, ...linkedFiles]);
}

function readSessionIds(presentFiles: readonly PresentFile[]): SessionIds {
  const [fileIds, folderIds] = [new Set<string>(), new Set<string>()];
  const cachedIds: GuardedFiles["folderIds"] = new Map();
  for (const { path, stats } of presentFiles) {
    const id = toFileId(path, stats, cachedIds);
    if (id !== undefined) (path.endsWith("/") ? folderIds : fileIds).add(id);
  }
  return { fileIds, folderIds, insideByFolder: new Map() };
}

/** Whether a path is a guarded file, or inside a guarded directory, under any name. */
export function isGuarded(table: GuardedFiles, path: string): boolean {
  const names = table.getNames();
  const comparable = comparablePath(path, table.platform);
  if (hasGuardedSuffix(names, comparable)) return true;
  if (isWindowsPath(path, table.platform) && comparable.includes("~"))
    if (expandShortNames(comparable, names.allSteps()).some((expandedPath) => hasGuardedSuffix(names, expandedPath)))
      return true;
  // Users might keep the real file elsewhere and link to it, so compare file system ids.
  const id = readFileId(path, table.folderIds);
  if (id === undefined) return false;
  const sessionIds = table.getSessionIds();
  return sessionIds.fileIds.has(id) || sessionIds.folderIds.has(id) || isInSessionFolder(sessionIds, dirname(path));
}

/** Whether a path in comparable form is guarded, judged by its name alone. */
function hasGuardedSuffix({ files, folders, endings, steps }: GuardedNames, path: string): boolean {
  if (files.has(path)) return true;
  const folder = `${path}/`;
  for (const guardedFolder of folders) if (folder.startsWith(guardedFolder)) return true;
  const endsIn = (ending: string) =>
    ending.endsWith("/") ? folder.includes(`/${ending}`) : path.endsWith(`/${ending}`);
  for (const step of path.split("/")) if (steps.has(step)) return endings.some(endsIn);
  return false;
}

/** Whether a directory is one of the session's directories or inside one, under any name. */
function isInSessionFolder(sessionIds: SessionIds, folder: string): boolean {
  const cached = sessionIds.insideByFolder.get(folder);
  if (cached !== undefined) return cached;
  const parent = dirname(folder);
  const is =
    parent !== folder && (sessionIds.folderIds.has(readFileId(folder) ?? "") || isInSessionFolder(sessionIds, parent));
  sessionIds.insideByFolder.set(folder, is);
  return is;
}

/** A session file with its metadata. `stats` is undefined if the file is missing or inaccessible. */
interface PresentFile {
  path: string;
  stats: BigIntStats | undefined;
}

/** Reads the metadata of the session's files in existing directories. */
function findSessionFiles(
  folders: ReturnType<TableNames["sessionFolders"]>,
  wholePaths: readonly string[],
): PresentFile[] {
  const paths = [...wholePaths];
  for (const { path, base, endings } of folders)
    if (existsSync(path)) for (const ending of endings) paths.push(join(base, ending));
  return paths.map((path) => ({ path, stats: readStats(path) }));
}

/** Returns an id that doesn't depend on the file's name. Missing files are identified by their directory and name. */
const readFileId = (path: string, folders?: GuardedFiles["folderIds"]): string | undefined =>
  toFileId(
    path,
    cacheLookup(`stats ${path}`, () => readStats(path)),
    folders,
  );

function toFileId(
  path: string,
  stats: BigIntStats | undefined,
  folders?: GuardedFiles["folderIds"],
): string | undefined {
  if (stats) return `${stats.dev} ${stats.ino}`;
  const parent = dirname(path);
  let folder = folders?.get(parent);
  if (folder === undefined && !folders?.has(parent)) {
    const stat = readStats(parent);
    folder = stat && `${stat.dev} ${stat.ino}`;
    folders?.set(parent, folder);
  }
  return folder && `${folder}/${comparablePath(basename(path))}`;
}

function readStats(path: string) {
  try {
    // NTFS and ReFS file ids would lose digits as plain numbers, so two files could get the same id.
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}

/** Lists the session's files in a directory, by path or link target. Includes missing files. */
export function listFilesBelow(table: GuardedFiles, folder: string): string[] {
  const parent = toComparableFolder(folder);
  if (table.unindexed.queries++ < MAX_UNINDEXED_QUERIES && !mayContainFiles(table, parent)) return [];
  const { allNames, namedFiles } = table.getSessionFiles();
  if (!allNames.includes(`\n${parent}`)) return [];
  return [...new Set(namedFiles.flatMap(({ path, name }) => (name.startsWith(parent) ? [path] : [])))];
}

/** After this many queries, it's faster to build a list of all names and search it. */
const MAX_UNINDEXED_QUERIES = 2;

/** Whether a directory could contain session files. Most directories can't, so the list of names is rarely built. */
function mayContainFiles(
  { wholePaths, pathEndings, baseFolders, getLinkedFiles }: GuardedFiles,
  parent: string,
): boolean {
  for (const path of wholePaths) if (toComparableFolder(path).startsWith(parent)) return true;
  for (const base of baseFolders) {
    const start = toComparableFolder(base);
    if (start.startsWith(parent)) return true;
    if (!parent.startsWith(start)) continue;
    const remainder = parent.slice(start.length);
    for (const ending of pathEndings) if (toComparableFolder(ending).startsWith(remainder)) return true;
  }
  for (const { name } of getLinkedFiles()) if (name.startsWith(parent)) return true;
  return false;
}

/** Lists the guarded files that a directory could contain because of its own name (such as ".host"), wherever it is. */
export function listPossibleParts(table: GuardedFiles, path: string): string[] {
  const folder = join(path, "/");
  const comparable = comparablePath(`/${folder}`);
  const { parts, lastSteps } = table.sessionParts();
  return lastSteps.has(getLastStep(comparable))
    ? parts.flatMap(({ end, rest }) => (comparable.endsWith(end) ? [folder + rest] : []))
    : [];
}
