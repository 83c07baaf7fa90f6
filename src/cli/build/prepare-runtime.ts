import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../system/replace-file.ts";
import { alignSegments } from "./align-segments.ts";
import { changeEngineOptions } from "./engine-options.ts";
import { hasOptimization, DISABLED_VARIABLE } from "./optimizations.ts";
import { type BuildTarget, canRunHere } from "../../operate/executable/image.ts";
import { hardenRuntime } from "../../operate/executable/runtime.ts";
import { RUNTIME_HASHES, RUNTIME_VERSION } from "./runtime-hashes.ts";
import { stripProgram } from "./strip-program.ts";
import type { Workshop } from "./workshop.ts";

/** Modules that modify a runtime. A cached runtime is valid only as long as these modules are unchanged. */
const IMAGE_SOURCES = [
  "operate/executable/runtime.ts",
  "operate/executable/switches.ts",
  "cli/build/engine-options.ts",
  "cli/build/align-segments.ts",
];

/**
 * Prepares a target's hardened runtime for compiling. When running from source, caches the hardened runtime. A built
 * executable is already hardened, and the runtimes it downloads for other platforms are deleted with the workshop.
 * @throws Error if another platform's runtime can't be downloaded.
 */
export async function prepareRuntime(target: BuildTarget, shop: Workshop): Promise<string> {
  const isRunnable = canRunHere(target);
  if (Bun.isStandaloneExecutable && isRunnable && process.platform === "linux") return process.execPath;
  const cache = Bun.isStandaloneExecutable ? shop.folder : join(shop.program, "node_modules/.cache/bridge-hooks");
  const changes = IMAGE_SOURCES.map((path) => readFileSync(join(shop.program, "src", path), "utf8"));
  const key = Bun.hash([...changes, process.env[DISABLED_VARIABLE] ?? ""].join("\0")).toString(36);
  const image = join(cache, `${target}-${Bun.version}-${Bun.revision.slice(0, 8)}-${key}`);
  if (existsSync(image)) return image;
  mkdirSync(cache, { recursive: true });
  let bytes: Buffer;
  if (Bun.isStandaloneExecutable && isRunnable) bytes = stripProgram(readFileSync(process.execPath));
  else {
    bytes = isRunnable ? readFileSync(process.execPath) : await fetchRuntime(target, join(cache, "runtimes"), shop);
    hardenRuntime(bytes);
    if (hasOptimization("engine-options")) changeEngineOptions(bytes, target);
    if (hasOptimization("align-segments")) bytes = alignSegments(bytes);
  }
  replaceFile(image, bytes, { mode: 0o755 });
  return image;
}

/**
 * Fetches Bun's runtime for a target. Bun downloads the runtime from the npm registry while compiling and keeps the
 * file in `folder`.
 */
async function fetchRuntime(target: BuildTarget, folder: string, shop: Workshop): Promise<Buffer> {
  const name = target.replace("-arm64", "-aarch64");
  const file = join(folder, `${name}-v${Bun.version}`);
  // Read npm's registry setting, which Bun ignores when it compiles.
  const registry = process.env.npm_config_registry ?? process.env.NPM_CONFIG_REGISTRY;
  const location = registry ? ` at ${registry.replace(/\/\/[^@/]*@/, "//")}` : "";
  if (!existsSync(file)) {
    const stderr = await downloadRuntime({ target, name, folder, registry }, shop);
    const reason = /(?:error|Failed)[^\n]*/.exec(Bun.stripANSI(stderr))?.[0] ?? stderr.trim();
    if (!existsSync(file))
      throw new Error(
        `Bun's runtime for ${target.slice(4)} could not be downloaded from the npm registry${location} (${reason}); ` +
          "check the network, or set npm_config_registry to a reachable registry",
      );
  }
  const bytes = readFileSync(file);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  if (Bun.version === RUNTIME_VERSION && hash === RUNTIME_HASHES[target]) return bytes;
  rmSync(file, { force: true });
  throw new Error(
    Bun.version === RUNTIME_VERSION
      ? `Bun's runtime for ${target.slice(4)} from the npm registry${location} differs from Bun's release (SHA-256 ${hash}); ` +
          "set npm_config_registry to a trusted registry"
      : `the hashes of the Bun ${Bun.version} runtimes are unknown; add them to src/cli/build/runtime-hashes.ts`,
  );
}

interface RuntimeDownload {
  target: BuildTarget;
  /** The target's name in Bun's npm packages. */
  name: string;
  folder: string;
  registry: string | undefined;
}

/**
 * Makes Bun download a runtime.
 * @returns Bun's stderr.
 */
async function downloadRuntime(
  { target, name, folder, registry }: RuntimeDownload,
  { folder: scratch, bun }: Workshop,
): Promise<string> {
  const tarball = registry && `${registry.replace(/\/+$/, "")}/@oven/${name}/-/${name}-${Bun.version}.tgz`;
  writeFileSync(join(scratch, "empty.ts"), "");
  const { stderr } = await bun(["build", "--compile", `--target=${target}`, "empty.ts", "--outfile", "empty"], {
    cwd: scratch,
    env: { BUN_INSTALL_CACHE_DIR: folder, ...(tarball && { BUN_COMPILE_TARGET_TARBALL_URL: tarball }) },
    output: "pipe",
  });
  return stderr;
}
