import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { AnyEvent } from "../../protocol/event.ts";
import { homedir } from "../../run/home.ts";
import { mayAffectHooks } from "./guarded-lines.ts";
import { toNativePath } from "./expand-word.ts";
import {
  listFilesBelow,
  toComparableFolder,
  isGuarded,
  mayLeadToGuarded,
  listPossibleParts,
  toComparablePath,
  type GuardedFiles,
  buildGuardedFiles,
} from "./guarded-files.ts";
import { type InspectedCommand, describeSwitchOff } from "./switch-off.ts";

/** What keeps hooks in force on this machine: configs of all hosts and of the bridge, its state, and this executable. */
export interface Guarded {
  /** Whether a file is part of it; a whole path. */
  covers(path: string): boolean;
  /** The parts of it that are there, and that lie in a folder. */
  within(folder: string): readonly string[];
  /** The parts of it that would come to be, if a folder were copied, moved or linked to a place; of one that nobody knows, all that may. */
  brought(folder: string | undefined, place: string): readonly string[];
  /** Whether a text names part of it, in one word or in several. */
  isNamed(text: string): boolean;
  /** Whether commands may be about it, as far as their letters tell: most are not, and need no closer look. */
  mayConcern(line: string): boolean;
  /** What commands would do so that hooks are asked no more, to follow "it"; nothing where they would not. */
  switchedOff(commands: readonly InspectedCommand[]): string | undefined;
}

/** What keeps hooks in force for the session of an event. */
export function guarded(event: Pick<AnyEvent, "cwd">): Guarded {
  let known: GuardedFiles | undefined;
  const place = { home: homedir(), platform: process.platform, env: process.env };
  const cwd = toNativePath(event.cwd);
  const table = () => (known ??= buildGuardedFiles(cwd, place));
  const covers = cacheByPath((path) => isGuarded(table(), toNativePath(path)));
  const { cwd: commandCwd } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  // The one that a command works in, where the host says so.
  const folder =
    typeof commandCwd === "string" && commandCwd
      ? join(isAbsolute(commandCwd) ? "" : cwd, toNativePath(commandCwd))
      : cwd;
  const partsOf = (folder: string) => [...listFilesBelow(table(), folder), ...listPossibleParts(table(), folder)];
  return {
    covers,
    within: cacheByPath((folder) => partsOf(toNativePath(folder)).filter((file) => existsSync(file))),
    brought: (folder, to) => findBroughtFiles(table(), folder && toNativePath(folder), toNativePath(to)),
    isNamed: (text) => hasGuardedName(table(), text),
    mayConcern: (line) =>
      mayAffectHooks(line, place, (file) => !isAbsolute(folder) || mayLeadToGuarded(table(), join(folder, file))),
    switchedOff: (commands) => describeSwitchOff(commands, cwd, covers),
  };
}

/** Keeps what was said of a path: each command of a line may ask for the same ones again. */
function cacheByPath<T>(ask: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    if (!known.has(path)) known.set(path, ask(path));
    return known.get(path) as T;
  };
}

function findBroughtFiles(table: GuardedFiles, folder: string | undefined, place: string): string[] {
  const parts = listFilesBelow(table, place);
  // What comes into a project as a whole may be anything.
  if (folder === undefined)
    return table.baseFolders.some((base) => toComparableFolder(base).startsWith(toComparableFolder(place)))
      ? []
      : parts;
  return parts.filter((part) => existsSync(join(folder, part.slice(join(place, "/").length))));
}

/** Whether all steps of an ending stand in a text, or a whole path, in the home folder by whatever name that goes. */
function hasGuardedName({ wholePaths, pathEndings, baseFolders: [home = ""] }: GuardedFiles, text: string): boolean {
  const given = toComparablePath(text);
  const hasSteps = (path: string) => path.split("/").every((step) => given.includes(step));
  const fromHome = (path: string) => (path.startsWith(`${toComparablePath(home)}/`) ? path.slice(home.length) : path);
  return (
    pathEndings.some((ending) => hasSteps(toComparablePath(ending))) ||
    wholePaths.some((file) => given.includes(fromHome(toComparablePath(file))))
  );
}
