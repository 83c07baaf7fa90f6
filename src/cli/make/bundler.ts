import { readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { hint } from "../../core/near.ts";
import type { Bundled, Job, Metafile } from "./bundle.ts";
import type { Problem } from "./problem.ts";
import { fileOf, provide } from "./provided.ts";

/** Runs on its own: bundles as a file says, and writes to another what came of it. */
const [from = "", to = ""] = process.argv.slice(2);
const { config, texts = {}, files = {}, bare = false } = JSON.parse(readFileSync(from, "utf8")) as Job;
const read = Object.entries(files).map(([path, file]) => [path, readFileSync(file)]);
const program = resolve(import.meta.dir, "../../..");

/** What files are called that were given to an import. */
const names = new Map<string, string>();

const { success, logs, metafile } = await Bun.build({
  ...config,
  files: { ...texts, ...Object.fromEntries(read) },
  plugins: bare ? [] : [{ name: "bridge-hooks", setup: (builder) => provide(builder, program, names) }],
} as Bun.BuildConfig);

const errors = logs.filter(({ level }) => level === "error");
const bundled: Bundled = {
  problems: (await Promise.all(errors.map(problemOf))).flat(),
  ...(success ? { metafile: metafile as unknown as Metafile } : { error: logs.join("; ") }),
};
writeFileSync(to, JSON.stringify(bundled));
process.exit(0);

async function problemOf({ position, message }: BuildMessage | ResolveMessage): Promise<Problem[]> {
  if (!position?.file) return [];
  const file = resolve(position.file);
  return [{ file, line: position.line, column: position.column, message: (await unexported(message, file)) ?? unresolved(message) }];
}

/** Bun names the file that lacks an export, which may be one that is gone when this is read. */
async function unexported(message: string, importer: string): Promise<string | undefined> {
  const [, path, wanted = ""] = /^No matching export in "(.+)" for import "(.+)"$/.exec(message) ?? [];
  if (path === undefined) return undefined;
  const file = fileOf(path, program);
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file.replaceAll("\\", "/")) ?? [];
  const name =
    names.get(file) ??
    installed ??
    relative(dirname(importer), file)
      .replaceAll("\\", "/")
      .replace(/^(?![.])/, "./");
  return `"${name}" has no ${wanted === "default" ? "default export" : `export "${wanted}"${hint(wanted, await exportsOf(file))}`}`;
}

/** What a module exports. What is not ours is read, and not run. */
async function exportsOf(file: string): Promise<string[]> {
  if (names.has(file)) return Object.keys((await import(file)) as object);
  return new Bun.Transpiler({ loader: "tsx" }).scan(readFileSync(file, "utf8")).exports;
}

/** Bun advises to run Bun, which need not be there. */
function unresolved(message: string): string {
  const [, wanted] = /^Could not resolve: "(.+?)"/.exec(message) ?? [];
  if (wanted === undefined) return message;
  return `"${wanted}" is not there${/^[./]/.test(wanted) ? "" : "; packages of your own go into a node_modules beside the hooks"}`;
}
