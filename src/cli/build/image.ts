import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROBE } from "../../protocol/probe.ts";
import { replaceFile } from "../../system/replace-file.ts";
import { alignSegments } from "./align-segments.ts";
import { hasOptimization, LEFT_OUT_VARIABLE } from "./optimizations.ts";
import { hardenRuntime } from "./runtime.ts";
import { stripProgram } from "./strip-program.ts";
import type { Workshop } from "./workshop.ts";

/**
 * The targets that Bun provides a runtime for. Of its further names (`darwin-x64-baseline`, `linux-x64-musl-baseline`,
 * `windows-x64-baseline`) the packages hold the same bytes as those without `baseline` [compared 1.4.5, 2026-11-23], as
 * does `linux-x64-baseline`, which stays for those who ask for it.
 */
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
export type BuildTarget = (typeof TARGETS)[number];

/** Returns the target that this process runs on. */
export function detectTarget(): BuildTarget {
  const os = process.platform === "win32" ? "windows" : process.platform;
  return `bun-${os}-${process.arch}${isMusl() ? "-musl" : ""}` as BuildTarget;
}

/** Whether executables for a target run on this machine. */
export const canRunHere = (target: BuildTarget): boolean =>
  [detectTarget(), `${detectTarget()}-baseline`].includes(target);

/** An ELF file begins with the name of its loader. */
function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const head = Buffer.alloc(1024);
  const file = openSync(process.execPath, "r");
  readSync(file, head);
  closeSync(file);
  return head.includes("ld-musl");
}

/** The magic numbers of ELF, Mach-O and PE executables. */
const MAGIC = ["\x7fELF", "\xcf\xfa\xed\xfe", "MZ"];

/** Whether a file is a bridge-hooks executable, of any release and for any system. The file is not run. */
export function isBridgeExecutable(file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const image = readFileSync(file);
  const head = image.toString("latin1", 0, 4);
  return MAGIC.some((magic) => head.startsWith(magic)) && image.includes(PROBE);
}

/**
 * Prepares a file with the hardened runtime of a target, to compile with. An executable is hardened already; runtimes
 * that it fetches for other platforms are deleted with the workshop. A run from source caches the hardened runtime.
 * @throws Error if the runtime of another platform can't be fetched.
 */
export async function prepareRuntime(target: BuildTarget, shop: Workshop): Promise<string> {
  const own = canRunHere(target);
  if (Bun.isStandaloneExecutable && own && process.platform === "linux") return process.execPath;
  const cache = Bun.isStandaloneExecutable ? shop.folder : join(shop.program, "node_modules/.cache/bridge-hooks");
  const changes = ["runtime.ts", "switches.ts", "align-segments.ts"].map((name) =>
    readFileSync(join(shop.program, "src/cli/build", name), "utf8"),
  );
  const key = Bun.hash([...changes, process.env[LEFT_OUT_VARIABLE] ?? ""].join("\0")).toString(36);
  const image = join(cache, `${target}-${Bun.version}-${Bun.revision.slice(0, 8)}-${key}`);
  if (existsSync(image)) return image;
  mkdirSync(cache, { recursive: true });
  let bytes: Buffer;
  if (Bun.isStandaloneExecutable && own) bytes = stripProgram(readFileSync(process.execPath));
  else {
    bytes = readFileSync(own ? process.execPath : await fetchRuntime(target, join(cache, "runtimes"), shop));
    hardenRuntime(bytes);
    if (hasOptimization("align-segments")) bytes = alignSegments(bytes);
  }
  replaceFile(image, bytes, { mode: 0o755 });
  return image;
}

/**
 * Fetches Bun's own runtime for a target: Bun downloads it from the npm registry while compiling, and keeps it in
 * `folder`.
 */
async function fetchRuntime(target: BuildTarget, folder: string, { folder: scratch, bun }: Workshop): Promise<string> {
  const name = target.replace("-arm64", "-aarch64");
  const file = join(folder, `${name}-v${Bun.version}`);
  if (existsSync(file)) return file;
  // npm's registry setting, which Bun ignores when it compiles.
  const registry = process.env.npm_config_registry ?? process.env.NPM_CONFIG_REGISTRY;
  const tarball = registry && `${registry.replace(/\/+$/, "")}/@oven/${name}/-/${name}-${Bun.version}.tgz`;
  writeFileSync(join(scratch, "empty.ts"), "");
  const { stderr } = await bun(["build", "--compile", `--target=${target}`, "empty.ts", "--outfile", "empty"], {
    cwd: scratch,
    env: { BUN_INSTALL_CACHE_DIR: folder, ...(tarball && { BUN_COMPILE_TARGET_TARBALL_URL: tarball }) },
    output: "pipe",
  });
  if (existsSync(file)) return file;
  const why = /(?:error|Failed)[^\n]*/.exec(Bun.stripANSI(stderr))?.[0] ?? stderr.trim();
  throw new Error(
    `Bun's runtime for ${target.slice(4)} could not be fetched from the npm registry${registry ? ` at ${registry.replace(/\/\/[^@/]*@/, "//")}` : ""} (${why}); ` +
      "connect this machine to it, or set npm_config_registry to a registry that it can reach",
  );
}
