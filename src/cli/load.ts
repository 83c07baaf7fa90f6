import { readdirSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import * as z from "zod";
import { EVENTS } from "../core/event.ts";
import { byOrder, entryOf, type Hook } from "../core/hook.ts";
import { matcherPattern } from "../core/match.ts";
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
        matcherPattern(matcher);
      } catch (error) {
        context.addIssue({ code: "custom", message: (error as Error).message });
      }
    })
    .optional(),
  order: z.number().optional(),
  onError: z.enum(["allow", "deny"]).optional(),
  timeout_ms: z.number().int().positive().optional(),
  max_continuations: z.number().int().positive().optional(),
  handler: z.custom<Hook["handler"]>((value) => typeof value === "function", "not a function"),
});

/** How long a module may take to load. */
const LONGEST_MS = 5_000;

/** What the build knows of a hook module. */
export interface LoadedHook {
  file: string;
  meta: Omit<ReturnType<typeof entryOf>, "load">;
}

/** Whether a file in a hooks directory is a hook module. */
const isModule = (file: string) => /\.[cm]?[jt]s$/.test(file) && !/\.(test|spec|d)\.[cm]?[jt]s$/.test(file) && !file.startsWith("_");

/**
 * The hooks of a directory, in the order in which they run. Each module is evaluated once, to read its data.
 * @throws Error naming the file and what is wrong with it.
 */
export async function loadHooks(directory: string): Promise<LoadedHook[]> {
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
  Bun.plugin({ name: "bridge-hooks", setup: (build) => void build.module("bridge-hooks", () => ({ exports: library, loader: "object" })) });
  const loaded: LoadedHook[] = [];
  for (const name of names) loaded.push(await loadHook(join(directory, name), directory));
  const seen = new Map<string, string>();
  for (const { meta, file } of loaded) {
    const other = seen.get(meta.name);
    if (other)
      throw new Error(
        `${shown(other, directory)} and ${shown(file, directory)} are both named "${meta.name}"; names tell hooks apart, change one`,
      );
    seen.set(meta.name, file);
  }
  return loaded.sort((a, b) => byOrder(a.meta as never, b.meta as never));
}

const shown = (file: string, directory: string) => join(basename(directory), relative(directory, file));

async function loadHook(file: string, directory: string): Promise<LoadedHook> {
  const place = shown(file, directory);
  let module: { default?: unknown };
  try {
    module = await Promise.race([import(file), Bun.sleep(LONGEST_MS).then(() => Promise.reject(new Error("it never finishes loading")))]);
  } catch (error) {
    throw new Error(`${place} can't be loaded: ${Bun.inspect(error, { colors: false }).trim()}`);
  }
  if (module.default === undefined) throw new Error(`${place} has no default export; write "export default defineHook({ … })"`);
  const checked = HookModule.safeParse(module.default);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const unknown = issue?.code === "unrecognized_keys" ? `; known: ${Object.keys(HookModule.shape).join(", ")}` : "";
    const where = issue?.path.length ? `${String(issue.path[0])}: ` : "";
    throw new Error(`${place} is no hook as defineHook takes it: ${where}${issue?.message}${unknown}`);
  }
  const { load: _, description: __, ...meta } = entryOf(module.default as Hook, basename(file).replace(/\.[cm]?[jt]s$/, ""));
  return { file, meta };
}
