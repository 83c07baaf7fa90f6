import { context, defineHook } from "bridge-hooks";

/** What git prints; nothing where there is no git, no repository, or no answer within a second. */
function git(cwd: string, ...args: string[]): string {
  try {
    const { stdout, exitCode } = Bun.spawnSync(["git", "-c", "log.showSignature=false", "-C", cwd, ...args], {
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1" },
      stderr: "ignore",
      timeout: 1_000,
    });
    return exitCode === 0 ? stdout.toString().trim() : "";
  } catch {
    return "";
  }
}

/**
 * Tells the model at the start of a session where it is: the branch and the last commits. Says nothing outside a git
 * repository. It does not ask for what is uncommitted: for that, git may run programs that the repository's config names.
 */
export default defineHook({
  description: "Gives the session its git context",
  event: "SessionStart",
  handler(event) {
    if (!event.cwd) return undefined;
    const branch = git(event.cwd, "branch", "--show-current") || git(event.cwd, "rev-parse", "--short", "HEAD");
    if (!branch) return undefined;
    const commits = git(event.cwd, "log", "-5", "--format=%h %s");
    return context(`Git branch: ${branch}${commits && `\nLast commits:\n${commits}`}`);
  },
});
