import { posix } from "node:path";
import { listHostFlags } from "../../call/options.ts";
import type { EntryTemplate } from "../machine/desired-entries.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { buildCoverageFiles } from "./coverage-files.ts";
import { buildExecutableFiles } from "./executable-files.ts";
import { listInstallLines } from "./packages.ts";
import { buildPolicyFiles, type ShippedConfig } from "./policy-files.ts";

export { writePack } from "./pack.ts";

type ProgramPaths = PackSpec["programs"];
type ClientSystem = keyof ProgramPaths;
type DeliveryMethod = PackFile["by"][number];

const SYSTEM_NAMES: Record<ClientSystem, string> = { linux: "Linux", macos: "macOS", windows: "Windows" };
const DELIVERY_NAMES: Record<DeliveryMethod, string> = {
  jamf: "Jamf",
  intune: "Intune",
  kandji: "Kandji",
  files: "Plain files",
};
const systemIds = Object.keys(SYSTEM_NAMES) as ClientSystem[];

/**
 * The default paths of the executable on clients. /opt on a Mac as well: Homebrew hands /usr/local to a user on Intel,
 * and a path without spaces needs no quotes in any host.
 */
export const DEFAULT_PROGRAM_PATHS: ProgramPaths = {
  linux: "/opt/bridge-hooks/bridge-hooks",
  macos: "/opt/bridge-hooks/bridge-hooks",
  windows: "C:\\Program Files\\bridge-hooks\\bridge-hooks.exe",
};

const isAbsolutePathOn = (path: string, system: ClientSystem) =>
  (system === "windows" ? /^([A-Za-z]:[\\/]|\\\\)/ : /^\//).test(path);

/**
 * Parses the paths of `--bin-path`: `linux=PATH`, or a PATH for every system on which it is absolute.
 * @throws Error if a value is not an absolute path on its system.
 */
export function parseProgramPaths(values: readonly string[]): ProgramPaths {
  const programs = { ...DEFAULT_PROGRAM_PATHS };
  for (const value of values) {
    const [, named, rest = value] = /^(linux|macos|windows)=(.*)$/s.exec(value) ?? [];
    const systems = named ? [named as ClientSystem] : systemIds.filter((system) => isAbsolutePathOn(rest, system));
    if (systems.length === 0)
      throw new Error(
        `--bin-path ${value}: not an absolute path; pass one, or ${systemIds.map((one) => `${one}=PATH`).join(", ")}`,
      );
    for (const system of systems) programs[system] = rest;
  }
  for (const system of systemIds) checkProgramPath(system, programs[system]);
  return programs;
}

function checkProgramPath(system: ClientSystem, path: string): void {
  if (!isAbsolutePathOn(path, system))
    throw new Error(
      `${path} is not an absolute path on ${SYSTEM_NAMES[system]}; give the one that the executable has on clients`,
    );
  // Some formats can't contain these characters, or not unchanged.
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(path))
    throw new Error(`${JSON.stringify(path)} has a control character; use a path without it`);
}

/**
 * Builds the files that an administrator ships, with a README about them.
 * @throws Error if there is nothing to ship, or a path can't be written in a host's config.
 */
export async function buildMdmFiles(
  { settings, ...order }: PackSpec & Pick<EntryTemplate, "settings">,
  hosts: readonly Host[],
  packages: readonly PackFile[] = [],
  config?: ShippedConfig,
): Promise<PackFile[]> {
  for (const system of systemIds) checkProgramPath(system, order.programs[system]);
  const packs = await Promise.all(
    hosts.map(async (host) => {
      const setup = await host.setup();
      return {
        host,
        files:
          setup.planSubscriptions(order.wanted).length > 0
            ? (await host.loadPackBuilder())({ ...order, more: listHostFlags(host, settings) })
            : [],
      };
    }),
  );
  if (packs.every(({ files }) => files.length === 0))
    throw new Error("no host has an event that the hooks want; compile hooks in, or use --event");
  const executable = [...packages, ...(await buildExecutableFiles(order, hosts))];
  const policy = config ? buildPolicyFiles(config) : [];
  const coverage = buildCoverageFiles(order, config?.hash ?? "");
  const chapters = {
    executable: formatExecutableChapter(executable),
    policy: formatPolicyChapter(policy),
    coverage: formatFileTable(coverage),
  };
  const text = formatReadme(order, packs, chapters);
  const readme: PackFile = { path: "README.md", text, goes: "", os: systemIds, by: [] };
  return [readme, ...packs.flatMap(({ files }) => files), ...executable, ...policy, ...coverage];
}

interface HostPack {
  host: Host;
  files: readonly PackFile[];
}

const formatCell = (text = "") => text.replaceAll("|", "\\|") || "–";
const formatTable = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => `| ${row.map((text) => formatCell(text)).join(" | ")} |`).join("\n");
const formatTitledTable = (titles: readonly string[], rows: readonly (readonly string[])[]) =>
  formatTable([titles, titles.map(() => "---"), ...rows]);

/** Formats a code span; a path may contain backticks. */
function formatCode(text: string): string {
  const fence = "`".repeat(1 + Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length)));
  return fence === "`" ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

function listHostFiles({ host, files }: HostPack): string[][] {
  return systemIds.map((system) => {
    const by = (means: DeliveryMethod) => files.filter((file) => file.os.includes(system) && file.by.includes(means));
    return [
      host.name,
      SYSTEM_NAMES[system],
      ...(Object.keys(DELIVERY_NAMES) as DeliveryMethod[]).map((means) =>
        by(means)
          .map(({ path }) => formatCode(posix.basename(path)))
          .join(", "),
      ),
    ];
  });
}

function formatHostChapter({ host, files }: HostPack): string {
  if (files.length === 0) return `### ${host.name}\n\nNothing: it has none of the events that the hooks want.\n`;
  const notes = [...new Set(files.flatMap(({ notes = [] }) => notes))];
  const rows = files.map(({ path, goes: destination, shown, undo }) => [
    `[${path}](${path})`,
    destination,
    shown ?? "",
    undo ?? "",
  ]);
  return `### ${host.name}\n\n${notes.map((note) => `- ${note}`).join("\n")}\n\n${formatTitledTable(["File", "Goes", "The host shows it", "Taken back"], rows)}\n`;
}

/** How the executable gets to a client and away from it: lines that ask nothing. */
function formatExecutableChapter(files: readonly PackFile[]): string {
  const lines = listInstallLines(files.filter(({ bytes }) => bytes)).map(
    ({ system, what, install, remove, back, by }) => [
      SYSTEM_NAMES[system],
      what,
      ...[install, remove, back].map(formatCode),
      by,
    ],
  );
  return `${formatTitledTable(["System", "What", "Install", "Remove", "Back to an older version", "By"], lines)}

- The lines ask nothing, and run as root or SYSTEM. In Jamf, Intune and Kandji they are what its fields for the installation and the removal
  take; no MDM has run them yet [unverified]. The \`.deb\` and \`.rpm\` were installed, upgraded, put back and removed on Linux, the \`.msi\` under Wine.
- A package puts the executable at ${systemIds
    .map((system) => formatCode(DEFAULT_PROGRAM_PATHS[system]))
    .join(", ")
    .replace(/, (?!.*, )/, " or ")}; a machine has one version of it at a
  time. Keep the package before it, which is the way back. An older \`.msi\` over a newer one ends with 1603 and changes nothing, so the newer one goes first;
  in between, calls are denied where entries fail closed.
- \`place.sh\` and \`place.ps1\` keep plain executables side by side in \`versions\` beside the path above, each as VERSION and the beginning of its hash; one
  of them is in force. \`place.sh\` changes nothing that a package put there.
- An executable with hooks of your own (\`build\`) is a plain file to them like any other.

${formatFileTable(files)}`;
}

const formatFileTable = (files: readonly PackFile[]): string =>
  `${formatTitledTable(
    ["File", "Goes", "Taken back"],
    files.map(({ path, goes: destination, undo }) => [`[${path}](${path})`, destination, undo ?? ""]),
  )}\n`;

/** How a fleet gets another policy from one day to the next. */
const formatPolicyChapter = (
  files: readonly PackFile[],
): string => `The config file of the administrators sets hooks, rules, exceptions, modes and locks. The next call obeys it: nobody builds or installs an executable.

1. Change the file. \`bridge-hooks config check config.json\` says what is wrong in it, and whether each rule catches its examples.
2. See what it would do: \`bridge-hooks replay --history\` on a machine with the file, or \`"mode": "observe"\` in it for a while, and \`bridge-hooks report\`.
3. Run \`bridge-hooks mdm\` again with \`--config config.json\`, and ship the file to a pilot group, then to everybody, as a file that a script which runs as
   root or SYSTEM writes beside the old one and renames over it.
4. \`policy.parts.managed\` of \`bridge-hooks doctor --json\` is the hash of what is in force on a client; the scripts above compare it with that of this pack.
5. Back: ship the file before it.

${files.length === 0 ? "This pack has no config file; `--config FILE` puts one in.\n" : formatFileTable(files)}`;

const formatDeliveryChapters = (packs: readonly HostPack[]): string => `## Which file by which means

${formatTitledTable(["Host", "System", ...Object.values(DELIVERY_NAMES)], packs.flatMap(listHostFiles))}

- A \`.mobileconfig\` is uploaded as it is: in Jamf Pro as a configuration profile, in Intune as a custom profile for the device channel, in
  Kandji (Iru) as a custom profile. It is not signed. A \`.plist\` is for an MDM that makes the profile itself (Jamf Pro: Application & Custom
  Settings) [unverified]. The payload is Apple's for managed preferences
  [docs https://developer.apple.com/documentation/devicemanagement/managedpreferences]; its UUIDs follow from the content.
- Everything else is a file or a registry value: an MDM brings it in a package, or with a script that runs as root or SYSTEM, in the
  64-bit PowerShell. Plain files are whatever else puts files on machines: an image, configuration management.
- Jamf and Kandji are filled in for macOS only, Intune for macOS and Windows.

## In which order

1. The executable, to the path above. It and every folder above it belong to root (Windows: to Administrators), and nobody else may write
   there. Run \`bridge-hooks --version\` from that path on a client.
2. The files, to a pilot group. For each host and machine one means: what several of them do is in the host's chapter.
3. On a client of the group, what the next chapter says; then everybody.
4. A new executable later: by a newer package, or with \`place.sh add\`, which renames it over the old one, so that no call meets half a file. A new
   set of hooks may want other events: run \`bridge-hooks mdm\` again, with the new executable, and ship what changed. If it turns out wrong, the
   way back is in the table above.
`;

const formatClientChapters = (coverage: string): string => `## On a client

\`\`\`sh
sh smoke-test.sh      # Windows: powershell -ExecutionPolicy Bypass -File smoke-test.ps1
bridge-hooks doctor
\`\`\`

The first tries the executable alone: that it is there, that nobody else can change it, and that it denies a call in every host's format. It needs
no agent on the machine, and exits with 1 if something is wrong.

\`doctor\` reads the hosts' config files and tries the entries in them. What comes by a profile or the registry it does not try: there, look at
what the host itself shows (in its chapter), and at the system: \`plutil -lint FILE.mobileconfig\` before, \`sudo profiles show\` after, on
Windows \`reg query\` with the key in the \`.reg\`. Then have an agent do something that a hook denies.

\`sha256sum -c SHA256SUMS\` (on a Mac \`shasum -a 256 -c SHA256SUMS\`) says whether this folder is as it was written.

## Whether it still holds

These print one line, from \`bridge-hooks doctor --json\`: \`ok\`, or \`RED\` with what is red (\`drift\`, \`not-installed\`, … as \`doctor --schema\` has them, and \`other-config\` where
not the config of this pack is in force), then the executable's version, the policy with its hash, and the hosts with their releases. The exit code is 1
where something is red. No Intune and no Jamf has run them yet [unverified].

${coverage}
`;

const formatReadme = (
  order: PackSpec,
  packs: readonly HostPack[],
  { executable, policy, coverage }: Readonly<Record<"executable" | "policy" | "coverage", string>>,
) => `# bridge-hooks for every machine

What an administrator ships so that every agent on a machine calls the bridge-hooks executable. Written by \`bridge-hooks mdm\`; the same
order gives the same bytes.

**Try it on a few machines first.** The files are read back by parsers of their formats, but no MDM has delivered them yet, and no macOS
or Windows machine has taken them [unverified]. Sources stand in brackets: \`seen\` in a run of the host's release, \`shipped\` with it or in
its sources, \`docs\`, or \`unverified\`.

The entries call this path, so that is where the executable has to be:

${systemIds.map((system) => `- ${SYSTEM_NAMES[system]}: ${formatCode(order.programs[system])}`).join("\n")}

When a hook or the bridge fails, they ${order.on_error === "deny" ? "deny the call, as far as the host lets an entry say so" : "let the call go on"} (\`--on-error ${order.on_error}\`).

## The executable

${executable}
${formatDeliveryChapters(packs)}
${formatClientChapters(coverage)}## Changing the policy without a build

${policy}
## Taking it back

The other way round: first the files, as the tables say, then the executable. An entry whose executable is gone blocks every call
where it fails closed. A host that is running may keep its entries until it is started again.

## The hosts

${packs.map(formatHostChapter).join("\n")}`;
