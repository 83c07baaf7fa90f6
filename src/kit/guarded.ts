import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { AnyEvent } from "../core/event.ts";
import type { Place } from "../core/setup.ts";
import { hosts } from "../hosts/index.ts";
import { configSources, PROJECT_CONFIG } from "../run/config.ts";
import { stateDirectory } from "../run/continuations.ts";
import { git } from "./git.ts";
import { type Said, switchedOff } from "./off.ts";

/** What keeps hooks in force on this machine: configs of all hosts and of the bridge, its state, and this executable. */
export interface Guarded {
  /** Whether a file is part of it; a whole path. */
  covers(path: string): boolean;
  /** A part of it that is there, and that lies in the folder. */
  within(folder: string): string | undefined;
  /** What commands would do so that hooks are asked no more, to follow "it"; nothing where they would not. */
  switchedOff(commands: readonly Said[]): string | undefined;
}

/** What keeps hooks in force for the session of an event. */
export function guarded(event: Pick<AnyEvent, "cwd">): Guarded {
  let known: Table | undefined;
  const table = () => (known ??= tableOf(event.cwd, { home: homedir(), platform: process.platform, env: process.env }));
  const covers = (path: string) => isIn(table(), path);
  return { covers, within: (folder) => below(table(), folder), switchedOff: (commands) => switchedOff(commands, event.cwd, covers) };
}

/** The files of a `Guarded`. */
export interface Table {
  /** Whole paths; a folder ends in "/". */
  whole: readonly string[];
  /** What a path ends in; a folder ends in "/". */
  endings: readonly string[];
  /** Folders in which an ending means the session's own file. */
  bases: readonly string[];
}

export function tableOf(cwd: string, { home, platform, env }: Pick<Place, "home" | "platform" | "env">): Table {
  const files = [
    ...hosts.flatMap((host) => host.guarded.files({ home, platform, env })),
    `**/${PROJECT_CONFIG}`,
    ...configSources(cwd).flatMap(({ scope, path }) => (scope === "project" ? [] : [`${dirname(path)}/`])),
    `${stateDirectory(env)}/`,
    process.execPath,
  ];
  const endings = files.filter((file) => file.startsWith("**/")).map((file) => file.slice(3));
  const folders = [home, cwd, git({ cwd })?.root ?? ""].filter(Boolean);
  const bases = [...new Set([...folders, ...folders.map(realOf)])];
  // A person may keep such a file elsewhere, with a link in its place.
  const own = bases.flatMap((base) => endings.map((ending) => join(base, ending)).filter((path) => existsSync(path)));
  const whole = [...files.filter((file) => !file.startsWith("**/")), ...own];
  return { whole: [...new Set([...whole, ...whole.map(realOf)])], endings, bases };
}

/** A path without links, as far as it exists; a folder's "/" stays. */
function realOf(path: string): string {
  const end = path.endsWith("/") ? "/" : "";
  for (let at = resolve(path), rest = ""; ; rest = join(basename(at), rest), at = dirname(at)) {
    try {
      return join(realpathSync(at), rest) + end;
    } catch {
      if (dirname(at) === at) return path;
    }
  }
}

/** A path as it is compared: some systems make no difference between large and small letters. */
const plain = (path: string) => path.replaceAll("\\", "/").toLowerCase();

/** Whether a path is one that the table names, or lies in one. */
export function isIn({ whole, endings }: Table, path: string): boolean {
  const given = plain(path);
  const isPart = (file: string) => (file.endsWith("/") ? `${given}/`.startsWith(file) : given === file);
  const endsIn = (ending: string) => (ending.endsWith("/") ? `${given}/`.includes(`/${ending}`) : given.endsWith(`/${ending}`));
  return whole.some((file) => isPart(plain(file))) || endings.some((ending) => endsIn(plain(ending)));
}

function below({ whole, endings, bases }: Table, path: string): string | undefined {
  const folder = path.replace(/[\\/]*$/, "/");
  const own = bases.flatMap((base) => endings.map((ending) => join(base, ending)));
  // Wherever a folder called ".host" is, what an ending goes on with may be in it.
  const parts = endings.flatMap((ending) => {
    const steps = [...ending.matchAll(/\//g)].map(({ index }) => index + 1).filter((at) => at < ending.length);
    return steps.flatMap((at) => (plain(folder).endsWith(`/${plain(ending.slice(0, at))}`) ? [folder + ending.slice(at)] : []));
  });
  return [...whole, ...own, ...parts].find((file) => plain(file.replace(/\/?$/, "/")).startsWith(plain(folder)) && existsSync(file));
}
