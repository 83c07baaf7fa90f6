import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import pkg from "../../../package.json" with { type: "json" };
import type { BuiltPolicy, OwnPolicy } from "../../call/built/policy.ts";
import { computeHash } from "../../call/log/compute-hash.ts";
import {
  prepareCommands,
  type PreparedGroup,
  prepareGroups,
  type Replacements,
  stubCommands,
} from "./bundle-groups.ts";
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

/**
 * Bundles a module with all that it imports: what it shares with other chunks would be chunks of their own, and to load
 * one takes longer than what most of them do.
 * @param lazy what it imports later, from whichever of its folders; that stays outside.
 */
async function bundleWhole(
  module: string,
  texts: Readonly<Record<string, string>>,
  shop: Workshop,
  lazy: readonly string[] = [],
): Promise<string> {
  const outdir = join(shop.folder, "whole");
  const config = { ...BUNDLE_OPTIONS, splitting: false, entrypoints: [join(shop.program, module)], outdir };
  await runBundler({ config: { ...config, external: lazy.map((path) => `*/${basename(path)}`) }, texts }, shop);
  const text = readFileSync(join(outdir, basename(module).replace(/ts$/, "js")), "utf8");
  return text.replace(/(\bfrom |\bimport\()"(\.[^"]*\.ts)"/g, (whole, start: string, path: string) => {
    const outside = lazy.find((one) => basename(one) === basename(path));
    return outside === undefined ? whole : `${start}${quoteJson(toSpecifier(module, outside))}`;
  });
}

/** How a module imports another one, both from the root of the sources. */
function toSpecifier(importer: string, path: string): string {
  const found = relative(dirname(importer), path).replaceAll("\\", "/");
  return found.startsWith(".") ? found : `./${found}`;
}

/** Bundles the modules of a group into one. */
async function bundleGroup(
  group: PreparedGroup,
  texts: Readonly<Record<string, string>>,
  shop: Workshop,
): Promise<string> {
  const { file, text } = group;
  const outdir = join(shop.folder, "whole");
  const entry = join(shop.folder, basename(file));
  writeFileSync(entry, text);
  const config = { ...BUNDLE_OPTIONS, splitting: false, entrypoints: [entry], outdir };
  await runBundler({ config, texts, group }, shop);
  const bundle = readFileSync(join(outdir, basename(file).replace(/ts$/, "js")), "utf8");
  // The bundler calls it by another name where it leaves a module outside. For modules of the engine that stays, or the
  // chunk would import another one for that name.
  return bundle
    .replace(/^\/\/ @bun.*/, "")
    .replace(/\b__require\(("[^"]+")/g, (_, name: string) =>
      isBuiltin(JSON.parse(name) as string) ? `import.meta.require(${name}` : `require(${name}`,
    );
}

/** The first stages of a call, with which most calls end. */
const BEGIN_PATH = "src/call/begin.ts";
/** What few of these calls need. */
const BEGIN_LAZY = ["src/call/screen/find-host.ts", "src/call/built/hook-index.ts"];
const FIND_HOST_PATH = "src/call/screen/find-host.ts";
/** With its text, which would be a module, too. */
const SECRET_SCAN_PATH = "src/secrets/scan.ts";
const LOG_PATH = "src/call/log/log-call.ts";
/** What few lines of the log need, and what hooks have loaded before. */
const LOG_LAZY = [
  "src/secrets/scan.ts",
  "src/secrets/find.ts",
  "src/call/configured.ts",
  "src/policy/read.ts",
  "src/call/log/log-chain.ts",
];

/** What an executable is compiled with. */
export interface BridgeContents {
  hooks: readonly CompiledHook[];
  policy: BuiltPolicy;
}

/**
 * Compiles bridge-hooks.
 * @param callsOnly leave out the commands and the sources, which take a third of the time and no call needs.
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
  const named: OwnPolicy = { ...policy, release: pkg.version, hash: computeHash(["hooks", policy.hooks]) };
  const own = { [join(built, "policy.ts")]: `export const policy = ${quoteJson(named)};\n` };
  const index = { [join(built, "call-index.ts")]: generateCallIndex(hooks) };
  const hookIndex = { [join(built, "hook-index.ts")]: generateHookIndex(hooks) };
  const texts = { ...own, [join(built, "hooks.ts")]: generateManifest(hooks) };
  const groups = prepareGroups(program, texts);
  if (!callsOnly) groups.push(prepareCommands(program, own));
  const replaced: Replacements = { stubs: callsOnly ? stubCommands(program) : {}, moved: {} };
  for (const group of groups) {
    Object.assign(replaced.stubs, group.stubs, { [group.file]: await bundleGroup(group, texts, shop) });
    for (const member of group.moved) replaced.moved[member] = group.file;
  }
  const metafile = await compileProgram(join(program, "src/main.ts"), output, shop, {
    texts: {
      ...own,
      ...index,
      ...hookIndex,
      [join(program, BEGIN_PATH)]: await bundleWhole(BEGIN_PATH, index, shop, BEGIN_LAZY),
      [join(program, FIND_HOST_PATH)]: await bundleWhole(FIND_HOST_PATH, {}, shop),
      [join(program, SECRET_SCAN_PATH)]: await bundleWhole(SECRET_SCAN_PATH, {}, shop),
      [join(program, LOG_PATH)]: await bundleWhole(LOG_PATH, own, shop, LOG_LAZY),
      ...Object.fromEntries(carriers),
      ...(!callsOnly && {
        [join(make, "own.ts")]:
          `import file from "./sources.zst" with { type: "file" };\nexport const sources = file;\n`,
      }),
    },
    files: callsOnly ? {} : { [join(make, "sources.zst")]: sources },
    replaced,
  });
  return nameMembers(metafile, groups, program);
}

/** Names the members of each group as inputs of the chunk that the group is in. */
function nameMembers({ outputs }: Metafile, groups: readonly PreparedGroup[], program: string): Metafile {
  const toName = (file: string) => relative(program, file).replaceAll("\\", "/");
  for (const { inputs } of Object.values(outputs))
    for (const { file, members } of groups)
      if (toName(file) in inputs) for (const member of members) inputs[toName(member)] = inputs[toName(file)];
  return { outputs };
}

/**
 * A module's bundle: imports resolve as they will in an executable, and error positions refer to the module's own
 * source.
 */
export interface ModuleBundle {
  file: string;
  bundle: string;
}

/**
 * Bundles each module.
 * @param external specifiers to leave unresolved because the process that runs the bundle provides them.
 * @throws SourceProblemsError for problems in the modules.
 */
export async function bundleModules(
  files: readonly string[],
  outdir: string,
  shop: Workshop,
  external?: readonly string[],
): Promise<ModuleBundle[]> {
  const config = { sourcemap: "inline" as const };
  // A single file: split chunks could be requested after their folder is deleted.
  const job =
    external === undefined
      ? { config }
      : { config: { ...config, splitting: false, external: [...external] }, bare: true };
  return bundleEach(files, outdir, shop, job);
}

async function bundleEach(
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
    const places = [file, realpathSync(file)];
    const [path] =
      outputs.find(
        ([, { entryPoint }]) => entryPoint !== undefined && places.includes(resolve(shop.folder, entryPoint)),
      ) ?? [];
    if (path === undefined) throw new Error(`${file} was not bundled`);
    return { file, bundle: join(outdir, path) };
  });
}

/**
 * Computes the hash of hooks: of each one's name and program, with all that it imports, and of the files that it carries.
 * Comments, layout, types, the folder and the time don't count: a program is one file without them.
 */
export async function hashHooks(hooks: readonly CompiledHook[], shop: Workshop): Promise<string> {
  const files = hooks.map(({ file }) => file);
  // Shortened names depend on the folders of the modules [seen Bun 1.4.5, 2026-11-23].
  const config = { splitting: false, minify: { whitespace: true, syntax: true, identifiers: false } };
  const bundles = files.length === 0 ? [] : await bundleEach(files, join(shop.folder, "hashed"), shop, { config });
  return computeHash(
    hooks.flatMap(({ meta, file, files: carried = [] }, at) => [
      meta.name,
      removeFolder(readFileSync((bundles[at] as ModuleBundle).bundle, "utf8"), dirname(file)),
      ...carried.flatMap((name) => [name, readFileSync(join(dirname(file), name), "base64")]),
    ]),
  );
}

/** The bundler writes the folders of packages that ask for theirs (`__dirname`) into the program. */
function removeFolder(program: string, folder: string): string {
  const rest = program.replaceAll(`${folder}/node_modules/`, "node_modules/");
  return dirname(folder) === folder ? rest : removeFolder(rest, dirname(folder));
}
