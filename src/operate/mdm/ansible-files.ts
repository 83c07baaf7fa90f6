import type { PackFile, PackSpec } from "../../protocol/host/pack.ts";
import { getRecordPath, listPlacedFiles, OWN_NAME } from "./placed-files.ts";
import { formatRecordLine } from "./rollout-files.ts";
import defaults from "./template/ansible/defaults.txt" with { type: "text" };
import executable from "./template/ansible/executable.txt" with { type: "text" };
import files from "./template/ansible/files.txt" with { type: "text" };
import main from "./template/ansible/main.txt" with { type: "text" };
import meta from "./template/ansible/meta.txt" with { type: "text" };
import noExecutable from "./template/ansible/no-executable.txt" with { type: "text" };
import playbook from "./template/ansible/playbook.txt" with { type: "text" };

const ROLE = "ansible/roles/bridge_hooks";
/** Client systems by Ansible's name. */
const SYSTEMS = { Linux: "linux", Darwin: "macos" } as const;

/** Formats a YAML string as JSON. Marks it `!unsafe` if Ansible would otherwise expand braces in it. */
const formatString = (text: string): string => `${/\{[{%#]/.test(text) ? "!unsafe " : ""}${JSON.stringify(text)}`;

const formatMap = (name: string, format: (system: "linux" | "macos") => string): string =>
  `${name}:\n${Object.entries(SYSTEMS)
    .map(([ansible, system]) => `  ${ansible}:${format(system)}`)
    .join("\n")}\n`;

function formatVariables({ programs }: Pick<PackSpec, "programs">, packed: readonly PackFile[]): string {
  const formatList = (system: "linux" | "macos") => {
    const placed = listPlacedFiles(packed, system).map((file) => {
      const fields = { host: file.host, src: file.path, dest: file.target, line: formatRecordLine(file) };
      return Object.entries(fields)
        .map(([name, value], at) => `${at === 0 ? "    - " : "      "}${name}: ${formatString(value)}`)
        .join("\n");
    });
    return placed.length === 0 ? " []" : `\n${placed.join("\n")}`;
  };
  return [
    "# Written by bridge-hooks mdm, with the files of the pack.\n",
    formatMap("bridge_hooks_programs", (system) => ` ${formatString(programs[system])}`),
    formatMap("bridge_hooks_records", (system) => ` ${formatString(getRecordPath(system))}`),
    `bridge_hooks_known_hosts: ${JSON.stringify(listHosts(packed))}\n`,
    formatMap("bridge_hooks_files", formatList),
  ].join("");
}

/** Lists the hosts with files on a system that Ansible manages. */
const listHosts = (packed: readonly PackFile[]): string[] => [
  ...new Set(
    Object.values(SYSTEMS)
      .flatMap((system) => listPlacedFiles(packed, system).map(({ host }) => host))
      .filter((host) => host !== OWN_NAME),
  ),
];

/** Builds an Ansible role and playbook that install the executable and place the pack's files. */
export function buildAnsibleFiles(order: Pick<PackSpec, "programs">, packed: readonly PackFile[]): PackFile[] {
  const package_ = packed.find(({ path }) => /^executable\/linux\/.*\.(deb|rpm)$/.test(path));
  const texts: Record<string, string> = {
    "ansible/playbook.yml": playbook,
    [`${ROLE}/defaults/main.yml`]: defaults
      .replace("@PACKAGE@", () => JSON.stringify(package_ ? `{{ bridge_hooks_pack }}/${package_.path}` : ""))
      .replace("@HOSTS@", JSON.stringify(listHosts(packed))),
    [`${ROLE}/meta/main.yml`]: meta,
    [`${ROLE}/tasks/main.yml`]: main,
    [`${ROLE}/tasks/executable.yml`]: executable,
    [`${ROLE}/tasks/files.yml`]: files,
    [`${ROLE}/tasks/no-executable.yml`]: noExecutable,
    [`${ROLE}/vars/main.yml`]: formatVariables(order, packed),
  };
  return Object.entries(texts).map(([path, text]) => ({
    path,
    text,
    deployment: path.endsWith("playbook.yml") ? "is run where Ansible runs; its first lines say how" : "",
    os: ["linux", "macos"],
    by: [],
  }));
}
