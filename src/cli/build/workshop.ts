import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { lend } from "./runtime.ts";
import { signFile } from "./sign.ts";
import { unpackSources } from "./sources.ts";

/** A private folder where an executable is made or tried, with the tools for it. It is gone afterwards. */
export interface Workshop {
  folder: string;
  /** Where the sources of bridge-hooks lie, and the packages that it has for hooks. */
  program: string;
  /** Runs `bun` with these arguments. */
  bun: (args: readonly string[], options: RunOptions) => Promise<Run>;
}

export interface RunOptions {
  cwd: string;
  /** What becomes of what it says. */
  output: "inherit" | "ignore" | "pipe";
  env?: Record<string, string | undefined>;
  /** Milliseconds. */
  timeout?: number;
}

export interface Run {
  exitCode: number;
  timedOut: boolean;
  stdout: string;
  stderr: string;
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Works in a new folder beneath `parent`, which is made if need be. It goes afterwards, also when somebody ends this process, and
 * so do what still runs and folders that were made for nothing.
 * @throws Error where the folder can't be made, and what `work` throws.
 */
export async function inWorkshop<T>(parent: string, work: (shop: Workshop) => Promise<T>): Promise<T> {
  const made = mkdirSync(parent, { recursive: true });
  clearStale(parent);
  const folder = mkdtempSync(join(parent, ".bridge-hooks-"));
  const running = new Set<Bun.Subprocess>();
  const clear = () => {
    for (const child of running) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
    if (made !== undefined) removeEmpty(parent, made);
  };
  const leave = (signal: keyof typeof SIGNALS) => {
    clear();
    process.exit(128 + SIGNALS[signal]);
  };
  for (const signal in SIGNALS) process.on(signal, leave);
  try {
    writeFileSync(join(folder, MARK), JSON.stringify({ pid: process.pid, host: hostname() } satisfies Owner));
    const program = await unpackSources(join(folder, "program"));
    const bun = Bun.isStandaloneExecutable ? borrowed(folder) : process.execPath;
    return await work({ folder, program, bun: (args, options) => run([bun, ...args], options, running) });
  } finally {
    for (const signal in SIGNALS) process.off(signal, leave);
    clear();
  }
}

/** The file in a workshop that says whose it is. */
const MARK = "workshop.json";

interface Owner {
  pid: number;
  host: string;
}

/** Takes workshops away that processes of this user left when they were killed. */
function clearStale(parent: string): void {
  for (const name of namesIn(parent).filter((one) => /^\.bridge-hooks-\w{6}$/.test(one))) {
    const folder = join(parent, name);
    try {
      if (isStale(folder)) rmSync(folder, { recursive: true, force: true });
    } catch {
      // It has no mark, or went in the meantime.
    }
  }
}

/** A folder that is written to need not be one that may be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether nobody works there any more. A folder may be shared with other machines, whose processes are not known here. */
function isStale(folder: string): boolean {
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) return false;
  const mark = join(folder, MARK);
  const { pid, host } = JSON.parse(readFileSync(mark, "utf8")) as Owner;
  return Date.now() - statSync(mark).mtimeMs > DAY_MS || (host === hostname() && !isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Takes folders away from the innermost to the first, as far as nothing is in them. */
function removeEmpty(folder: string, first: string): void {
  try {
    for (let at = folder; at.length >= first.length; at = dirname(at)) rmdirSync(at);
  } catch {
    // What was made lies there.
  }
}

/** Makes the copy `bun`, and keeps it from loading what others may have put into a cache. */
const TOOL = { BUN_BE_BUN: "1", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };

async function run(
  command: string[],
  { cwd, env, output, timeout }: RunOptions,
  running: Set<Bun.Subprocess>,
): Promise<Run> {
  const child = started(command, {
    cwd,
    env: { ...process.env, ...env, ...TOOL },
    stdio: [output === "inherit" ? "inherit" : "ignore", output, output],
  });
  running.add(child);
  let timedOut = false;
  const stop = () => {
    timedOut = true;
    child.kill("SIGKILL");
  };
  const timer = timeout === undefined ? undefined : setTimeout(stop, timeout);
  const text = (stream: typeof child.stdout) => (stream instanceof ReadableStream ? new Response(stream).text() : "");
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr as typeof child.stdout),
    child.exited,
  ]);
  clearTimeout(timer);
  running.delete(child);
  return { exitCode, timedOut, stdout, stderr };
}

function started(
  command: string[],
  options: Bun.Spawn.SpawnOptions<Bun.Spawn.Writable, Bun.Spawn.Readable, Bun.Spawn.Readable>,
) {
  try {
    return Bun.spawn(command, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    throw new Error(
      `programs may not run in ${dirname(command[0] as string)}; name another place with --outfile, or in TMPDIR for tests`,
    );
  }
}

/** A copy of this executable that is `bun` when asked to: the one that hosts call can't be made to. */
function borrowed(folder: string): string {
  const file = join(folder, process.platform === "win32" ? "bun.exe" : "bun");
  copyFileSync(process.execPath, file);
  chmodSync(file, 0o700);
  lend(file);
  // macOS starts nothing whose bytes aren't those that were signed.
  if (process.platform === "darwin") signFile(file);
  return file;
}
