import { existsSync, readFileSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { renameOver } from "../../system/replace-file.ts";
import { getJitPolicy } from "./jit-policy.ts";
import { canRunHere, type BuildTarget } from "../../operate/executable/image.ts";
import { prepareRuntime } from "./prepare-runtime.ts";
import { type SourceProblem, SourceProblemsError } from "./problem.ts";
import { signFile } from "./sign.ts";
import type { Workshop } from "./workshop.ts";

/** The bundler's report on each output's inputs. */
export interface Metafile {
  outputs: Record<
    string,
    { entryPoint?: string; inputs: Record<string, unknown>; imports: { path: string; kind: string }[] }
  >;
}

/** The bundler process's job, passed as JSON. */
export interface BundleJob {
  config: Partial<Bun.BuildConfig> & { entrypoints: string[] };
  /** Replacement contents, keyed by file path. */
  texts?: Record<string, string>;
  /** Replacement files, keyed by the path of the original file. */
  files?: Record<string, string>;
  /** Whether to leave imports of this product's own modules unresolved. */
  bare?: boolean;
}

/** The report that the bundler process writes. */
export interface BundleResult {
  metafile?: Metafile;
  problems: SourceProblem[];
  /** An error that doesn't concern a particular file. */
  error?: string;
}

/** Build options for every executable, including the benchmark baseline. */
export const BUNDLE_OPTIONS = {
  target: "bun",
  format: "esm",
  splitting: true,
  metafile: true,
  define: { "process.env.NODE_ENV": '"production"' },
  throw: false,
} as const;

/**
 * Bundles in a separate process, because Bun doesn't read package.json files inside this executable.
 * @throws SourceProblemsError for problems in the files. Error if bundling fails.
 */
export async function runBundler(job: BundleJob, shop: Workshop): Promise<Metafile> {
  const [from, to] = [join(shop.folder, "bundle.json"), join(shop.folder, "bundled.json")];
  writeFileSync(from, JSON.stringify(job));
  writeFileSync(to, "");
  // Bun writes intermediate files to its working directory.
  const { stderr } = await shop.bun(["--no-install", join(shop.program, "src/cli/build/bundler.ts"), from, to], {
    cwd: shop.folder,
    output: "pipe",
  });
  const text = readFileSync(to, "utf8");
  const { metafile, problems, error } = text
    ? (JSON.parse(text) as BundleResult)
    : ({ problems: [], error: stderr } satisfies BundleResult);
  if (problems.length > 0) throw new SourceProblemsError(problems);
  if (!metafile) throw new Error(`the compiler failed: ${Bun.stripANSI(error ?? stderr).trim()}`);
  return metafile;
}

export interface BuildOutput {
  target: BuildTarget;
  outfile: string;
}

/**
 * Compiles a program.
 * @throws SourceProblemsError for problems in the files. Error if the executable can't be written.
 */
export async function compileProgram(
  entrypoint: string,
  { outfile, target }: BuildOutput,
  shop: Workshop,
  options: Partial<BundleJob> = {},
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
      ...getJitPolicy(),
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  };
  const metafile = await runBundler({ config, ...options }, shop);
  if (!existsSync(outfile) && existsSync(`${outfile}.exe`)) renameOver(`${outfile}.exe`, outfile);
  if (target.includes("darwin")) signFile(outfile);
  return relativizeInputs(shop, metafile);
}

/**
 * Fails early on a full disk, because Bun's own error doesn't explain the cause. If the file system's size is unknown,
 * assumes there is enough space.
 */
function refuseFullDisk(folder: string, bytes: number): void {
  const { blocks, bavail, bsize } = statfsSync(folder);
  if (blocks > 0 && bavail * bsize < bytes + PROGRAM_BYTES_MARGIN)
    throw Object.assign(new Error(`no space left in ${folder}`), { code: "ENOSPC" });
}

/** The maximum number of bytes that a program adds to the runtime. */
const PROGRAM_BYTES_MARGIN = 32 * 1024 * 1024;

/** Replaces each input's path with its path in the sources. */
function relativizeInputs({ folder, program }: Workshop, { outputs }: Metafile): Metafile {
  const toSourcePath = (path: string) => relative(program, resolve(folder, path)).replaceAll("\\", "/");
  const renamedOutputs = Object.entries(outputs).map(([path, { entryPoint, inputs, imports }]) => {
    const names = Object.fromEntries(Object.entries(inputs).map(([input, value]) => [toSourcePath(input), value]));
    return [path, { entryPoint: entryPoint && toSourcePath(entryPoint), inputs: names, imports }];
  });
  return { outputs: Object.fromEntries(renamedOutputs) };
}
