import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { replaceFile } from "../../src/run/replace-file.ts";
import { DECLARATION_SOURCES, generateDeclarations } from "../../tools/types.ts";
import { ROOT } from "./fixtures.ts";

/** A clean installation of the packages removes it. */
const CACHE = join(ROOT, "node_modules/.cache/bridge-hooks/declarations");
/** What else decides about the result. */
const TOOLS = ["tools/types.ts", "tools/symbol-usage.ts", "package-lock.json"];

/** Lists files and all that they import, types included, except packages. */
function listImported(files: readonly string[]): string[] {
  const found = new Set(files);
  for (const file of found)
    if (file.endsWith(".ts"))
      for (const { fileName } of ts.preProcessFile(readFileSync(file, "utf8")).importedFiles)
        if (fileName.startsWith(".")) found.add(resolve(dirname(file), fileName));
  return [...found].sort();
}

/** The declarations of the sources, generated once for each content of all files that they are generated from. */
export function readGeneratedDeclarations(): string {
  const hash = createHash("sha256").update(Bun.revision);
  const tools = TOOLS.map((file) => join(ROOT, file));
  for (const file of [...tools, ...listImported(DECLARATION_SOURCES.map((path) => join(ROOT, path)))])
    hash.update(`\0${relative(ROOT, file)}\0`).update(readFileSync(file));
  const file = join(CACHE, `${hash.digest("hex").slice(0, 16)}.d.ts`);
  if (!existsSync(file)) {
    const text = generateDeclarations();
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    replaceFile(file, text);
  }
  return readFileSync(file, "utf8");
}
