import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { hint } from "../../protocol/near.ts";
import type { Bundled, Job, Metafile } from "./bundle.ts";
import { importProblem } from "./links.ts";
import { type Problem, positionAt } from "./problem.ts";
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
  problems: [...(await Promise.all(errors.map(problemOf))).flat(), ...(bare || !metafile ? [] : linked(metafile))],
  ...(success ? { metafile: metafile as unknown as Metafile } : { error: logs.join("; ") }),
};
writeFileSync(to, JSON.stringify(bundled));
process.exit(0);

async function problemOf({ position, message }: BuildMessage | ResolveMessage): Promise<Problem[]> {
  if (!position?.file) return [];
  const file = resolve(position.file);
  return [
    {
      file,
      line: position.line,
      column: position.column,
      message: (await unexported(message, file)) ?? unresolved(message),
    },
  ];
}

/** Imports, in what people wrote, of what a link leads to that lies elsewhere; and modules that are such links. */
function linked({ inputs }: Bun.BuildMetafile): Problem[] {
  const imports = Object.entries(inputs).flatMap(([input, { imports }]) => {
    const file = resolve(input);
    if (file.startsWith(program + sep) || /[\\/]node_modules[\\/]/.test(file)) return [];
    return imports.flatMap(({ original = "", with: read }) => {
      const message = /^\.\.?[\\/]/.test(original)
        ? importProblem(dirname(file), original, read === undefined)
        : undefined;
      return message === undefined ? [] : [{ file, ...placeOf(file, original), message }];
    });
  });
  const modules = config.entrypoints.flatMap((file) => {
    const message = importProblem(dirname(file), basename(file), true);
    return message === undefined ? [] : [{ file, line: 1, column: 1, message }];
  });
  return [...modules, ...imports];
}

/** Where a module names an import. */
function placeOf(file: string, path: string): Pick<Problem, "line" | "column"> {
  const text = readFileSync(file, "utf8");
  return positionAt(text, Math.max(0, text.indexOf(`"${path}"`), text.indexOf(`'${path}'`)));
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
