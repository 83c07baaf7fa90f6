import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Place } from "../../protocol/host/install.ts";
import { registry } from "../../hosts/registry.ts";
import { configSources, PROJECT_CONFIG } from "../../run/settings.ts";
import { stateDirectory } from "../../run/state-directory.ts";
import { git } from "./git.ts";

/** The files of a `Guarded`. */
export interface Table {
  /** Whole paths; a folder ends in "/". */
  whole: readonly string[];
  /** What a path ends in; a folder ends in "/". */
  endings: readonly string[];
  /** Folders in which an ending means the session's own file. */
  bases: readonly string[];
  /** What comes of these, made when it is first asked: a call may be about thousands of files. */
  names: () => Names;
  own: () => Own;
  /** What the system knows folders by; each is asked once. */
  ids: Map<string, string | undefined>;
}

/** The names of the table, as paths are compared with them. */
interface Names {
  whole: readonly string[];
  endings: readonly string[];
  /** How endings begin: a path without any of these steps has no such ending. */
  steps: ReadonlySet<string>;
}

/** The session's own files, as paths are compared with them. */
interface Own {
  /** All of them, there or not, by their names and where links lead; the name ends in "/". */
  below: readonly { path: string; name: string }[];
  /** Those names, each behind a newline: most folders are no part of it. */
  allNames: string;
  /** What folders called ".host" hold: how the folder's path ends, and what is in it. */
  parts: readonly { end: string; rest: string }[];
  /** The last steps of these folders. */
  lastSteps: ReadonlySet<string>;
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
  let names: Names | undefined;
  let own: Own | undefined;
  return {
    whole,
    endings,
    bases,
    names: () => (names ??= namesOf(whole.map(plain), endings.map(plain))),
    own: () => (own ??= ownOf({ whole, endings, bases })),
    ids: new Map(),
  };
}

const namesOf = (whole: readonly string[], endings: readonly string[]): Names => ({
  whole,
  endings,
  steps: new Set(endings.map((ending) => ending.split("/", 1)[0] as string)),
});

function ownOf(table: Pick<Table, "whole" | "endings" | "bases">): Own {
  const { whole, endings, bases } = table;
  const files = ownFiles(table);
  const named = [...whole, ...bases.flatMap((base) => endings.map((ending) => join(base, ending)))];
  const linked = files
    .filter((path) => existsSync(path))
    .map((path) => ({ path, name: folderName(realpathSync(path)) }));
  const idsOf = (list: string[]) => new Set(list.flatMap((file) => idOf(file) ?? []));
  const below = [...named.map((path) => ({ path, name: folderName(path) })), ...linked];
  const parts = endings.flatMap((ending) =>
    [...ending.matchAll(/\/(?=.)/g)].map(({ index }) => ({
      end: plain(`/${ending.slice(0, index + 1)}`),
      rest: ending.slice(index + 1),
    })),
  );
  return {
    below,
    allNames: below.map(({ name }) => `\n${name}`).join(""),
    parts,
    lastSteps: new Set(parts.map(({ end }) => lastStep(end))),
    files: idsOf(files.filter((file) => !file.endsWith("/"))),
    folders: idsOf(files.filter((file) => file.endsWith("/"))),
    inside: new Map(),
  };
}

/** A path as it is compared: some systems make no difference between large and small letters. */
export const plain = (path: string) => path.replaceAll("\\", "/").toLowerCase();
export const folderName = (path: string) => plain(join(path, "/"));
/** The last step of a folder's path, which ends in "/". */
const lastStep = (folder: string) => folder.slice(folder.lastIndexOf("/", folder.length - 2));

/** Whether a path is one that the table names, or lies in one, by whatever name. */
export function isIn(table: Table, path: string): boolean {
  const { whole, endings, steps } = table.names();
  const given = plain(path);
  const isPart = (file: string) => (file.endsWith("/") ? `${given}/`.startsWith(file) : given === file);
  const endsIn = (ending: string) =>
    ending.endsWith("/") ? `${given}/`.includes(`/${ending}`) : given.endsWith(`/${ending}`);
  if (whole.some(isPart) || (given.split("/").some((step) => steps.has(step)) && endings.some(endsIn))) return true;
  // A person may keep such a file elsewhere, with a link in its place.
  const id = idOf(path, table.ids);
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
export function leadsTo(table: Table, file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true || isIn(table, file);
  } catch {
    return true;
  }
}

/** The session's own files, of those folders that are there. */
function ownFiles({ whole, endings, bases }: Pick<Table, "whole" | "endings" | "bases">): string[] {
  const first = (ending: string) => ending.slice(0, ending.indexOf("/") + 1) || ending;
  const steps = [...new Set(endings.map(first))];
  const own = bases.flatMap((base) => {
    const there = steps.filter((step) => existsSync(join(base, step)));
    return endings.filter((ending) => there.includes(first(ending))).map((ending) => join(base, ending));
  });
  return [...whole, ...own];
}

/** What the system knows a file by, whatever its name; of one that is not there, its folder and its name. */
function idOf(path: string, folders?: Table["ids"]): string | undefined {
  const found = statOf(path);
  if (found) return `${found.dev} ${found.ino}`;
  const above = dirname(path);
  let folder = folders?.get(above);
  if (folder === undefined && !folders?.has(above)) {
    const stat = statOf(above);
    folder = stat && `${stat.dev} ${stat.ino}`;
    folders?.set(above, folder);
  }
  return folder && `${folder}/${plain(basename(path))}`;
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The session's own files that lie in a folder, by its name or where links lead, whether or not they are there. */
export function below(table: Table, folder: string): string[] {
  const above = folderName(folder);
  const { allNames, below } = table.own();
  if (!allNames.includes(`\n${above}`)) return [];
  return [...new Set(below.flatMap(({ path, name }) => (name.startsWith(above) ? [path] : [])))];
}

/** What a folder called ".host" may hold, wherever it is. */
export function partsIn(table: Table, path: string): string[] {
  const folder = join(path, "/");
  const given = plain(`/${folder}`);
  const { parts, lastSteps } = table.own();
  return lastSteps.has(lastStep(given))
    ? parts.flatMap(({ end, rest }) => (given.endsWith(end) ? [folder + rest] : []))
    : [];
}
