import { existsSync, lstatSync, readBirthTime, readdirSync } from "bridge-hooks/files";
import { posix } from "bridge-hooks/paths";
import { readEnvironment, wildcardPattern } from "bridge-hooks";
import { isInNewContainer } from "./container-places.ts";
import {
  isForeignPath,
  isSameOrAbove,
  type LineContext,
  normalizePath,
  type OperandPath,
  toDiskPath,
} from "./line-context.ts";
import {
  ANY_USER_HOME,
  isBuildOutputName,
  isCachedName,
  isMachinePath,
  isRegeneratedName,
  isRefilledPath,
  isSettingsPath,
  PERSONAL_PATH,
  TEMPORARY_VARIABLES,
} from "./outside-places.ts";
import type { OperandFinder } from "./place-finder.ts";
import { resolveContextLinks, resolvePathLinks, resolveOperandPath } from "./places.ts";

const { dirname, join } = posix;

/**
 * How a command affects a path. `searched` means that the command deletes files it finds below the path. `edited` means
 * that it edits the file, which matters only for personal files.
 */
export type LossKind = "deleted" | "searched" | "moved" | "overwritten" | "edited";

/** Maximum number of wildcard matches to check. */
const MAX_MATCHES = 100;
/** Maximum number of operands to check per command. */
const MAX_OPERANDS = 200;

/**
 * Creates a finder for operands outside the project that aren't temporary, regenerated, or created during the session.
 * Symlinks are resolved.
 */
export const createOutsidePathFinder =
  (loss: LossKind): OperandFinder =>
  (operands, command, context) => {
    let resolvedContext: LineContext | undefined;
    for (const operand of operands.slice(0, MAX_OPERANDS)) {
      const target = resolveOperandPath(operand, command, context);
      if (!target || target.remote || isInNewContainer(target, command, context)) continue;
      resolvedContext ??= resolveContextLinks(context);
      const resolvedTarget = resolvePathLinks(target, context);
      const match = listMatches(resolvedTarget, operand.dynamic !== undefined).find((location) =>
        isProtectedOutsidePath(location, resolvedContext as LineContext, loss),
      );
      if (!match) continue;
      return match.path === target.path ? target.text : `${target.text} (which is ${match.path})`;
    }
    return undefined;
  };

/** Whether a resolved path outside the project must not be lost. */
export function isProtectedOutsidePath(target: OperandPath, context: LineContext, loss: LossKind): boolean {
  const { path, isContents } = target;
  // The parent directories of the project and of home are covered by other rules.
  if ([context.home, ...context.folders].some((folder) => isSameOrAbove(path, folder)))
    return loss === "searched" && !context.folders.some((folder) => isSameOrAbove(folder, path));
  const homeRelativePath = getPathFromHome(path, context);
  if (
    isInFolders(path, homeRelativePath, context, loss) ||
    context.outside.some((allowedFolder) => isSameOrAbove(allowedFolder, path))
  )
    return false;
  if (homeRelativePath === undefined ? isMachinePath(path) : isRefilledPath(homeRelativePath)) return false;
  const kind = classifyPath(path);
  if (!isRelevantLoss(loss, kind, homeRelativePath)) return false;
  if (isTemporaryPath(path, context) || isInRepository(path, context) || isRegenerated(path, homeRelativePath, context))
    return false;
  if (
    homeRelativePath !== undefined &&
    isSettingsPath(homeRelativePath) &&
    (kind === "file" || isCached(homeRelativePath))
  )
    return false;
  return !isCreatedDuringSession(kind === "folder" || isContents ? path : dirname(path), context);
}

/** Whether losing this kind of file in this way matters. */
function isRelevantLoss(
  loss: LossKind,
  kind: ReturnType<typeof classifyPath>,
  homeRelativePath: string | undefined,
): boolean {
  if (loss === "edited") return kind === "file" && PERSONAL_PATH.test(homeRelativePath ?? "");
  return kind === "file" || (kind === "folder" && loss !== "overwritten");
}

/** Files whose presence suggests that a directory next to them contains build output. */
const BUILD_MANIFESTS: readonly string[] =
  "package.json Cargo.toml pyproject.toml setup.py pom.xml build.gradle build.gradle.kts CMakeLists.txt Makefile go.mod".split(
    " ",
  );

/** Whether the names in a path suggest a file that programs regenerate or leave behind. */
function isRegenerated(path: string, homeRelativePath: string | undefined, { repository }: LineContext): boolean {
  const names = (homeRelativePath ?? path).split("/");
  if (names.some(isRegeneratedName)) return true;
  const at = names.findIndex((name, index) => index > 0 && isBuildOutputName(name));
  if (at < 0 || isForeignPath(path)) return at >= 0;
  const folder = path
    .split("/")
    .slice(0, at - names.length)
    .join("/");
  return (
    repository(folder) !== undefined || BUILD_MANIFESTS.some((name) => existsSync(toDiskPath(`${folder}/${name}`)))
  );
}

const isCached = (homeRelativePath: string): boolean => homeRelativePath.split("/").some(isCachedName);

/**
 * Returns a path relative to the home directory of the user or of another user; undefined if the path isn't in a home
 * directory.
 */
function getPathFromHome(path: string, { home }: LineContext): string | undefined {
  const homeFolder = isSameOrAbove(home, path) ? home : ANY_USER_HOME.exec(path)?.[0];
  return homeFolder === undefined ? undefined : path.slice(homeFolder.length + 1);
}

/** Whether a path is in a session directory. */
function isInFolders(
  path: string,
  homeRelativePath: string | undefined,
  context: LineContext,
  loss: LossKind,
): boolean {
  const { folders, home } = context;
  for (const folder of folders)
    if (isSameOrAbove(folder, path))
      // Personal files stay protected even if the session starts in the home directory.
      return !isSameOrAbove(folder, home) || loss === "overwritten" || !PERSONAL_PATH.test(homeRelativePath ?? "");
  return false;
}

/** Whether a path is in a session directory's repository, or in one of that repository's worktrees. */
function isInRepository(path: string, { folders, home, repository }: LineContext): boolean {
  const gitFolder = repository(path)?.commonGitDir;
  if (gitFolder === undefined) return false;
  return folders.some((folder) => {
    const { root = "/", commonGitDir } = repository(folder) ?? {};
    return commonGitDir === gitFolder && !isSameOrAbove(normalizePath(root), home);
  });
}

function isTemporaryPath(path: string, { home, folders }: LineContext): boolean {
  return TEMPORARY_VARIABLES.some((name) => {
    const folder = normalizePath(readEnvironment(name) ?? "/");
    return (
      isSameOrAbove(folder, path) && ![home, ...folders].some((sessionFolder) => isSameOrAbove(folder, sessionFolder))
    );
  });
}

/**
 * Determines what kind of file is at a path. On another system's disk, only files in home directories are assumed to
 * exist.
 */
function classifyPath(path: string): "file" | "folder" | "absent" {
  if (isForeignPath(path)) return !ANY_USER_HOME.test(path) ? "absent" : /\.\w{1,5}$/.test(path) ? "file" : "folder";
  try {
    const stats = lstatSync(toDiskPath(path), { throwIfNoEntry: false });
    return stats === undefined ? "absent" : stats.isDirectory() ? "folder" : "file";
  } catch {
    return "folder";
  }
}

/** Whether a directory was created after the session started. */
function isCreatedDuringSession(folder: string, context: LineContext): boolean {
  const start = context.startedAt();
  const birthTime = start === undefined ? undefined : readBirthTime(toDiskPath(folder));
  return start !== undefined && birthTime !== undefined && birthTime > start;
}

/** Lists the locations that match the wildcards in a path. */
function listMatches(target: OperandPath, hasWildcards: boolean): OperandPath[] {
  const parts = target.path.split("/");
  const at = hasWildcards ? parts.findIndex((part) => /[*?[]/.test(part)) : -1;
  if (at < 0) return [target];
  const folder = parts.slice(0, at).join("/") || "/";
  const remainingParts = parts.slice(at + 1);
  return listMatchingNames(folder, parts[at] as string)
    .slice(0, MAX_MATCHES)
    .flatMap((name) =>
      listMatches({ ...target, path: join(folder, name, ...remainingParts) }, remainingParts.length > 0),
    )
    .slice(0, MAX_MATCHES);
}

function listMatchingNames(folder: string, pattern: string): string[] {
  if (isForeignPath(folder)) return [pattern];
  const matches = wildcardPattern(pattern);
  return listNames(folder).filter((name) => matches(name) && (pattern.startsWith(".") || !name.startsWith(".")));
}

/** Lists a directory's entries; empty if the directory can't be read. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(toDiskPath(folder)) as string[];
  } catch {
    return [];
  }
}
