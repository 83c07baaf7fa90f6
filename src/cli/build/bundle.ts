import { existsSync, readFileSync, realpathSync, renameSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { createHookEntry } from "../../protocol/hook.ts";
import { canRunHere, prepareRuntime, type BuildTarget } from "./image.ts";
import { type SourceProblem, SourceProblemsError } from "./problem.ts";
import { signFile } from "./sign.ts";
import { loadPackedSources } from "./sources.ts";
import type { Workshop } from "./workshop.ts";

/** What the bundler reports: the inputs of each output. */
export interface Metafile {
  outputs: Record<
    string,
    { entryPoint?: string; inputs: Record<string, unknown>; imports: { path: string; kind: string }[] }
  >;
}

/** What the process that bundles is to do, as JSON. */
export interface BundleJob {
  config: Partial<Bun.BuildConfig> & { entrypoints: string[] };
  /** Texts in the place of files. */
  texts?: Record<string, string>;
  /** Other files in the place of files. */
  files?: Record<string, string>;
  /** Imports of our modules are left as they are. */
  bare?: boolean;
}

/** What it leaves behind. */
export interface BundleResult {
  metafile?: Metafile;
  problems: SourceProblem[];
  /** What is wrong with no file. */
  error?: string;
}

/** The flags of everything that is made, the floor of the benchmark included. */
const BUNDLE_OPTIONS = {
  target: "bun",
  format: "esm",
  splitting: true,
  metafile: true,
  define: { "process.env.NODE_ENV": '"production"' },
  throw: false,
} as const;

/**
 * Bundles in a process of its own: in this executable, Bun does not see what a package.json says.
 * @throws Problems with the files, or Error when it can't be done.
 */
async function runBundler(job: BundleJob, shop: Workshop): Promise<Metafile> {
  const [from, to] = [join(shop.folder, "bundle.json"), join(shop.folder, "bundled.json")];
  writeFileSync(from, JSON.stringify(job));
  writeFileSync(to, "");
  // The working directory: Bun keeps there what is not ready yet.
  const { stderr } = await shop.bun(["--no-install", join(shop.program, "src/cli/build/bundler.ts"), from, to], {
    cwd: shop.folder,
    output: "pipe",
  });
  const text = readFileSync(to, "utf8");
  const { metafile, problems, error } = text
    ? (JSON.parse(text) as BundleResult)
    : ({ problems: [], error: stderr } satisfies BundleResult);
  if (problems.length > 0) throw new SourceProblemsError(problems);
  if (!metafile) throw new Error(`it could not be compiled: ${Bun.stripANSI(error ?? stderr).trim()}`);
  return metafile;
}

/**
 * Compiles a program.
 * @throws Problems with the files, or Error where it can't be written.
 */
export async function compileProgram(
  entrypoint: string,
  outfile: string,
  target: BuildTarget,
  shop: Workshop,
  more: Partial<BundleJob> = {},
): Promise<Metafile> {
  const executablePath = await prepareRuntime(target, shop);
  refuseFullDisk(shop.folder, statSync(executablePath).size);
  const config = {
    ...BUNDLE_OPTIONS,
    entrypoints: [entrypoint],
    minify: true,
    bytecode: true,
    compile: {
      ...(!canRunHere(target) && { target }),
      outfile,
      executablePath,
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  };
  const metafile = await runBundler({ config, ...more }, shop);
  if (!existsSync(outfile) && existsSync(`${outfile}.exe`)) renameSync(`${outfile}.exe`, outfile);
  if (target.includes("darwin")) signFile(outfile);
  return relativizeInputs(shop, metafile);
}

/** Bun's own words about a full disk are not for people. A file system that does not tell its size is believed to have room. */
function refuseFullDisk(folder: string, bytes: number): void {
  const { blocks, bavail, bsize } = statfsSync(folder);
  if (blocks > 0 && bavail * bsize < bytes + PROGRAM_BYTES_MARGIN)
    throw Object.assign(new Error(`no space left in ${folder}`), { code: "ENOSPC" });
}

/** What a program adds to the runtime, at most, in bytes. */
const PROGRAM_BYTES_MARGIN = 32 * 1024 * 1024;

/** Inputs as they are named in the sources. */
function relativizeInputs({ folder, program }: Workshop, { outputs }: Metafile): Metafile {
  const named = (path: string) => relative(program, resolve(folder, path)).replaceAll("\\", "/");
  const renamed = Object.entries(outputs).map(([path, { entryPoint, inputs, imports }]) => {
    const names = Object.fromEntries(Object.entries(inputs).map(([input, value]) => [named(input), value]));
    return [path, { entryPoint: entryPoint && named(entryPoint), inputs: names, imports }];
  });
  return { outputs: Object.fromEntries(renamed) };
}

/** A hook as an executable has it: its module, and what a call has to know before that is loaded. */
export interface CompiledHook {
  file: string;
  meta: Omit<ReturnType<typeof createHookEntry>, "load">;
  /** Files that it takes along, as `./name` from its folder. */
  files?: readonly string[];
}

const quoteJson = (value: unknown) => JSON.stringify(value);

/** The source of the manifest: each hook's data, and its module behind an import that only a matching call follows. */
function generateManifest(hooks: readonly CompiledHook[]): string {
  const entries = hooks.map(({ meta, file, files = [] }, at) => {
    const load =
      files.length === 0
        ? `import(${quoteJson(file)}).then((module) => module.default)`
        : `Promise.all([import(${quoteJson(file)}), import("./carried-${at}.ts")]).then(([hook, files]) => hook.default.carrying(files.default))`;
    return `{ ...${quoteJson(meta)}, load: () => ${load} }`;
  });
  return `export const entries = [\n${entries.join(",\n")}\n];\n`;
}

/** The source of a module with the files that a hook takes along. */
function generateCarriedModule({ file, files = [] }: CompiledHook): string {
  const imports = files.map(
    (name, at) => `import file${at} from ${quoteJson(join(dirname(file), name))} with { type: "file" };\n`,
  );
  const entries = files.map((name, at) => `${quoteJson(name)}: readFileSync(file${at})`);
  return `import { readFileSync } from "node:fs";\n${imports.join("")}export default { ${entries.join(", ")} };\n`;
}

/** Compiles bridge-hooks with these hooks, and with its sources. */
export async function compileBridge(
  hooks: readonly CompiledHook[],
  outfile: string,
  target: BuildTarget,
  shop: Workshop,
): Promise<Metafile> {
  const { folder, program } = shop;
  const [run, make] = [join(program, "src/run"), join(program, "src/cli/build")];
  const sources = join(folder, "sources.zst");
  if (!existsSync(sources)) writeFileSync(sources, await loadPackedSources());
  const carriers = hooks.flatMap((hook, at) =>
    hook.files?.length ? [[join(run, `carried-${at}.ts`), generateCarriedModule(hook)]] : [],
  );
  return compileProgram(join(program, "src/main.ts"), outfile, target, shop, {
    texts: {
      [join(run, "hooks.ts")]: generateManifest(hooks),
      ...Object.fromEntries(carriers),
      [join(make, "own.ts")]: 'import file from "./sources.zst" with { type: "file" };\nexport const sources = file;\n',
    },
    files: { [join(make, "sources.zst")]: sources },
  });
}

/** The bundle of a module: an import leads there as it will in an executable, and positions are told of the module's own source. */
export interface ModuleBundle {
  file: string;
  bundle: string;
}

/**
 * @param external what imports find where the bundle is run, if that is not what an executable has.
 * @throws Problems with the modules.
 */
export async function bundleModules(
  files: readonly string[],
  outdir: string,
  shop: Workshop,
  external?: readonly string[],
): Promise<ModuleBundle[]> {
  const naming = { entry: "[name]-[hash].[ext]" };
  const config = { ...BUNDLE_OPTIONS, entrypoints: [...files], outdir, naming, sourcemap: "inline" as const };
  // In one file: the rest of it could be asked for when it is gone.
  const job =
    external === undefined
      ? { config }
      : { config: { ...config, splitting: false, external: [...external] }, bare: true };
  const outputs = Object.entries((await runBundler(job, shop)).outputs);
  return files.map((file) => {
    // The bundler names a module by where a link to it leads.
    const places = [file, realpathSync(file)];
    const [path] =
      outputs.find(
        ([, { entryPoint }]) => entryPoint !== undefined && places.includes(resolve(shop.folder, entryPoint)),
      ) ?? [];
    if (path === undefined) throw new Error(`${file} was not bundled`);
    return { file, bundle: join(outdir, path) };
  });
}
