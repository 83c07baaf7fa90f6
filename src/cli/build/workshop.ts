import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { removeLeftoverFile } from "../../system/replace-file.ts";
import { restoreRuntimeSwitches } from "../../operate/executable/runtime.ts";
import { signFile } from "./sign.ts";
import { unpackSources } from "./sources.ts";

/** A private temporary directory with tools for building or testing an executable. */
export interface Workshop {
  folder: string;
  /** The directory with the sources of bridge-hooks and the packages provided to hooks. */
  program: string;
  /** Runs `bun` with the given arguments. */
  bun: (args: readonly string[], options: ToolOptions) => Promise<ToolResult>;
}

interface ToolOptions {
  cwd: string;
  /** Where to write the tool's output. */
  output: "inherit" | "ignore" | "pipe";
  env?: Record<string, string | undefined>;
  /** The time limit in milliseconds. */
  timeout?: number;
}

interface ToolResult {
  exitCode: number;
  timedOut: boolean;
  stdout: string;
  stderr: string;
}

const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Runs `work` in a new directory inside `parent`, which is created if missing. Afterwards, even if a signal ends this
 * process, deletes the directory, kills processes that still run in it, and removes empty parent directories created
 * here.
 * @throws Error if the directory can't be created, and whatever `work` throws.
 */
export async function withWorkshop<T>(parent: string, work: (shop: Workshop) => Promise<T>): Promise<T> {
  const firstCreated = mkdirSync(parent, { recursive: true });
  removeStaleWorkshops(parent);
  const folder = mkdtempSync(join(parent, ".bridge-hooks-"));
  const runningProcesses = new Set<Bun.Subprocess>();
  const clear = () => {
    for (const child of runningProcesses) child.kill("SIGKILL");
    removeLeftoverFile(folder);
    if (firstCreated !== undefined) removeEmptyFolders(parent, firstCreated);
  };
  const leave = (signal: keyof typeof SIGNAL_NUMBERS) => {
    clear();
    process.exit(128 + SIGNAL_NUMBERS[signal]);
  };
  for (const signal in SIGNAL_NUMBERS) process.on(signal, leave);
  try {
    writeFileSync(
      join(folder, OWNER_FILE),
      JSON.stringify({ pid: process.pid, host: hostname() } satisfies WorkshopOwner),
    );
    const program = await unpackSources(join(folder, "program"));
    const bun = Bun.isStandaloneExecutable ? createToolCopy(folder) : process.execPath;
    return await work({ folder, program, bun: (args, options) => runTool([bun, ...args], options, runningProcesses) });
  } finally {
    for (const signal in SIGNAL_NUMBERS) process.off(signal, leave);
    clear();
  }
}

/** The file in a workshop that identifies its owner. */
const OWNER_FILE = "workshop.json";

interface WorkshopOwner {
  pid: number;
  host: string;
}

/** Removes workshops left behind by this user's killed processes. */
function removeStaleWorkshops(parent: string): void {
  for (const name of listNames(parent).filter((entryName) => /^\.bridge-hooks-\w{6}$/.test(entryName))) {
    const folder = join(parent, name);
    try {
      if (isStaleWorkshop(folder)) removeLeftoverFile(folder);
    } catch {
      // The owner file is missing, or another process deleted the directory.
    }
  }
}

/** Lists a directory. Returns an empty list for an unreadable directory, such as a write-only one. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether a workshop's owner process has ended. Other machines might share the directory, but their processes can't be
 * checked.
 */
function isStaleWorkshop(folder: string): boolean {
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid)) return false;
  const mark = join(folder, OWNER_FILE);
  const { pid, host } = JSON.parse(readFileSync(mark, "utf8")) as WorkshopOwner;
  return Date.now() - statSync(mark).mtimeMs > DAY_MS || (host === hostname() && !isProcessAlive(pid));
}

function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Removes empty directories, from the innermost up to `first`. */
function removeEmptyFolders(folder: string, lastFolder: string): void {
  try {
    for (let at = folder; at.length >= lastFolder.length; at = dirname(at)) rmdirSync(at);
  } catch {
    // The directory contains the result, so it isn't empty.
  }
}

/**
 * Variables that make the copy run as `bun` and keep it from loading cached code, which another user may have planted.
 */
const TOOL_ENVIRONMENT = { BUN_BE_BUN: "1", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };

async function runTool(
  command: string[],
  { cwd, env, output, timeout }: ToolOptions,
  runningProcesses: Set<Bun.Subprocess>,
): Promise<ToolResult> {
  const child = spawnTool(command, {
    cwd,
    env: { ...process.env, ...env, ...TOOL_ENVIRONMENT },
    stdio: [output === "inherit" ? "inherit" : "ignore", output, output],
  });
  runningProcesses.add(child);
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
  runningProcesses.delete(child);
  return { exitCode, timedOut, stdout, stderr };
}

function spawnTool(
  command: string[],
  options: Bun.Spawn.SpawnOptions<Bun.Spawn.Writable, Bun.Spawn.Readable, Bun.Spawn.Readable>,
) {
  try {
    return Bun.spawn(command, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    throw new Error(
      `programs can't run in ${dirname(command[0] as string)}; pass another --outfile, or set TMPDIR for tests`,
    );
  }
}

/** Creates a copy of this executable that can run as `bun`, unlike the executable that hosts call. */
function createToolCopy(folder: string): string {
  const file = join(folder, process.platform === "win32" ? "bun.exe" : "bun");
  copyFileSync(process.execPath, file);
  chmodSync(file, 0o700);
  restoreRuntimeSwitches(file);
  // macOS refuses to run a program whose bytes don't match its signature.
  if (process.platform === "darwin") signFile(file);
  return file;
}
