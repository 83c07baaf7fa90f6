import type { Result } from "../core/setup.ts";

/** What is run, and where. */
export interface Job {
  argv: readonly string[];
  cwd?: string;
  env: Readonly<Record<string, string | undefined>>;
  stdin: string;
  /** Ends it, and all that it started. */
  signal: AbortSignal;
}

/** The most that is taken of what a program prints, in bytes. */
const MOST_OUTPUT = 1024 * 1024;
/** How long a pipe that something in the background keeps open is still read after the program's end. */
const REST_MS = 100;

/**
 * Runs a program to its end; what it leaves in the background goes on.
 * @throws Error when it can't be started, prints more than 1 MB, or when the time is up.
 */
export async function run({ argv, cwd, env, stdin, signal }: Job): Promise<Result> {
  signal.throwIfAborted();
  // A group of its own, so that what it started can be ended with it.
  const child = Bun.spawn([...argv], {
    cwd,
    env,
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
  } as Bun.SpawnOptions.OptionsObject<Uint8Array, "pipe", "pipe">);
  const end = () => killGroup(child.pid);
  signal.addEventListener("abort", end, { once: true });
  try {
    const stdout = reader(child.stdout);
    const stderr = reader(child.stderr);
    const tooMuch = await Promise.race([child.exited.then(() => false), stdout.full, stderr.full]);
    if (tooMuch) {
      end();
      throw new Error(`it printed more than ${MOST_OUTPUT} bytes`);
    }
    await Promise.race([Promise.all([stdout.done, stderr.done]), Bun.sleep(REST_MS)]);
    if ((await Promise.race([stdout.full, stderr.full, Promise.resolve(false)])) === true)
      throw new Error(`it printed more than ${MOST_OUTPUT} bytes`);
    return { stdout: stdout.text(), stderr: stderr.text(), exit_code: child.signalCode === null ? child.exitCode : null };
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function killGroup(pid: number): void {
  try {
    if (process.platform === "win32") Bun.spawnSync(["taskkill", "/T", "/F", "/PID", String(pid)]);
    else process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** What comes out of a pipe, up to the limit. */
function reader(stream: ReadableStream<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let overflow = (_: boolean) => {};
  const full = new Promise<boolean>((resolve) => (overflow = resolve));
  const done = (async () => {
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > MOST_OUTPUT) return overflow(true);
      chunks.push(chunk);
    }
  })();
  done.catch(() => {});
  return { full, done, text: () => new TextDecoder().decode(Buffer.concat(chunks)) };
}
