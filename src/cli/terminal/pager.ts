import { findAgentVariable } from "../confirm/programs.ts";

/** What people set for `less` holds; else it ends when all fits on the screen, shows colours and leaves the text there. */
const LESS = "FRX";
/** Exit codes of a shell that found no such program, or could not run it. */
const NOT_RUN = [126, 127];

let isEnabled = true;

/** Turns the pager off, as --no-pager asks. */
export const disablePager = (): void => void (isEnabled = false);

/** The command that shows long texts, as a shell runs it; undefined where none is wanted. */
function findPager({ env, platform } = process): string | undefined {
  const given = env.BRIDGE_HOOKS_PAGER ?? env.PAGER;
  if (given !== undefined) return ["", "cat"].includes(given.trim()) ? undefined : given;
  return platform === "win32" ? undefined : "command -v less >/dev/null && exec less; exit 127";
}

/** Whether a person is there to turn pages: an agent's session, or a machine, would wait for a key for ever. */
const isRead = ({ stdin, stdout, env } = process): boolean =>
  stdin.isTTY === true && stdout.isTTY === true && env.TERM !== "dumb" && findAgentVariable(env) === undefined;

/**
 * Shows a text through the pager, if it is longer than the screen that the descriptor is.
 * @returns whether it was shown.
 */
export function pageText(text: string, fd = 1): boolean {
  if (!isEnabled || !isRead() || text.split("\n").length <= (process.stdout.rows || Infinity)) return false;
  const pager = findPager();
  if (pager === undefined) return false;
  const shell = process.platform === "win32" ? ["cmd.exe", "/d", "/c", pager] : ["/bin/sh", "-c", pager];
  // Ctrl-C is the pager's while it runs.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    const env = { LESS, LV: "-c", ...process.env };
    const { exitCode } = Bun.spawnSync(shell, { stdin: Buffer.from(text), stdout: fd, stderr: "inherit", env });
    return !NOT_RUN.includes(exitCode);
  } catch {
    return false;
  } finally {
    process.off("SIGINT", ignore);
  }
}
