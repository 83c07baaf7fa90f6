import type { Launch } from "../../protocol/host/install.ts";
import { type ProgramResult, runProgram } from "../../hosts/run-program.ts";

/** The time limit in milliseconds: longer than any bridge-hooks call takes, but shorter than hosts wait. */
export const COMMAND_TIMEOUT_MS = 10_000;

const STOP_MESSAGES: Record<NonNullable<ProgramResult["stopped"]>, string> = {
  timeout: `the command did not end within ${COMMAND_TIMEOUT_MS / 1000} s`,
  overflow: "the command never stops producing output",
};

/** Runs a command as a hook. `problem` explains an abnormal end. */
export async function runHook({ argv, cwd, env, stdin }: Launch): Promise<ProgramResult & { problem?: string }> {
  try {
    const result = await runProgram({ argv, cwd, env, stdin, timeout: COMMAND_TIMEOUT_MS });
    return result.stopped ? { ...result, problem: STOP_MESSAGES[result.stopped] } : result;
  } catch (error) {
    return { stdout: "", stderr: "", exit_code: null, ms: 0, problem: (error as Error).message };
  }
}
