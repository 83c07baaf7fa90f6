import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { orAbsent } from "../system/errors.ts";
import { compareHookOrder, type HookDescriptor } from "../protocol/hook.ts";
import { suggestName } from "../protocol/name-suggestions.ts";
import { describeAllHostLimits } from "../operate/machine/hook-times.ts";
import { formatPath } from "./terminal/layout.ts";
import { bundleModules } from "./build/bundle.ts";
import type { CompiledHook } from "./build/manifests.ts";
import { deriveHookName } from "./build/hook-module.ts";
import { checkMatcher, checkToolCoverage } from "./build/matcher.ts";
import { type SourceProblem, findPosition, SourceProblemsError } from "./build/problem.ts";
import type { Workshop } from "./build/workshop.ts";

/** The build's information about a hook module. */
export interface LoadedHook extends CompiledHook {
  /** The module bundled with its imports, as a runnable file in the workshop. */
  bundle: string;
  /** Notes about matcher alternatives that match no known call. */
  notes?: SourceProblem[];
}

/** The report of the evaluation process: the results so far, and the module being loaded. */
export interface EvaluationReport {
  hooks: LoadedHook[];
  problems: SourceProblem[];
  loading?: string;
}

/** Whether a file in a hooks directory is a hook module. */
export const isHookModule = (file: string) =>
  /\.[cm]?[jt]s$/.test(file) && !/\.(test|spec|d)\.[cm]?[jt]s$/.test(file) && !file.startsWith("_");

/**
 * Returns the time limit, in milliseconds, for loading a directory's modules: a fixed time for startup plus some per
 * module.
 */
const getLoadTimeout = (modules: number) => 5_000 + 50 * modules;

/**
 * Finds the hooks directory for a path given by the user: the `hooks` subdirectory if it exists, otherwise the
 * directory itself.
 * @throws Error if the path isn't a directory.
 */
export function findHooksFolder(directory: string): string {
  const stats = existsSync(directory) && statSync(directory);
  if (!stats) throw new Error(`no such directory: ${formatPath(resolve(directory))}`);
  if (!stats.isDirectory()) throw new Error(`${formatPath(resolve(directory))} is a file; pass its directory`);
  const subfolder = join(resolve(directory), "hooks");
  return orAbsent(() => statSync(subfolder))?.isDirectory() ? subfolder : resolve(directory);
}

/** Finds the hooks directory of a default path. Returns undefined if the path has no hooks. */
export function findOwnHooks(directory: string): string | undefined {
  const folder = findHooksFolder(directory);
  return readdirSync(folder).some(isHookModule) ? folder : undefined;
}

/**
 * Loads the hooks of modules, in execution order. A separate process evaluates each module once to read its metadata,
 * so that a module that loops, exits or prints does no harm.
 * @throws SourceProblemsError for problems with the modules.
 */
export async function loadHooks(files: readonly string[], shop: Workshop): Promise<LoadedHook[]> {
  const folder = join(shop.folder, "hooks");
  const job = join(shop.folder, "job.json");
  const report = join(shop.folder, "report.json");
  writeFileSync(job, JSON.stringify(await bundleModules(files, folder, shop)));
  writeFileSync(report, "");
  const { exitCode, timedOut } = await shop.bun(
    ["--no-install", join(shop.program, "src/cli/build/evaluate.ts"), job, report],
    {
      cwd: shop.folder,
      output: "ignore",
      timeout: getLoadTimeout(files.length),
    },
  );
  const text = readFileSync(report, "utf8");
  if (text === "") {
    const reason = timedOut ? "timed out on this machine" : `exit code ${exitCode}`;
    throw new Error(`the hook modules could not be loaded (${reason})`);
  }
  const { hooks, problems, loading } = JSON.parse(text) as EvaluationReport;
  if (loading !== undefined) {
    const how = timedOut
      ? "the module never finishes loading"
      : `loading the module exits the process (exit code ${exitCode})`;
    problems.push({ file: loading, line: 1, column: 1, message: how });
  }
  for (const hook of hooks) {
    const matcherProblems = await findMatcherProblems(hook);
    problems.push(...matcherProblems.filter(({ level }) => level !== "note"));
    hook.notes = matcherProblems.filter(({ level }) => level === "note");
    if (dirname(hook.file) === getStarterFolder(shop)) hook.meta.origin = "starter";
  }
  if (problems.length > 0) throw new SourceProblemsError(problems, "export");
  return hooks.sort((a, b) => compareHookOrder(a.meta, b.meta));
}

/** Returns the directory of the starter hooks in the sources of bridge-hooks. */
const getStarterFolder = ({ program }: Workshop) => join(program, "hooks");

/**
 * Finds the modules of starter hooks.
 * @param names the hooks' names, or "starter" for all of them
 * @throws Error for an unknown name.
 */
export function findStarterModules(names: readonly string[], shop: Workshop): string[] {
  const folder = getStarterFolder(shop);
  const modules = new Map(listHookModules(folder).map((module) => [deriveHookName(module), join(folder, module)]));
  const knownNames = [...modules.keys()];
  const unknown = names.find((name) => name !== "starter" && !modules.has(name));
  if (unknown !== undefined) {
    const suggestion =
      suggestName(unknown, ["starter", ...knownNames]) || `; known: starter (all of them), ${knownNames.join(", ")}`;
    throw new Error(`--with: unknown starter hook "${unknown}"${suggestion}`);
  }
  return names.includes("starter")
    ? [...modules.values()]
    : [...new Set(names)].flatMap((name) => modules.get(name) ?? []);
}

async function findMatcherProblems({ file, meta }: LoadedHook): Promise<SourceProblem[]> {
  const { errors, notes } = await checkMatcher(meta);
  const position = { file, ...findPosition(readFileSync(file, "utf8"), "matcher", meta.matcher) };
  const problem = (text: string) => ({ ...position, message: `matcher "${meta.matcher}": ${text}` });
  const toolPosition = { file, ...findPosition(readFileSync(file, "utf8"), "tool") };
  const tools = (await checkToolCoverage(meta)).map((message) => ({
    ...toolPosition,
    message,
    level: "note" as const,
  }));
  return [...errors.map(problem), ...notes.map((text) => ({ ...problem(text), level: "note" as const })), ...tools];
}

/** Whether text looks like a hook module's source. */
const isHookSource = (text: string) => /\bexport\s+default\b/.test(text) && /["']bridge-hooks["']/.test(text);

function* listModulesBelow(directory: string, subfolder: string): Generator<string> {
  for (const entry of readdirSync(join(directory, subfolder), { withFileTypes: true })) {
    const path = `${subfolder}${entry.name}`;
    if (/^[_.]|^node_modules$/.test(entry.name)) continue;
    if (entry.isDirectory()) yield* listModulesBelow(directory, `${path}/`);
    else if (/\.[cm]?[jt]sx?$/.test(path) && !/\.(test|spec|d)\.\w+$/.test(path)) yield path;
  }
}

/**
 * Finds likely hooks that a directory's loader skips: unsupported kinds of modules, and subdirectories with hooks.
 * @param inputs the hooks' source files, which aren't reported
 */
export function findIgnoredModules(directory: string, inputs: ReadonlySet<string>): string[] {
  const ignoredModules = [...listModulesBelow(directory, "")].filter((path) => {
    if (inputs.has(join(resolve(directory), path))) return false;
    return path.includes("/") ? isHookSource(readFileSync(join(directory, path), "utf8")) : path.endsWith("x");
  });
  return [...new Set(ignoredModules.map((path) => path.replace(/\/.*/, "/")))].sort();
}

/**
 * Lists the file names of a directory's hook modules.
 * @throws Error if there are none.
 */
export function listHookModules(directory: string): string[] {
  let names: string[];
  try {
    names = readdirSync(directory).filter(isHookModule).sort();
  } catch {
    throw new Error(`the hooks directory ${directory} can't be read; pass an existing directory`);
  }
  if (names.length === 0)
    throw new Error(`no hook module in ${directory}; a hook module is a .ts or .js file with a default export`);
  return names;
}

/** Creates notes about hosts that can't grant the time a hook requests. */
export async function findTimeLimitNotes(loadedHooks: readonly LoadedHook[]): Promise<SourceProblem[]> {
  const entries = loadedHooks.map(({ meta }): HookDescriptor => ({
    ...meta,
    load: () => Promise.reject(new Error("not here")),
  }));
  const limits = await describeAllHostLimits(entries);
  return loadedHooks.flatMap(({ file }, at) =>
    (limits.get(entries[at] as HookDescriptor) ?? []).map((message) => ({
      file,
      ...findPosition(readFileSync(file, "utf8"), "timeoutMs"),
      message,
      level: "note" as const,
    })),
  );
}
