import { context, defineHook } from "bridge-hooks";

/** What git prints; nothing where there is no git, no repository, or no answer within a second. */
function git(cwd: string, ...args: string[]): string {
  try {
    // A repository's own config may name a program for git to run (fsmonitor): not here.
    const { stdout, exitCode } = Bun.spawnSync(["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", cwd, ...args], {
      stderr: "ignore",
      timeout: 1_000,
    });
    return exitCode === 0 ? stdout.toString().trim() : "";
  } catch {
    return "";
  }
}

/**
 * Tells the model at the start of a session where it is: branch, last commits, and what is not committed.
 * Says nothing outside a git repository.
 */
export default defineHook({
  description: "Gives the session its git context",
  event: "SessionStart",
  handler(event) {
    if (!event.cwd) return undefined;
    const branch = git(event.cwd, "branch", "--show-current") || git(event.cwd, "rev-parse", "--short", "HEAD");
    if (!branch) return undefined;
    const changed = git(event.cwd, "status", "--porcelain").split("\n").filter(Boolean);
    const commits = git(event.cwd, "log", "-3", "--format=%h %s");
    const shown = changed.slice(0, 10).join("\n");
    return context(
      [
        `Git branch: ${branch}`,
        commits && `Last commits:\n${commits}`,
        changed.length === 0 ? "Nothing is uncommitted." : `Uncommitted (${changed.length}):\n${shown}${changed.length > 10 ? "\n…" : ""}`,
      ]
        .filter(Boolean)
        .join("\n"),
    );
  },
});
