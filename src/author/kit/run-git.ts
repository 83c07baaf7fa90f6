import { dirname } from "../../system/paths.ts";
import { findProgram } from "../../hosts/find-program.ts";
import { readOutput } from "../../hosts/run-program.ts";

/** How long git is waited for. */
export const GIT_TIMEOUT_MS = 1_000;

/** Overrides settings that git must not take from a repository's config. */
const SAFE_CONFIG = { "core.fsmonitor": "false", "core.hooksPath": "/dev/null", "status.submoduleSummary": "false" };

/** Runs git; undefined if it fails or takes too long. Long output is cut off at its end. */
export function runGit(
  root: string,
  args: readonly string[],
  config: Readonly<Record<string, string>> = {},
  deadline = performance.now() + GIT_TIMEOUT_MS,
): string | undefined {
  const program = findGitProgram(root);
  const timeout = Math.ceil(deadline - performance.now());
  if (!program || timeout <= 0) return undefined;
  const { stdout, exit_code, cut } = readOutput({
    argv: [program, "--no-pager", "-C", root, ...args],
    env: buildGitEnvironment(root, { ...SAFE_CONFIG, ...config }),
    timeout,
  });
  // git config exits with 1 if the setting does not exist.
  return exit_code === 0 || cut || (exit_code === 1 && args[0] === "config") ? stdout : undefined;
}

/** The environment without variables that name another repository or other programs. */
function buildGitEnvironment(
  root: string,
  config: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  const entries = Object.entries(config).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...Object.fromEntries([...own, ...entries]),
    GIT_CONFIG_COUNT: String(Object.keys(config).length),
    // If this is not a repository after all, don't use the one around it.
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // In a partial clone, git fetches missing objects through programs that its config names. Newer releases support
    // the first variable.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** Finds git on PATH, ignoring programs inside the repository. */
const findGitProgram = (root: string) => findProgram("git", { roots: [root] });
