import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Hook } from "../protocol/hook.ts";
import * as library from "../index.ts";
import * as files from "../system/files.ts";
import * as paths from "../system/paths.ts";
import { createDeadManSwitch } from "../call/process/process-limits.ts";
import { runLimited, awaitWithin } from "../system/limit.ts";
import { bundleModules } from "./build/bundle.ts";
import { extractHook } from "./build/hook-module.ts";
import { type SourceProblem, getPosition, SourceProblemsError } from "./build/problem.ts";
import { hasPackage } from "./build/provided.ts";
import { withWorkshop } from "./build/workshop.ts";

/** The time that a module may take to load, in milliseconds. */
const LOAD_TIMEOUT_MS = 5_000;

/**
 * What hook modules may import without installing it. Packages are required whole: with `import`, calls would load all
 * of them as well.
 */
const LIVE_MODULES: Readonly<Record<string, () => Record<string, unknown>>> = {
  "bridge-hooks": () => library,
  "bridge-hooks/files": () => files,
  "bridge-hooks/paths": () => paths,
  valibot: () => require("valibot"),
  zod: () => require("zod"),
  "zod/v4": () => require("zod"),
  "zod/mini": () => require("zod/mini"),
};

let hasModulePlugin = false;

/**
 * Lists the modules to provide in a folder, as the build does: a package that lies beside the hooks was chosen by their
 * author, and is used instead.
 */
const listLiveModules = (folder: string): string[] =>
  Object.keys(LIVE_MODULES).filter(
    (name) => name.startsWith("bridge-hooks") || !hasPackage(folder, name.split("/")[0] as string),
  );

/** Makes imports resolve to the modules in this executable. */
function installModulePlugin(folder: string): void {
  hasModulePlugin = true;
  // Loaded before the plugin is installed: afterwards these imports resolve to the plugin.
  const modules = listLiveModules(folder).map((name): [string, Record<string, unknown>] => [
    name,
    LIVE_MODULES[name]?.() ?? {},
  ]);
  Bun.plugin({
    name: "bridge-hooks",
    setup(build) {
      for (const [name, exports] of modules) build.module(name, () => ({ exports, loader: "object" }));
    },
  });
}

/**
 * Loads the hook of a module into this process.
 * @throws SourceProblemsError with positions, also if the module never finishes loading.
 */
export async function loadLiveHook(file: string): Promise<Hook> {
  if (!hasModulePlugin) installModulePlugin(dirname(file));
  return extractHook(await evaluateModule(file), file);
}

/** @param file the hook module, if `from` is a file that was built from it. */
async function evaluateModule(from: string, file = from): Promise<{ default?: unknown }> {
  const require = createRequire(from);
  try {
    // Loaded synchronously, so that a loop can be stopped.
    return await withAlarm(() => runLimited(() => require(from) as { default?: unknown }, LOAD_TIMEOUT_MS));
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("require() async module"))
      return importAsyncModule(from, file);
    if (Bun.isStandaloneExecutable && from === file && (error as Error).message.startsWith("Cannot find package"))
      return evaluateBundle(file);
    throw explainLoadFailure(error, file);
  }
}

/**
 * Evaluates the bundle of a module that imports packages from a node_modules: in an executable, Bun does not read their
 * package.json, but the bundler does.
 */
const evaluateBundle = (file: string): Promise<{ default?: unknown }> =>
  withWorkshop(tmpdir(), async (shop) => {
    const [{ bundle } = { bundle: "" }] = await bundleModules(
      [file],
      join(shop.folder, "live"),
      shop,
      listLiveModules(dirname(file)),
    );
    return evaluateModule(bundle, file);
  });

/** Imports a module with a top-level await. */
async function importAsyncModule(from: string, file: string): Promise<{ default?: unknown }> {
  try {
    return await withAlarm(() => awaitWithin(import(from) as Promise<{ default?: unknown }>, LOAD_TIMEOUT_MS));
  } catch (error) {
    throw explainLoadFailure(error, file);
  }
}

/**
 * Has the system end this process if loading blocks where nothing can stop it: in a loop behind an await, or in a program
 * that the module waits for.
 */
async function withAlarm<T>(load: () => Promise<T>): Promise<T> {
  const alarm = createDeadManSwitch();
  alarm((2 * LOAD_TIMEOUT_MS) / 1000);
  try {
    return await load();
  } finally {
    alarm(0);
  }
}

type SourcePlace = Omit<SourceProblem, "message">;

/** Explains why a module failed to load, in the format of compilers. */
function explainLoadFailure(error: unknown, file: string): Error {
  const [first] = (error as AggregateError).errors ?? [error];
  const { message, position } = first as { message: string; position?: SourcePlace | null };
  const late = message.startsWith("it took longer");
  const sourcePosition = late ? undefined : (position ?? findImport(file, message) ?? findUserFrame(first));
  return new SourceProblemsError([
    {
      file,
      line: 1,
      column: 1,
      ...sourcePosition,
      message: late ? `the module never finishes loading (${message})` : message,
    },
  ]);
}

/** Finds where a module names an import that can't be resolved. */
function findImport(file: string, message: string): SourcePlace | undefined {
  const [, wanted, from = file] =
    /^Cannot find (?:package|module) '([^']+)'(?: (?:imported )?from '?([^']+?)'?)?$/.exec(message) ?? [];
  if (wanted === undefined) return undefined;
  const text = readFileSync(from, "utf8");
  const at = Math.max(text.indexOf(`"${wanted}"`), text.indexOf(`'${wanted}'`));
  return { file: from, ...getPosition(text, Math.max(0, at)) };
}

/** The folder of this program's own files. All files of an executable lie in the same one. */
const OWN_FOLDER = Bun.isStandaloneExecutable ? import.meta.dir : join(import.meta.dir, "../");

/** Finds where an error was thrown, if that is a file that people wrote. */
export function findUserFrame(error: unknown): SourcePlace | undefined {
  const stack = (error as Error | undefined)?.stack;
  if (typeof stack !== "string") return undefined;
  for (const [, file = "", line, column] of stack.matchAll(/(?:\(|at )((?:\/|[A-Z]:)[^\n()]*):(\d+):(\d+)\)?$/gm)) {
    const written = isAbsolute(file) && !file.startsWith(OWN_FOLDER) && !/[\\/]node_modules[\\/]/.test(file);
    if (written && existsSync(file)) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}
