import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Directory for everything that runs produce. It's ignored by git. */
export const CACHE_FOLDER = join(import.meta.dir, "../../.e2e");
/** The executable whose hook records its calls. */
export const PROBE_EXECUTABLE = join(CACHE_FOLDER, "bin/probe");
/** An executable without bridge-hooks that records its calls. */
export const RAW_EXECUTABLE = join(CACHE_FOLDER, "bin/raw");
const LOCKED_FOLDER = join(import.meta.dir, "releases");

/** A host release pinned by a lock file, in a directory `releases/<host>-<version>` with a package.json. */
export interface Release {
  host: string;
  version: string;
  /** Directory containing the release's node_modules. */
  folder: string;
}

/** Compares releases by host, then by version. */
export const compareReleases = (a: Release, b: Release): number =>
  a.host.localeCompare(b.host) || Bun.semver.order(a.version, b.version);

/** All locked releases. */
export const releases: readonly Release[] = readdirSync(LOCKED_FOLDER)
  .map((name) => {
    const at = name.indexOf("-");
    return { host: name.slice(0, at), version: name.slice(at + 1), folder: join(CACHE_FOLDER, "releases", name) };
  })
  .sort(compareReleases);

/**
 * Returns where a release's Node executable for this system would be, according to its lock file. The file might not
 * exist.
 */
export const getLockedNode = (folder: string): string =>
  join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);

/** Returns the locked Node if it exists; otherwise, the machine's. Newer versions start faster. */
export function findNode(folder: string): string {
  const locked = getLockedNode(folder);
  return existsSync(locked) ? locked : (Bun.which("node") ?? "node");
}

const readLock = (folder: string) =>
  existsSync(join(folder, "package-lock.json")) ? readFileSync(join(folder, "package-lock.json"), "utf8") : "";

/**
 * Installs a release from its lock file, unless it's already installed.
 *
 * @throws Error with npm's message if the installation fails.
 */
export async function installRelease({ host, version, folder }: Release): Promise<void> {
  const locked = join(LOCKED_FOLDER, `${host}-${version}`);
  if (existsSync(join(folder, "node_modules/.package-lock.json")) && readLock(folder) === readLock(locked)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(locked, folder, { recursive: true });
  // The packages contain the hosts as native executables, so install scripts aren't needed.
  const npm = Bun.spawn(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [stderr, code] = await Promise.all([npm.stderr.text(), npm.exited]);
  if (code === 0) return;
  rmSync(folder, { recursive: true, force: true });
  const said = stderr.split("\n").map((line) => line.replace(/^npm error ?/, "").trim());
  const telling = said.filter((line) => line && !line.includes("complete log"));
  throw new Error(telling.slice(0, 3).join("; "));
}
