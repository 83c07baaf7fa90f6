import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../../..");

/** Packages whose declarations an author's editor needs, and which folders or files of them. */
const PACKAGES: readonly [name: string, from: string, parts: readonly string[]][] = [
  ["bun-types", "bun-types", ["."]],
  ["node", "@types/node", ["."]],
  ["undici-types", "undici-types", ["."]],
  ["valibot", "valibot", ["dist/index.d.mts"]],
  ["zod", "zod", ["index.d.ts", "v4/classic", "v4/core", "v4/locales"]],
];

/** The declarations of bridge-hooks, as one file. */
export const declarations = (): string => readFileSync(join(import.meta.dir, "bridge-hooks.d.txt"), "utf8");

/** The files of a `types` folder, by path in it: what a project without any package needs to be checked. Only in a run from source. */
export function collectTypes(): Record<string, string> {
  const files: Record<string, string> = { "bridge-hooks/index.d.ts": declarations() };
  for (const [name, from, parts] of PACKAGES) {
    const folder = join(ROOT, "node_modules", from);
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    for (const part of [...parts, ...(licence ? [licence] : [])])
      for (const [path, text] of filesIn(folder, part)) files[`${name}/${path === "dist/index.d.mts" ? "index.d.ts" : path}`] = text;
  }
  return files;
}

function* filesIn(folder: string, part: string): Generator<[path: string, text: string]> {
  if (/\.d\.m?ts$|licen[cs]e/i.test(part)) return yield [part, readFileSync(join(folder, part), "utf8")];
  const inside = readdirSync(join(folder, part), { recursive: true, encoding: "utf8" });
  for (const file of inside) {
    const path = join(part, file).replaceAll("\\", "/");
    if (/\.d\.ts$/.test(file)) yield [path, readFileSync(join(folder, path), "utf8")];
  }
}
