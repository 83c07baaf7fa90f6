import { join } from "node:path";
import { type ArchiveFile, compressGzip, createTar } from "../archive.ts";
import { type Platform, type PlatformFiles, type PutFile, type Release } from "../release.ts";

/** Returns a platform's value for the `os` field in package.json. npm uses Node's platform names. */
const nodeSystem = ({ os }: Platform): string => (os === "windows" ? "win32" : os);

/** Returns the name of a platform's package. The name is scoped, so nobody else can publish a lookalike. */
export const npmPackageName = (platform: Platform): string =>
  `@bridge-hooks/${nodeSystem(platform)}-${platform.arch}${platform.musl ? "-musl" : ""}`;

const archivePath = (name: string, version: string) => `npm/${name.replace("@", "").replace("/", "-")}-${version}.tgz`;

function putPackage(
  release: Release,
  manifest: Readonly<Record<string, unknown>>,
  files: readonly ArchiveFile[],
  put: PutFile,
): void {
  const { license, url = "", version } = release;
  const repository = /^https:\/\/github\.com\/[^/]+\/[^/]+/.exec(url)?.[0];
  const common = { version, license, ...(repository && { repository: { type: "git", url: `git+${repository}.git` } }) };
  const { name, ...rest } = manifest;
  const json = { path: "package.json", content: `${JSON.stringify({ name, ...common, ...rest }, null, 2)}\n` };
  const all = [json, ...files, { path: "LICENSE", content: release.texts.license }];
  put(
    archivePath(String(name), release.version),
    compressGzip(
      createTar(
        all.map((file) => ({ ...file, path: `package/${file.path}` })),
        release,
      ),
    ),
  );
}

/** Adds a platform's npm package with the executable. npm installs only the package that matches the machine. */
export function addNpmPlatform(release: Release, platform: PlatformFiles, put: PutFile): void {
  if (platform.baseline) return;
  const manifest = {
    name: npmPackageName(platform),
    description: `The bridge-hooks executable for ${platform.name}`,
    os: [nodeSystem(platform)],
    cpu: [platform.arch],
    ...(platform.os === "linux" && { libc: [platform.musl ? "musl" : "glibc"] }),
    // Keep Yarn from storing the package as an archive; executables can't run from an archive.
    preferUnplugged: true,
    type: "module",
  };
  const files = [
    { path: platform.program, content: platform.executable, mode: 0o755 },
    {
      path: "README.md",
      content: `# ${manifest.name}\n\nThe bridge-hooks executable for ${platform.name}. Install \`bridge-hooks\` instead: it picks the right one.\n`,
    },
    { path: "THIRD-PARTY-NOTICES.txt", content: release.texts.notices },
  ];
  putPackage(release, manifest, files, put);
}

/**
 * Adds the package that users install. The package contains a launcher and the author library with types, and depends
 * on each platform's package.
 */
export async function addNpmPackage(
  release: Release,
  platforms: readonly Platform[],
  root: string,
  put: PutFile,
): Promise<void> {
  const names = platforms.filter(({ baseline }) => !baseline).map(npmPackageName);
  const modules = await Promise.all(
    AUTHOR_MODULES.map(async (module) => ({ ...module, files: await buildModule(module, root) })),
  );
  const manifest = {
    name: release.name,
    description: release.description,
    keywords: ["hooks", "agents", "policy", "guardrails"],
    type: "module",
    bin: { "bridge-hooks": "bin/bridge-hooks.js" },
    exports: Object.fromEntries([
      ...modules.map(({ specifier, name }) => [
        specifier,
        { types: `./lib/${name}.d.ts`, bun: `./lib/${name}.js`, default: `./lib/${name}.node.js` },
      ]),
      ["./package.json", "./package.json"],
    ]),
    engines: { node: ">=20" },
    sideEffects: false,
    // The type declarations reference Node's types.
    peerDependencies: { "@types/node": "*" },
    peerDependenciesMeta: { "@types/node": { optional: true } },
    optionalDependencies: Object.fromEntries(names.sort().map((name) => [name, release.version])),
  };
  const launcher = await Bun.file(join(root, "release/scripts/launcher.js")).text();
  const files = [
    { path: "bin/bridge-hooks.js", content: launcher, mode: 0o755 },
    ...modules.flatMap(({ files }) => files),
    { path: "README.md", content: release.texts.readme },
    { path: "THIRD-PARTY-NOTICES.txt", content: release.texts.notices },
  ];
  putPackage(release, manifest, files, put);
}

interface AuthorModule {
  /** Key of the module in package.json's `exports`. */
  specifier: string;
  /** Module name that hook authors import. */
  module: string;
  name: string;
  source: string;
}

const AUTHOR_MODULES: readonly AuthorModule[] = [
  { specifier: ".", module: "bridge-hooks", name: "index", source: "src/index.ts" },
  { specifier: "./testing", module: "bridge-hooks/testing", name: "testing", source: "src/author/testing/index.ts" },
];

/** Bundles a module and its types for Bun. On Node, a stub throws an error that names the alternative. */
async function buildModule({ module, name, source }: AuthorModule, root: string): Promise<ArchiveFile[]> {
  const { success, logs, outputs } = await Bun.build({
    entrypoints: [join(root, source)],
    root,
    target: "bun",
    format: "esm",
    // Bundle into a single file: chunk names would depend on the build directory.
    splitting: false,
    minify: { whitespace: true, syntax: true },
    throw: false,
  });
  const [output] = outputs;
  if (!success || !output) throw new Error(`${source} could not be bundled: ${logs.join("; ")}`);
  const declarations = await Bun.file(join(root, "src/cli/build/types/bridge-hooks.d.txt")).text();
  const text = await output.text();
  const names = new Bun.Transpiler({ loader: "js" }).scan(text).exports.sort();
  return [
    { path: `lib/${name}.js`, content: text },
    { path: `lib/${name}.node.js`, content: formatNodeModule(module, names) },
    { path: `lib/${name}.d.ts`, content: extractModule(declarations, module) },
  ];
}

/**
 * Formats a stub that exports every name. Without the exports, an import would fail with a syntax error before the
 * stub's message is thrown.
 */
const formatNodeModule = (module: string, names: readonly string[]): string => `throw new Error(
  "${module} runs in the bridge-hooks executable and in Bun, not in Node: npx bridge-hooks test runs the tests of hooks",
);
export const ${names.map((name) => `${name} = undefined`).join(",\n  ")};
`;

/** Extracts a module's declarations from the file with all module declarations. */
export function extractModule(declarations: string, module: string): string {
  const begin = `declare module "${module}" {\n`;
  const from = declarations.indexOf(begin);
  const to = declarations.indexOf("\n}\n", from);
  if (from < 0 || to < 0) throw new Error(`the declarations of ${module} are missing; run npm run types`);
  const own = declarations
    .slice(from + begin.length, to + 1)
    .replaceAll(/^ {2}/gm, "")
    .replaceAll(/^(?=(?:abstract class|class|const|enum|function|let|namespace) )/gm, "declare ");
  return `/// <reference types="node" />\n${own}`;
}
