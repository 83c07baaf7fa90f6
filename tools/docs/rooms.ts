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
  const run = transpiler
    .scanImports(text)
    .map(({ path }) => path)
    .filter((path) => path.startsWith("."));
  return [...new Set([...specifiers, ...run])].map((path) =>
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

/** Finds a cycle of static imports. Each module imports the next, and the last module is the first. */
export function findImportCircle(modules = listModules(), listNext = listStaticImports): string[] | undefined {
  const known = new Set(modules);
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (finished.has(file)) return undefined;
    for (const next of listNext(file)) {
      const circle = known.has(next) ? visit(next, [...path, file]) : undefined;
      if (circle) return circle;
    }
    finished.add(file);
    return undefined;
  };
  for (const file of modules) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return undefined;
}

/** Returns the directory of src that contains a file; "." for files directly in src. */
export const getRoom = (file: string): string => (file.includes("/") ? (file.split("/")[0] as string) : ".");

/** Lists, for each directory of src, the other directories that its modules import. */
function listRooms(): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const file of listModules()) {
    const room = getRoom(file);
    if (room === ".") continue;
    const imported = rooms.get(room) ?? new Set();
    for (const to of listImports(file).map(getRoom)) if (to !== room && to !== "." && to !== "..") imported.add(to);
    rooms.set(room, imported);
  }
  return rooms;
}

/** Sorts directories so that each comes after its imports, otherwise by name. */
function sortRooms(rooms: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const sorted: string[] = [];
  const remaining = new Set([...rooms.keys()].sort());
  while (remaining.size > 0) {
    const next = [...remaining].find((room) => [...(rooms.get(room) ?? [])].every((one) => sorted.includes(one)));
    if (next === undefined) throw new Error(`these directories of src import each other: ${[...remaining].join(", ")}`);
    remaining.delete(next);
    sorted.push(next);
  }
  return sorted;
}

/** Draws the imports between directories of src: one step each, with a symbol below every imported directory. */
export function drawRooms(): string {
  const rooms = listRooms();
  const sorted = sortRooms(rooms);
  const steps = sorted.map((room, at) =>
    [...sorted.slice(0, at).map((other) => (rooms.get(room)?.has(other) ? "●" : "·")), room].join("  "),
  );
  return ["```", ...steps, "```"].join("\n");
}
