import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** What hook modules import from here: how they call it, and where it lies in the sources. */
export const PROVIDED_MODULES: Readonly<Record<string, string>> = {
  "bridge-hooks": "src/index.ts",
  "bridge-hooks/testing": "src/author/testing/index.ts",
};

/** Packages that hook modules may import without having them. */
export const PROVIDED_PACKAGES = ["valibot", "zod"];

/** The imports that may lead here. */
const PROVIDED_IMPORT = new RegExp(`^(?:${["bridge-hooks", ...PROVIDED_PACKAGES].join("|")})(?:/|$)`);

/** The list of what "bridge-hooks" exports, once for each module that imports it. */
const EXPORT_LIST = "bridge-hooks";

/**
 * Makes a bundler resolve such imports. Every module gets a list of our exports of its own: what one of them names is of no
 * concern to the others, and a call loads nothing that its hooks don't use.
 * @param names is told by file how they were called.
 */
export function addProvidedModules(builder: Bun.PluginBuilder, program: string, names: Map<string, string>): void {
  builder.onResolve({ filter: PROVIDED_IMPORT }, ({ path, importer }) => {
    if (path === EXPORT_LIST) {
      names.set(locateExportList(program), path);
      return { path: `${path}?${importer}`, namespace: EXPORT_LIST };
    }
    const found = resolveProvidedModule(path, importer, program);
    if (found === undefined) return undefined;
    names.set(found, path);
    return { path: found };
  });
  builder.onLoad({ filter: /^/, namespace: EXPORT_LIST }, () => ({ contents: readExportList(program), loader: "ts" }));
}

const locateExportList = (program: string) => join(program, PROVIDED_MODULES[EXPORT_LIST] as string);

/** The file that a bundler means by a path: for it, our exports lie in no file. */
export const resolveBundledPath = (path: string, program: string): string =>
  path.startsWith(`${EXPORT_LIST}:`) ? locateExportList(program) : resolve(path);

/** The module of our exports, to be read from anywhere. */
function readExportList(program: string): string {
  const file = locateExportList(program);
  return readFileSync(file, "utf8").replace(/(?<= from )"(\.[^"]+)"/g, (_, path: string) =>
    JSON.stringify(join(dirname(file), path)),
  );
}

/**
 * Where such an import leads: "bridge-hooks" always here, and a package here unless the importer has a node_modules with it, for
 * then somebody chose its release.
 * @returns nothing where it goes its ordinary way.
 */
function resolveProvidedModule(specifier: string, importer: string, program: string): string | undefined {
  const module = PROVIDED_MODULES[specifier];
  if (module) return join(program, module);
  const name = PROVIDED_PACKAGES.find((one) => specifier === one || specifier.startsWith(`${one}/`));
  return name === undefined || hasPackage(dirname(importer), name) ? undefined : Bun.resolveSync(specifier, program);
}

/** All such imports of modules in a folder, and the files they lead to: for the runtime, which wants to know before. */
export function resolveProvidedModules(folder: string, program: string): [specifier: string, file: string][] {
  const specifiers = PROVIDED_PACKAGES.flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(join(program, "node_modules", name, "package.json"), "utf8")) as {
      exports: object;
    };
    return Object.keys(exports).flatMap((path) =>
      /[*]|[.]json$/.test(path) ? [] : join(name, path).replaceAll("\\", "/"),
    );
  });
  return [...Object.keys(PROVIDED_MODULES), ...specifiers].flatMap((specifier): [string, string][] => {
    const file = resolveProvidedModule(specifier, join(folder, "module.ts"), program);
    return file === undefined ? [] : [[specifier, file]];
  });
}

/** Whether a package lies in a node_modules of a folder or above it. */
export const hasPackage = (folder: string, name: string): boolean =>
  existsSync(join(folder, "node_modules", name, "package.json")) ||
  (dirname(folder) !== folder && hasPackage(dirname(folder), name));
