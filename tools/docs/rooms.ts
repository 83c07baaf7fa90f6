import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "../../test/support/fixtures.ts";

export const SRC = join(ROOT, "src");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** The modules under src, by their paths from there. */
export const listModules = (): string[] =>
  readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"));

/** The files that a module under src imports by a relative path, types included. */
export function listImports(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const named = [...text.matchAll(/from "(\.[^"]+)"|import\("(\.[^"]+)"\)/g)].map(
    (match) => match[1] ?? (match[2] as string),
  );
  const run = transpiler
    .scanImports(text)
    .map(({ path }) => path)
    .filter((path) => path.startsWith("."));
  return [...new Set([...named, ...run])].map((path) =>
    relative(SRC, join(SRC, dirname(file), path)).replaceAll("\\", "/"),
  );
}

/** The modules that one module under src imports before it runs, by their paths from there, types included. */
function listStaticImports(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  return [...text.matchAll(/^(?:import|export|\})[^;]*?\bfrom "(\.[^"]+)"/gm)].map(([, path]) =>
    relative(SRC, join(SRC, dirname(file), path as string)).replaceAll("\\", "/"),
  );
}

/** Finds a circle of static imports: each module imports the next one, and the last is the first. */
export function findImportCircle(modules = listModules(), listNext = listStaticImports): string[] | undefined {
  const known = new Set(modules);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of listNext(file)) {
      const circle = known.has(next) ? visit(next, [...path, file]) : undefined;
      if (circle) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of modules) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return undefined;
}

/** The folder of src that a file is in; "." for files beside the folders. */
export const getRoom = (file: string): string => (file.includes("/") ? (file.split("/")[0] as string) : ".");

/** For each folder of src, the others that its modules import. */
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

/** Sorts rooms so that each comes after those it imports, and by name where that leaves a choice. */
function sortRooms(rooms: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const sorted: string[] = [];
  const left = new Set([...rooms.keys()].sort());
  while (left.size > 0) {
    const next = [...left].find((room) => [...(rooms.get(room) ?? [])].every((one) => sorted.includes(one)));
    if (next === undefined) throw new Error(`these folders of src import each other: ${[...left].join(", ")}`);
    left.delete(next);
    sorted.push(next);
  }
  return sorted;
}

/** Draws which folder of src imports which: a step for each, with a mark below every folder that it imports. */
export function drawRooms(): string {
  const rooms = listRooms();
  const sorted = sortRooms(rooms);
  const steps = sorted.map((room, at) =>
    [...sorted.slice(0, at).map((other) => (rooms.get(room)?.has(other) ? "●" : "·")), room].join("  "),
  );
  return ["```", ...steps, "```"].join("\n");
}
