import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";
import { createHookEntry, type Hook } from "../../protocol/hook.ts";
import type { LoadedHook, EvaluationReport } from "../load-hooks.ts";
import type { ModuleBundle } from "./bundle.ts";
import { findDuplicateNames, deriveHookName, findHookProblems } from "./hook-module.ts";
import type { SourceProblem } from "./problem.ts";

/** Evaluates bundled hook modules and writes a report to a file after each one. Runs as a separate process. */
const OWN_FOLDER = resolve(import.meta.dir, "../..") + sep;

const [job = "", to = ""] = process.argv.slice(2);
const hooks: LoadedHook[] = [];
const problems: SourceProblem[] = [];
const writeReport = (loading?: string) =>
  writeFileSync(to, JSON.stringify({ hooks, problems, loading } satisfies EvaluationReport));

for (const module of JSON.parse(readFileSync(job, "utf8")) as ModuleBundle[]) {
  const { file, bundle } = module;
  writeReport(file);
  try {
    const { default: hook } = (await import(bundle)) as { default?: unknown };
    const hookProblems = findHookProblems(file, hook);
    problems.push(...hookProblems);
    if (hookProblems.length > 0) continue;
    const { load: _, description: __, ...meta } = createHookEntry(hook as Hook, deriveHookName(file));
    hooks.push({ file, bundle, meta, files: (hook as Hook).files });
  } catch (error) {
    problems.push(locateThrownError(error, module));
  }
}
problems.push(...findDuplicateNames(hooks.map(({ meta, file }) => ({ name: meta.name, file }))));
writeReport();
process.exit(0);

/** Locates an error at the first stack frame outside this product, or else in the module being loaded. */
function locateThrownError(error: unknown, { file, bundle }: ModuleBundle): SourceProblem {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frames = [...stack.matchAll(/(?:\(|at )(\/[^()\n]*?|[A-Z]:[^()\n]*?):(\d+):(\d+)\)?$/gm)];
  const frame = frames.find(
    ([, path = ""]) => existsSync(path) && dirname(path) !== dirname(bundle) && !path.startsWith(OWN_FOLDER),
  );
  const [, path = file, line = 1, column = 1] = frame ?? [];
  const message = error instanceof Error ? error.message || error.name : String(error);
  const loadingNote = path === file ? "" : ` (while loading ${basename(file)})`;
  return {
    file: path,
    line: Number(line),
    column: Number(column),
    message: `the module throws: ${message}${loadingNote}`,
  };
}
