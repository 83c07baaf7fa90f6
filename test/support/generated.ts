import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { replaceFile } from "../../src/system/replace-file.ts";
import { DECLARATION_SOURCES, generateDeclarations } from "../../tools/types.ts";
import { ROOT } from "./fixtures.ts";

/** A clean installation of the packages removes this directory. */
const CACHE = join(ROOT, "node_modules/.cache/bridge-hooks/generated");

/** Lists files and everything they import, including types but not packages. */
function listImported(files: readonly string[]): string[] {
  const found = new Set(files);
  for (const file of found)
    if (/\.[jt]s$/.test(file))
      for (const { fileName } of ts.preProcessFile(readFileSync(file, "utf8")).importedFiles)
        if (fileName.startsWith(".")) found.add(resolve(dirname(file), fileName));
  return [...found].sort();
}

/**
 * Reads text generated from sources. It's cached by the contents of all files that affect it.
 *
 * @param sources the files, relative to the repository, that determine the text together with everything they import.
 */
async function readGenerated(
  name: string,
  sources: readonly string[],
  generate: () => string | Promise<string>,
): Promise<string> {
  const hash = createHash("sha256").update(Bun.revision);
  for (const file of listImported([...sources, "package-lock.json"].map((path) => join(ROOT, path))))
    hash.update(`\0${relative(ROOT, file)}\0`).update(readFileSync(file));
  const folder = join(CACHE, name);
  const file = join(folder, hash.digest("hex").slice(0, 16));
  if (!existsSync(file)) {
    const text = await generate();
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    replaceFile(file, text);
  }
  return readFileSync(file, "utf8");
}

/** Returns the declarations of everything hook authors can import. */
export const readGeneratedDeclarations = (): Promise<string> =>
  readGenerated("declarations", [...DECLARATION_SOURCES, "tools/types.ts"], generateDeclarations);

/** Returns the shapes of hosts' payloads. */
export const readGeneratedShapes = (): Promise<string> =>
  readGenerated("shapes", ["tools/shapes.ts"], async () => (await import("../../tools/shapes.ts")).formatShapes());
