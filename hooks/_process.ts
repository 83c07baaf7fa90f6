import { findProgram, systemProgram } from "bridge-hooks";
import { expandHome } from "./_paths.ts";

/** How a program ended. */
export interface ProgramResult {
  /** Absent where it did not end by itself. */
  exit_code?: number;
  /** Why it has no exit code. */
  problem?: string;
  /** The time was up. */
  isTimedOut?: true;
  /** The end of what it printed, without colours. */
  output: string;
}

/** What went wrong, behind the command's name; nothing where it did what it was started for. */
export const describeFailure = ({ exit_code, problem }: ProgramResult): string | undefined =>
  exit_code === 0 ? undefined : (problem ?? `failed (exit code ${exit_code})`);

/** How long it is waited for what a program has printed, once it ended: one that it left behind may hold its output. */
const DRAIN_MS = 100;

const isWindows = process.platform === "win32";

/**
 * Keeps cmd.exe from looking for programs in the current folder first [docs NeedCurrentDirectoryForExePath; not under
 * Wine, whose cmd.exe does not ask, 10.0, 2026-11-25].
 */
const SEARCH_VARIABLES = isWindows ? { NoDefaultCurrentDirectoryInExePath: "1" } : {};

/** Ends a program and all that it started. */
function killGroup(pid: number): void {
  try {
    if (isWindows)
      Bun.spawnSync([systemProgram("taskkill"), "/pid", String(pid), "/t", "/f"], {
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
      });
    else process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** The signals by which a host ends a hook that it does not wait for any more. */
const END_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Runs a program to its end, for `ms` milliseconds at most, and not longer than the hook itself may take. */
export async function runProgram(
  argv: readonly string[],
  {
    cwd,
    ms,
    signal,
    most,
  }: { cwd: string; ms: number; signal: AbortSignal; /** Characters of output. */ most: number },
): Promise<ProgramResult> {
  let child: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
  let late = false;
  const abort = () => {
    late = true;
    if (child) killGroup(child.pid);
  };
  const pass = (name: NodeJS.Signals) => {
    abort();
    process.off(name, pass);
    process.kill(process.pid, name);
  };
  // Before the program starts: a signal that comes as it does would leave it behind.
  for (const name of END_SIGNALS) process.on(name, pass);
  try {
    // In a group of its own, so that all of it can be ended.
    const [program = "", ...args] = argv;
    const file = findProgram(program);
    if (file === undefined) throw new Error("it is not on PATH");
    const env = { ...process.env, ...SEARCH_VARIABLES };
    child = Bun.spawn([file, ...args], {
      cwd,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: !isWindows,
    });
  } catch (error) {
    for (const name of END_SIGNALS) process.off(name, pass);
    return { problem: `could not be started (${(error as Error).message})`, output: "" };
  }
  const timer = setTimeout(abort, Math.max(0, ms));
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    const tail = collectTail([child.stdout, child.stderr], most);
    const exit_code = await child.exited;
    const output = await Promise.race([tail.done.then(tail.text), Bun.sleep(DRAIN_MS).then(tail.text)]);
    return late ? { problem: "had not ended when its time was up", isTimedOut: late, output } : { exit_code, output };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    for (const name of END_SIGNALS) process.off(name, pass);
  }
}

/** The end of what comes on some streams, as it comes. */
function collectTail(
  streams: readonly ReadableStream<Uint8Array>[],
  most: number,
): { done: Promise<unknown>; text: () => string } {
  let text = "";
  let cut = false;
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      // Colours go at the end: as long as text is read, room for them is left.
      if (text.length > 8 * most) [text, cut] = [text.slice(-4 * most), true];
    }
  };
  const plain = () => {
    const all = Bun.stripANSI(text).trim();
    if (!cut && all.length <= most) return all;
    const end = all.slice(-most);
    return `… ${end.slice(end.indexOf("\n") + 1)}`;
  };
  return { done: Promise.all(streams.map(read)).catch(() => {}), text: plain };
}

/** Whether a folder is one of those that are named; `~` and wildcards are fine. */
export const isListedFolder = (folder: string, globs: readonly string[]): boolean =>
  globs.some((glob) => new Bun.Glob(expandHome(glob).replaceAll("\\", "/")).match(folder.replaceAll("\\", "/")));
