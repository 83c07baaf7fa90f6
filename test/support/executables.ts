import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { buildExecutable, type BuildResult } from "../../src/cli/build/build.ts";
import { ROOT } from "./fixtures.ts";
import { waitFor } from "./machine.ts";

/**
 * Executables, in directories named after a hash of the sources. A clean installation of the packages removes this
 * directory.
 */
const CACHE = join(ROOT, "node_modules/.cache/bridge-hooks/executables");
/** Everything that's compiled into an executable or affects the build. */
const SOURCES = ["src", "hooks", "docs", "package.json", "package-lock.json", "bunfig.toml", "tsconfig.json"];
/** How many versions of the sources to keep executables for. */
const KEPT_VERSIONS = 2;
/**
 * Time after which a build counts as hanging. It also applies to setup code that builds, and to a claim that another
 * process has abandoned.
 */
export const BUILD_MS = 10 * 60_000;

function hashFiles(paths: readonly string[]): string {
  const hash = createHash("sha256").update(Bun.revision);
  for (const path of paths.map((one) => resolve(ROOT, one))) {
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((one) => one.isFile())
          .map((one) => join(one.parentPath, one.name))
          .sort()
      : [path];
    for (const file of files) hash.update(`\0${relative(dirname(path), file)}\0`).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

let version: string | undefined;

/** Returns the directory for executables built from the current sources, and removes directories of older versions. */
function openCache(): string {
  const folder = join(CACHE, (version ??= hashFiles(SOURCES)));
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    const getTime = (name: string) => -statSync(join(CACHE, name), { throwIfNoEntry: false })!.mtimeMs;
    const foldersByAge = readdirSync(CACHE).sort((a, b) => getTime(a) - getTime(b));
    for (const name of foldersByAge.slice(KEPT_VERSIONS)) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
  return folder;
}

const readResult = (folder: string): BuildResult | undefined =>
  existsSync(join(folder, "result.json"))
    ? (JSON.parse(readFileSync(join(folder, "result.json"), "utf8")) as BuildResult)
    : undefined;

/** Creates the directory for a build. Only one process succeeds; all others get undefined. */
function claimBuild(folder: string): string | undefined {
  const claim = `${folder}.building`;
  try {
    mkdirSync(claim);
    return claim;
  } catch {
    const claimTime = statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - claimTime > BUILD_MS) rmSync(claim, { recursive: true, force: true });
    return undefined;
  }
}

/** An executable's build options, apart from its hooks. */
type SharedOptions = Pick<Parameters<typeof buildExecutable>[0], "starters" | "target" | "policy">;

const hashOptions = (options: SharedOptions): string =>
  Object.keys(options).length === 0
    ? ""
    : `-${createHash("sha256").update(JSON.stringify(options)).digest("hex").slice(0, 8)}`;

/**
 * Returns an executable with the hooks in a directory, built once for all tests. A test that modifies the file must
 * copy it.
 *
 * @param hooks the directory, relative to the repository. Its modules must not import anything from outside it.
 */
export async function buildShared(hooks: string, options: SharedOptions = {}): Promise<BuildResult> {
  const folder = join(openCache(), `${hashFiles([hooks])}${hashOptions(options)}`);
  return waitFor(
    async () => {
      const found = readResult(folder);
      if (found) return found;
      const claim = claimBuild(folder);
      if (claim === undefined) return undefined;
      try {
        const name = process.platform === "win32" ? "bridge-hooks.exe" : "bridge-hooks";
        const result = await buildExecutable({ ...options, hooks: resolve(ROOT, hooks), outfile: join(claim, name) });
        writeFileSync(join(claim, "result.json"), JSON.stringify({ ...result, outfile: join(folder, name) }));
        renameSync(claim, folder);
      } catch (error) {
        rmSync(claim, { recursive: true, force: true });
        throw error;
      }
      return readResult(folder);
    },
    `the executable of ${hooks}`,
    BUILD_MS,
  );
}

/**
 * Places a shared executable at a path of the test's own. The test may replace or remove the file, but must not write
 * to it.
 */
export async function placeExecutable(hooks: string, outfile: string, options: SharedOptions = {}): Promise<string> {
  return linkExecutable((await buildShared(hooks, options)).outfile, outfile);
}

/** Links an executable, which takes no time, or copies it if it's on another file system. */
export function linkExecutable(executable: string, outfile: string): string {
  mkdirSync(dirname(outfile), { recursive: true });
  try {
    linkSync(executable, outfile);
  } catch {
    copyFileSync(executable, outfile);
  }
  return outfile;
}
