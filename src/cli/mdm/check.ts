import { resolve } from "node:path";
import pkg from "../../../package.json" with { type: "json" };
import {
  createInstallContext,
  findPresentHosts,
  formatOwnCommand,
  type InstallContext,
} from "../../operate/machine/install-context.ts";
import {
  type CheckedFile,
  type CheckOptions,
  checkInstalledPack,
  checkUnknownFile,
  getPlacedName,
  type HostCoverage,
  isInPlace,
  type MdmCheck,
} from "../../operate/mdm/check.ts";
import { type InstalledPack, readInstalledPack } from "../../operate/mdm/manifest.ts";
import { buildHostPacks } from "../../operate/mdm/mdm.ts";
import type { PackOrder } from "../../operate/mdm/pack-order.ts";
import { listClientFiles, OWN_NAME } from "../../operate/mdm/placed-files.ts";
import { buildPolicyFiles, type ShippedConfig } from "../../operate/mdm/policy-files.ts";
import { type ClientSystem, findClientSystem } from "../../operate/mdm/programs.ts";
import type { HostPack } from "../../operate/mdm/readme.ts";
import { formatCount, formatJson, escapeStrings } from "../../operate/text.ts";
import { getManagedConfig } from "../../policy/config-paths.ts";
import { readModes } from "../../policy/modes.ts";
import type { Host } from "../../protocol/host/host.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import { checkConfigFiles } from "../config/check.ts";
import { COMPILED_HOOKS } from "../find-hooks.ts";
import { formatTimedMode } from "../install/plan-mode.ts";
import { padText, type PageLayout, wrapLabeled } from "../terminal/layout.ts";
import type { TerminalOutput } from "../terminal/terminal.ts";

interface CheckRequest {
  order: PackOrder;
  selectedHosts: readonly Host[];
  config: ShippedConfig | undefined;
  command: { pack?: string | undefined; root?: string | undefined; json: boolean; host: readonly string[] };
}

/** Compares this machine with a pack and prints the differences. */
export async function checkMachine(request: CheckRequest, output: TerminalOutput): Promise<number> {
  const { order, selectedHosts, config, command } = request;
  const system = findClientSystem();
  const context = await createInstallContext(command.root, "managed");
  const { machine, self } = context;
  const packs = await buildHostPacks(order, selectedHosts);
  const packFiles = [...packs.flatMap(({ files }) => files), ...(config ? buildPolicyFiles(config) : [])];
  const pack: InstalledPack =
    command.pack === undefined
      ? { version: pkg.version, program: order.programs[system], files: listClientFiles(packFiles, system) }
      : readInstalledPack(command.pack, system);
  const presentHosts = await findPresentHosts([], machine);
  const presentIds = presentHosts.map(({ host }) => host.id);
  const namedIds = command.host.length > 0 ? selectedHosts.map(({ id }) => id) : [];
  const options: CheckOptions = {
    presentHosts: presentIds,
    selectedHosts: namedIds,
    candidateHosts: [...presentIds, ...listUnmanagedHosts(packs, system), ...namedIds],
    disablingSettings: await findDisablingSettings(context, selectedHosts),
    isDeployed: command.pack !== undefined,
    profiles: Object.fromEntries(
      packs.map(({ host, files }) => [host.id, files.flatMap(({ deliveredPath }) => deliveredPath ?? [])]),
    ),
    system: machine.system ?? "",
    formatFix: (host) => formatFix(host, command, formatOwnCommand({ machine, self })),
    platform: process.platform,
  };
  const placedPack = checkInstalledPack(pack, options);
  const files = await checkPolicyFile(placedPack.files, options, formatOwnCommand({ machine, self }));
  const checked: MdmCheck = { ...placedPack, files, ok: placedPack.ok && files.every(isInPlace) };
  if (command.json) output.write(`${formatJson(checked)}\n`);
  else output.say(`${formatCheck(escapeStrings(checked), formatOwnCommand({ machine, self }), output)}\n`);
  return checked.ok ? 0 : 1;
}

/** Returns, by host ID, the setting that keeps a host from running its hooks. */
async function findDisablingSettings(
  context: InstallContext,
  hosts: readonly Host[],
): Promise<ReadonlyMap<string, string>> {
  const { findDisablingFaults } = await import("../doctor/config-faults.ts");
  const hostIds = hosts.map(({ id }) => id);
  const faultsByHost = await findDisablingFaults(context, hostIds);
  return new Map([...faultsByHost].flatMap(([host, [fault]]) => (fault ? [[host, fault.what] as const] : [])));
}

/** Lists hosts that call hooks, but for which no pack has files on this system. */
const listUnmanagedHosts = (packs: readonly HostPack[], system: ClientSystem): string[] =>
  packs
    .filter(({ files, isUnwanted }) => !isUnwanted && listClientFiles(files, system).length === 0)
    .map(({ host }) => host.id);

/**
 * Adds the mode to the policy file's result. If the pack contains no policy file, also adds a result for the installed
 * file.
 */
async function checkPolicyFile(
  files: readonly CheckedFile[],
  options: CheckOptions,
  ownCommand: string,
): Promise<CheckedFile[]> {
  const path = options.system + getManagedConfig();
  const policyFile = files.find((file) => file.path === path);
  if (!policyFile && options.selectedHosts.length > 0) return [...files];
  const file = policyFile ?? checkUnknownFile(path, options);
  const checked = file.state === "ok" ? await checkPolicyContent(file, ownCommand) : file;
  return policyFile
    ? files.map((candidate) => (candidate === policyFile ? checked : candidate))
    : [...files.slice(0, 1), checked, ...files.slice(1)];
}

async function checkPolicyContent(file: CheckedFile, ownCommand: string): Promise<CheckedFile> {
  const { path } = file;
  const report = await checkConfigFiles([path], "managed", COMPILED_HOOKS, process.cwd());
  if (report.ok) return { ...file, mode: (await readModes([{ scope: "managed", path }])).general };
  const [wrong] = report.files.flatMap(({ findings }) => findings.filter(({ level }) => level === "red"));
  const fix = `${ownCommand} config check --scope managed ${quoteCommand([path], process.platform === "win32" ? "powershell" : "sh")}`;
  const problem = wrong ? [wrong.path, wrong.message].filter(Boolean).join(": ") : "a rule's example fails";
  return { ...file, state: "different", problem, fix };
}

/**
 * Formats the command that restores a host's files. If there is a pack, the command runs the pack's script. Otherwise
 * it runs this executable, which merges the files.
 */
function formatFix(host: string, { pack, root }: CheckRequest["command"], ownCommand: string): string {
  const isWindows = process.platform === "win32";
  if (pack !== undefined) {
    const dir = resolve(pack);
    // Pass arguments as Jamf does: the mount point, then two unused arguments.
    const image = root === undefined ? [] : [resolve(root), "-", "-"];
    return isWindows
      ? `${quoteCommand(["powershell", "-ExecutionPolicy", "Bypass", "-File", `${dir}\\rollout\\windows\\intune-remediation.ps1`], "powershell")} as an administrator`
      : quoteCommand(
          ["sudo", "sh", `${dir}/rollout/${findClientSystem()}/place-files.sh`, ...image, "install", host],
          "sh",
        );
  }
  if (host === OWN_NAME) return "deploy the pack's policy again";
  return `${isWindows ? "" : "sudo "}${ownCommand} install --scope managed --host ${host}${root === undefined ? "" : ` --root ${quoteCommand([resolve(root)], "sh")}`}`;
}

const INDENT = 13;

function formatCheck({ ok, files, hosts }: MdmCheck, ownCommand: string, page: PageLayout): string {
  const formatChapter = (title: string, id: string) =>
    [title, ...files.filter(({ host }) => host === id).flatMap((file) => formatFile(file, page))].join("\n");
  const listNames = (coverage: HostCoverage) =>
    hosts.flatMap((host) => (host.coverage === coverage ? getPlacedName(host.host) : []));
  const formatHosts = (label: string, names: readonly string[], hint = "") =>
    names.length > 0 ? [`${label}: ${names.join(", ")}${hint}`] : [];
  const chapters = [
    ...(files.some(({ host }) => host === OWN_NAME) ? [formatChapter(OWN_NAME, OWN_NAME)] : []),
    ...hosts
      .filter(({ host }) => files.some((file) => file.host === host))
      .map(({ host, coverage }) => formatChapter(`${getPlacedName(host)}: ${coverage}`, host)),
  ];
  const presentCount = files.filter(({ state }) => state !== "none").length;
  const wrongCount = files.filter((file) => !isInPlace(file)).length;
  const summary = ok
    ? [
        `${formatCount(presentCount, "file is", "files are")} in place; to check that denials take effect: ${ownCommand} doctor`,
      ]
    : wrongCount > 0
      ? [`${wrongCount} of ${formatCount(presentCount, "file")} ${wrongCount === 1 ? "needs" : "need"} a fix`]
      : [];
  const notes = [
    ...formatHosts("not on this machine", listNames("absent")),
    ...formatHosts("no managed files", listNames("unmanaged"), `; run as each user: ${ownCommand} install`),
  ];
  return [...chapters, ...[...notes, ...summary].map((line) => wrapLabeled("", line, 0, page).join("\n"))].join("\n\n");
}

const NO_POLICY = "no policy file; each user's config sets the mode";

function formatFile({ path, state, problem, fix, mode }: CheckedFile, page: PageLayout): string[] {
  return [
    `  ${padText(state, INDENT - 2)}${path}`,
    ...(problem === undefined || state === "missing" ? [] : wrapLabeled("", problem, INDENT, page)),
    ...(state === "none" ? wrapLabeled("", NO_POLICY, INDENT, page) : []),
    ...(mode === undefined ? [] : wrapLabeled("", `mode: ${formatTimedMode(mode)}`, INDENT, page)),
    ...(fix === undefined ? [] : wrapLabeled("", `fix: ${fix}`, INDENT, page)),
  ];
}
