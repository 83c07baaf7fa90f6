import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { AnyEvent } from "../../protocol/event.ts";
import { homedir } from "../../run/home.ts";
import { mayConcern } from "./concern.ts";
import { native } from "./fill.ts";
import { below, folderName, isIn, leadsTo, partsIn, plain, type Table, tableOf } from "./guarded-files.ts";
import { type Said, switchedOff } from "./off.ts";

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
  switchedOff(commands: readonly Said[]): string | undefined;
}

/** What keeps hooks in force for the session of an event. */
export function guarded(event: Pick<AnyEvent, "cwd">): Guarded {
  let known: Table | undefined;
  const place = { home: homedir(), platform: process.platform, env: process.env };
  const cwd = native(event.cwd);
  const table = () => (known ??= tableOf(cwd, place));
  const covers = askOnce((path) => isIn(table(), native(path)));
  const { cwd: told } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  // The one that a command works in, where the host says so.
  const folder = typeof told === "string" && told ? join(isAbsolute(told) ? "" : cwd, native(told)) : cwd;
  const partsOf = (folder: string) => [...below(table(), folder), ...partsIn(table(), folder)];
  return {
    covers,
    within: askOnce((folder) => partsOf(native(folder)).filter((file) => existsSync(file))),
    brought: (folder, to) => brought(table(), folder && native(folder), native(to)),
    isNamed: (text) => isNamed(table(), text),
    mayConcern: (line) =>
      mayConcern(line, place, (file) => !isAbsolute(folder) || leadsTo(table(), join(folder, file))),
    switchedOff: (commands) => switchedOff(commands, cwd, covers),
  };
}

/** Keeps what was said of a path: each command of a line may ask for the same ones again. */
function askOnce<T>(ask: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    if (!known.has(path)) known.set(path, ask(path));
    return known.get(path) as T;
  };
}

function brought(table: Table, folder: string | undefined, place: string): string[] {
  const parts = below(table, place);
  // What comes into a project as a whole may be anything.
  if (folder === undefined)
    return table.bases.some((base) => folderName(base).startsWith(folderName(place))) ? [] : parts;
  return parts.filter((part) => existsSync(join(folder, part.slice(join(place, "/").length))));
}

/** Whether all steps of an ending stand in a text, or a whole path, in the home folder by whatever name that goes. */
function isNamed({ whole, endings, bases: [home = ""] }: Table, text: string): boolean {
  const given = plain(text);
  const hasSteps = (path: string) => path.split("/").every((step) => given.includes(step));
  const fromHome = (path: string) => (path.startsWith(`${plain(home)}/`) ? path.slice(home.length) : path);
  return (
    endings.some((ending) => hasSteps(plain(ending))) || whole.some((file) => given.includes(fromHome(plain(file))))
  );
}
