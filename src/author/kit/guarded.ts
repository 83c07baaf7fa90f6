import { existsSync } from "../../system/files.ts";
import { join } from "../../system/paths.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { listProjectFolders } from "../../protocol/project.ts";
import { homedir } from "../../system/home.ts";
import { comparablePath, normalizeText } from "./comparable-path.ts";
import { mentionsHook } from "./hook-names.ts";
import { getEventFolder } from "./event-folder.ts";
import { toNativePath } from "./expand-word.ts";
import { listFilesBelow, isGuarded, listPossibleParts, type GuardedFiles, buildGuardedFiles } from "./guarded-files.ts";
import { toComparableFolder } from "./guarded-names.ts";
import type { InspectedCommand } from "./inspected-command.ts";
import { describeSwitchOff } from "./switch-off.ts";

/**
 * The files that keep hooks in force on this machine: all hosts' configs, bridge-hooks' config and state, and this
 * executable.
 */
export interface Guarded {
  /** Whether an absolute path is a guarded file or inside a guarded directory. */
  covers(path: string): boolean;
  /** Lists the guarded files that exist inside a directory. */
  within(folder: string): readonly string[];
  /**
   * Lists the guarded files that copying, moving or linking a directory to `target` would create. If the directory is
   * unknown (undefined), lists all files that could be created.
   */
  brought(folder: string | undefined, target: string): readonly string[];
  /**
   * Lists the guarded files that unpacking unnamed files into `target` could create: all candidates in the home
   * directory, and none in the project's own directories.
   */
  filled(target: string): readonly string[];
  /** Whether a string mentions a guarded file, in one word or split across several words. */
  isNamed(text: string): boolean;
  /**
   * Whether a string mentions a host, its variables or files, or this executable. Every command that switches hooks off
   * mentions one of these names.
   */
  mentionsHook(text: string): boolean;
  /**
   * Describes how the commands would switch hooks off, as a phrase that follows "it". Returns undefined if the commands
   * don't switch hooks off.
   */
  switchedOff(commands: readonly InspectedCommand[]): string | undefined;
}

/** An event, or its working directory and workspace roots. A shell call can have its own directory. */
type SessionEvent = Pick<AnyEvent, "cwd" | "workspace_roots"> & { tool?: unknown; input?: unknown };

/** Describes the files that keep hooks in force for an event's session. */
export function guarded(event: SessionEvent): Guarded {
  let guardedFiles: GuardedFiles | undefined;
  const machine = { home: homedir(), platform: process.platform, env: process.env };
  const cwd = toNativePath(event.cwd);
  const folders = [...new Set([cwd, ...listProjectFolders(event).map((folder) => toNativePath(folder))])];
  const table = () => (guardedFiles ??= buildGuardedFiles(folders, machine));
  const covers = cacheByPath((path) => isGuarded(table(), toNativePath(path)));
  const programs = new Map<string, boolean>();
  const filesBelow = cacheByPath((folder) => listFilesBelow(table(), folder));
  const partsOf = (folder: string) => [...filesBelow(folder), ...listPossibleParts(table(), folder)];
  return {
    covers,
    within: cacheByPath((folder) => partsOf(toNativePath(folder)).filter((file) => existsSync(file))),
    brought(folder, to) {
      const target = toNativePath(to);
      return findMovedInFiles(table(), folder && toNativePath(folder), target, filesBelow(target));
    },
    filled(to) {
      const target = toNativePath(to);
      const isHome = target !== cwd && table().homes.some((home) => comparablePath(target) === comparablePath(home));
      return isHome ? filesBelow(target) : findMovedInFiles(table(), undefined, target, filesBelow(target));
    },
    isNamed: (text) => hasGuardedName(table(), text),
    mentionsHook: (text) => mentionsHook(text, machine),
    switchedOff: (commands) => describeSwitchOff(commands, { cwd: getEventFolder(event), covers, ownByWord: programs }),
  };
}

/** Returns a function that caches results by path, because commands often query the same path. */
function cacheByPath<T>(ask: (path: string) => T): (path: string) => T {
  const cache = new Map<string, T>();
  return (path) => {
    if (!cache.has(path)) cache.set(path, ask(path));
    return cache.get(path) as T;
  };
}

/** @param parts The guarded files below `target`. */
function findMovedInFiles(
  table: GuardedFiles,
  folder: string | undefined,
  target: string,
  parts: readonly string[],
): readonly string[] {
  // A directory copied over a whole project or home directory could contain anything, so don't list everything.
  if (folder === undefined)
    return table.baseFolders.some((base) => toComparableFolder(base).startsWith(toComparableFolder(target)))
      ? []
      : parts;
  return parts.filter((part) => existsSync(join(folder, part.slice(join(target, "/").length))));
}

/**
 * Whether a string contains an absolute path or all segments of a path ending. The home directory can be written in any
 * form.
 */
function hasGuardedName({ wholePaths, pathEndings, homes }: GuardedFiles, text: string): boolean {
  // Don't use `comparablePath`, because the string isn't a path, even if it contains names.
  const comparable = normalizeText(text).replaceAll("\\", "/");
  const hasSteps = (path: string) => path.split("/").every((step) => comparable.includes(step));
  const fromHome = (path: string) => {
    const home = homes.find((homeFolder) => path.startsWith(`${comparablePath(homeFolder)}/`)) ?? "";
    return path.slice(home.length);
  };
  return (
    pathEndings.some((ending) => hasSteps(comparablePath(ending))) ||
    wholePaths.some((file) => comparable.includes(fromHome(comparablePath(file)).replace(/\/$/, "")))
  );
}
