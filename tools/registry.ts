import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostIdentity } from "../src/protocol/host/host.ts";

// Each directory of src/hosts that contains a host.ts is a host. The files that list hosts are generated from these
// directories.

const HOSTS = join(import.meta.dir, "../src/hosts");
const GENERATED = "// Generated from the host directories by `npm run registry`\n";
const WIDTH = 120;

const listFolders = () =>
  readdirSync(HOSTS)
    .filter((name) => existsSync(join(HOSTS, name, "host.ts")))
    .sort();

/** Lists hosts in their current order in the registry, with new hosts last. */
function listHosts(): string[] {
  const text = readFileSync(join(HOSTS, "registry.ts"), "utf8");
  const known = [...text.matchAll(/import\("\.\/(\w+)\/index\.ts"\)/g)].map(([, id = ""]) => id);
  const folders = listFolders();
  return [...known.filter((id) => folders.includes(id)), ...folders.filter((id) => !known.includes(id))];
}

const formatEntries = (): string =>
  [
    GENERATED,
    "\n// Host identities, loaded on every call. A host's other files import its identity from here instead of from host.ts, so\n",
    "// that all identities stay in a single chunk.\n\n",
    ...listFolders().map((id) => `export { hostIdentity as ${id} } from "./${id}/host.ts";\n`),
  ].join("");

/** Formats an import. If it's too long for one line, each name gets its own line. */
function formatImport(names: readonly string[], path: string): string {
  const line = `import { ${names.join(", ")} } from "${path}";\n`;
  if (line.length <= WIDTH + 1) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${path}";\n`;
}

const formatRegistry =
  (): string => `${GENERATED}import type { Host, HostIdentity, RegisteredHost } from "../protocol/host/host.ts";
${formatImport(listFolders(), "./entries.ts")}
/** Registers a host. Its module is loaded on first use and then cached. */
function registerHost(identity: HostIdentity, load: () => Promise<Host>): RegisteredHost {
  let host: Host | undefined;
  return { ...identity, loadHost: async () => (host ??= await load()) };
}

/** Every call detects its host with this registry and then loads only that host's module. */
export const hostRegistry: readonly RegisteredHost[] = [
${listHosts()
  .map((id) => `  registerHost(${id}, async () => (await import("./${id}/index.ts")).${id}),\n`)
  .join("")}];
`;

/** Formats a doc comment, wrapped if necessary. */
function formatComment(text: string): string {
  if (text.length + 9 <= WIDTH) return `  /** ${text} */\n`;
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) as string;
    if (line.length + word.length + 6 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return `  /**\n${lines.map((line) => `   * ${line}\n`).join("")}   */\n`;
}

async function formatOptions(): Promise<string> {
  const fields: string[] = [];
  for (const id of listHosts()) {
    const { name, options } = ((await import(join(HOSTS, id, "host.ts"))) as { hostIdentity: HostIdentity })
      .hostIdentity;
    for (const [option, { values, meaning }] of Object.entries(options))
      fields.push(
        formatComment(`${name}: ${meaning}. Default: "${values[0]}".`),
        `  ${option}?: ${values.map((value) => `"${value}"`).join(" | ")};\n`,
      );
  }
  return `${GENERATED}import type { HostOption } from "../protocol/host/host.ts";

/** The host-specific options of \`run\`. */
export interface HostOptions {
${fields.join("")}}

/** The type of each host's own \`options\`. An option or value missing from \`HostOptions\` is a compile error. */
export type HostOptionTable = {
  readonly [Name in keyof HostOptions]: HostOption<NonNullable<HostOptions[Name]>>;
};
`;
}

/** Formats the generated files of src/hosts, by file name. */
export const formatRegistryFiles = async (): Promise<Record<string, string>> => ({
  "entries.ts": formatEntries(),
  "registry.ts": formatRegistry(),
  "options.ts": await formatOptions(),
});

if (import.meta.main)
  for (const [name, text] of Object.entries(await formatRegistryFiles())) await Bun.write(join(HOSTS, name), text);
