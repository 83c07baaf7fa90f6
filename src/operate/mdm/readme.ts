import { posix } from "node:path";
import type { Host } from "../../protocol/host/host.ts";
import type { PackFile } from "../../protocol/host/pack.ts";
import { type Mode, type StatedModes, summarizeModes } from "../../policy/modes.ts";
import { quoteWord } from "./executable-files.ts";
import { listInstallLines } from "./packages.ts";
import type { PackOrder } from "./pack-order.ts";
import { CLIENT_SYSTEMS, type ClientSystem, DEFAULT_PROGRAM_PATHS, SYSTEM_NAMES } from "./programs.ts";

/** The files of a host. The list is empty if the host has no managed file, or none of the requested events. */
export interface HostPack {
  host: Host;
  files: readonly PackFile[];
  /** Whether the hooks don't subscribe to any of the host's events. */
  isUnwanted?: true;
}

type Part = "executable" | "policy" | "rollout" | "ansible" | "coverage";
export type PackParts = {
  packs: readonly HostPack[];
  /** Modes that the pack's config file sets. */
  modes?: StatedModes | undefined;
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
 * @param folder directory of the page, with a trailing slash.
 */
const formatLink = (path: string, folder = "") => {
  const shown = path.startsWith(folder) ? path.slice(folder.length) : path;
  return `[${shown}](${shown})`;
};

const formatFileTable = (files: readonly PackFile[], folder: string): string =>
  formatTable(
    ["File", "Goes", "Taken back"],
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
  ["File", "Goes", "The host shows it", "Taken back"],
  files.map(({ path, deployment: destination, loadedSign, undo }) => [
    formatLink(path, folder),
    destination,
    loadedSign,
    undo,
  ]),
)}

${formatTable(
  ["System", "Jamf", "Intune", "Kandji", "Plain files"],
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

A \`.mobileconfig\` is uploaded as it is, for the device channel; it is not signed. A \`.plist\` is for an MDM that makes the profile itself
[unverified; docs https://developer.apple.com/documentation/devicemanagement/managedpreferences]. Everything else is a file or a registry value.
`;
}

function formatExecutablePage(files: readonly PackFile[]): string {
  const lines = listInstallLines(files.filter(({ bytes }) => bytes)).map(
    ({ system, what, install, remove, back, by }) => [
      SYSTEM_NAMES[system],
      what,
      ...[install, remove, back].map(formatCode),
      by,
    ],
  );
  const paths = CLIENT_SYSTEMS.map((system) => `${SYSTEM_NAMES[system]} ${formatCode(DEFAULT_PROGRAM_PATHS[system])}`);
  return `# The executable

${formatTable(["System", "What", "Install", "Remove", "Back to an older version", "By"], lines)}

- The lines ask nothing, and run as root or SYSTEM. The \`.deb\` and \`.rpm\` were installed, upgraded, put back and removed on Linux, the \`.msi\`
  under Wine; no MDM has run the lines yet [unverified].
- A package puts the executable at one path (${paths.join(", ")}), and replaces the version that is there: keep its package, which is the way
  back. An older \`.msi\` over a newer one ends with 1603 and changes nothing, so the newer one goes first; in between, calls are denied where
  entries fail closed.
- \`place.sh\` and \`place.ps1\` keep plain executables, such as \`build\` makes of your own hooks, side by side in \`versions\` beside that path; one
  of them is in force. \`place.sh\` changes nothing that a package put there.

${formatFileTable(files, "executable/")}
`;
}

const POLICY_PAGE = `# Changing the policy without a build

The config file of the administrators sets hooks, rules, exceptions, modes and locks. The next call obeys it: nobody builds or installs an executable.

1. Change the file. \`bridge-hooks config check config.json\` says what is wrong in it, and whether each rule catches its examples.
2. See what it would do: \`bridge-hooks replay --history --config config.json\`, or \`"mode": "observe"\` in it for a while, and \`bridge-hooks report\`.
3. Run \`bridge-hooks mdm\` again with \`--config config.json\`, and roll the pack out to a pilot group, then to everybody.
4. \`policy.parts.managed\` of \`bridge-hooks doctor --json\` is the hash of what is in force on a client; the scripts in \`coverage\` compare it with that
   of this pack.
5. Back: roll out the pack before it.
`;

const MODE_EFFECTS: Readonly<Record<Mode, string>> = {
  enforce: "denials are enforced",
  warn: "calls that would be denied are allowed with a warning",
  observe: "calls that would be denied are allowed and logged",
};

function formatModes(modes: StatedModes | undefined): string {
  if (!modes)
    return `Mode: as each user's config says, and "enforce" without one, since this pack has no policy. To observe first, write the pack again with
\`--config policy.json\` and \`"mode": "observe"\` in that file.`;
  const { mode, until } = modes.whole;
  const others = Object.entries(summarizeModes(modes)?.others ?? {}).map(
    ([name, other]) => `${formatCode(name)} ("${other}")`,
  );
  return `Mode: "${mode}"${until === undefined ? "" : ` until ${until}, then "enforce"`}, by [policy](policy/README.md): ${MODE_EFFECTS[mode]}.${others.length > 0 ? ` Other modes: ${others.join(", ")}.` : ""}`;
}

/** Formats the commands that install a pack on one machine, to be pasted in order. */
function formatFirstLines(system: ClientSystem, program: string): string {
  const own = `${system === "windows" ? "& " : ""}${/^[\w/.-]+$/.test(program) ? program : quoteWord(program, system)}`;
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
${[...lines, `${own} mdm --check --pack .`, `${own} doctor`].join("\n")}
\`\`\``;
}

/** Returns whether all of a host's files belong to individual users rather than to the machine. */
const isForUsers = ({ files }: HostPack) => files.length > 0 && files.every(({ target }) => target === undefined);
const formatNames = (packs: readonly HostPack[]) => packs.map(({ host }) => host.name).join(", ");

/** Formats a table of deployment methods. The columns are executable, files and check. */
function formatWays({ packs }: PackParts): string {
  const profiles = packs.some(({ files }) => files.some(({ path }) => path.endsWith(".mobileconfig")));
  const profile = profiles ? "; for parameter 5, list the hosts without a `.mobileconfig` in this pack" : "";
  return formatTable(
    ["With", "The executable", "The files", "The check"],
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
        "the same script, as a shell script",
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

const formatNone = (why: string, packs: readonly HostPack[]): string =>
  packs.length > 0 ? `${formatNames(packs)}: ${why}.\n` : "";

const formatMissing = (packs: readonly HostPack[]): string =>
  formatNone(
    "no managed file, so the pack doesn't contain any files",
    packs.filter(({ isUnwanted }) => !isUnwanted),
  ) +
  formatNone(
    "no files, because the hooks don't subscribe to any events there",
    packs.filter(({ isUnwanted }) => isUnwanted),
  );

function formatMainPage(order: PackOrder, parts: PackParts): string {
  const { packs, policy, modes } = parts;
  const users = packs.filter(isForUsers);
  const none = packs.filter(({ files }) => files.length === 0);
  const shown = packs.filter(({ files }) => files.length > 0);
  const { linux, macos, windows } = order.programs;
  return `# Rolling out bridge-hooks

Every agent on a machine calls the executable at this path: ${CLIENT_SYSTEMS.map((system) => `${SYSTEM_NAMES[system]} ${formatCode(order.programs[system])}`).join(", ")}.
${formatModes(modes)}
If a hook or the executable fails, the call ${order.on_error === "deny" ? "is denied, as far as the host lets an entry say so" : "goes on"} (\`--on-error ${order.on_error}\`). The same options give the same pack; \`SHA256SUMS\` has their hashes.

No MDM, Mac or Windows machine has taken these files yet [unverified]: the Linux part was run on Linux, the scripts for macOS against stand-ins
of the system's programs, and the PowerShell was only parsed.

## 1. One machine first

Copy this folder to the machine, and paste these lines there in it, one after the other. FILE is the executable for that machine; a package goes
another way: [executable](executable/README.md). \`doctor\` is for a person who uses an agent there, without \`sudo\`.

Linux:

${formatFirstLines("linux", linux)}

macOS:

${formatFirstLines("macos", macos)}

Windows, as an administrator:

${formatFirstLines("windows", windows)}

The second line leaves alone what no pack placed. For a mounted image, name its root: \`sudo sh rollout/linux/place-files.sh /mnt/image install\`, and
\`bridge-hooks mdm --check --pack . --root /mnt/image\`. Then have an agent do something that a hook denies.

## 2. A pilot group, then everybody

${formatWays(parts)}

Use one method for each host on a machine; its page says what several of them do: ${shown.map(({ host }) => `[${host.name}](${host.id}/README.md)`).join(", ")}.
${users.length > 0 ? `${formatNames(users)}: nothing for a whole machine; \`install-as-user\` runs as each user.\n` : ""}${formatMissing(none)}
## 3. On a client

\`bridge-hooks mdm --check\` compares each file with what this executable places, \`--pack DIR\` with this folder; exit code 1, and what to do, where one is
missing, different or open to others. The check of the table prints \`ok\` or \`RED\` with what \`doctor\` found. What a profile or the registry brings, only the
host itself shows: its page says where.

## 4. Later

A new executable: a newer package, or \`place.sh add\`. New hooks may want other events: write the pack again with it, and roll out what changed.
${policy.length > 0 ? "A new policy: [policy/README.md](policy/README.md)." : "A new policy needs no executable: write the pack again with `--config FILE`."}

## 5. The way back

First the files: Ansible with \`-e bridge_hooks_state=absent\` (the executable as well), \`sudo sh rollout/linux/place-files.sh remove\`, in Intune [remove-files.ps1](rollout/windows/remove-files.ps1); the MDM
removes a profile from machines that leave its scope. Then the executable. An entry whose executable is gone blocks each call where it fails closed. Agents that run keep
their entries until they start again.
`;
}

/** Builds the pages of a pack: the main page, and a page for each part that needs more detail. */
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
