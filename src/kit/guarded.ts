import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { homedir } from "../run/home.ts";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { AnyEvent } from "../core/event.ts";
import type { Place } from "../core/setup.ts";
import { registry } from "../hosts/registry.ts";
import { configSources, PROJECT_CONFIG } from "../run/settings.ts";
import { stateDirectory } from "../run/continuations.ts";
import { git } from "./git.ts";
import { mayConcern } from "./concern.ts";
import { native } from "./fill.ts";
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
  const covers = (path: string) => isIn(table(), native(path));
  const { cwd: told } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  // The one that a command works in, where the host says so.
  const folder = typeof told === "string" && told ? join(isAbsolute(told) ? "" : cwd, native(told)) : cwd;
  const partsOf = (folder: string) => [...below(table(), folder), ...partsIn(table(), folder)];
  return {
    covers,
    within: (folder) => partsOf(native(folder)).filter((file) => existsSync(file)),
    brought: (folder, to) => brought(table(), folder && native(folder), native(to)),
    isNamed: (text) => isNamed(table(), text),
    mayConcern: (line) => mayConcern(line, place, (file) => !isAbsolute(folder) || leadsTo(table(), join(folder, file))),
    switchedOff: (commands) => switchedOff(commands, cwd, covers),
  };
}

/** The files of a `Guarded`. */
export interface Table {
  /** Whole paths; a folder ends in "/". */
  whole: readonly string[];
  /** What a path ends in; a folder ends in "/". */
  endings: readonly string[];
  /** Folders in which an ending means the session's own file. */
  bases: readonly string[];
  /** What comes of these, made when it is first asked: a call may be about thousands of files. */
  own: () => Own;
}

/** The session's own files, as paths are compared with them. */
interface Own {
  /** All of them, there or not, by their names and where links lead; the name ends in "/". */
  below: readonly { path: string; name: string }[];
  /** What folders called ".host" hold: how the folder's path ends, and what is in it. */
  parts: readonly { end: string; rest: string }[];
  /** What the system knows files and folders by. */
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  /** Whether a folder is one of those, or lies in one; each is asked once. */
  inside: Map<string, boolean>;
}

export function tableOf(cwd: string, { home, platform, env }: Pick<Place, "home" | "platform" | "env">): Table {
  const files = [
    ...registry.flatMap((host) => host.guarded.files({ home, platform, env })),
    `**/${PROJECT_CONFIG}`,
    ...configSources(cwd).flatMap(({ scope, path }) => (scope === "project" ? [] : [`${dirname(path)}/`])),
    `${stateDirectory(env)}/`,
    process.execPath,
  ];
  const folders = [home, cwd, git({ cwd })?.root ?? ""].filter(Boolean);
  const whole = files.filter((file) => !file.startsWith("**/"));
  const endings = files.filter((file) => file.startsWith("**/")).map((file) => file.slice(3));
  const bases = [...new Set(folders)];
  let own: Own | undefined;
  return { whole, endings, bases, own: () => (own ??= ownOf({ whole, endings, bases })) };
}

function ownOf(table: Omit<Table, "own">): Own {
  const { whole, endings, bases } = table;
  const files = ownFiles(table);
  const named = [...whole, ...bases.flatMap((base) => endings.map((ending) => join(base, ending)))];
  const linked = files.filter((path) => existsSync(path)).map((path) => ({ path, name: folderName(realpathSync(path)) }));
  const idsOf = (list: string[]) => new Set(list.flatMap((file) => idOf(file) ?? []));
  return {
    below: [...named.map((path) => ({ path, name: folderName(path) })), ...linked],
    parts: endings.flatMap((ending) =>
      [...ending.matchAll(/\/(?=.)/g)].map(({ index }) => ({
        end: plain(`/${ending.slice(0, index + 1)}`),
        rest: ending.slice(index + 1),
      })),
    ),
    files: idsOf(files.filter((file) => !file.endsWith("/"))),
    folders: idsOf(files.filter((file) => file.endsWith("/"))),
    inside: new Map(),
  };
}

/** A path as it is compared: some systems make no difference between large and small letters. */
const plain = (path: string) => path.replaceAll("\\", "/").toLowerCase();
const folderName = (path: string) => plain(join(path, "/"));

/** Whether a path is one that the table names, or lies in one, by whatever name. */
export function isIn(table: Table, path: string): boolean {
  const given = plain(path);
  const isPart = (file: string) => (file.endsWith("/") ? `${given}/`.startsWith(file) : given === file);
  const endsIn = (ending: string) => (ending.endsWith("/") ? `${given}/`.includes(`/${ending}`) : given.endsWith(`/${ending}`));
  if (table.whole.some((file) => isPart(plain(file))) || table.endings.some((ending) => endsIn(plain(ending)))) return true;
  // A person may keep such a file elsewhere, with a link in its place.
  const id = idOf(path);
  if (id === undefined) return false;
  const own = table.own();
  return own.files.has(id) || own.folders.has(id) || isInside(own, dirname(path));
}

/** Whether a folder is one of the own folders, or lies in one, by whatever name. */
function isInside(own: Own, folder: string): boolean {
  const known = own.inside.get(folder);
  if (known !== undefined) return known;
  const above = dirname(folder);
  const is = above !== folder && (own.folders.has(idOf(folder) ?? "") || isInside(own, above));
  own.inside.set(folder, is);
  return is;
}

/** Whether a file is part of the table, or a link, which may lead to one; also where the system doesn't say. */
function leadsTo(table: Table, file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true || isIn(table, file);
  } catch {
    return true;
  }
}

/** The session's own files, of those folders that are there. */
function ownFiles({ whole, endings, bases }: Omit<Table, "own">): string[] {
  const first = (ending: string) => ending.slice(0, ending.indexOf("/") + 1) || ending;
  const steps = [...new Set(endings.map(first))];
  const own = bases.flatMap((base) => {
    const there = steps.filter((step) => existsSync(join(base, step)));
    return endings.filter((ending) => there.includes(first(ending))).map((ending) => join(base, ending));
  });
  return [...whole, ...own];
}

/** What the system knows a file by, whatever its name; of one that is not there, its folder and its name. */
function idOf(path: string): string | undefined {
  const found = statOf(path);
  if (found) return `${found.dev} ${found.ino}`;
  const folder = statOf(dirname(path));
  return folder && `${folder.dev} ${folder.ino}/${plain(basename(path))}`;
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The session's own files that lie in a folder, by its name or where links lead, whether or not they are there. */
function below(table: Table, folder: string): string[] {
  const above = folderName(folder);
  return [...new Set(table.own().below.flatMap(({ path, name }) => (name.startsWith(above) ? [path] : [])))];
}

/** What a folder called ".host" may hold, wherever it is. */
function partsIn(table: Table, path: string): string[] {
  const folder = join(path, "/");
  const given = plain(`/${folder}`);
  return table.own().parts.flatMap(({ end, rest }) => (given.endsWith(end) ? [folder + rest] : []));
}

function brought(table: Table, folder: string | undefined, place: string): string[] {
  const parts = below(table, place);
  // What comes into a project as a whole may be anything.
  if (folder === undefined) return table.bases.some((base) => folderName(base).startsWith(folderName(place))) ? [] : parts;
  return parts.filter((part) => existsSync(join(folder, part.slice(join(place, "/").length))));
}

/** Whether all steps of an ending stand in a text, or a whole path, in the home folder by whatever name that goes. */
function isNamed({ whole, endings, bases: [home = ""] }: Table, text: string): boolean {
  const given = plain(text);
  const hasSteps = (path: string) => path.split("/").every((step) => given.includes(step));
  const fromHome = (path: string) => (path.startsWith(`${plain(home)}/`) ? path.slice(home.length) : path);
  return endings.some((ending) => hasSteps(plain(ending))) || whole.some((file) => given.includes(fromHome(plain(file))));
}
