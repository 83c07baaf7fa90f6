import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";
import { entryOf, type Hook } from "../../protocol/hook.ts";
import type { LoadedHook, Report } from "../load.ts";
import type { Bundle } from "./bundle.ts";
import { doubles, nameOf, problemsOf } from "./module.ts";
import type { Problem } from "./problem.ts";

/** Runs on its own: evaluates bundled hook modules, and writes what it found to a file, also between them. */
const OWN = resolve(import.meta.dir, "../..") + sep;

const [job = "", to = ""] = process.argv.slice(2);
const hooks: LoadedHook[] = [];
const problems: Problem[] = [];
const tell = (loading?: string) => writeFileSync(to, JSON.stringify({ hooks, problems, loading } satisfies Report));

for (const module of JSON.parse(readFileSync(job, "utf8")) as Bundle[]) {
  const { file, bundle } = module;
  tell(file);
  try {
    const { default: hook } = (await import(bundle)) as { default?: unknown };
    const found = problemsOf(file, hook);
    problems.push(...found);
    if (found.length > 0) continue;
    const { load: _, description: __, ...meta } = entryOf(hook as Hook, nameOf(file));
    hooks.push({ file, bundle, meta, files: (hook as Hook).files });
  } catch (error) {
    problems.push(thrown(error, module));
  }
}
problems.push(...doubles(hooks.map(({ meta, file }) => ({ name: meta.name, file }))));
tell();
process.exit(0);

/** Where something was thrown: in the first file on its way that is not ours, else in the module that was being loaded. */
function thrown(error: unknown, { file, bundle }: Bundle): Problem {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frames = [...stack.matchAll(/(?:\(|at )(\/[^()\n]*?|[A-Z]:[^()\n]*?):(\d+):(\d+)\)?$/gm)];
  const frame = frames.find(
    ([, path = ""]) => existsSync(path) && dirname(path) !== dirname(bundle) && !path.startsWith(OWN),
  );
  const [, path = file, line = 1, column = 1] = frame ?? [];
  const what = error instanceof Error ? error.message || error.name : String(error);
  const during = path === file ? "" : ` (while ${basename(file)} was loaded)`;
  return { file: path, line: Number(line), column: Number(column), message: `this throws: ${what}${during}` };
}
