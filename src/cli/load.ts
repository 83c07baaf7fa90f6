import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import * as z from "zod";
import { EVENTS } from "../core/event.ts";
import { byOrder, entryOf, type Hook } from "../core/hook.ts";
import { alternatives } from "../core/match.ts";
import type { Schema } from "../core/schema.ts";
import { TOOLS } from "../core/tool.ts";
import * as library from "../index.ts";

/** One of the names, or several; a message lists them. */
const some = (what: string, names: readonly string[]) => {
  const one = z.enum(names as [string, ...string[]], {
    error: ({ input }) => `there is no ${what} ${JSON.stringify(input)}; known: ${names.join(", ")}`,
  });
  return z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(one).min(1));
};

const HookModule = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]+$/, "letters, digits, dots and dashes")
    .optional(),
  description: z.string().optional(),
  event: some("event", EVENTS),
  tool: some("tool", TOOLS).optional(),
  matcher: z
    .string()
    .superRefine((matcher, context) => {
      try {
        alternatives(matcher);
      } catch (error) {
        context.addIssue({ code: "custom", message: (error as Error).message });
      }
    })
    .optional(),
  order: z.number().optional(),
  onError: z.enum(["allow", "deny"]).optional(),
  timeout_ms: z.number().int().positive().optional(),
  max_continuations: z.number().int().positive().optional(),
  options: z
    .custom<Schema>(
      (value) => (value as Schema | undefined)?.["~standard"]?.version === 1,
      "no schema; write one with zod or valibot (any Standard Schema will do)",
    )
    .optional(),
  trusted_options: z.array(z.string()).optional(),
  handler: z.custom<Hook["handler"]>((value) => typeof value === "function", "not a function"),
});

/** What the build knows of a hook module. */
export interface LoadedHook {
  file: string;
  meta: Omit<ReturnType<typeof entryOf>, "load">;
}

/** Whether a file in a hooks directory is a hook module. */
const isModule = (file: string) => /\.[cm]?[jt]s$/.test(file) && !/\.(test|spec|d)\.[cm]?[jt]s$/.test(file) && !file.startsWith("_");

/** How long the modules of a directory may take to load, in milliseconds: a start, and something for each. */
const longest = (modules: number) => 5_000 + 50 * modules;

/** What the process that evaluates the modules leaves behind: where it is, or how it ended. */
type Report = { loading: string } | { error: string } | { hooks: LoadedHook[] };

/**
 * The hooks of a directory, in the order in which they run. Each module is evaluated once, to read its data, in a process
 * of its own: a module that loops, exits or prints does no harm.
 * @throws Error naming the file and what is wrong with it.
 */
export function loadHooks(directory: string): LoadedHook[] {
  const count = modulesOf(directory).length;
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-"));
  try {
    const file = join(folder, "report.json");
    const child = Bun.spawnSync([process.execPath, "--no-install", import.meta.path, directory, file], {
      stdout: "ignore",
      stderr: "ignore",
      timeout: longest(count),
    });
    const report = existsSync(file)
      ? (JSON.parse(readFileSync(file, "utf8")) as Report)
      : { error: `the modules of ${directory} could not be loaded (exit code ${child.exitCode})` };
    if ("error" in report) throw new Error(report.error);
    if ("loading" in report) {
      throw new Error(
        `${report.loading} ${child.exitedDueToTimeout ? "never finishes loading" : `ends the process that loads it (exit code ${child.exitCode})`}`,
      );
    }
    return report.hooks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The names of the hook modules in a directory.
 * @throws Error when it has none.
 */
export function modulesOf(directory: string): string[] {
  let names: string[];
  try {
    names = readdirSync(directory).filter(isModule).sort();
  } catch {
    throw new Error(`the hooks directory ${directory} can't be read; name a directory with --hooks DIR`);
  }
  // The bridge's own folder holds the program that builds: to load that as a hook would be to build for ever.
  if (resolve(directory) === resolve(import.meta.dir, "../.."))
    throw new Error(`${directory} is the bridge itself; did you mean its hooks folder?`);
  if (names.length === 0)
    throw new Error(`there is no hook module in ${directory}; a hook module is a .ts or .js file with a default export`);
  return names;
}

async function evaluate(directory: string, tell: (report: Report) => void): Promise<LoadedHook[]> {
  Bun.plugin({ name: "bridge-hooks", setup: (build) => void build.module("bridge-hooks", () => ({ exports: library, loader: "object" })) });
  const loaded: LoadedHook[] = [];
  for (const name of modulesOf(directory)) {
    tell({ loading: shown(name, directory) });
    loaded.push(await loadHook(join(directory, name), directory));
  }
  checkNames(loaded.map(({ meta, file }) => [meta.name, shown(file, directory)]));
  return loaded.sort((a, b) => byOrder(a.meta, b.meta));
}

/** @throws Error when two hooks have one name. */
export function checkNames(hooks: readonly (readonly [name: string, place: string])[]): void {
  const seen = new Map<string, string>();
  for (const [name, place] of hooks) {
    const other = seen.get(name);
    if (other) throw new Error(`${other} and ${place} are both named "${name}"; names tell hooks apart, change one`);
    seen.set(name, place);
  }
}

export const shown = (file: string, directory: string) => join(basename(directory), basename(file));

async function loadHook(file: string, directory: string): Promise<LoadedHook> {
  const place = shown(file, directory);
  let module: { default?: unknown };
  try {
    module = await import(file);
  } catch (error) {
    throw new Error(`${place} can't be loaded: ${Bun.inspect(error, { colors: false }).trim()}`);
  }
  const { load: _, description: __, ...meta } = entryOf(hookIn(module, place), nameOf(file));
  return { file, meta };
}

/** What a hook is called that has no name of its own. */
export const nameOf = (file: string): string => basename(file).replace(/\.[cm]?[jt]s$/, "");

/**
 * The hook that a module exports.
 * @param place the module, in messages.
 * @throws Error when there is none.
 */
export function hookIn(module: { default?: unknown }, place: string): Hook {
  if (module.default === undefined) throw new Error(`${place} has no default export; write "export default defineHook({ … })"`);
  const checked = HookModule.safeParse(module.default);
  if (checked.success) return module.default as Hook;
  const [issue] = checked.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? `; known: ${Object.keys(HookModule.shape).join(", ")}` : "";
  const where = issue?.path.length ? `${String(issue.path[0])}: ` : "";
  throw new Error(`${place} is no hook as defineHook takes it: ${where}${issue?.message}${unknown}`);
}

if (import.meta.main) {
  const [directory = "", file = ""] = process.argv.slice(2);
  const tell = (report: Report) => writeFileSync(file, JSON.stringify(report));
  try {
    tell({ hooks: await evaluate(directory, tell) });
  } catch (error) {
    tell({ error: (error as Error).message });
  }
  process.exit(0);
}
