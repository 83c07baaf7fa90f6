import { findAgentVariable } from "../confirm/programs.ts";

/**
 * Options for `less` if the user hasn't set LESS: quit if the text fits on one screen, show colors, and leave the text
 * on the screen.
 */
const LESS_FLAGS = "FRX";
/** Exit codes that a shell returns if the pager can't be found or run. */
const NOT_RUN_EXIT_CODES = [126, 127];

let isPagerEnabled = true;

export const disablePager = (): void => void (isPagerEnabled = false);

/** Returns the pager's shell command, or undefined if the pager is disabled. */
function findPager({ env, platform } = process): string | undefined {
  const command = env.BRIDGE_HOOKS_PAGER ?? env.PAGER;
  if (command !== undefined) return ["", "cat"].includes(command.trim()) ? undefined : command;
  return platform === "win32" ? undefined : "command -v less >/dev/null && exec less; exit 127";
}

/** Whether a person can use a pager. In an agent's session or a pipeline, the pager would wait for a key forever. */
const isInteractive = ({ stdin, stdout, env } = process): boolean =>
  stdin.isTTY === true && stdout.isTTY === true && env.TERM !== "dumb" && findAgentVariable(env) === undefined;

/**
 * Shows text in the pager if it is longer than the screen.
 * @param fd the terminal's descriptor
 * @returns Whether the pager was used.
 */
export function showInPager(text: string, fd = 1): boolean {
  if (!isPagerEnabled || !isInteractive() || text.split("\n").length <= (process.stdout.rows || Infinity)) return false;
  const pager = findPager();
  if (pager === undefined) return false;
  const shell = process.platform === "win32" ? ["cmd.exe", "/d", "/c", pager] : ["/bin/sh", "-c", pager];
  // Leave Ctrl-C to the running pager.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    const env = { LESS: LESS_FLAGS, LV: "-c", ...process.env };
    const { exitCode } = Bun.spawnSync(shell, { stdin: Buffer.from(text), stdout: fd, stderr: "inherit", env });
    return !NOT_RUN_EXIT_CODES.includes(exitCode);
  } catch {
    return false;
  } finally {
    process.off("SIGINT", ignore);
  }
}
