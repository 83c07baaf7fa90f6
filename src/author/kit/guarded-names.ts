import { dirname, join } from "../../system/paths.ts";
import type { MachineContext } from "../../protocol/host/install.ts";
import { getUserConfigSteps, PROJECT_CONFIG } from "../../policy/config-paths.ts";
import { listSharedSources } from "../../policy/sources.ts";
import { findOwnHome } from "../../call/exceptions/account-home.ts";
import { getStateDirectory, getStateSteps, getDefaultStateDirectory } from "../../call/state/state-directory.ts";
import { joinSteps } from "../../system/file-checks.ts";
import { comparablePath } from "./comparable-path.ts";
import { cacheLookup } from "../../system/lookups.ts";
import { listHostFiles } from "./host-files.ts";

/** The names of the guarded files, in comparable form. */
export interface GuardedNames {
  /** Absolute file paths. */
  files: ReadonlySet<string>;
  folders: readonly string[];
  endings: readonly string[];
  /** The first segments of all path endings. A path that contains none of these segments can't match any ending. */
  steps: ReadonlySet<string>;
  /** Returns the path segments of all names. */
  allSteps: () => ReadonlySet<string>;
}

/** The names of the session's files, in comparable form. */
export interface SessionFiles {
  /** All session files, including missing ones, by path and by link target. Each name ends in "/". */
  namedFiles: readonly { path: string; name: string }[];
  /** All file names joined, each preceded by a newline. A quick substring test rules out most directories. */
  allNames: string;
}

/** A directory directly below a base directory that can contain session files, or a session file at that place. */
interface SessionFolder {
  path: string;
  /** The base directory. Joined with an entry of `endings`, it is the path of a session file. */
  base: string;
  endings: readonly string[];
}

/** Session files that a directory could contain because of the directory's name. */
export interface SessionParts {
  /** The end of the directory's path (such as "/.host/"), and the rest of the file's path. */
  parts: readonly { end: string; rest: string }[];
  /** The last segments of all `end` paths. */
  lastSteps: ReadonlySet<string>;
}

/** Exceptions are stored in the account's own home directory, regardless of HOME. */
const EXCEPTIONS_FOLDER = "bridge-hooks/exceptions/";

/** Information about the guarded files that depends only on names, not on the file system. */
export interface TableNames {
  /** Absolute paths; directories end in "/". */
  wholePaths: readonly string[];
  /** Endings that match in any directory; endings for directories end in "/". */
  pathEndings: readonly string[];
  /** The home directory from the environment, and the account's home directory according to the user database. */
  homes: readonly string[];
  /**
   * Base directories, home directories first. Joined with a path ending, a base directory gives the path of a session
   * file.
   */
  baseFolders: readonly string[];
  /** Platform of the paths. */
  platform: NodeJS.Platform;
  /** A number that is unique within this process. */
  id: number;
  /** Returns the names in comparable form. Like the functions below, computes its result on first use. */
  getNames: () => GuardedNames;
  sessionNames: () => SessionFiles;
  sessionParts: () => SessionParts;
  /** Returns the directories and files directly below each base directory that can be or contain session files. */
  sessionFolders: () => readonly SessionFolder[];
}

/** Cache of recent results, because a long-running process gets most of its calls from the same directory. */
const knownNames = new Map<string, { hostFiles: readonly (readonly string[])[]; names: TableNames }>();
const MAX_CACHED_SESSIONS = 16;
let nextId = 0;

export function findTableNames(
  folders: readonly string[],
  machine: Pick<MachineContext, "home" | "platform" | "env">,
): TableNames {
  const { home, platform, env } = machine;
  // Exceptions are stored in the account's own home directory, even if HOME is different, and a host could be restarted
  // with that home directory.
  const ownHome = cacheLookup("own home", () => findOwnHome() ?? "");
  const homes = [...new Set([home, ownHome])].filter(Boolean);
  const hostFiles = homes.map((homeFolder) => listHostFiles({ ...machine, home: homeFolder }));
  // A trial uses its own state directory, but calls in a trial might name the usual one.
  const states = [getStateDirectory(env), getDefaultStateDirectory(env)];
  const key = [...homes, platform, ...folders, ...states].join("\0");
  const cached = knownNames.get(key);
  if (cached && hostFiles.every((files, at) => cached.hostFiles[at] === files)) return cached.names;
  const files = [
    ...hostFiles.flat(),
    `**/${PROJECT_CONFIG}`,
    ...listSharedSources().map(({ path, target = path }) => `${dirname(target)}/`),
    ...states.map((folder) => `${folder}/`),
    ...(ownHome
      ? [getUserConfigSteps().slice(0, -1), getStateSteps()].map((steps) => `${joinSteps(ownHome, steps)}/`)
      : []),
    process.execPath,
  ];
  const names = buildTableNames([...new Set(files)], { homes, folders, platform });
  if (knownNames.size >= MAX_CACHED_SESSIONS) knownNames.clear();
  knownNames.set(key, { hostFiles, names });
  return names;
}

function buildTableNames(
  files: readonly string[],
  { homes, folders: projects, platform }: Pick<TableNames, "homes" | "platform"> & { folders: readonly string[] },
): TableNames {
  const baseFolders = [...new Set([...homes, ...projects])];
  const wholePaths = files.filter((file) => !file.startsWith("**/"));
  const pathEndings = files.filter((file) => file.startsWith("**/")).map((file) => file.slice(3));
  const toComparable = (path: string) => comparablePath(path, platform);
  let names: GuardedNames | undefined;
  let session: SessionFiles | undefined;
  let parts: SessionParts | undefined;
  let folders: ReturnType<TableNames["sessionFolders"]> | undefined;
  return {
    ...{ id: nextId++, wholePaths, pathEndings, homes, baseFolders, platform },
    getNames: () =>
      (names ??= buildGuardedNames(
        ...[wholePaths, [...pathEndings, EXCEPTIONS_FOLDER]].map((list) => list.map(toComparable)),
      )),
    sessionNames: () => (session ??= buildSessionNames(wholePaths, pathEndings, baseFolders)),
    sessionParts: () => (parts ??= buildSessionParts(pathEndings)),
    sessionFolders: () => (folders ??= listSessionFolders(pathEndings, baseFolders)),
  };
}

function buildGuardedNames(wholePaths: readonly string[] = [], endings: readonly string[] = []): GuardedNames {
  let steps: ReadonlySet<string> | undefined;
  return {
    files: new Set(wholePaths.filter((path) => !path.endsWith("/"))),
    folders: wholePaths.filter((path) => path.endsWith("/")),
    endings,
    steps: new Set(endings.map((ending) => ending.split("/", 1)[0] as string)),
    allSteps: () => (steps ??= new Set([...wholePaths, ...endings].flatMap((path) => path.split("/")))),
  };
}

function buildSessionNames(
  wholePaths: readonly string[],
  pathEndings: readonly string[],
  baseFolders: readonly string[],
): SessionFiles {
  const namedFiles = [...wholePaths, ...baseFolders.flatMap((base) => pathEndings.map((ending) => join(base, ending)))];
  return joinFileNames(namedFiles.map((path) => ({ path, name: toComparableFolder(path) })));
}

function buildSessionParts(pathEndings: readonly string[]): SessionParts {
  const parts: { end: string; rest: string }[] = [];
  for (const ending of pathEndings)
    for (let at = ending.indexOf("/") + 1; at > 0 && at < ending.length; at = ending.indexOf("/", at) + 1)
      parts.push({ end: comparablePath(`/${ending.slice(0, at)}`), rest: ending.slice(at) });
  return { parts, lastSteps: new Set(parts.map(({ end }) => getLastStep(end))) };
}

export const joinFileNames = (namedFiles: SessionFiles["namedFiles"]): SessionFiles => ({
  namedFiles,
  allNames: namedFiles.map(({ name }) => `\n${name}`).join(""),
});

function listSessionFolders(pathEndings: readonly string[], baseFolders: readonly string[]): SessionFolder[] {
  const namesByStep = new Map<string, string[]>();
  for (const ending of pathEndings) {
    const step = ending.slice(0, ending.indexOf("/") + 1) || ending;
    const siblings = namesByStep.get(step);
    if (siblings) siblings.push(ending);
    else namesByStep.set(step, [ending]);
  }
  return baseFolders.flatMap((base) =>
    [...namesByStep].map(([step, endings]) => ({ path: join(base, step), base, endings })),
  );
}

export const toComparableFolder = (path: string): string => comparablePath(join(path, "/"));
/** Returns the last segment of a directory path that ends in "/". */
export const getLastStep = (folder: string) => folder.slice(folder.lastIndexOf("/", folder.length - 2));
