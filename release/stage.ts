import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runProgram } from "../src/hosts/run-program.ts";
import type { BuildTarget } from "../src/operate/executable/image.ts";

/**
 * Directory that contains every release build. The path is the same on all machines, because the chunk names in an
 * executable depend on the source directory.
 */
const STAGE = "/tmp/bridge-hooks-release";

/** Files needed to build an executable, not counting npm packages. */
const SOURCES = [
  "package.json",
  "package-lock.json",
  "bunfig.toml",
  "tsconfig.json",
  "build.ts",
  "src",
  "hooks",
  "release",
];

/** A target's executable. */
export interface BuiltExecutable {
  target: BuildTarget;
  file: string;
  bytes: number;
  hooks: string[];
  /** Hash of the compiled-in hooks. */
  policy: string;
}

/** How long to wait for another release on this machine, in milliseconds. */
const WAIT_MS = 10 * 60_000;

/**
 * Copies the sources to the staging directory, runs `work` there and then removes the copy, even if a signal ends the
 * run.
 */
export async function withStage<T>(
  root: string,
  report: (what: string) => void,
  work: (stage: string) => Promise<T>,
): Promise<T> {
  await takeStage(report);
  const clear = () => rmSync(STAGE, { recursive: true, force: true });
  process.on("exit", clear);
  try {
    for (const name of SOURCES) copyTree(join(root, name), join(STAGE, name));
    copyTree(join(root, "node_modules"), join(STAGE, "node_modules"), [".cache"]);
    // Share the cache of downloaded and hardened runtimes.
    mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
    symlinkSync(join(root, "node_modules/.cache"), join(STAGE, "node_modules/.cache"));
    return await work(STAGE);
  } finally {
    clear();
    process.off("exit", clear);
  }
}

async function takeStage(report: (what: string) => void): Promise<void> {
  const owner = join(STAGE, "owner");
  const end = Date.now() + WAIT_MS;
  for (let isAnnounced = false; ; isAnnounced = true) {
    try {
      mkdirSync(STAGE, { mode: 0o755 });
      return writeFileSync(owner, `${process.pid}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (!isOwned(owner)) {
      rmSync(STAGE, { recursive: true, force: true });
      continue;
    }
    if (Date.now() > end) throw new Error(`another release is running in ${STAGE}; wait until it ends`);
    if (!isAnnounced) report(`waiting for another release in ${STAGE}`);
    await Bun.sleep(500);
  }
}

/**
 * Whether the process that created a staging directory is still running. Without a readable owner file, assumes that it
 * is: the directory is new or belongs to another user.
 */
function isOwned(owner: string): boolean {
  try {
    return process.kill(Number(readFileSync(owner, "utf8")), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Copies a file or directory tree. Uses hard links where possible, which is safe because nothing writes to the files.
 */
function copyTree(from: string, to: string, excluded: readonly string[] = []): void {
  if (!readIsFolder(from)) return copyFile(from, to);
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (excluded.includes(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    else copyFile(source, target);
  }
}

function readIsFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
    return false;
  }
}

function copyFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Time limit for building all executables, in milliseconds. */
const BUILD_MS = 60 * 60_000;

/**
 * Builds the targets' executables from the sources in a staging directory.
 * @throws Error if a build fails.
 */
export async function buildInStage(
  stage: string,
  targets: readonly BuildTarget[],
  signal: AbortSignal,
): Promise<BuiltExecutable[]> {
  const { exit_code, stdout, stderr } = await runProgram({
    argv: [process.execPath, "--no-install", join(stage, "release/build-executables.ts"), ...targets],
    cwd: stage,
    env: { ...process.env, LC_ALL: "C", TZ: "UTC" } as Record<string, string>,
    stdin: "",
    timeout: BUILD_MS,
    signal,
  });
  signal.throwIfAborted();
  if (exit_code !== 0) throw new Error(stderr.trim().split("\n").at(-1) ?? "the executables could not be built");
  return JSON.parse(stdout) as BuiltExecutable[];
}
