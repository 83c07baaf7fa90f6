import { readdirSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { byOrder, entryOf, type HookEntry } from "../core/hook.ts";
import { entries as compiled } from "../run/hooks.ts";
import { hooksFolder, isModule, modulesOf } from "./load.ts";
import { liveHook } from "./live.ts";
import { doubles, nameOf } from "./make/module.ts";
import { type Problem, Problems } from "./make/problem.ts";

/** The hooks that a command is about, in the order in which they run. */
export interface Hooks {
  entries: readonly HookEntry[];
  /** The folder they are read from, as messages name it; absent: they are compiled in. */
  folder?: string;
  /** There is ./hooks, but no module in it. */
  empty?: true;
  /** The modules, by the hooks' names. */
  files: ReadonlyMap<string, string>;
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Those of a directory; without one, of ./hooks if there is a module in it, else the ones in this executable.
 * @throws Error when there are none, or one is wrong.
 */
export async function hooksFor(directory: string | undefined, wants: { compiled?: boolean } = {}): Promise<Hooks> {
  if (directory !== undefined) return liveHooks(hooksFolder(directory));
  const isThere = !wants.compiled && isFolder("hooks");
  if (isThere && readdirSync("hooks").some(isModule)) return liveHooks(resolve("hooks"));
  if (compiled.length > 0) return { entries: compiled, files: new Map(), ...(isThere && { empty: true }) };
  throw new Error("there are no hooks: none in ./hooks, and none in this executable; name a directory with --hooks DIR");
}

async function liveHooks(folder: string): Promise<Hooks> {
  const loaded: { entry: HookEntry; file: string }[] = [];
  const problems: Problem[] = [];
  for (const name of modulesOf(folder)) {
    const file = join(folder, name);
    try {
      loaded.push({ entry: entryOf(await liveHook(file), nameOf(file)), file });
    } catch (error) {
      if (!(error instanceof Problems)) throw error;
      problems.push(...error.problems);
    }
  }
  problems.push(...doubles(loaded.map(({ entry: { name }, file }) => ({ name, file }))));
  if (problems.length > 0) throw new Problems(problems);
  const entries = loaded.map(({ entry }) => entry).sort(byOrder);
  const near = relative(process.cwd(), folder);
  return {
    entries,
    folder: near.startsWith("..") || isAbsolute(near) ? folder : `./${near}`,
    files: new Map(loaded.map(({ entry, file }) => [entry.name, file])),
  };
}

/** Where hooks come from and what they are called, as commands begin with it. */
export const hooksLine = (from: string, names: readonly string[]): string => `${from} (${names.length}: ${names.join(", ")})`;

export const fromOf = ({ folder, empty }: Hooks): string => folder ?? (empty ? "compiled in; ./hooks has no hook module" : "compiled in");
