import { closeSync, readSync, writeSync } from "node:fs";
import { ffi, openLibrary } from "../../src/system/c-library.ts";
import { folder } from "./executable-support.ts";

const O_NONBLOCK = 0o4000;
/** Whether this system can create non-blocking pipes. */
export const canUseSlowPipes = process.platform === "linux";

const c = canUseSlowPipes ? openLibrary({ pipe2: { args: ["ptr", "i32"], returns: "i32" } }) : undefined;

/** Creates a pipe that doesn't block at either end, like those of some hosts. */
function createPipe(): { output: number; input: number } {
  const ends = new Int32Array(2);
  if (c?.pipe2(ffi.ptr(ends), O_NONBLOCK) !== 0) throw new Error("no pipe");
  const [output = -1, input = -1] = ends;
  return { output, input };
}

/** Returns the result of a read or write; undefined if it would block. */
function attempt(action: () => number): number | undefined {
  try {
    return action();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}

/**
 * Runs an executable with non-blocking pipes: the payload arrives in parts, interrupted by signals, and most of the
 * answer is read late.
 */
export async function callBySlowPipes(executable: string, payload: object, lateMs = 0) {
  const [stdin, stdout] = [createPipe(), createPipe()];
  const env = { HOME: folder, XDG_STATE_HOME: `${folder}/state`, PATH: process.env.PATH ?? "" };
  const child = Bun.spawn([executable, "--host", "claude"], {
    ...{ cwd: folder, env, stdin: stdin.output, stdout: stdout.input, stderr: "pipe" },
  });
  closeSync(stdin.output);
  closeSync(stdout.input);
  const bytes = Buffer.from(JSON.stringify(payload));
  for (let at = 0; at < bytes.length;) {
    const size = Math.min(60_001, bytes.length - at);
    at += attempt(() => writeSync(stdin.input, bytes, at, size)) ?? 0;
    child.kill("SIGWINCH");
    await Bun.sleep(1);
  }
  closeSync(stdin.input);
  const [chunk, chunks] = [Buffer.alloc(10_000), [] as Buffer[]];
  for (;;) {
    const count = attempt(() => readSync(stdout.output, chunk));
    if (count === 0) break;
    if (count === undefined) await Bun.sleep(1);
    else if (chunks.push(Buffer.from(chunk.subarray(0, count))) === 1) await Bun.sleep(lateMs);
  }
  closeSync(stdout.output);
  const code = await child.exited;
  const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
  return { code, stdout: Buffer.concat(chunks).toString(), stderr: await child.stderr.text(), cpuMs };
}
