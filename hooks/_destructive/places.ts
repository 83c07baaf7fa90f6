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
  type OperandPlace,
  type OperandWord,
  toDiskPath,
} from "./line-context.ts";
import { toPlainWord } from "./share-paths.ts";
import { adviseCheck } from "./unset-variables.ts";
import {
  HOME_FILES,
  MADE_STARTUP_FILES,
  REPLACED_STARTUP_FILES,
  REPOSITORY_FILES,
  SYSTEM_FILES,
  SYSTEM_PROGRAMS,
} from "./precious-files.ts";

const { basename, dirname, join } = posix;

const USER_FOLDERS = "home|Users";
/** Folders that a system is made of. */
export const SYSTEM_FOLDER = new RegExp(
  `^/((bin|boot|dev|etc|lib(32|64)?|opt|proc|root|sbin|srv|sys|System|Library|Applications|Volumes|mnt|media|${USER_FOLDERS})|var(/(lib|log|spool))?|usr(/local)?(/(bin|include|lib(32|64|exec)?|sbin|share|src))?|(${USER_FOLDERS})/[^/]+|System/.+|(mnt/|cygdrive/)?[a-z]:?(/(Windows|Program Files[^/]*|ProgramData|Users)(/[^/]+)?)?)?$`,
  "i",
);
/** What the path of a part of the system begins with. To compile the expressions takes longer than to look for it. */
export const SYSTEM_TOPS =
  "|bin|boot|dev|etc|lib|lib32|lib64|opt|proc|root|sbin|srv|sys|system|library|applications|volumes|mnt|media|home|users|run|var|usr|cygdrive||";
const DRIVE = /^[a-z]:?$/;
export function hasSystemTop(path: string): boolean {
  const end = path.indexOf("/", 1);
  const top = path.slice(1, end < 0 ? path.length : end).toLowerCase();
  return SYSTEM_TOPS.includes(`|${top}|`) || (top.length <= 2 && DRIVE.test(top));
}
/** Folders below those that hold what can't be installed again. */
export const DATA_FOLDER =
  /^\/(etc\/[^/]+|var\/(lib|backups|www|mail|db)(\/[^/]+)?|boot\/.+|var\/lib\/(postgresql|pgsql|mysql|mariadb|mongo|mongodb|redis|docker\/volumes)\/.+|(srv|mnt|media|Volumes)\/[^/]+|(run\/)?media(\/[^/]+){0,2}|Library\/[^/]+)$/;
/** Folders at the top of another machine, or of a container that runs, whose names say that they hold data. */
const REMOTE_DATA_FOLDER =
  /^\/((pg|my)?data|data(base|dir|sets?)?|dbs?|databases?|backups?|dumps?|volumes?|storage|uploads?|shared?|persist(ent)?|bitnami|nfs|exports?)$/;
/** Whether a path is one of those, not a part of the system itself. */
export const isDataPath = (path: string): boolean => isInDataFolder(path) && !SYSTEM_FILES.test(path);
const isInDataFolder = (path: string): boolean => hasSystemTop(path) && DATA_FOLDER.test(path);
/** What may be deleted in a home folder, since programs fill it again. */
const CACHE_FOLDER = /^(\.(cache|npm|yarn|pnpm-store|gradle|m2|nuget|bun|cargo|rustup|venv)|te?mp|node_modules)$/;
/** What may not even where one stands in it. */
const PERSONAL_FOLDER =
  /^(\.(ssh|gnupg|config|local|aws|kube|docker|mozilla|password-store)|Desktop|Documents|Downloads|Dropbox|Library|Movies|Music|OneDrive|Pictures|Videos)$/i;
/** Below those, what programs keep for a person: the data of containers among it. */
const HOME_DATA =
  /^(?:\.local\/share(?:\/(?:containers|docker|keyrings))?|(?:Library|AppData)\/[^/]+|Library\/Containers\/com\.docker\.docker(?:\/Data)?)$/i;
const TEMPORARY_FOLDER = /^\/((var\/)?tmp|[a-z]:\/te?mp|node_modules)$/;
/** The top of a system, or of a drive. */
const TOP_FOLDER = /^\/([a-z]:)?$/;
export const isTopFolder = (path: string): boolean => TOP_FOLDER.test(path);

/**
 * Whether a folder's loss is one that nobody wants, everything in it included: the system's, a home, where one stands
 * and what is above.
 */
export function isPrecious({ path, isContents, remote }: OperandPlace, here: LineContext): boolean {
  const { cwd, folders, home, protect } = here;
  if (protect.some((one) => isSameOrAbove(path, one) || isSameOrAbove(one, path))) return true;
  if (!remote && folders.some((folder) => isSameOrAbove(path, folder))) return true;
  if (TEMPORARY_FOLDER.test(path)) return !isContents;
  if (isSystemPath(path, home) || isInDataFolder(path)) return true;
  // A folder at the top of a container belongs to its image, one for data or on a drive holds data.
  if (TOP_FOLDER.test(dirname(path))) return !remote || dirname(path) !== "/" || REMOTE_DATA_FOLDER.test(path);
  if (remote) return false;
  if (dirname(path) === home)
    return cwd === home ? PERSONAL_FOLDER.test(basename(path)) : !CACHE_FOLDER.test(basename(path));
  if (path.startsWith(`${home}/`) && HOME_DATA.test(path.slice(home.length + 1))) return true;
  if (isChangedTree(path, here)) return true;
  return (
    getPathFromGit(path, here) === ".git" || listSharedGitFolders(path, here).some((one) => isSameOrAbove(path, one))
  );
}

/** Whether the system or a person's home is made of this. */
export const isSystemPath = (path: string, home: string): boolean =>
  path === home || (hasSystemTop(path) && SYSTEM_FOLDER.test(path));

/** Whether a file, or a folder of such, is one to keep. */
export function isPreciousFile({ path, remote }: OperandPlace, here: LineContext): boolean {
  if (isOwnersFile({ path, remote }, here)) return true;
  if (remote) return false;
  return (
    SYSTEM_PROGRAMS.test(path) || REPOSITORY_FILES.test(getPathFromGit(path, here) ?? "") || isInBareRepository(path)
  );
}

/** Whether a file is one that the machine or its user can't do without, or that the settings protect. */
function isOwnersFile(
  { path, remote }: Pick<OperandPlace, "path" | "remote">,
  { home, protect }: LineContext,
): boolean {
  if ((hasSystemTop(path) && SYSTEM_FILES.test(path)) || protect.some((one) => isSameOrAbove(one, path))) return true;
  return !remote && path.startsWith(`${home}/`) && HOME_FILES.test(path.slice(home.length + 1));
}

/** Whether a program that puts one file in the place of another replaces one to keep. What is not there yet is made. */
export function isReplacedFile(target: OperandPlace, here: LineContext): boolean {
  const { path, remote } = target;
  const isProgram = !remote && SYSTEM_PROGRAMS.test(path);
  if (!isProgram && !isOwnersFile(target, here) && !isMadeStartupFile(target, here)) return false;
  return (
    remote ||
    isForeignPath(path) ||
    existsSync(toDiskPath(path)) ||
    (isSameOrAbove(here.home, path) && !existsSync(here.home))
  );
}

/** Files below `.ssh` that are not keys. */
const SSH_SETTINGS = /^(authorized_keys\d?|config|environment|rc|known_hosts.*)$/;

/** Whether a file to keep is overwritten. A key that is not there yet is made, unless the line names it twice. */
export function isOverwritten(target: OperandPlace, here: LineContext): boolean {
  const name = basename(target.path);
  const isNewKey =
    !target.remote &&
    dirname(target.path) === join(here.home, ".ssh") &&
    !SSH_SETTINGS.test(name) &&
    here.line.split(name).length === 2 &&
    !existsSync(target.path);
  return (!isNewKey && isPreciousFile(target, here)) || isReplacedStartupFile(target, here);
}

/** Whether a file decides what runs at the next start, and has only to be made for that. */
const isMadeStartupFile = ({ path, remote }: OperandPlace, { home }: LineContext): boolean =>
  !remote &&
  ((hasSystemTop(path) && MADE_STARTUP_FILES.system.test(path)) ||
    (path.startsWith(`${home}/`) && MADE_STARTUP_FILES.home.test(path.slice(home.length + 1))));

/** Whether a file that decides what runs at the next start is made, where that is enough, or replaced. */
function isReplacedStartupFile(target: OperandPlace, here: LineContext): boolean {
  const { path, remote } = target;
  if (remote) return false;
  if (isMadeStartupFile(target, here)) return true;
  const isListed =
    (hasSystemTop(path) && REPLACED_STARTUP_FILES.system.test(path)) ||
    REPLACED_STARTUP_FILES.repository.test(getPathFromGit(path, here) ?? "");
  return isListed && existsSync(path);
}

/** The folder that a command runs in, absolute; undefined where the line does not tell. */
export function resolveCommandFolder({ cwd, remote }: Command, here: LineContext): string | undefined {
  if (cwd === undefined || (remote && !/^(?:[/~]|[A-Za-z]:)/.test(cwd))) return undefined;
  if (/^[A-Za-z]:/.test(cwd)) return normalizePath(cwd);
  return cwd.startsWith("~") ? join(here.home, cwd.slice(1)) : cwd.startsWith("/") ? cwd : join(here.cwd, cwd);
}

/** The folder of what starts a container that shares folders of this machine with a command: `$PWD` there is that one. */
function resolveStartingFolder({ via, remote, guessed }: Command, here: LineContext, at: number): string | undefined {
  if (remote || !guessed) return undefined;
  const starts = here.commands.slice(0, at + 1).findLast((one) => one.via.length < via.length && !one.remote);
  return starts && resolveCommandFolder(starts, here);
}

const TEMPORARY_NAME = /te?mp/i;

/** What the shell that runs a command knows. */
const describeShell = (here: LineContext, folder: string | undefined, remote: boolean): ShellFolders => ({
  home: here.home,
  current: folder === undefined || remote ? "." : folder,
  // Where the line does not tell what it left before, that is its own folder.
  previous: here.cwd,
  repository: folder !== undefined && !remote && isSameOrAbove(here.cwd, folder) ? here.cwd : ".",
  users: "/home",
  // Where a shell keeps temporary files is for it to clear.
  getVariable: (name) => (remote || TEMPORARY_NAME.test(name) ? undefined : readEnvironment(name)),
});

/**
 * The place that a word means; undefined where it can't be told. A folder in a variable that the line does not set may
 * be `/` with what follows it: `$X/*` is `/*` where X is empty.
 */
export function resolvePlace(
  { text, dynamic }: OperandWord,
  command: Command,
  here: LineContext,
): OperandPlace | undefined {
  const folder = resolveCommandFolder(command, here);
  const remote = command.remote === true;
  const current = folder ?? resolveStartingFolder(command, here, here.commands.indexOf(command));
  const written = toPlainWord({ text, dynamic }, command);
  const word = resolveWord(written, describeShell(here, current, remote));
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
  return word.kind === "below" ? describeEmptied(target, word.empty, here) : target;
}

/** A place that is meant where nothing is left of the rest of its word, if that may be and is the system's, or a home. */
function describeEmptied(target: OperandPlace, empty: readonly string[], here: LineContext): OperandPlace | undefined {
  if (!isSystemPath(target.path, here.home)) return undefined;
  if (empty.some((name) => TEMPORARY_NAME.test(name) || !here.mayBeUnset(name))) return undefined;
  const [name = ""] = empty;
  const [what, advice] = /^\w+$/.test(name) ? [name, adviseCheck(name, here)] : ["the rest", ""];
  return {
    ...target,
    text: `${target.text} (which is ${target.path}${target.isContents ? (target.path === "/" ? "*" : "/*") : ""} if ${what} is empty${advice})`,
    isContents: true,
    isBehindLink: true,
  };
}

/** What follows links, once for each path: the words of a line are in few folders. */
export function createLinkResolver(): LineContext["readRealPath"] {
  const known = new Map<string, string>();
  return (path) => {
    let found = known.get(path);
    if (found === undefined) {
      const to = realPath(path);
      known.set(path, (found = to === undefined ? path : normalizePath(to)));
    }
    return found;
  };
}

/** The same place with links followed. A link itself is only a name. */
export const followPlaceLinks = (target: OperandPlace, { readRealPath }: LineContext): OperandPlace =>
  target.remote
    ? target
    : {
        ...target,
        path: target.isBehindLink
          ? readRealPath(target.path)
          : join(readRealPath(dirname(target.path)), basename(target.path)),
      };

/** The same with links followed. */
export const followContextLinks = (here: LineContext): LineContext => ({
  ...here,
  cwd: here.readRealPath(here.cwd),
  folders: here.folders.map(here.readRealPath),
  home: here.readRealPath(here.home),
  protect: here.protect.map(here.readRealPath),
  outside: here.outside.map(here.readRealPath),
});
