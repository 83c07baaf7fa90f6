import { spawn } from "node:child_process";
import type { Launch, Result } from "../../protocol/host/install.ts";
import { findProgram } from "../../hosts/find-program.ts";

/** Milliseconds, longer than any call of ours takes; a host would wait longer. */
export const PATIENCE_MS = 10_000;

/** More than any answer of ours. */
const LONGEST = 1_000_000;

/** How a command ended; `problem`: it did not, as a hook has to. */
export type Ended = Result & { ms: number; problem?: string };

/** Starts a command in a process group of its own, so that a hanging one goes with all that it started. */
export const started = ({ argv, cwd, env, stdin }: Launch): Promise<Ended> =>
  new Promise<Ended>((resolve) => {
    const before = performance.now();
    const [program = "", ...args] = argv;
    const file = findProgram(program, { path: env.PATH ?? env.Path });
    if (file === undefined) throw new Error(`there is no program ${program} on PATH`);
    const child = spawn(file, args, { cwd, env, detached: true });
    const result: Ended = { stdout: "", stderr: "", exit_code: null, ms: 0 };
    const end = (problem?: string) => {
      clearTimeout(timer);
      if (problem && child.pid) kill(child.pid);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve({ ...result, ms: performance.now() - before, ...(problem && { problem }) });
    };
    const timer = setTimeout(() => end(`it did not end within ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8");
      child[name].on("data", (chunk) => {
        result[name] += chunk;
        if (result[name].length > LONGEST) end("it prints without end");
      });
    }
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
    child.on("error", (error) => end(error.message));
    child.on("exit", (code) => {
      result.exit_code = code;
      // What it left behind may hold the streams open.
      setTimeout(end, 500);
    });
    child.on("close", () => end());
  }).catch((error: Error) => ({ stdout: "", stderr: "", exit_code: null, ms: 0, problem: error.message }));

function kill(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended in between.
  }
}
