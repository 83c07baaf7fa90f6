import { existsSync } from "bridge-hooks/files";
import { posix } from "bridge-hooks/paths";
import {
  type Command,
  readEnvironment,
  realPath,
  resolveWord,
  type ShellFolders,
  stripAllWildcards,
} from "bridge-hooks";
import { getPathFromGit, isChangedTree, isInBareRepository, listSharedGitFolders } from "./git-places.ts";
import {
  isForeignPath,
  isSameOrAbove,
  type LineContext,
  normalizePath,
  type OperandPath,
  type OperandWord,
  toDiskPath,
} from "./line-context.ts";
import { toPlainWord } from "./share-paths.ts";
import { describeUnsetCheck } from "./unset-variables.ts";
import {
  HOME_FILES,
  CREATION_PROTECTED_FILES,
  REPLACEMENT_PROTECTED_FILES,
  REPOSITORY_FILES,
  SYSTEM_FILES,
  SYSTEM_PROGRAMS,
} from "./precious-files.ts";

const { basename, dirname, join } = posix;

const USER_FOLDERS = "home|Users";
/** Directories that make up the system. */
export const SYSTEM_FOLDER = new RegExp(
  `^/((bin|boot|dev|etc|lib(32|64)?|opt|proc|root|sbin|srv|sys|System|Library|Applications|Volumes|mnt|media|${USER_FOLDERS})|var(/(lib|log|spool))?|usr(/local)?(/(bin|include|lib(32|64|exec)?|sbin|share|src))?|(${USER_FOLDERS})/[^/]+|System/.+|(mnt/|cygdrive/)?[a-z]:?(/(Windows|Program Files[^/]*|ProgramData|Users)(/[^/]+)?)?)?$`,
  "i",
);
/** First path segments of system directories, checked first because compiling the regular expressions is slower. */
export const SYSTEM_ROOT_SEGMENTS =
  "|bin|boot|dev|etc|lib|lib32|lib64|opt|proc|root|sbin|srv|sys|system|library|applications|volumes|mnt|media|home|users|run|var|usr|cygdrive||";
const DRIVE_SEGMENT = /^[a-z]:?$/;
export function hasSystemRootSegment(path: string): boolean {
  const end = path.indexOf("/", 1);
  const topSegment = path.slice(1, end < 0 ? path.length : end).toLowerCase();
  return SYSTEM_ROOT_SEGMENTS.includes(`|${topSegment}|`) || (topSegment.length <= 2 && DRIVE_SEGMENT.test(topSegment));
}
/** System subdirectories with data that reinstalling the system doesn't restore. */
export const DATA_FOLDER =
  /^\/(etc\/[^/]+|var\/(lib|backups|www|mail|db)(\/[^/]+)?|boot\/.+|var\/lib\/(postgresql|pgsql|mysql|mariadb|mongo|mongodb|redis|docker\/volumes)\/.+|(srv|mnt|media|Volumes)\/[^/]+|(run\/)?media(\/[^/]+){0,2}|Library\/[^/]+)$/;
/** Top-level directories on another machine or in a running container whose names suggest data. */
const REMOTE_DATA_FOLDER =
  /^\/((pg|my)?data|data(base|dir|sets?)?|dbs?|databases?|backups?|dumps?|volumes?|storage|uploads?|shared?|persist(ent)?|bitnami|nfs|exports?)$/;
/** Whether a path is a data directory and not an essential system file. */
export const isDataPath = (path: string): boolean => isInDataFolder(path) && !SYSTEM_FILES.test(path);
const isInDataFolder = (path: string): boolean => hasSystemRootSegment(path) && DATA_FOLDER.test(path);
/** Directories in home that programs refill after deletion. */
const CACHE_FOLDER = /^(\.(cache|npm|yarn|pnpm-store|gradle|m2|nuget|bun|cargo|rustup|venv)|te?mp|node_modules)$/;
/** Directories in home that are protected even if home is the working directory. */
const PERSONAL_FOLDER =
  /^(\.(ssh|gnupg|config|local|aws|kube|docker|mozilla|password-store)|Desktop|Documents|Downloads|Dropbox|Library|Movies|Music|OneDrive|Pictures|Videos)$/i;
/** Directories in home that contain application data, including container data. */
const HOME_DATA =
  /^(?:\.local\/share(?:\/(?:containers|docker|keyrings))?|(?:Library|AppData)\/[^/]+|Library\/Containers\/com\.docker\.docker(?:\/Data)?)$/i;
const TEMPORARY_FOLDER = /^\/((var\/)?tmp|[a-z]:\/te?mp|node_modules)$/;
/** The root directory or the root of a drive. */
const TOP_FOLDER = /^\/([a-z]:)?$/;
export const isTopFolder = (path: string): boolean => TOP_FOLDER.test(path);

/**
 * Whether losing a directory would be serious. System directories, home directories, the project, and the project's
 * parents are precious.
 */
export function isPrecious({ path, isContents, remote }: OperandPath, context: LineContext): boolean {
  const { cwd, folders, home, protect } = context;
  if (protect.some((protectedPath) => isSameOrAbove(path, protectedPath) || isSameOrAbove(protectedPath, path)))
    return true;
  if (!remote && folders.some((folder) => isSameOrAbove(path, folder))) return true;
  if (TEMPORARY_FOLDER.test(path)) return !isContents;
  if (isSystemPath(path, home) || isInDataFolder(path)) return true;
  // In a container, top-level directories belong to the image unless they hold data or are on a drive.
  if (TOP_FOLDER.test(dirname(path))) return !remote || dirname(path) !== "/" || REMOTE_DATA_FOLDER.test(path);
  if (remote) return false;
  if (dirname(path) === home)
    return cwd === home ? PERSONAL_FOLDER.test(basename(path)) : !CACHE_FOLDER.test(basename(path));
  if (path.startsWith(`${home}/`) && HOME_DATA.test(path.slice(home.length + 1))) return true;
  if (isChangedTree(path, context)) return true;
  return (
    getPathFromGit(path, context) === ".git" ||
    listSharedGitFolders(path, context).some((gitFolder) => isSameOrAbove(path, gitFolder))
  );
}

/** Whether a path is part of the system, or is the user's home directory. */
export const isSystemPath = (path: string, home: string): boolean =>
  path === home || (hasSystemRootSegment(path) && SYSTEM_FOLDER.test(path));

/** Whether a file is protected. Files in the `protect` option and in bare repositories are included. */
export function isPreciousFile({ path, remote }: OperandPath, context: LineContext): boolean {
  if (isEssentialFile({ path, remote }, context)) return true;
  if (remote) return false;
  return (
    SYSTEM_PROGRAMS.test(path) || REPOSITORY_FILES.test(getPathFromGit(path, context) ?? "") || isInBareRepository(path)
  );
}

/** Whether a file is essential to the machine or the user, or is protected by the settings. */
function isEssentialFile(
  { path, remote }: Pick<OperandPath, "path" | "remote">,
  { home, protect }: LineContext,
): boolean {
  if (
    (hasSystemRootSegment(path) && SYSTEM_FILES.test(path)) ||
    protect.some((protectedPath) => isSameOrAbove(protectedPath, path))
  )
    return true;
  return !remote && path.startsWith(`${home}/`) && HOME_FILES.test(path.slice(home.length + 1));
}

/** Whether a program replaces an existing protected file. Creating a file is allowed, except for some startup files. */
export function isReplacedFile(target: OperandPath, context: LineContext): boolean {
  const { path, remote } = target;
  const isProgram = !remote && SYSTEM_PROGRAMS.test(path);
  if (!isProgram && !isEssentialFile(target, context) && !isCreationProtected(target, context)) return false;
  return (
    remote ||
    isForeignPath(path) ||
    existsSync(toDiskPath(path)) ||
    (isSameOrAbove(context.home, path) && !existsSync(context.home))
  );
}

/** Files in `.ssh` that aren't keys. */
const SSH_SETTINGS = /^(authorized_keys\d?|config|environment|rc|known_hosts.*)$/;

/**
 * Whether a protected file is overwritten. Writing a new key file is allowed if the shell command names it only once.
 */
export function isOverwritten(target: OperandPath, context: LineContext): boolean {
  const name = basename(target.path);
  const isNewKey =
    !target.remote &&
    dirname(target.path) === join(context.home, ".ssh") &&
    !SSH_SETTINGS.test(name) &&
    context.line.split(name).length === 2 &&
    !existsSync(target.path);
  return (!isNewKey && isPreciousFile(target, context)) || isStartupFileBlocked(target, context);
}

/** Whether a path is a startup file that must not be created. */
const isCreationProtected = ({ path, remote }: OperandPath, { home }: LineContext): boolean =>
  !remote &&
  ((hasSystemRootSegment(path) && CREATION_PROTECTED_FILES.system.test(path)) ||
    (path.startsWith(`${home}/`) && CREATION_PROTECTED_FILES.home.test(path.slice(home.length + 1))));

/** Whether a command replaces a startup file or creates one that must not be created. */
function isStartupFileBlocked(target: OperandPath, context: LineContext): boolean {
  const { path, remote } = target;
  if (remote) return false;
  if (isCreationProtected(target, context)) return true;
  const isListed =
    (hasSystemRootSegment(path) && REPLACEMENT_PROTECTED_FILES.system.test(path)) ||
    REPLACEMENT_PROTECTED_FILES.repository.test(getPathFromGit(path, context) ?? "");
  return isListed && existsSync(path);
}

/** Resolves a command's working directory to an absolute path; undefined if the directory is unknown. */
export function resolveCommandFolder({ cwd, remote }: Command, context: LineContext): string | undefined {
  if (cwd === undefined || (remote && !/^(?:[/~]|[A-Za-z]:)/.test(cwd))) return undefined;
  if (/^[A-Za-z]:/.test(cwd)) return normalizePath(cwd);
  return cwd.startsWith("~") ? join(context.home, cwd.slice(1)) : cwd.startsWith("/") ? cwd : join(context.cwd, cwd);
}

/** Returns the directory from which a container with shared directories is started. `$PWD` refers to this directory. */
function resolveStartingFolder(
  { via, remote, guessed }: Command,
  context: LineContext,
  at: number,
): string | undefined {
  if (remote || !guessed) return undefined;
  const starts = context.commands
    .slice(0, at + 1)
    .findLast((candidate) => candidate.via.length < via.length && !candidate.remote);
  return starts && resolveCommandFolder(starts, context);
}

const TEMPORARY_NAME = /te?mp/i;

/** Builds the variables and directories known to the shell that runs a command. */
const describeShell = (context: LineContext, folder: string | undefined, remote: boolean): ShellFolders => ({
  home: context.home,
  current: folder === undefined || remote ? "." : folder,
  // If the previous directory is unknown, assume the shell command's working directory.
  previous: context.cwd,
  repository: folder !== undefined && !remote && isSameOrAbove(context.cwd, folder) ? context.cwd : ".",
  users: "/home",
  // Leave variables for temporary directories unresolved, because deleting those directories is allowed.
  getVariable: (name) => (remote || TEMPORARY_NAME.test(name) ? undefined : readEnvironment(name)),
});

/**
 * Resolves an operand to a location; undefined if the location is unknown. A variable that the shell command doesn't
 * set could be empty, which turns `$X/*` into `/*`.
 */
export function resolveOperandPath(
  { text, dynamic }: OperandWord,
  command: Command,
  context: LineContext,
): OperandPath | undefined {
  const folder = resolveCommandFolder(command, context);
  const remote = command.remote === true;
  const currentFolder = folder ?? resolveStartingFolder(command, context, context.commands.indexOf(command));
  const plainWord = toPlainWord({ text, dynamic }, command);
  const word = resolveWord(plainWord, describeShell(context, currentFolder, remote));
  if (word.kind === "any" || word.text === "") return undefined;
  const { path, isContents } =
    word.kind === "below"
      ? { path: word.text, isContents: word.isContents }
      : dynamic === undefined
        ? { path: word.text, isContents: false }
        : stripAllWildcards(word.text.replace(/\*{2,}/g, "*").replace(/\/{2,}/g, "/"));
  const isAbsolute = /^(\/|[A-Za-z]:)/.test(path);
  if (!isAbsolute && folder === undefined) return undefined;
  const target = {
    text,
    path: normalizePath(isAbsolute ? path : `${folder}/${path}`),
    isContents,
    isBehindLink: isContents || text.endsWith("/"),
    remote,
  };
  return word.kind === "below" ? describeWithEmptyVariable(target, word.empty, context) : target;
}

/**
 * Describes the location that an operand refers to if its variable is empty. Only system paths and home are described.
 */
function describeWithEmptyVariable(
  target: OperandPath,
  emptyVariables: readonly string[],
  context: LineContext,
): OperandPath | undefined {
  if (!isSystemPath(target.path, context.home)) return undefined;
  if (emptyVariables.some((name) => TEMPORARY_NAME.test(name) || !context.mayBeUnset(name))) return undefined;
  const [name = ""] = emptyVariables;
  const [shownName, advice] = /^\w+$/.test(name) ? [name, describeUnsetCheck(name, context)] : ["the rest", ""];
  return {
    ...target,
    text: `${target.text} (which is ${target.path}${target.isContents ? (target.path === "/" ? "*" : "/*") : ""} if ${shownName} is empty${advice})`,
    isContents: true,
    isBehindLink: true,
  };
}

/** Creates a symlink resolver with a cache, since a command's operands are usually in only a few directories. */
export function createLinkResolver(): LineContext["readRealPath"] {
  const resolvedPaths = new Map<string, string>();
  return (path) => {
    let resolved = resolvedPaths.get(path);
    if (resolved === undefined) {
      const to = realPath(path);
      resolvedPaths.set(path, (resolved = to === undefined ? path : normalizePath(to)));
    }
    return resolved;
  };
}

/** Resolves symlinks in the directories that lead to a location, but not the operand itself if it is a symlink. */
export const resolvePathLinks = (target: OperandPath, { readRealPath }: LineContext): OperandPath =>
  target.remote
    ? target
    : {
        ...target,
        path: target.isBehindLink
          ? readRealPath(target.path)
          : join(readRealPath(dirname(target.path)), basename(target.path)),
      };

/** Resolves symlinks in all directories of the context. */
export const resolveContextLinks = (context: LineContext): LineContext => ({
  ...context,
  cwd: context.readRealPath(context.cwd),
  folders: context.folders.map(context.readRealPath),
  home: context.readRealPath(context.home),
  protect: context.protect.map(context.readRealPath),
  outside: context.outside.map(context.readRealPath),
});
