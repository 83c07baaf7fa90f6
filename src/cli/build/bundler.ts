import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { addBuildValues } from "./build-values.ts";
import type { BundleResult, BundleJob, Metafile } from "./compile-program.ts";
import { checkImport } from "./link-escapes.ts";
import { type SourceProblem, getPosition } from "./problem.ts";
import { resolveBundledPath, addProvidedModules, provideModules } from "./provided.ts";

/** Bundles what a job file specifies and writes the result to another file. Runs as a separate process. */
const [from = "", to = ""] = process.argv.slice(2);
const { config, texts = {}, files = {}, bare = false } = JSON.parse(readFileSync(from, "utf8")) as BundleJob;
const replacedFiles = Object.entries(files).map(([path, file]) => [path, readFileSync(file)]);
const program = resolve(import.meta.dir, "../../..");

/** Maps the path of each provided file to the specifier it was imported by. */
const specifiersByFile = new Map<string, string>();

function addPlugins(builder: Bun.PluginBuilder): void {
  addProvidedModules(builder, program, specifiersByFile);
  addBuildValues(builder);
}

// Some modules are evaluated in this process at build time, so their imports must resolve here.
provideModules(process.cwd(), program);

const { success, logs, metafile } = await Bun.build({
  ...config,
  files: { ...texts, ...Object.fromEntries(replacedFiles) },
  plugins: bare ? [] : [{ name: "bridge-hooks", setup: addPlugins }],
} as Bun.BuildConfig);

const errors = logs.filter(({ level }) => level === "error");
const result: BundleResult = {
  problems: [
    ...(await Promise.all(errors.map(describeBuildError))).flat(),
    ...(bare || !metafile ? [] : findLinkProblems(metafile)),
  ],
  ...(success ? { metafile: metafile as unknown as Metafile } : { error: logs.join("; ") }),
};
writeFileSync(to, JSON.stringify(result));
process.exit(0);

async function describeBuildError({ position, message }: BuildMessage | ResolveMessage): Promise<SourceProblem[]> {
  if (!position?.file) return [];
  const file = resolve(position.file);
  return [
    {
      file,
      line: position.line,
      column: position.column,
      message: (await explainMissingExport(message, file)) ?? explainUnresolved(message),
    },
  ];
}

/** Reports hook modules and authors' imports that reach files outside the project through a link. */
function findLinkProblems({ inputs }: Bun.BuildMetafile): SourceProblem[] {
  const imports = Object.entries(inputs).flatMap(([input, { imports }]) => {
    const file = resolve(input);
    if (file.startsWith(program + sep) || /[\\/]node_modules[\\/]/.test(file)) return [];
    return imports.flatMap(({ original = "", with: read }) => {
      const message = /^\.\.?[\\/]/.test(original)
        ? checkImport(dirname(file), original, read === undefined ? "run" : "read")
        : undefined;
      return message === undefined ? [] : [{ file, ...locateImport(file, original), message }];
    });
  });
  const modules = config.entrypoints.flatMap((file) => {
    const message = checkImport(dirname(file), basename(file), "run");
    return message === undefined ? [] : [{ file, line: 1, column: 1, message }];
  });
  return [...modules, ...imports];
}

/** Finds the position of an import in a module. */
function locateImport(file: string, path: string): Pick<SourceProblem, "line" | "column"> {
  const text = readFileSync(file, "utf8");
  return getPosition(text, Math.max(0, text.indexOf(`"${path}"`), text.indexOf(`'${path}'`)));
}

/** Rewrites Bun's missing-export error, because the file it names may be deleted before the user reads the message. */
async function explainMissingExport(message: string, importer: string): Promise<string | undefined> {
  const [, path, wanted = ""] = /^No matching export in "(.+)" for import "(.+)"$/.exec(message) ?? [];
  if (path === undefined) return undefined;
  const file = resolveBundledPath(path, program);
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file.replaceAll("\\", "/")) ?? [];
  const name =
    specifiersByFile.get(file) ??
    installed ??
    relative(dirname(importer), file)
      .replaceAll("\\", "/")
      .replace(/^(?![.])/, "./");
  return `"${name}" has no ${wanted === "default" ? "default export" : `export "${wanted}"${suggestName(wanted, await listExports(file))}`}`;
}

/** Lists a module's exports. Authors' modules are parsed, not run. */
async function listExports(file: string): Promise<string[]> {
  if (specifiersByFile.has(file)) return Object.keys((await import(file)) as object);
  return new Bun.Transpiler({ loader: "tsx" }).scan(readFileSync(file, "utf8")).exports;
}

/** Replaces Bun's advice to run Bun, which may not be installed. */
function explainUnresolved(message: string): string {
  const [, wanted] = /^Could not resolve: "(.+?)"/.exec(message) ?? [];
  if (wanted === undefined) return message;
  return `"${wanted}" was not found${/^[./]/.test(wanted) ? "" : "; install your own packages in a node_modules next to the hooks"}`;
}
