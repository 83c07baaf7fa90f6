import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withUnpackedSources } from "../sources.ts";

/** Packages whose declarations an author's editor needs, and the directories or files to include. */
const DECLARED_PACKAGES: readonly [name: string, from: string, parts: readonly string[]][] = [
  ["bun-types", "bun-types", ["."]],
  ["node", "@types/node", ["."]],
  ["undici-types", "undici-types", ["."]],
  ["valibot", "valibot", ["dist/index.d.mts"]],
  ["zod", "zod", ["index.d.ts", "v4/classic", "v4/core", "v4/locales"]],
];

/** The product's own declarations in a single file. */
const OWN_DECLARATIONS = "src/cli/build/types/bridge-hooks.d.txt";

/** The file in a `types` directory that changes with each release. */
export const RELEASE_DECLARATIONS = "bridge-hooks/index.d.ts";

/**
 * Reads the files of a `types` directory, keyed by relative path. These files are enough to type-check a project that
 * has no packages installed.
 */
export const readTypeFiles = (): Promise<Record<string, string>> =>
  withUnpackedSources((program) => {
    const files: Record<string, string> = {
      ".gitignore": "*\n",
      [RELEASE_DECLARATIONS]: readFileSync(join(program, OWN_DECLARATIONS), "utf8"),
    };
    for (const [name, from, parts] of DECLARED_PACKAGES) {
      const folder = join(program, "node_modules", from);
      const licences = readdirSync(folder).filter(isLicenseFile);
      for (const part of [...parts, ...licences])
        for (const [path, text] of readDeclarations(folder, part))
          files[`${name}/${path === "dist/index.d.mts" ? "index.d.ts" : path}`] = text;
    }
    return files;
  });

const isLicenseFile = (file: string) => /^licen[cs]e/i.test(file);

function* readDeclarations(folder: string, part: string): Generator<[path: string, text: string]> {
  if (/\.d\.m?ts$/.test(part) || isLicenseFile(part)) return yield [part, readFileSync(join(folder, part), "utf8")];
  for (const file of readdirSync(join(folder, part), { recursive: true, encoding: "utf8" })) {
    const path = join(part, file).replaceAll("\\", "/");
    if (file.endsWith(".d.ts")) yield [path, readFileSync(join(folder, path), "utf8")];
  }
}
