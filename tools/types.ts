import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../test/support/fixtures.ts";

/** Modules that hook authors import, and their sources. */
const MODULES = [
  ["bridge-hooks", "src/index.ts"],
  ["bridge-hooks/testing", "src/author/testing/index.ts"],
  ["bridge-hooks/files", "src/system/files.ts"],
  ["bridge-hooks/paths", "src/system/paths.ts"],
] as const;

/** Files from which the declarations are generated, along with everything they import. */
export const DECLARATION_SOURCES: readonly string[] = [...MODULES.map(([, source]) => source), "src/hosts/text.d.ts"];

export const DECLARATIONS_FILE = join(ROOT, "src/cli/build/types/bridge-hooks.d.txt");

const FILE_HEAD = `// The types of bridge-hooks, for editors and type checkers. Generated from the sources (npm run types); do not edit.
`;

/** Generates a single file with the declarations of everything that hook authors import. */
export function generateDeclarations(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-types-"));
  try {
    const sources = MODULES.map(([, source]) => join(ROOT, source));
    const tsconfig = join(folder, "tsconfig.json");
    const compilerOptions = {
      target: "ESNext",
      module: "Preserve",
      moduleResolution: "Bundler",
      lib: ["ESNext"],
      typeRoots: [join(ROOT, "node_modules")],
      types: ["bun-types"],
      strict: true,
      // Plugins are imported as text, which this compiler doesn't support.
      noImplicitAny: false,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      // Types are already checked together with the other sources.
      noCheck: true,
      verbatimModuleSyntax: true,
    };
    writeFileSync(
      tsconfig,
      JSON.stringify({ compilerOptions, files: DECLARATION_SOURCES.map((path) => join(ROOT, path)) }),
    );
    const out = MODULES.map((_, at) => join(folder, `${at}.d.ts`));
    const config = {
      compilationOptions: { preferredConfigPath: tsconfig },
      entries: sources.map((filePath, at) => ({
        filePath,
        outFile: out[at],
        noCheck: true,
        output: { exportReferencedTypes: false, noBanner: true },
      })),
    };
    const file = join(folder, "config.json");
    writeFileSync(file, JSON.stringify(config));
    const { stderr } = Bun.spawnSync(
      [process.execPath, join(ROOT, "node_modules/.bin/dts-bundle-generator"), "--config", file],
      { cwd: ROOT },
    );
    const missingFile = out.find((path) => !existsSync(path));
    if (missingFile) throw new Error(`the declarations could not be made:\n${stderr}`);
    return FILE_HEAD + MODULES.map(([name], at) => formatModule(name, out[at] as string)).join("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Formats a module's declarations as an ambient module. */
function formatModule(name: string, file: string): string {
  const text = readFileSync(file, "utf8");
  const lines = text
    .trim()
    .replaceAll(/^(export )?declare /gm, "$1")
    .replaceAll("\t", "  ")
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`));
  return `\ndeclare module ${JSON.stringify(name)} {\n${lines.join("\n")}\n}\n`;
}

if (import.meta.main) await Bun.write(DECLARATIONS_FILE, generateDeclarations());
