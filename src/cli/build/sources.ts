import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { removeLeftoverFile } from "../../system/replace-file.ts";
import { sources } from "./own.ts";
import { PROVIDED_MODULES, PROVIDED_PACKAGES } from "./provided.ts";

/** Entry points of separate processes. All other entry points are in `PROVIDED_MODULES`. */
const ENTRYPOINTS = [
  "src/main.ts",
  ...["bundler", "evaluate", "preload", "answers/main"].map((name) => `src/cli/build/${name}.ts`),
];

const DECLARATION_PACKAGES = ["bun-types", "@types/node", "typescript", "undici-types"];

/** Files that the type check reads from declaration-only packages. Bun's globs don't support slashes within braces. */
const DECLARATION_FILES = [
  "bun-types/*.d.ts",
  "bun-types/{ts7.1,vendor}/**/*.d.ts",
  "@types/node/**/*.d.ts",
  "undici-types/*.d.ts",
  "typescript/lib/lib.{es,decorators}*.d.ts",
  ...DECLARATION_PACKAGES.map((name) => `${name}/package.json`),
  ...[...DECLARATION_PACKAGES, ...PROVIDED_PACKAGES].map((name) => `${name}/LICEN{S,C}E*`),
];

/** The sources include only one file of this package; the whole package would double their size. */
const SINGLE_FILE_PACKAGE = "typescript";

/** The root directory of the sources when running from source. */
const SOURCE_ROOT = resolve(import.meta.dir, "../../..");

let packedSources: Promise<Uint8Array> | undefined;

/**
 * Loads the sources that this program was built from, including its packages, as a compressed JSON object keyed by
 * path. Every executable contains these sources, so that it can build other executables.
 */
export const loadPackedSources = (): Promise<Uint8Array> =>
  (packedSources ??= sources === undefined ? packSources() : Bun.file(sources).bytes());

/** Whether a file is read only by the type check. This applies to a third of all files. */
const isDeclaration = (path: string) => /^node_modules\/.*\.d\.\w+$/.test(path);

/** Whether a file is a documentation page. */
const isDocsPage = (path: string) => path.startsWith("docs/");

/**
 * Unpacks the sources into a directory, except the packages' declarations and the documentation.
 * @returns The directory with the sources. When running from source, this is the program's own directory, and nothing
 * is written.
 */
export const unpackSources = (folder: string): Promise<string> =>
  unpackMatching(folder, (path) => !isDeclaration(path) && !isDocsPage(path));

/** TypeScript's library declarations, which the response check reads. */
const CHECKER_LIBRARY = "node_modules/typescript/lib/lib.";

const isCheckerLibrary = (path: string) => path.startsWith(CHECKER_LIBRARY);

/** Unpacks the packages' declarations into the directory with the other sources. */
export const unpackDeclarations = (folder: string): Promise<string> =>
  unpackMatching(folder, (path) => isDeclaration(path) && !isCheckerLibrary(path));

/** Unpacks TypeScript's library declarations into the directory with the other sources. */
export const unpackCheckerLibrary = (folder: string): Promise<string> => unpackMatching(folder, isCheckerLibrary);

/** Reads the starter hooks' sources, keyed by path: `hooks/…`. */
export const readStarterHooks = async (): Promise<[path: string, text: string][]> =>
  Object.entries(await readPackedFiles()).filter(([path]) => path.startsWith("hooks/"));

/** Reads the documentation pages, keyed by path: `docs/…`. */
export const readDocs = async (): Promise<Record<string, string>> =>
  sources === undefined
    ? Object.fromEntries(
        [...new Bun.Glob("docs/**/*.md").scanSync(SOURCE_ROOT)].map((path) => [
          path.replaceAll("\\", "/"),
          readFileSync(join(SOURCE_ROOT, path), "utf8"),
        ]),
      )
    : Object.fromEntries(Object.entries(await readPackedFiles()).filter(([path]) => isDocsPage(path)));

const readPackedFiles = async () =>
  JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(await loadPackedSources()))) as Record<string, string>;

async function unpackMatching(folder: string, isIncluded: (path: string) => boolean): Promise<string> {
  if (sources === undefined) return SOURCE_ROOT;
  const createdFolders = new Set<string>();
  for (const [path, text] of Object.entries(await readPackedFiles())) {
    if (!isIncluded(path)) continue;
    const file = join(folder, path);
    const parent = dirname(file);
    if (!createdFolders.has(parent)) mkdirSync(parent, { recursive: true });
    createdFolders.add(parent);
    writeFileSync(file, text);
  }
  return folder;
}

/** Unpacks all sources into a temporary directory that is deleted once `read` has finished. */
export async function withUnpackedSources<T>(work: (program: string) => T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-"));
  try {
    return work(await unpackMatching(folder, () => true));
  } finally {
    removeLeftoverFile(folder);
  }
}

async function packSources(): Promise<Uint8Array> {
  const modules = realpathSync(join(SOURCE_ROOT, "node_modules"));
  const paths = new Map<string, string>();
  const add = (file: string) => {
    const modulePath = relative(modules, file);
    paths.set(
      (modulePath.startsWith("..") ? relative(SOURCE_ROOT, file) : join("node_modules", modulePath)).replaceAll(
        "\\",
        "/",
      ),
      file,
    );
  };
  const addAll = (folder: string, patterns: readonly string[]) => {
    for (const pattern of patterns) for (const path of new Bun.Glob(pattern).scanSync(folder)) add(join(folder, path));
  };
  for (const file of await listBundleInputs()) add(file);
  // These bundles read only some files of a package; other bundles may need the rest.
  const owners = [...paths.keys()].flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  for (const owner of new Set([...owners, ...PROVIDED_PACKAGES].filter((name) => name !== SINGLE_FILE_PACKAGE)))
    addAll(join(modules, owner), ["!(src)/**/*.{js,mjs}", "*.{js,mjs}", "**/package.json"]);
  // A .cjs file counts as untyped unless its own declarations are in the same directory.
  for (const name of PROVIDED_PACKAGES) addAll(join(modules, name), ["!(src)/**/*.d.{ts,mts,cts}", "*.d.{ts,mts,cts}"]);
  addAll(modules, DECLARATION_FILES);
  addAll(SOURCE_ROOT, ["src/**/*.{ts,js,txt}", "hooks/**/*.ts", "docs/**/*.md", "package.json", "tsconfig.json"]);
  const files = [...paths]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, file]) => [path, readFileSync(file, "utf8")]);
  return Bun.zstdCompressSync(JSON.stringify(Object.fromEntries(files)), { level: 9 });
}

/** Lists the files read by a bundle of all entry points. */
async function listBundleInputs(): Promise<string[]> {
  const entrypoints = [...ENTRYPOINTS, ...Object.values(PROVIDED_MODULES)]
    .map((path) => join(SOURCE_ROOT, path))
    .filter((path) => existsSync(path));
  // Also pack modules that this bundler would drop as unused, because the next bundler resolves them.
  const ignoreDCEAnnotations = true;
  const options = { target: "bun", metafile: true, throw: false, ignoreDCEAnnotations } as const;
  const { success, logs, metafile } = await Bun.build({ entrypoints, ...options });
  if (!success || !metafile) throw new Error(`the sources could not be read:\n${logs.join("\n")}`);
  return Object.keys(metafile.inputs).map((path) => resolve(path));
}
