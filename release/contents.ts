import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadPackedSources } from "../src/cli/build/sources.ts";
import { runProgram } from "../src/hosts/run-program.ts";
import { computeSha256, type Release } from "./release.ts";

/** The third-party contents of an executable. */
export interface Contents {
  /** npm's SBOM components for the packages that are compiled in or embedded as source. */
  packages: Component[];
  /** Libraries linked into Bun's runtime, according to Bun's documentation. */
  libraries: Component[];
  notices: string;
}

interface Component {
  name: string;
  version?: string;
  "bom-ref": string;
  [field: string]: unknown;
}

interface Bom {
  metadata: Record<string, unknown> & { component: Record<string, unknown> };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
  [field: string]: unknown;
}

/** Bun's license documentation, shipped with its type definitions. */
const BUN_LICENSE = "node_modules/bun-types/docs/project/license.mdx";

/** Lists the packages whose files are embedded in an executable. */
async function listCarriedPackages(): Promise<Set<string>> {
  const files = JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(await loadPackedSources()))) as object;
  const names = Object.keys(files).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return new Set(names);
}

/** Reads npm's SBOM for all packages in the lock file. */
async function readNpmBom(root: string): Promise<Bom> {
  const { exit_code, stdout, stderr } = await runProgram({
    argv: ["npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only"],
    cwd: root,
    env: process.env,
    timeout: 120_000,
  });
  if (exit_code !== 0) throw new Error(`npm sbom failed: ${stderr.trim().split("\n").at(-1)}`);
  return JSON.parse(stdout) as Bom;
}

/** Parses the table of libraries linked into Bun. */
function readLinkedLibraries(text: string): Component[] {
  const table = /## Linked libraries\n([\s\S]*?)\n## /.exec(text)?.[1] ?? "";
  const rows = [...table.matchAll(/^\| (.*?\[`?([^`\]]+)`?\]\(([^)]+)\).*?) *\| (.+?) *\|$/gm)];
  return [
    {
      type: "library",
      name: "JavaScriptCore",
      "bom-ref": "bun/JavaScriptCore",
      licenses: [{ license: { name: "LGPL-2" } }],
    },
    ...rows.map(([, words = "", name = "", url, license = ""]) => ({
      type: "library",
      name,
      "bom-ref": `bun/${name.replaceAll(/\s+/g, "-")}`,
      ...(/\(on ([^)]+)\)$/.test(words.trim()) && {
        description: words.trim().replaceAll(/[[\]`]|\([^)]*:[^)]*\)/g, ""),
      }),
      licenses: [{ license: { name: license.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, "$1, $2") } }],
      externalReferences: [{ type: "website", url }],
    })),
  ];
}

/** Reads the version of a package's top-level copy. Copies in nested node_modules aren't embedded. */
const readVersion = (root: string, name: string): string =>
  (JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")) as { version: string }).version;

/** Builds a release's SBOM and the license notices that accompany every copy. */
export async function describeContents(root: string): Promise<{ contents: Contents; bom: Bom }> {
  const [embeddedNames, bom] = [await listCarriedPackages(), await readNpmBom(root)];
  const license = readFileSync(join(root, BUN_LICENSE), "utf8");
  const packages = bom.components
    .filter(({ name, version }) => embeddedNames.has(name) && version === readVersion(root, name))
    .sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
  const unlistedNames = [...embeddedNames].filter((name) => !packages.some((one) => one.name === name));
  if (unlistedNames.length > 0) throw new Error(`npm sbom does not list ${unlistedNames.join(", ")}; run npm ci`);
  const libraries = readLinkedLibraries(license);
  if (libraries.length < 10)
    throw new Error(`${BUN_LICENSE} has no table of libraries; check which libraries Bun links, and update the parser`);
  return { contents: { packages, libraries, notices: formatNotices(root, packages, license) }, bom };
}

/**
 * Formats a CycloneDX document. Leaves out everything that differs between runs: times, random numbers and directory
 * names.
 */
export function formatBom({ version, time }: Release, { packages, libraries }: Contents, bom: Bom): string {
  // Drop properties such as "private", which describe only the source directory.
  const { properties: _, ...component } = bom.metadata.component;
  const bun: Component = {
    type: "platform",
    name: "bun",
    version: Bun.version,
    "bom-ref": `bun@${Bun.version}`,
    purl: `pkg:npm/bun@${Bun.version}`,
    description: "The runtime of the executable, with overwritten switches: src/operate/executable/switches.ts",
    licenses: [{ license: { id: "MIT" } }],
    properties: [{ name: "bridge-hooks:bun:revision", value: Bun.revision }],
    components: libraries,
  };
  const components = [bun, ...packages.map(({ scope: _scope, ...one }) => ({ ...one, scope: "required" }))];
  const refs = new Set(components.map((one) => one["bom-ref"]));
  const ownRef = `bridge-hooks@${version}`;
  const document = {
    ...bom,
    serialNumber: "",
    metadata: {
      ...bom.metadata,
      timestamp: new Date(time * 1000).toISOString(),
      tools: [{ vendor: "npm", name: "cli" }],
      component: { ...component, type: "application", name: "bridge-hooks", "bom-ref": ownRef },
    },
    components,
    dependencies: [
      { ref: ownRef, dependsOn: [...refs].sort() },
      ...bom.dependencies
        .filter(({ ref }) => refs.has(ref) && ref !== ownRef)
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)).sort() }))
        .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
    ],
  };
  const hash = computeSha256(JSON.stringify(document));
  // CycloneDX requires a serial number in the format of a random UUID.
  const uuid = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return `${JSON.stringify({ ...document, serialNumber: `urn:uuid:${uuid.join("-")}` }, null, 2)}\n`;
}

function formatNotices(root: string, packages: readonly Component[], bunLicense: string): string {
  const rule = "-".repeat(80);
  const chapters = packages.map(({ name, version }) => {
    const folder = join(root, "node_modules", name);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { license?: string };
    const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
    return `${rule}\n${name} ${version} (${license ?? "see below"})\n\n${texts.join("\n\n") || "The package contains no license file."}\n`;
  });
  return `The bridge-hooks executable consists of bridge-hooks itself (MIT, see LICENSE), Bun's runtime, and the packages below.

${rule}
Bun ${Bun.version}, revision ${Bun.revision}, according to its documentation

${bunLicense.replace(/^---[\s\S]*?---\n/, "").trim()}

${chapters.join("\n")}`;
}
