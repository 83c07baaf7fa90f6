import { dirname } from "node:path";
import { runProgram } from "../src/hosts/run-program.ts";
import { prepareMachine } from "../test/platforms/platform.ts";
import { readStructure } from "../test/platforms/structure.ts";
import { UnavailableError } from "./debian-packages.ts";
import type { BuiltExecutable } from "./stage.ts";

/** Result of testing an executable. `skipReason` explains why the executable couldn't run on this machine. */
export interface Trial {
  target: string;
  skipReason?: string;
}

/** A call that the starter hooks deny. */
const CALL = JSON.stringify({
  hook_event_name: "PreToolUse",
  session_id: "trial",
  cwd: "/",
  tool_name: "Bash",
  tool_input: { command: "git push --force origin main" },
});
const FLAGS = ["--host", "claude", "--event", "PreToolUse", "--on-error", "deny"];
const TRIAL_MS = 30_000;

/**
 * Tests an executable before it is packed: its file format and, if it can run on this machine, its version and a call
 * that it must deny.
 *
 * @throws Error if a test fails.
 */
export async function tryExecutable({ target, file }: BuiltExecutable, version: string): Promise<Trial> {
  const name = target.slice("bun-".length);
  for (const [what, holds] of readStructure(file, target))
    if (holds !== "ok") throw new Error(`the executable for ${name} is invalid: ${what}: ${holds}`);
  const machine = await prepareMachine(target).catch((error: unknown) => {
    if (error instanceof UnavailableError) return error;
    throw error;
  });
  if (machine instanceof UnavailableError) return { target: name, skipReason: machine.message };
  try {
    const run = (args: readonly string[], stdin = "") =>
      runProgram({
        argv: machine.wrap([machine.toPath(file), ...args], { HOME: "/tmp", PATH: "/usr/bin:/bin" }),
        cwd: dirname(file),
        env: process.env,
        stdin,
        timeout: TRIAL_MS * machine.slowness,
      });
    const [first] = (await run(["--version"])).stdout.split(/\r?\n/);
    if (first !== version)
      throw new Error(`the executable for ${name} does not run: --version prints ${JSON.stringify(first)}`);
    const { exit_code } = await run(FLAGS, CALL);
    if (exit_code !== 2)
      throw new Error(`the executable for ${name} does not deny a call: it exited with code ${exit_code}`);
    return { target: name };
  } finally {
    await machine.end?.();
  }
}

/** Summarizes tested and skipped targets in one line. */
export function formatTrials(trials: readonly Trial[]): string {
  const testedTargets = trials.filter(({ skipReason }) => skipReason === undefined).map(({ target }) => target);
  const skippedTargets = trials.flatMap(({ target, skipReason }) =>
    skipReason === undefined ? [] : [`${target} (${skipReason})`],
  );
  return [
    ...(testedTargets.length > 0 ? [`run: ${testedTargets.join(", ")}`] : []),
    ...(skippedTargets.length > 0 ? [`skipped, structure checked only: ${skippedTargets.join(", ")}`] : []),
  ].join("; ");
}
