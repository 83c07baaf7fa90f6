import { tmpdir } from "node:os";
import { join } from "node:path";
import { withWorkshop } from "../build/workshop.ts";

/**
 * Runs the tests of hook modules with the runtime of this executable. Their output goes where this process writes.
 * @param directory the hook modules' folder.
 * @param flags for `bun test`.
 * @returns its exit code.
 * @throws Error if there are no tests.
 */
export async function runTests(directory: string, flags: readonly string[]): Promise<number> {
  const files = [...new Bun.Glob("**/*.{test,spec}.{ts,js,mts,mjs,cts,cjs,tsx,jsx}").scanSync({ cwd: directory })]
    .filter((file) => !/(^|[\\/])node_modules[\\/]/.test(file))
    .sort();
  if (files.length === 0) throw new Error(`no tests in ${directory}; the test of a.ts is a.test.ts`);
  return withWorkshop(tmpdir(), async ({ folder, program, bun }) => {
    const preload = join(program, "src/cli/build/preload.ts");
    // Without "./", paths would be filters.
    const paths = files.map((file) => `./${file}`);
    const args = ["test", "--no-install", "--preload", preload, ...flags, ...paths];
    // The tests get a state directory of their own.
    const state = join(folder, "state");
    const { exitCode } = await bun(args, {
      cwd: directory,
      output: "inherit",
      env: { XDG_STATE_HOME: state, LOCALAPPDATA: state },
    });
    return exitCode;
  });
}
