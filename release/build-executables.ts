import { join } from "node:path";
import { buildExecutables, planOutputs } from "../src/cli/build/build.ts";
import { findHooksFolder } from "../src/cli/load-hooks.ts";
import type { BuiltExecutable } from "./stage.ts";

/**
 * Runs in the staging directory. Builds an executable for each target passed as an argument and prints the list as
 * JSON.
 */
const root = join(import.meta.dir, "..");
const executables: BuiltExecutable[] = [];
try {
  await buildExecutables(
    {
      hooks: findHooksFolder(root),
      products: planOutputs(process.argv.slice(2), undefined, "bridge-hooks", root),
      check: true,
    },
    ({ target, outfile, bytes, hooks, policy }) =>
      void executables.push({ target, file: outfile, bytes, hooks, policy: policy.hooks }),
  );
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
console.log(JSON.stringify(executables));
