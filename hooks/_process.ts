import { findProgram, systemProgram } from "bridge-hooks";
import { expandHome } from "./_paths.ts";

/** The outcome of running a program. */
export interface ProgramResult {
  /** Absent if the program was killed or couldn't be started. */
  exit_code?: number;
  /** Why there is no exit code, as a predicate such as "timed out". */
  problem?: string;
  /** Set if the program hit the time limit. */
  isTimedOut?: true;
  /** The last part of stdout and stderr, without ANSI colors. */
  output: string;
}

/** Describes a failure as a predicate to follow the command's name; undefined on success. */
export const describeFailure = ({ exit_code, problem }: ProgramResult): string | undefined =>
  exit_code === 0 ? undefined : (problem ?? `failed (exit code ${exit_code})`);

/**
 * How long to wait for buffered output after the program exits, in milliseconds. A background child may keep the pipes
 * open.
 */
const DRAIN_MS = 100;

const isWindows = process.platform === "win32";

/**
 * Keeps cmd.exe from searching the current directory first [docs NeedCurrentDirectoryForExePath; Wine's cmd.exe ignores it, 10.0,
 * 2026-11-25].
 */
const PROGRAM_SEARCH_VARIABLES = isWindows ? { NoDefaultCurrentDirectoryInExePath: "1" } : {};

/** Kills a process and its descendants. */
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
    // The process has already exited.
  }
}

/** Signals that hosts send to end a hook that timed out. */
const TERMINATION_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Runs a program until it exits, the time limit of `ms` milliseconds is reached, or the hook is aborted. */
export async function runProgram(
  argv: readonly string[],
  {
    cwd,
    ms,
    signal,
    maxCharacters,
  }: {
    cwd: string;
    ms: number;
    signal: AbortSignal;
    /** Maximum number of characters of output. */ maxCharacters: number;
  },
): Promise<ProgramResult> {
  let child: Bun.Subprocess<"ignore", "pipe", "pipe"> | undefined;
  let hasTimedOut = false;
  const abort = () => {
    hasTimedOut = true;
    if (child) killGroup(child.pid);
  };
  const forwardSignal = (name: NodeJS.Signals) => {
    abort();
    process.off(name, forwardSignal);
    process.kill(process.pid, name);
  };
  // Install the handlers before starting the program: a signal that arrived in between would orphan the child.
  for (const name of TERMINATION_SIGNALS) process.on(name, forwardSignal);
  try {
    // The child leads its own process group so that the whole group can be killed.
    const [program = "", ...args] = argv;
    const file = findProgram(program);
    if (file === undefined) throw new Error("not found on PATH");
    const env = { ...process.env, ...PROGRAM_SEARCH_VARIABLES };
    child = Bun.spawn([file, ...args], {
      cwd,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: !isWindows,
    });
  } catch (error) {
    for (const name of TERMINATION_SIGNALS) process.off(name, forwardSignal);
    return { problem: `could not be started (${(error as Error).message})`, output: "" };
  }
  const timer = setTimeout(abort, Math.max(0, ms));
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    const tail = collectTail([child.stdout, child.stderr], maxCharacters);
    const exit_code = await child.exited;
    const output = await Promise.race([tail.done.then(tail.text), Bun.sleep(DRAIN_MS).then(tail.text)]);
    return hasTimedOut ? { problem: "timed out", isTimedOut: hasTimedOut, output } : { exit_code, output };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    for (const name of TERMINATION_SIGNALS) process.off(name, forwardSignal);
  }
}

/** Collects the most recent output of multiple streams. */
function collectTail(
  streams: readonly ReadableStream<Uint8Array>[],
  maxCharacters: number,
): { done: Promise<unknown>; text: () => string } {
  let text = "";
  let isTruncated = false;
  const readStream = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      // Stripping ANSI colors shortens the text, so keep more of it than `getText` returns.
      if (text.length > 8 * maxCharacters) [text, isTruncated] = [text.slice(-4 * maxCharacters), true];
    }
  };
  const getText = () => {
    const plainText = Bun.stripANSI(text).trim();
    if (!isTruncated && plainText.length <= maxCharacters) return plainText;
    const end = plainText.slice(-maxCharacters);
    return `… ${end.slice(end.indexOf("\n") + 1)}`;
  };
  return { done: Promise.all(streams.map(readStream)).catch(() => {}), text: getText };
}

/** Whether a directory matches one of the globs; `~` in a glob is expanded. */
export const isListedFolder = (folder: string, globs: readonly string[]): boolean =>
  globs.some((glob) => new Bun.Glob(expandHome(glob).replaceAll("\\", "/")).match(folder.replaceAll("\\", "/")));
