/** What the next commit in a repository would add: its files, and the lines that are new in them. */
export interface Staged {
  files: readonly string[];
  added: string;
}

/** More of a diff is not read. */
const LONGEST = 900_000;

/**
 * What is staged; nothing where there is no git, no repository, or no answer within a second. Of what a repository's config
 * may name for git to run, it runs nothing.
 */
export function staged(folder: string): Staged {
  const given = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "--no-pager", "-C", folder];
  const diff = ["diff", "--cached", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--diff-filter=d", "-U0"];
  try {
    const { stdout, exitCode } = Bun.spawnSync(["git", ...given, ...diff, "--src-prefix=a/", "--dst-prefix=b/"], {
      env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1" },
      stderr: "ignore",
      timeout: 1_000,
      maxBuffer: LONGEST,
    });
    if (exitCode !== 0 && stdout.length < LONGEST) return { files: [], added: "" };
    const lines = stdout.toString("utf8", 0, LONGEST).split("\n");
    return {
      files: lines.filter((line) => line.startsWith("+++ b/")).map((line) => line.slice(6)),
      added: lines.flatMap((line) => (/^\+(?!\+\+ )/.test(line) ? line.slice(1) : [])).join("\n"),
    };
  } catch {
    return { files: [], added: "" };
  }
}
