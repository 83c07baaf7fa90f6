import { existsSync } from "../../system/files.ts";
import { join } from "../../system/paths.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { listProjectFolders } from "../../protocol/project.ts";
import { homedir } from "../../system/home.ts";
import { comparablePath, foldText } from "./comparable-path.ts";
import { mentionsHook } from "./hook-names.ts";
import { getEventFolder } from "./event-folder.ts";
import { toNativePath } from "./expand-word.ts";
import { listFilesBelow, isGuarded, listPossibleParts, type GuardedFiles, buildGuardedFiles } from "./guarded-files.ts";
import { toComparableFolder } from "./guarded-names.ts";
import type { InspectedCommand } from "./inspected-command.ts";
import { describeSwitchOff } from "./switch-off.ts";

/**
 * The files that keep hooks in force on this machine: the configs of all hosts and of bridge-hooks, its state, and this
 * executable.
 */
export interface Guarded {
  /** Whether a file is one of them; pass an absolute path. */
  covers(path: string): boolean;
  /** Those that exist in a directory. */
  within(folder: string): readonly string[];
  /**
   * Those that would be created if a directory were copied, moved or linked to a place; for an unknown directory, all
   * possible ones.
   */
  brought(folder: string | undefined, target: string): readonly string[];
  /**
   * Those that may be created if files are put into a directory that the call does not name: in the home directory any,
   * in a project's own none.
   */
  filled(target: string): readonly string[];
  /** Whether a text mentions one of them, in one word or in several. */
  isNamed(text: string): boolean;
  /** Whether a text mentions a host, its variables or files, or this executable: commands that switch hooks off do. */
  mentionsHook(text: string): boolean;
  /** How commands would switch hooks off, as a phrase that follows "it"; undefined if they would not. */
  switchedOff(commands: readonly InspectedCommand[]): string | undefined;
}

/** An event, or the folders of its session; a shell call runs in a folder of its own. */
type SessionEvent = Pick<AnyEvent, "cwd" | "workspace_roots"> & { tool?: unknown; input?: unknown };

/** Describes the files that keep hooks in force for the session of an event. */
export function guarded(event: SessionEvent): Guarded {
  let known: GuardedFiles | undefined;
  const machine = { home: homedir(), platform: process.platform, env: process.env };
  const cwd = toNativePath(event.cwd);
  const folders = [...new Set([cwd, ...listProjectFolders(event).map((folder) => toNativePath(folder))])];
  const table = () => (known ??= buildGuardedFiles(folders, machine));
  const covers = cacheByPath((path) => isGuarded(table(), toNativePath(path)));
  const programs = new Map<string, boolean>();
  const filesBelow = cacheByPath((folder) => listFilesBelow(table(), folder));
  const partsOf = (folder: string) => [...filesBelow(folder), ...listPossibleParts(table(), folder)];
  return {
    covers,
    within: cacheByPath((folder) => partsOf(toNativePath(folder)).filter((file) => existsSync(file))),
    brought(folder, to) {
      const target = toNativePath(to);
      return findBroughtFiles(table(), folder && toNativePath(folder), target, filesBelow(target));
    },
    filled(to) {
      const target = toNativePath(to);
      const isHome = target !== cwd && table().homes.some((home) => comparablePath(target) === comparablePath(home));
      return isHome ? filesBelow(target) : findBroughtFiles(table(), undefined, target, filesBelow(target));
    },
    isNamed: (text) => hasGuardedName(table(), text),
    mentionsHook: (text) => mentionsHook(text, machine),
    switchedOff: (commands) => describeSwitchOff(commands, { cwd: getEventFolder(event), covers, known: programs }),
  };
}

/** Caches results by path: the commands of a line often ask for the same ones. */
function cacheByPath<T>(ask: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    if (!known.has(path)) known.set(path, ask(path));
    return known.get(path) as T;
  };
}

/** @param parts the files at that place. */
function findBroughtFiles(
  table: GuardedFiles,
  folder: string | undefined,
  target: string,
  parts: readonly string[],
): readonly string[] {
  // A directory brought into a project as a whole may contain anything.
  if (folder === undefined)
    return table.baseFolders.some((base) => toComparableFolder(base).startsWith(toComparableFolder(target)))
      ? []
      : parts;
  return parts.filter((part) => existsSync(join(folder, part.slice(join(target, "/").length))));
}

/**
 * Whether a text contains all segments of an ending, or an absolute path; the home directory may be written in any way.
 */
function hasGuardedName({ wholePaths, pathEndings, homes }: GuardedFiles, text: string): boolean {
  // A text with names in it, not a path.
  const given = foldText(text).replaceAll("\\", "/");
  const hasSteps = (path: string) => path.split("/").every((step) => given.includes(step));
  const fromHome = (path: string) => {
    const home = homes.find((one) => path.startsWith(`${comparablePath(one)}/`)) ?? "";
    return path.slice(home.length);
  };
  return (
    pathEndings.some((ending) => hasSteps(comparablePath(ending))) ||
    wholePaths.some((file) => given.includes(fromHome(comparablePath(file)).replace(/\/$/, "")))
  );
}
