import type { Host } from "../../protocol/host/host.ts";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import pkg from "../../../package.json" with { type: "json" };
import { hashBytes } from "./pack.ts";
import { createPackSpec, type PackOrder } from "./pack-order.ts";
import { CLIENT_SYSTEMS } from "./programs.ts";

/** Name of the marketplace and of the plugin in it, as in `NAME@NAME`. */
export const PLUGIN_NAME = "bridge-hooks";
const PLUGIN_DESCRIPTION = "Sends every call to the bridge-hooks executable on this machine.";

/** Derives a plugin's version from its entries: hosts copy a plugin again only if its version changes. */
function deriveVersion({ planEntries }: PackSpec): string {
  const entries = CLIENT_SYSTEMS.map((system) =>
    planEntries(system).map(({ native_event, matcher, handler }) => [native_event, matcher, handler()]),
  );
  return `${pkg.version}-${hashBytes(Buffer.from(JSON.stringify(entries))).slice(0, 8)}`;
}

/**
 * Builds marketplace directories for hosts with plugins (one directory per system) and a README.
 * @throws Error if none of the hosts supports plugins with entries.
 */
export async function buildPluginFiles(order: PackOrder, hosts: readonly Host[]): Promise<PackFile[]> {
  const chapters: HostFolder[] = [];
  for (const host of hosts) {
    const build = await host.loadPluginBuilder();
    const spec = build && (await createPackSpec(host, order));
    if (!spec) continue;
    const label = { name: PLUGIN_NAME, description: PLUGIN_DESCRIPTION, version: deriveVersion(spec) };
    chapters.push({ host, files: build({ ...spec, ...label }) });
  }
  if (chapters.length === 0) {
    const hostNames = hosts.map(({ name }) => name).join(", ");
    throw new Error(`${hostNames}: plugins can't contain entries on this host; use install or mdm --out`);
  }
  const text = formatReadme(order, chapters);
  return [
    { path: "README.md", text, deployment: "", os: ["linux", "macos", "windows"], by: [] },
    ...chapters.flatMap(({ files }) => files),
  ];
}

interface HostFolder {
  host: Host;
  files: readonly PackFile[];
}

function formatChapter({ host, files }: HostFolder): string {
  const [first] = files;
  const notes = (first?.notes ?? []).map((note) => `- ${note}`).join("\n");
  return `## ${host.name}

FOLDER stands for the path of the subdirectory \`${host.id}/linux\`, \`${host.id}/macos\` or \`${host.id}/windows\` on the machine.

- Deployment: ${first?.deployment}.
- Verification: ${first?.loadedSign}; \`bridge-hooks doctor\` tests the entries.
- Removal: ${first?.undo}.
${notes}
`;
}

const formatReadme = ({ programs }: PackOrder, chapters: readonly HostFolder[]): string => `# bridge-hooks as a plugin

The subdirectories are marketplaces. Each marketplace contains one plugin, which makes the host call the bridge-hooks executable. \`bridge-hooks mdm --plugin\` generated these
files. The same options always generate the same files.

The plugins' entries call the executable at a fixed path, so install it there: Linux \`${programs.linux}\`, macOS \`${programs.macos}\`, Windows \`${programs.windows}\`. The plugin
does not contain the executable, because users and agents could replace it in the plugin's directory. For the same reason, managed settings (\`bridge-hooks mdm
--out\`) protect better than a plugin that a user enables.

The host's settings may also contain entries that call bridge-hooks. In that case, both kinds of entries return denials, but only the entries in the settings write to the log. Each call is therefore logged only once.

New hooks may need additional events. Run \`bridge-hooks mdm --plugin\` again with the new executable and the same directory, and deploy the result.

${chapters.map(formatChapter).join("\n")}`;
