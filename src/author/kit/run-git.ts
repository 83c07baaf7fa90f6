import { dirname } from "../../system/paths.ts";
import { findProgram } from "../../hosts/find-program.ts";
import { readOutput } from "../../hosts/run-program.ts";

/** Time limit for git, in milliseconds. */
export const GIT_TIMEOUT_MS = 1_000;

/** Overrides for settings that must not come from a repository's config. */
const SAFE_CONFIG = { "core.fsmonitor": "false", "core.hooksPath": "/dev/null", "status.submoduleSummary": "false" };

/** Runs git. Returns undefined if git fails or times out. Long output is truncated. */
export function runGit(
  root: string,
  args: readonly string[],
  config: Readonly<Record<string, string>> = {},
  deadline = performance.now() + GIT_TIMEOUT_MS,
): string | undefined {
  const program = findGitProgram(root);
  const timeout = Math.ceil(deadline - performance.now());
  if (!program || timeout <= 0) return undefined;
  const { stdout, exit_code, isTruncated } = readOutput({
    argv: [program, "--no-pager", "-C", root, ...args],
    env: buildGitEnvironment(root, { ...SAFE_CONFIG, ...config }),
    timeout,
  });
  // git config exits with 1 if the setting doesn't exist.
  return exit_code === 0 || isTruncated || (exit_code === 1 && args[0] === "config") ? stdout : undefined;
}

/** Builds an environment without variables that select another repository or other programs. */
function buildGitEnvironment(
  root: string,
  config: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const ownVariables = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  const entries = Object.entries(config).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...Object.fromEntries([...ownVariables, ...entries]),
    GIT_CONFIG_COUNT: String(Object.keys(config).length),
    // If this turns out not to be a repository, don't use a parent directory's repository.
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // In a partial clone, git fetches missing objects through programs from its config. Only recent git releases
    // support GIT_NO_LAZY_FETCH.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** Finds git on PATH. Skips programs inside the repository. */
const findGitProgram = (root: string) => findProgram("git", { roots: [root] });
