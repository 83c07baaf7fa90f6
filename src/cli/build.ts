import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { type LoadedHook, loadHooks } from "./load.ts";
import { harden } from "./runtime.ts";
import { selfTest } from "./selftest.ts";

/** The targets that Bun has a runtime for. */
export const TARGETS = [
  "bun-linux-x64",
  "bun-linux-x64-baseline",
  "bun-linux-x64-musl",
  "bun-linux-arm64",
  "bun-linux-arm64-musl",
  "bun-darwin-x64",
  "bun-darwin-arm64",
  "bun-windows-x64",
  "bun-windows-arm64",
] as const;
export type Target = (typeof TARGETS)[number];

export interface BuildOptions {
  /** The directory with the hook modules. */
  hooks: string;
  /** Absent: this machine. */
  target?: Target;
  outfile: string;
}

export interface Built {
  outfile: string;
  target: string;
  bytes: number;
  hooks: string[];
  /** Inputs per output chunk, as the bundler reports them. */
  metafile: Metafile;
  /** False where the executable can't run on this machine. */
  tested: boolean;
}

export interface Metafile {
  outputs: Record<string, { entryPoint?: string; inputs: Record<string, unknown>; imports: { path: string; kind: string }[] }>;
}

const ROOT = resolve(import.meta.dir, "../..");
const CACHE = join(ROOT, "node_modules/.cache/bridge-hooks");

/**
 * Compiles a hooks directory into an executable, and tries it.
 * @throws Error that says what is wrong; nothing is left at `outfile` then.
 */
export async function build({ hooks, target, outfile }: BuildOptions): Promise<Built> {
  const loaded = loadHooks(resolve(hooks));
  const file = resolve(outfile);
  if (existsSync(file) && statSync(file).isDirectory()) throw new Error(`${file} is a directory; name a file in it with --outfile`);
  mkdirSync(dirname(file), { recursive: true });
  const folder = mkdtempSync(join(dirname(file), ".build-"));
  try {
    const draft = join(folder, basename(file));
    const metafile = await compile(loaded, draft, target);
    const tested = runsHere(target);
    if (tested) await selfTest(draft, (probe, to) => compile(probe, to, target));
    // Written anew in one go, the file lies in the page cache in large pieces: that takes a fifth off every start.
    const final = `${draft}.final`;
    writeFileSync(final, readFileSync(draft));
    chmodSync(final, 0o755);
    renameSync(final, file);
    return {
      outfile: file,
      target: target ?? hostTarget(),
      bytes: statSync(file).size,
      hooks: loaded.map(({ meta }) => meta.name),
      metafile,
      tested,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hostTarget = () => `bun-${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const runsHere = (target?: Target) => target === undefined || target === hostTarget() || target === `${hostTarget()}-baseline`;

/** `dist/bridge-hooks-<os>-<arch>[-variant][.exe]`. */
export const outfileFor = (target: Target, folder: string) =>
  join(folder, `bridge-hooks-${target.replace(/^bun-/, "")}${target.includes("windows") ? ".exe" : ""}`);

/** The source of the manifest: each hook's data, and its module behind an import that only a matching call follows. */
function manifest(hooks: readonly LoadedHook[]): string {
  const entries = hooks.map(
    ({ meta, file }) => `{ ...${JSON.stringify(meta)}, load: () => import(${JSON.stringify(file)}).then((module) => module.default) }`,
  );
  return `export const entries = [\n${entries.join(",\n")}\n];\n`;
}

/** The flags of every executable, the floor of the benchmark included. */
async function bundle(entrypoint: string, outfile: string, target: Target | undefined, more: Partial<Bun.BuildConfig>): Promise<Metafile> {
  const result = await Bun.build({
    entrypoints: [entrypoint],
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    splitting: true,
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
    ...more,
    compile: {
      ...(target && { target }),
      outfile,
      executablePath: await runtimeImage(target),
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  } as Bun.BuildConfig);
  if (!result.success) throw new Error(`the bundle could not be made:\n${result.logs.join("\n")}`);
  if (!existsSync(outfile) && existsSync(`${outfile}.exe`)) renameSync(`${outfile}.exe`, outfile);
  return (result as unknown as { metafile: Metafile }).metafile;
}

const compile = (hooks: readonly LoadedHook[], outfile: string, target?: Target) =>
  bundle(join(ROOT, "src/main.ts"), outfile, target, {
    files: { [join(ROOT, "src/run/hooks.ts")]: manifest(hooks) },
    plugins: [
      {
        name: "bridge-hooks",
        setup: (builder) => void builder.onResolve({ filter: /^bridge-hooks$/ }, () => ({ path: join(ROOT, "src/index.ts") })),
      },
    ],
  });

const FLOOR = `import { readFileSync, writeSync } from "node:fs";
JSON.parse(readFileSync(0, "utf8"));
writeSync(1, "{}");
process.exit(0);
`;

/** An executable that reads stdin, parses it, prints "{}" and ends: what a call costs before the bridge does anything. */
export async function compileFloor(outfile: string): Promise<string> {
  const entrypoint = join(ROOT, "src/floor.ts");
  await bundle(entrypoint, `${outfile}.draft`, undefined, { files: { [entrypoint]: FLOOR } });
  writeFileSync(outfile, readFileSync(`${outfile}.draft`));
  chmodSync(outfile, 0o755);
  rmSync(`${outfile}.draft`);
  return outfile;
}

/** The hardened runtime of a target, made once. */
async function runtimeImage(target?: Target): Promise<string> {
  const key = Bun.hash(readFileSync(join(import.meta.dir, "runtime.ts"))).toString(36);
  const image = join(CACHE, `${target ?? hostTarget()}-${Bun.version}-${Bun.revision.slice(0, 8)}-${key}`);
  if (existsSync(image)) return image;
  const bytes = readFileSync(!target || target === hostTarget() ? process.execPath : fetchRuntime(target));
  harden(bytes);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(`${image}.${process.pid}`, bytes);
  chmodSync(`${image}.${process.pid}`, 0o755);
  renameSync(`${image}.${process.pid}`, image);
  return image;
}

/** Bun's own runtime for a target: Bun gets it from the npm registry while it compiles, and keeps it. */
function fetchRuntime(target: Target): string {
  const folder = join(CACHE, "runtimes");
  const file = join(folder, `${target.replace("-arm64", "-aarch64")}-v${Bun.version}`);
  if (existsSync(file)) return file;
  const scratch = mkdtempSync(join(tmpdir(), "bridge-hooks-"));
  try {
    writeFileSync(join(scratch, "empty.ts"), "");
    const args = ["build", "--compile", `--target=${target}`, "empty.ts", "--outfile", "empty"];
    const { stderr } = spawnSync(process.execPath, args, {
      cwd: scratch,
      env: { ...process.env, BUN_INSTALL_CACHE_DIR: folder },
      encoding: "utf8",
    });
    if (!existsSync(file)) throw new Error(`the runtime for ${target} could not be fetched from the npm registry:\n${stderr.trim()}`);
    return file;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
