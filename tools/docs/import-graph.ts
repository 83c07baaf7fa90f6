import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "../../test/support/fixtures.ts";

export const SRC = join(ROOT, "src");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Lists the modules under src, by relative path. */
export const listModules = (): string[] =>
  readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"));

/** Lists the files that a module under src imports by relative path, including types. */
export function listImports(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const specifiers = [...text.matchAll(/from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g)].map(
    (match) => match[1] ?? (match[2] as string),
  );
  const runtimeImports = transpiler
    .scanImports(text)
    .map(({ path }) => path)
    .filter((path) => path.startsWith("."));
  return [...new Set([...specifiers, ...runtimeImports])].map((path) =>
    relative(SRC, join(SRC, dirname(file), path)).replaceAll("\\", "/"),
  );
}

/** Lists the modules that a module under src imports statically, by relative path, including types. */
function listStaticImports(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  return [...text.matchAll(/^(?:import|export|\})[^;]*?\bfrom "(\.[^"]+)"/gm)].map(([, path]) =>
    relative(SRC, join(SRC, dirname(file), path as string)).replaceAll("\\", "/"),
  );
}

/** Finds a cycle of static imports. Each module imports the next one, and the last module is the same as the first. */
export function findImportCycle(modules = listModules(), listNext = listStaticImports): string[] | undefined {
  const moduleSet = new Set(modules);
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (finished.has(file)) return undefined;
    for (const next of listNext(file)) {
      const cycle = moduleSet.has(next) ? visit(next, [...path, file]) : undefined;
      if (cycle) return cycle;
    }
    finished.add(file);
    return undefined;
  };
  for (const file of modules) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Returns the directory of src that contains a file, or "." for files directly in src. */
export const getTopFolder = (file: string): string => (file.includes("/") ? (file.split("/")[0] as string) : ".");

/** Lists, for each directory of src, the other directories that its modules import. */
function listFolderImports(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const file of listModules()) {
    const folder = getTopFolder(file);
    if (folder === ".") continue;
    const imported = graph.get(folder) ?? new Set();
    for (const to of listImports(file).map(getTopFolder))
      if (to !== folder && to !== "." && to !== "..") imported.add(to);
    graph.set(folder, imported);
  }
  return graph;
}

/** Sorts directories so that each one comes after the directories it imports, and otherwise alphabetically. */
function sortFolders(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const sorted: string[] = [];
  const remaining = new Set([...graph.keys()].sort());
  while (remaining.size > 0) {
    const next = [...remaining].find((folder) => [...(graph.get(folder) ?? [])].every((one) => sorted.includes(one)));
    if (next === undefined) throw new Error(`these directories of src import each other: ${[...remaining].join(", ")}`);
    remaining.delete(next);
    sorted.push(next);
  }
  return sorted;
}

/**
 * Draws the imports between directories of src. Each directory is a step, with a symbol below every imported directory.
 */
export function drawImportGraph(): string {
  const graph = listFolderImports();
  const sorted = sortFolders(graph);
  const steps = sorted.map((folder, at) =>
    [...sorted.slice(0, at).map((other) => (graph.get(folder)?.has(other) ? "●" : "·")), folder].join("  "),
  );
  return ["```", ...steps, "```"].join("\n");
}
