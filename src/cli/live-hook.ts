import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Hook } from "../protocol/hook.ts";
import * as library from "../index.ts";
import * as files from "../system/files.ts";
import * as paths from "../system/paths.ts";
import { createDeadManSwitch } from "../call/process/process-limits.ts";
import { runLimited, awaitWithTimeout } from "../system/limit.ts";
import { bundleModules } from "./build/bundle.ts";
import { extractHook } from "./build/hook-module.ts";
import { type SourceProblem, getPosition, SourceProblemsError } from "./build/problem.ts";
import { hasPackage } from "./build/provided.ts";
import { withWorkshop } from "./build/workshop.ts";

/** The maximum time to load a module, in milliseconds. */
const LOAD_TIMEOUT_MS = 5_000;

/**
 * Packages that hook modules can import without installing them. Uses `require`, because with `import` every call would
 * load all packages.
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
 * Lists the modules to provide for a directory. As in the build, a package installed next to the hooks takes
 * precedence, because the author chose it.
 */
const listLiveModules = (folder: string): string[] =>
  Object.keys(LIVE_MODULES).filter(
    (name) => name.startsWith("bridge-hooks") || !hasPackage(folder, name.split("/")[0] as string),
  );

/** Makes imports resolve to the modules in this executable. */
function installModulePlugin(folder: string): void {
  hasModulePlugin = true;
  // Load the modules before installing the plugin, which would otherwise intercept these imports.
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
 * Loads a module's hook into this process.
 * @throws SourceProblemsError with positions, even for a module that never finishes loading.
 */
export async function loadLiveHook(file: string): Promise<Hook> {
  if (!hasModulePlugin) installModulePlugin(dirname(file));
  return extractHook(await evaluateModule(file), file);
}

/** @param file the hook module, if `source` is its bundle */
async function evaluateModule(source: string, file = source): Promise<{ default?: unknown }> {
  const require = createRequire(source);
  try {
    // Load synchronously, so that an infinite loop can be stopped.
    return await runWithAlarm(() => runLimited(() => require(source) as { default?: unknown }, LOAD_TIMEOUT_MS));
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("require() async module"))
      return importAsyncModule(source, file);
    if (Bun.isStandaloneExecutable && source === file && (error as Error).message.startsWith("Cannot find package"))
      return evaluateBundle(file);
    throw explainLoadFailure(error, file);
  }
}

/**
 * Evaluates the bundle of a module that imports packages from node_modules. Inside an executable, Bun doesn't read
 * their package.json files, but the bundler does.
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
async function importAsyncModule(source: string, file: string): Promise<{ default?: unknown }> {
  try {
    return await runWithAlarm(() =>
      awaitWithTimeout(import(source) as Promise<{ default?: unknown }>, LOAD_TIMEOUT_MS),
    );
  } catch (error) {
    throw explainLoadFailure(error, file);
  }
}

/**
 * Makes the operating system end this process if loading hangs in a way that nothing else can stop, such as a loop
 * after an await, or a program that the module waits for.
 */
async function runWithAlarm<T>(load: () => Promise<T>): Promise<T> {
  const alarm = createDeadManSwitch();
  alarm((2 * LOAD_TIMEOUT_MS) / 1000);
  try {
    return await load();
  } finally {
    alarm(0);
  }
}

type SourceLocation = Omit<SourceProblem, "message">;

/** Explains why a module failed to load, formatted like compiler output. */
function explainLoadFailure(error: unknown, file: string): Error {
  const [first] = (error as AggregateError).errors ?? [error];
  const { message, position } = first as { message: string; position?: SourceLocation | null };
  const isTimeout = message.startsWith("it took longer");
  const sourcePosition = isTimeout ? undefined : (position ?? findImport(file, message) ?? locateUserFrame(first));
  return new SourceProblemsError([
    {
      file,
      line: 1,
      column: 1,
      ...sourcePosition,
      message: isTimeout ? `the module never finishes loading (${message})` : message,
    },
  ]);
}

/** Finds the position of an import that can't be resolved. */
function findImport(file: string, message: string): SourceLocation | undefined {
  const [, wanted, from = file] =
    /^Cannot find (?:package|module) '([^']+)'(?: (?:imported )?from '?([^']+?)'?)?$/.exec(message) ?? [];
  if (wanted === undefined) return undefined;
  const text = readFileSync(from, "utf8");
  const at = Math.max(text.indexOf(`"${wanted}"`), text.indexOf(`'${wanted}'`));
  return { file: from, ...getPosition(text, Math.max(0, at)) };
}

/** The directory of this program's own files; in an executable, all files share one directory. */
const OWN_FOLDER = Bun.isStandaloneExecutable ? import.meta.dir : join(import.meta.dir, "../");

/** Finds where an error was thrown, if that is in a user's file. */
export function locateUserFrame(error: unknown): SourceLocation | undefined {
  const stack = (error as Error | undefined)?.stack;
  if (typeof stack !== "string") return undefined;
  for (const [, file = "", line, column] of stack.matchAll(/(?:\(|at )((?:\/|[A-Z]:)[^\n()]*):(\d+):(\d+)\)?$/gm)) {
    const isUserFile = isAbsolute(file) && !file.startsWith(OWN_FOLDER) && !/[\\/]node_modules[\\/]/.test(file);
    if (isUserFile && existsSync(file)) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}
