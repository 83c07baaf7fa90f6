import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Maps the specifier of each of the product's modules that hook modules can import to a path in the sources. */
export const PROVIDED_MODULES: Readonly<Record<string, string>> = {
  "bridge-hooks": "src/index.ts",
  "bridge-hooks/testing": "src/author/testing/index.ts",
  "bridge-hooks/files": "src/system/files.ts",
  "bridge-hooks/paths": "src/system/paths.ts",
};

/** Packages that hook modules may import without installing them. */
export const PROVIDED_PACKAGES = ["valibot", "zod"];

/** Matches specifiers that can resolve to a provided module. */
const PROVIDED_IMPORT = new RegExp(`^(?:${["bridge-hooks", ...PROVIDED_PACKAGES].join("|")})(?:/|$)`);

/** The namespace of virtual modules that re-export "bridge-hooks", one per importing module. */
const EXPORT_LIST_NAMESPACE = "bridge-hooks";

/**
 * Makes a bundler resolve the imports that bridge-hooks provides. Each importing module gets its own re-export list.
 * This way, one module's imports don't affect another's, and a call loads only what its hooks use.
 * @param names filled in by this function: maps each provided file to the specifier it was imported by
 */
export function addProvidedModules(builder: Bun.PluginBuilder, program: string, names: Map<string, string>): void {
  builder.onResolve({ filter: PROVIDED_IMPORT }, ({ path, importer }) => {
    if (path === EXPORT_LIST_NAMESPACE) {
      names.set(locateExportList(program), path);
      return { path: `${path}?${importer}`, namespace: EXPORT_LIST_NAMESPACE };
    }
    const resolution = resolveProvidedModule(path, importer, program);
    if (resolution === undefined) return undefined;
    names.set(resolution, path);
    return { path: resolution };
  });
  builder.onLoad({ filter: /^/, namespace: EXPORT_LIST_NAMESPACE }, () => ({
    contents: readExportList(program),
    loader: "ts",
  }));
}

const locateExportList = (program: string) => join(program, PROVIDED_MODULES[EXPORT_LIST_NAMESPACE] as string);

/**
 * Resolves a path that the bundler reports. The re-export list is a virtual file, so its path is replaced with that of
 * the real file.
 */
export const resolveBundledPath = (path: string, program: string): string =>
  path.startsWith(`${EXPORT_LIST_NAMESPACE}:`) ? locateExportList(program) : resolve(path);

/** Reads the re-export module with absolute paths, so that its imports resolve from anywhere. */
function readExportList(program: string): string {
  const file = locateExportList(program);
  return readFileSync(file, "utf8").replace(/(?<= from )"(\.[^"]+)"/g, (_, path: string) =>
    JSON.stringify(join(dirname(file), path)),
  );
}

/**
 * Resolves a provided import. "bridge-hooks" always resolves to the embedded module. A package resolves to the embedded
 * copy, unless a node_modules directory above the importer contains it, which means that the author chose the version.
 * @returns undefined if the import resolves as usual.
 */
function resolveProvidedModule(specifier: string, importer: string, program: string): string | undefined {
  const module = PROVIDED_MODULES[specifier];
  if (module) return join(program, module);
  const name = PROVIDED_PACKAGES.find(
    (packageName) => specifier === packageName || specifier.startsWith(`${packageName}/`),
  );
  return name === undefined || hasPackage(dirname(importer), name) ? undefined : Bun.resolveSync(specifier, program);
}

/** Makes provided imports in a directory's modules resolve in this process as they do in an executable. */
export function provideModules(folder: string, program: string): void {
  Bun.plugin({
    name: "bridge-hooks",
    setup(builder) {
      for (const [specifier, file] of resolveProvidedModules(folder, program))
        builder.module(specifier, async () => ({
          exports: (await import(file)) as Record<string, unknown>,
          loader: "object",
        }));
    },
  });
}

/**
 * Resolves all provided imports in a directory's modules up front, because the runtime needs the full list in advance.
 */
function resolveProvidedModules(folder: string, program: string): [specifier: string, file: string][] {
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

/** Whether a package is installed in the node_modules of a directory or one of its parents. */
export const hasPackage = (folder: string, name: string): boolean =>
  existsSync(join(folder, "node_modules", name, "package.json")) ||
  (dirname(folder) !== folder && hasPackage(dirname(folder), name));
