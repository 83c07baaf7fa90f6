import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findAnswerProblems } from "../build/answers/find-answer-problems.ts";
import { formatSourceProblems } from "../build/problem.ts";
import { isHookModule } from "../load-hooks.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatPath } from "../terminal/layout.ts";
import { printWarning } from "../terminal/terminal.ts";
import { withWorkshop } from "../build/workshop.ts";

/**
 * Runs the tests of hook modules with this executable's runtime and shows the tests' output unchanged. Meanwhile checks
 * the modules for unreturned responses.
 * @param directory the hook modules' directory
 * @param flags flags for `bun test`
 * @returns The tests' exit code, or 1 if the tests succeed but the check finds problems.
 * @throws Error if there are no tests, unless a flag allows it.
 */
export async function runTests(directory: string, flags: readonly string[]): Promise<number> {
  const files = [...new Bun.Glob("**/*.{test,spec}.{ts,js,mts,mjs,cts,cjs,tsx,jsx}").scanSync({ cwd: directory })]
    .filter((file) => !/(^|[\\/])node_modules[\\/]/.test(file))
    .sort();
  if (files.length === 0) return reportNoTests(directory, flags);
  return withWorkshop(tmpdir(), async (shop) => {
    const { folder, program, bun } = shop;
    const modules = readdirSync(directory).filter(isHookModule);
    const checkResult = findAnswerProblems(
      modules.map((name) => resolve(directory, name)),
      shop,
    );
    const preload = join(program, "src/cli/build/preload.ts");
    // Without "./", paths would be interpreted as filters.
    const paths = files.map((file) => `./${file}`);
    const args = ["test", "--no-install", "--preload", preload, ...flags, ...paths];
    // Give the tests their own state directory.
    const state = join(folder, "state");
    const { exitCode } = await bun(args, {
      cwd: directory,
      output: "inherit",
      env: { XDG_STATE_HOME: state, LOCALAPPDATA: state },
    });
    const problems = await checkResult;
    if (problems.length > 0) process.stderr.write(`${formatSourceProblems(problems)}\n`);
    return exitCode || (problems.length > 0 ? 1 : 0);
  });
}

/** Without this flag, `bun test` fails if there are no tests. `bridge-hooks test` does the same. */
const PASS_FLAG = "--pass-with-no-tests";

function reportNoTests(directory: string, flags: readonly string[]): number {
  const [module = "guard.ts"] = readdirSync(directory).filter(isHookModule).sort();
  const name = module.replace(/\.[cm]?[jt]s$/, ".test$&");
  const problem = `no tests found: no *.test.ts or *.spec.ts in ${formatPath(directory)}`;
  if (!flags.includes(PASS_FLAG))
    throw new Error(`${problem}; write ${name} as ${getOwnCommand()} docs testing shows, or add -- ${PASS_FLAG}`);
  printWarning(problem);
  return 0;
}
