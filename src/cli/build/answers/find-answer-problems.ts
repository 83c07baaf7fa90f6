import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findTsconfig, readPathMappings } from "../check-types.ts";
import type { SourceProblem } from "../problem.ts";
import { unpackCheckerLibrary } from "../sources.ts";
import type { Workshop } from "../workshop.ts";
import type { AnswersJob } from "./main.ts";

const TIMEOUT_MS = 120_000;

/**
 * Finds unknown response fields, and responses that are created but not returned, in hook modules and the local files
 * they import.
 * @throws Error if the check can't run.
 */
export async function findAnswerProblems(modules: readonly string[], shop: Workshop): Promise<SourceProblem[]> {
  // Skip the starter hooks. They are large, and this repository's tests check them.
  const files = modules.filter((file) => dirname(file) !== join(shop.program, "hooks"));
  const [first] = files;
  if (first === undefined) return [];
  const [from, to, declarations] = ["answers.json", "lost-answers.json", "bridge-hooks.d.ts"].map((name) =>
    join(shop.folder, name),
  ) as [string, string, string];
  await unpackCheckerLibrary(shop.program);
  copyFileSync(join(shop.program, "src/cli/build/types/bridge-hooks.d.txt"), declarations);
  const tsconfig = findTsconfig(dirname(first));
  const job: AnswersJob = {
    files,
    declarations,
    others: [shop.folder, join(shop.program, "src")],
    paths: omitOwnModules(tsconfig === undefined ? {} : readPathMappings(tsconfig)),
  };
  writeFileSync(from, JSON.stringify(job));
  const mainModule = join(shop.program, "src/cli/build/answers/main.ts");
  const { timedOut, stderr } = await shop.bun(["--no-install", mainModule, from, to], {
    cwd: shop.folder,
    output: "pipe",
    timeout: TIMEOUT_MS,
  });
  if (timedOut) throw new Error("the check for unreturned responses took too long; to skip it: --no-check");
  if (!existsSync(to))
    throw new Error(`the responses could not be checked (${stderr.trim()}); to skip the check: --no-check`);
  return JSON.parse(readFileSync(to, "utf8")) as SourceProblem[];
}

/** Removes path mappings that point `bridge-hooks` to the sources in this repository. */
const omitOwnModules = (paths: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(paths).filter(([name]) => !name.startsWith("bridge-hooks")));
