import { readdirSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { orAbsent } from "../system/errors.ts";
import { compareHookOrder, createHookEntry, type HookDescriptor } from "../protocol/hook.ts";
import { entries as compiled } from "../call/built/hooks.ts";
import { findHooksFolder, isHookModule, listHookModules } from "./load-hooks.ts";
import { loadLiveHook } from "./live-hook.ts";
import { hashHookSources } from "./build/hook-sources.ts";
import { policy } from "../call/built/policy.ts";
import { findDuplicateNames, deriveHookName } from "./build/hook-module.ts";
import { type SourceProblem, SourceProblemsError } from "./build/problem.ts";

/** The hooks that a command works with, in execution order. */
export interface HookSet {
  entries: readonly HookDescriptor[];
  /** The hooks' directory, as shown in messages; absent if compiled in. */
  folder?: string;
  /** A note about modules in ./hooks that weren't loaded. */
  unloaded?: string;
  /** Module paths, keyed by hook name. */
  files: ReadonlyMap<string, string>;
}

/** The hooks compiled into this executable. */
export const COMPILED_HOOKS: HookSet = { entries: compiled, files: new Map() };

/**
 * Loads the hooks in a directory; without a directory, returns the compiled-in hooks. Code in the working directory
 * runs only on request, because anyone could have written it.
 * @throws Error if there are no hooks, or if a hook is invalid.
 */
export async function findHooks(directory: string | undefined): Promise<HookSet> {
  if (directory !== undefined) return loadLiveHooks(findHooksFolder(directory));
  const unloaded = describeUnloadedHooks();
  if (compiled.length > 0) return { ...COMPILED_HOOKS, ...(unloaded !== undefined && { unloaded }) };
  throw new Error(`this executable has no hooks; ${unloaded ?? "pass a hooks directory with --hooks DIR"}`);
}

/**
 * Describes hook modules in the working directory that weren't loaded. Returns undefined if the modules are compiled
 * in.
 */
function describeUnloadedHooks(): string | undefined {
  if (!orAbsent(() => statSync("hooks"))?.isDirectory()) return undefined;
  const modules = readdirSync("hooks").filter(isHookModule);
  const count = modules.length;
  if (count === 0 || (policy?.sources !== undefined && isBuiltFrom("hooks", policy.sources))) return undefined;
  const ownNames = new Set(compiled.flatMap(({ name, origin }) => (origin === "starter" ? [] : name)));
  if (modules.some((file) => ownNames.has(deriveHookName(file))))
    return "./hooks has changed since this executable was built; rebuild it, or pass --hooks . to run the current files";
  const [subject, them] = count === 1 ? ["1 module that was", "it"] : [`${count} modules that were`, "them"];
  return `./hooks has ${subject} not loaded; pass --hooks . to run ${them}`;
}

/** Whether the executable was built from a directory. Returns false if the directory can't be read. */
function isBuiltFrom(folder: string, sources: string): boolean {
  try {
    return hashHookSources(folder) === sources;
  } catch {
    return false;
  }
}

async function loadLiveHooks(folder: string): Promise<HookSet> {
  const loadedHooks: { entry: HookDescriptor; file: string }[] = [];
  const problems: SourceProblem[] = [];
  for (const name of listHookModules(folder)) {
    const file = join(folder, name);
    try {
      loadedHooks.push({ entry: createHookEntry(await loadLiveHook(file), deriveHookName(file)), file });
    } catch (error) {
      if (!(error instanceof SourceProblemsError)) throw error;
      problems.push(...error.problems);
    }
  }
  problems.push(...findDuplicateNames(loadedHooks.map(({ entry: { name }, file }) => ({ name, file }))));
  if (problems.length > 0) throw new SourceProblemsError(problems);
  const entries = loadedHooks.map(({ entry }) => entry).sort(compareHookOrder);
  const relativePath = relative(process.cwd(), folder);
  return {
    entries,
    folder: relativePath.startsWith("..") || isAbsolute(relativePath) ? folder : `./${relativePath}`,
    files: new Map(loadedHooks.map(({ entry, file }) => [entry.name, file])),
  };
}

/** Formats the first line of a command's output, which shows where the hooks come from and what they are called. */
export const formatHooksLine = (origin: string, names: readonly string[]): string =>
  `${origin} (${names.length}: ${names.join(", ")})`;

/**
 * Returns the arguments that make another command load the same hooks, such as `--hooks .` for this project's hooks.
 */
export const nameHooksFolder = ({ folder }: HookSet): string[] =>
  folder === undefined ? [] : ["--hooks", folder === "./hooks" ? "." : folder];

export const describeHooksOrigin = ({ folder }: HookSet): string => folder ?? "compiled in";
