import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import pkg from "../../../package.json" with { type: "json" };
import type { BuiltPolicy, OwnPolicy } from "../../call/built/policy.ts";
import { computeHash } from "../../call/log/compute-hash.ts";
import { bundleFirstChunk } from "./first-chunk.ts";
import { loadPackedSources } from "./sources.ts";
import type { Workshop } from "./workshop.ts";
import {
  type CompiledHook,
  generateCarriedModule,
  quoteJson,
  generateCallIndex,
  generateHookIndex,
  generateManifest,
} from "./manifests.ts";
import {
  BUNDLE_OPTIONS,
  runBundler,
  type BuildOutput,
  type Metafile,
  compileProgram,
  type BundleJob,
} from "./compile-program.ts";

/** The contents to compile into an executable. */
export interface BridgeContents {
  hooks: readonly CompiledHook[];
  policy: BuiltPolicy;
}

/**
 * Compiles bridge-hooks.
 * @param callsOnly if true, leaves out the commands and the packed sources, which no call needs and which take a third
 * of the time to build
 */
export async function compileBridge(
  { hooks, policy }: BridgeContents,
  output: BuildOutput,
  shop: Workshop,
  { callsOnly = false } = {},
): Promise<Metafile> {
  const { folder, program } = shop;
  const [built, make] = [join(program, "src/call/built"), join(program, "src/cli/build")];
  const sources = join(folder, "sources.zst");
  if (!callsOnly && !existsSync(sources)) writeFileSync(sources, await loadPackedSources());
  const carriers = hooks.flatMap((hook, at) =>
    hook.files?.length ? [[join(built, `carried-${at}.ts`), generateCarriedModule(hook)]] : [],
  );
  const fullPolicy: OwnPolicy = { ...policy, release: pkg.version, hash: computeHash(["hooks", policy.hooks]) };
  const replacements = { [join(built, "policy.ts")]: `export const policy = ${quoteJson(fullPolicy)};\n` };
  const index = { [join(built, "call-index.ts")]: generateCallIndex(hooks) };
  const hookIndex = { [join(built, "hook-index.ts")]: generateHookIndex(hooks) };
  const sourceTexts = { ...replacements, ...index, ...hookIndex, [join(built, "hooks.ts")]: generateManifest(hooks) };
  const commands = callsOnly ? { [join(program, "src/cli/main.ts")]: "export const main = () => 1;\n" } : {};
  return compileProgram(join(program, "src/main.ts"), output, shop, {
    texts: {
      ...sourceTexts,
      ...commands,
      ...(await bundleFirstChunk(index, shop)),
      ...Object.fromEntries(carriers),
      ...(!callsOnly && {
        [join(make, "own.ts")]:
          `import file from "./sources.zst" with { type: "file" };\nexport const sources = file;\n`,
      }),
    },
    files: callsOnly ? {} : { [join(make, "sources.zst")]: sources },
  });
}

/**
 * A hook module and its bundle, in which imports resolve as in an executable and error positions refer to the module's
 * source.
 */
export interface ModuleBundle {
  file: string;
  bundle: string;
}

/**
 * Bundles each module.
 * @param external specifiers to leave unresolved; the process that runs the bundle provides their modules
 * @throws SourceProblemsError for problems in the modules.
 */
export async function bundleModules(
  files: readonly string[],
  outdir: string,
  shop: Workshop,
  external?: readonly string[],
): Promise<ModuleBundle[]> {
  const config = { sourcemap: "inline" as const };
  // Bundle into a single file, because split chunks could be loaded after the output directory is deleted.
  const job =
    external === undefined
      ? { config }
      : { config: { ...config, splitting: false, external: [...external] }, bare: true };
  return bundleSeparately(files, outdir, shop, job);
}

async function bundleSeparately(
  files: readonly string[],
  outdir: string,
  shop: Workshop,
  { config, ...more }: { config: Partial<Bun.BuildConfig>; bare?: boolean },
): Promise<ModuleBundle[]> {
  const naming = { entry: "[name]-[hash].[ext]" };
  const job = { config: { ...BUNDLE_OPTIONS, entrypoints: [...files], outdir, naming, ...config }, ...more };
  const outputs = Object.entries((await runBundler(job as BundleJob, shop)).outputs);
  return files.map((file) => {
    // The bundler reports a linked module under its real path.
    const paths = [file, realpathSync(file)];
    const [path] =
      outputs.find(
        ([, { entryPoint }]) => entryPoint !== undefined && paths.includes(resolve(shop.folder, entryPoint)),
      ) ?? [];
    if (path === undefined) throw new Error(`${file} was not bundled`);
    return { file, bundle: join(outdir, path) };
  });
}

/**
 * Computes a hash of the hooks. It covers each hook's name, its program with all imports, and its embedded files. A
 * program is a single bundled file, so comments, formatting, types, directories and dates don't affect the hash.
 */
export async function hashHooks(hooks: readonly CompiledHook[], shop: Workshop): Promise<string> {
  const files = hooks.map(({ file }) => file);
  // Minified identifiers depend on the modules' directories [seen Bun 1.4.5, 2026-11-23].
  const config = { splitting: false, minify: { whitespace: true, syntax: true, identifiers: false } };
  const bundles =
    files.length === 0 ? [] : await bundleSeparately(files, join(shop.folder, "hashed"), shop, { config });
  return computeHash(
    hooks.flatMap(({ meta, file, files: carried = [] }, at) => [
      meta.name,
      removeFolder(readFileSync((bundles[at] as ModuleBundle).bundle, "utf8"), dirname(file)),
      ...carried.flatMap((name) => [name, readFileSync(join(dirname(file), name), "base64")]),
    ]),
  );
}

/** Removes the directory names that the bundler inserts into a program for packages that use `__dirname`. */
function removeFolder(program: string, folder: string): string {
  const withoutFolder = program.replaceAll(`${folder}/node_modules/`, "node_modules/");
  return dirname(folder) === folder ? withoutFolder : removeFolder(withoutFolder, dirname(folder));
}
