import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findTsconfig, readPathMappings } from "../check-types.ts";
import type { SourceProblem } from "../problem.ts";
import { unpackCheckerLibrary } from "../sources.ts";
import type { Workshop } from "../workshop.ts";
import type { AnswersJob } from "./main.ts";

const TIMEOUT_MS = 120_000;

/**
 * Finds responses that hook modules make and don't return, and fields that no response has: in the modules, and in the
 * files beside them that they import.
 * @throws Error if they can't be looked for.
 */
export async function findAnswerProblems(modules: readonly string[], shop: Workshop): Promise<SourceProblem[]> {
  // The starter hooks are large, and checked by the tests of this repository.
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
  const main = join(shop.program, "src/cli/build/answers/main.ts");
  const { timedOut, stderr } = await shop.bun(["--no-install", main, from, to], {
    cwd: shop.folder,
    output: "pipe",
    timeout: TIMEOUT_MS,
  });
  if (timedOut) throw new Error("looking for answers that are not returned took too long; --no-check skips it");
  if (!existsSync(to)) throw new Error(`the answers could not be checked (${stderr.trim()}); --no-check skips it`);
  return JSON.parse(readFileSync(to, "utf8")) as SourceProblem[];
}

/** In this repository they lead to the sources, which are no author's. */
const omitOwnModules = (paths: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(paths).filter(([name]) => !name.startsWith("bridge-hooks")));
