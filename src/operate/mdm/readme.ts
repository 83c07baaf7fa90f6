import { posix } from "node:path";
import type { Host } from "../../protocol/host/host.ts";
import type { PackFile } from "../../protocol/host/pack.ts";
import { type Mode, type DeclaredModes, summarizeModes } from "../../policy/modes.ts";
import { quoteWord } from "./executable-files.ts";
import { listInstallLines } from "./packages.ts";
import type { PackOrder } from "./pack-order.ts";
import { CLIENT_SYSTEMS, type ClientSystem, DEFAULT_PROGRAM_PATHS, SYSTEM_NAMES } from "./programs.ts";

/**
 * A host's files in a pack. The list is empty if the host has no managed file or supports none of the requested events.
 */
export interface HostPack {
  host: Host;
  files: readonly PackFile[];
  /** Set if the hooks don't subscribe to any of the host's events. */
  isUnwanted?: true;
}

type Part = "executable" | "policy" | "rollout" | "ansible" | "coverage";
export type PackParts = {
  packs: readonly HostPack[];
  /** Modes that the pack's config file sets. */
  modes?: DeclaredModes | undefined;
} & Readonly<Record<Part, readonly PackFile[]>>;

const formatCell = (text = "") => text.replaceAll("|", "\\|") || "–";
const formatTable = (titles: readonly string[], rows: readonly (readonly (string | undefined)[])[]) =>
  [titles, titles.map(() => "---"), ...rows].map((row) => `| ${row.map(formatCell).join(" | ")} |`).join("\n");

/** Formats a code span for a path, which may contain backticks. */
function formatCode(text: string): string {
  const fence = "`".repeat(1 + Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length)));
  return fence === "`" ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

/**
 * Formats a link.
 * @param folder directory of the page that contains the link, with a trailing slash.
 */
const formatLink = (path: string, folder = "") => {
  const label = path.startsWith(folder) ? path.slice(folder.length) : path;
  return `[${label}](${label})`;
};

const formatFileTable = (files: readonly PackFile[], folder: string): string =>
  formatTable(
    ["File", "Deployment", "Removal"],
    files
      .filter((file) => file.path.startsWith(folder) && file.deployment !== "")
      .map(({ path, deployment: destination, undo }) => [formatLink(path, folder), destination, undo]),
  );

function formatHostPage({ host, files }: HostPack): string {
  const notes = [...new Set(files.flatMap(({ notes = [] }) => notes))];
  const folder = `${host.id}/`;
  return `# ${host.name}

${notes.map((note) => `- ${note}`).join("\n")}

${formatTable(
  ["File", "Deployment", "Verification", "Removal"],
  files.map(({ path, deployment: destination, loadedSign, undo }) => [
    formatLink(path, folder),
    destination,
    loadedSign,
    undo,
  ]),
)}

${formatTable(
  ["System", "Jamf", "Intune", "Kandji", "Other methods"],
  CLIENT_SYSTEMS.map((system) => [
    SYSTEM_NAMES[system],
    ...(["jamf", "intune", "kandji", "files"] as const).map((means) =>
      files
        .filter(({ os, by }) => os.includes(system) && by.includes(means))
        .map(({ path }) => formatCode(posix.basename(path)))
        .join(", "),
    ),
  ]),
)}

Upload a \`.mobileconfig\` unchanged to the device channel; the file isn't signed. A \`.plist\` is for an MDM that builds the profile itself
[unverified; docs https://developer.apple.com/documentation/devicemanagement/managedpreferences]. All other items are files or registry values.
`;
}

function formatExecutablePage(files: readonly PackFile[]): string {
  const lines = listInstallLines(files.filter(({ bytes }) => bytes)).map(
    ({ system, item, install, remove, downgrade, by }) => [
      SYSTEM_NAMES[system],
      item,
      ...[install, remove, downgrade].map(formatCode),
      by,
    ],
  );
  const paths = CLIENT_SYSTEMS.map((system) => `${SYSTEM_NAMES[system]} ${formatCode(DEFAULT_PROGRAM_PATHS[system])}`);
  return `# The executable

${formatTable(["System", "Item", "Install", "Remove", "Downgrade", "Method"], lines)}

- Run the commands as root or SYSTEM. They don't ask any questions. Installation, upgrade, downgrade and removal were tested on Linux for the \`.deb\`
  and the \`.rpm\`, and under Wine for the \`.msi\`. No MDM has run the commands yet [unverified].
- A package installs the executable at one path (${paths.join(", ")}) and replaces the existing version. Keep the previous package in case of a
  downgrade. Installing an older \`.msi\` over a newer version fails with 1603 and changes nothing, so remove the newer version first. Until the older version
  is installed, entries that fail closed deny calls.
- \`place.sh\` and \`place.ps1\` manage plain executables, such as those that \`build\` creates from your own hooks. The scripts store all versions in the directory
  \`versions\` next to the executable. One version is active. \`place.sh\` doesn't change files that a package installed.

${formatFileTable(files, "executable/")}
`;
}

const POLICY_PAGE = `# Changing the policy without a build

The administrators' config file sets hooks, rules, exceptions, modes and locks. A change takes effect on the next call. You don't need to build or install an executable.

1. Change the file and run \`bridge-hooks config check config.json\`. It reports errors, and rules that don't match their examples.
2. Preview the effect with \`bridge-hooks replay --history --config config.json\`, or set \`"mode": "observe"\` for some time and then run \`bridge-hooks report\`.
3. Run \`bridge-hooks mdm\` again with \`--config config.json\`, and roll out the pack, first to a pilot group and then to all machines.
4. Check the clients. In \`bridge-hooks doctor --json\`, \`policy.parts.managed\` is the hash of the config in force. The scripts in \`coverage\` compare it
   with the hash of this pack's config.
5. To revert a change, roll out the previous pack.
`;

const MODE_EFFECTS: Readonly<Record<Mode, string>> = {
  enforce: "denials are enforced",
  warn: "calls that would be denied are allowed with a warning",
  observe: "calls that would be denied are allowed and logged",
};

function formatModes(modes: DeclaredModes | undefined): string {
  if (!modes)
    return `Mode: as set in each user's config (default: "enforce"), because this pack has no policy. To observe first, generate the pack again with
\`--config policy.json\`, and set \`"mode": "observe"\` in that file.`;
  const { mode, until } = modes.general;
  const otherModes = Object.entries(summarizeModes(modes)?.others ?? {}).map(
    ([name, otherMode]) => `${formatCode(name)} ("${otherMode}")`,
  );
  return `Mode: "${mode}"${until === undefined ? "" : ` until ${until}, then "enforce"`}, set by [policy](policy/README.md): ${MODE_EFFECTS[mode]}.${otherModes.length > 0 ? ` Other modes: ${otherModes.join(", ")}.` : ""}`;
}

/** Formats the commands that install a pack on one machine, in the order they should be run. */
function formatInstallCommands(system: ClientSystem, program: string): string {
  const executable = `${system === "windows" ? "& " : ""}${/^[\w/.-]+$/.test(program) ? program : quoteWord(program, system)}`;
  const powershell = "powershell -ExecutionPolicy Bypass -File";
  const lines =
    system === "windows"
      ? [
          `${powershell} executable\\windows\\place.ps1 add FILE.exe`,
          `${powershell} rollout\\windows\\intune-remediation.ps1`,
          `${powershell} executable\\windows\\smoke-test.ps1`,
        ]
      : [
          `sudo sh executable/${system}/place.sh add FILE`,
          `sudo sh rollout/${system}/place-files.sh install`,
          `sh executable/${system}/smoke-test.sh`,
        ];
  return `\`\`\`${system === "windows" ? "powershell" : "sh"}
${[...lines, `${executable} mdm --check --pack .`, `${executable} doctor`].join("\n")}
\`\`\``;
}

/** Returns whether all of a host's files belong to individual users rather than to the machine. */
const isUserOnly = ({ files }: HostPack) => files.length > 0 && files.every(({ target }) => target === undefined);
const formatNames = (packs: readonly HostPack[]) => packs.map(({ host }) => host.name).join(", ");

/** Formats a table of deployment methods, with columns for the executable, the files and the check. */
function formatMethodTable({ packs }: PackParts): string {
  const hasProfiles = packs.some(({ files }) => files.some(({ path }) => path.endsWith(".mobileconfig")));
  const profile = hasProfiles ? "; for parameter 5, list the hosts without a `.mobileconfig` in this pack" : "";
  return formatTable(
    ["Method", "Executable", "Files", "Check"],
    [
      [
        "Ansible (Linux, macOS)",
        "`bridge_hooks_executable`: a plain file or a package",
        "[ansible/playbook.yml](ansible/playbook.yml)",
        "the same playbook with `--check`",
      ],
      [
        "Jamf Pro",
        "a package, or `place.sh`",
        `[rollout/macos/place-files.sh](rollout/macos/place-files.sh) as a script, parameter 4 \`install\`${profile}`,
        "[an extension attribute](coverage/macos/jamf-extension-attribute.sh)",
      ],
      [
        "Intune, macOS; Kandji",
        "a package, or `place.sh`",
        "[rollout/macos/place-files.sh](rollout/macos/place-files.sh) as a shell script",
        "[a custom attribute](coverage/macos/intune-custom-attribute.sh)",
      ],
      [
        "Intune, Windows",
        "an `.msi`, or a Win32 app with [this detection](rollout/windows/intune-app-detection.ps1)",
        "a remediation: [detection](rollout/windows/intune-detection.ps1), [remediation](rollout/windows/intune-remediation.ps1)",
        "[a second remediation](coverage/windows/intune-detection.ps1), as the user",
      ],
      [
        "Anything else",
        "a package, or `place.sh`",
        "[rollout/linux/place-files.sh](rollout/linux/place-files.sh), as root",
        "[coverage/linux/coverage.sh](coverage/linux/coverage.sh), as each user",
      ],
    ],
  );
}

const formatHostNote = (reason: string, packs: readonly HostPack[]): string =>
  packs.length > 0 ? `${formatNames(packs)}: ${reason}.\n` : "";

const formatMissing = (packs: readonly HostPack[]): string =>
  formatHostNote(
    "no managed file, so the pack doesn't contain any files",
    packs.filter(({ isUnwanted }) => !isUnwanted),
  ) +
  formatHostNote(
    "no files, because the hooks don't subscribe to any events on these hosts",
    packs.filter(({ isUnwanted }) => isUnwanted),
  );

function formatMainPage(order: PackOrder, parts: PackParts): string {
  const { packs, policy, modes } = parts;
  const users = packs.filter(isUserOnly);
  const none = packs.filter(({ files }) => files.length === 0);
  const packsWithFiles = packs.filter(({ files }) => files.length > 0);
  const { linux, macos, windows } = order.programs;
  return `# Rolling out bridge-hooks

Every agent on a machine calls the executable at this path: ${CLIENT_SYSTEMS.map((system) => `${SYSTEM_NAMES[system]} ${formatCode(order.programs[system])}`).join(", ")}.
${formatModes(modes)}
If a hook or the executable fails, the call is ${order.on_error === "deny" ? "denied if the host supports this" : "allowed"} (\`--on-error ${order.on_error}\`). The same options always generate the same pack. \`SHA256SUMS\` contains the file hashes.

These files haven't been tested with an MDM, on a Mac or on Windows yet [unverified]. The Linux scripts were run on Linux. The macOS scripts were run with
stand-ins for the macOS programs. The PowerShell scripts were only parsed.

## 1. Test on one machine

Copy this directory to the machine, and run these commands one by one in the directory. FILE is the executable for the machine. To use a package instead, see
[executable](executable/README.md). Run \`doctor\` as a user who runs an agent, without \`sudo\`.

Linux:

${formatInstallCommands("linux", linux)}

macOS:

${formatInstallCommands("macos", macos)}

Windows, as an administrator:

${formatInstallCommands("windows", windows)}

The second command replaces files that were changed after a pack placed them, and doesn't change files that no pack placed. For a mounted image, pass its root: \`sudo sh rollout/linux/place-files.sh /mnt/image install\`, and
\`bridge-hooks mdm --check --pack . --root /mnt/image\`. Afterwards, let an agent try an action that a hook denies.

## 2. Roll out to a pilot group, then to all machines

${formatMethodTable(parts)}

For each host on a machine, use only one method. The host's page explains what happens if you use several methods: ${packsWithFiles.map(({ host }) => `[${host.name}](${host.id}/README.md)`).join(", ")}.
${users.length > 0 ? `${formatNames(users)}: the pack has no files for the entire machine; run \`install-as-user\` as each user.\n` : ""}${formatMissing(none)}
## 3. Check a client

\`bridge-hooks mdm --check --pack DIR\` compares this pack's files with the machine's and reports each host as \`covered\`, \`missing\`, \`outdated\` or \`exposed\` (writable by
other users). Unless all files are in place, the command prints fixes and exits with 1. To repair a client, run the deployment again. The checks in the table print \`ok\`, or \`RED\` with the findings of \`doctor\`.
Settings from a profile or the registry are visible only in the host. The host's page explains where.

## 4. Update

To update the executable, install a newer package or run \`place.sh add\`. New hooks may need additional events. Generate the pack again with the new executable,
and roll out the changed files.
${policy.length > 0 ? "To update the policy, see [policy/README.md](policy/README.md)." : "A new policy doesn't require a new executable. Generate the pack again with `--config FILE`."}

## 5. Uninstall

First remove the files with \`sudo sh rollout/linux/place-files.sh remove\`, with Ansible and \`-e bridge_hooks_state=absent\` (which also removes the executable), or in
Intune with [remove-files.ps1](rollout/windows/remove-files.ps1). The MDM removes a profile from machines that leave the profile's scope. Then remove the executable. If the executable is
removed first, entries that fail closed block every call. Running agents use the old entries until they restart.
`;
}

/** Builds the pages of a pack: the main page, and one for each part that needs more detail. */
export function buildReadmes(order: PackOrder, parts: PackParts): { path: string; text: string }[] {
  const { packs, executable, policy } = parts;
  return [
    { path: "README.md", text: formatMainPage(order, parts) },
    { path: "executable/README.md", text: formatExecutablePage(executable) },
    ...(policy.length > 0
      ? [{ path: "policy/README.md", text: `${POLICY_PAGE}\n${formatFileTable(policy, "policy/")}\n` }]
      : []),
    ...packs
      .filter(({ files }) => files.length > 0)
      .map((pack) => ({ path: `${pack.host.id}/README.md`, text: formatHostPage(pack) })),
  ];
}
