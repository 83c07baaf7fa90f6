import { lstatSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { hosts } from "../../hosts/index.ts";
import { parseJsonOrToml } from "../../hosts/setup/define-setup.ts";
import { readOutput } from "../../hosts/run-program.ts";
import { quoteCommand } from "../../protocol/host/quote.ts";
import type { TimedMode } from "../../policy/modes.ts";
import { isObject } from "../../protocol/object.ts";
import { orAbsent } from "../../system/errors.ts";
import { existsSync } from "../../system/files.ts";
import type { InstalledPack } from "./manifest.ts";
import { OWN_NAME } from "./placed-files.ts";

/**
 * State of a placed file. `ok`: its contents match the pack. `merged`: it contains everything from the pack, plus other
 * settings. `profile`: it is missing, but device management delivers the host's settings in another way. `exposed`:
 * users other than root can change it. `none`: there is no policy file, and none is expected.
 */
export type FileState = "ok" | "merged" | "profile" | "none" | "missing" | "different" | "exposed";

export interface CheckedFile {
  /** ID of the host that reads the file, or `bridge-hooks`. */
  host: string;
  path: string;
  state: FileState;
  problem?: string;
  fix?: string;
  /** Mode that the policy file sets; absent for other files. */
  mode?: TimedMode;
}

/**
 * State of a host's managed files on a machine. `outdated`: a file differs from the pack. `exposed`: users other than
 * root can change a file. `absent`: the host isn't on this machine and has no files. `unmanaged`: the pack has no files
 * for the host on this system, so each user needs their own entries.
 */
export type HostCoverage = "covered" | "missing" | "outdated" | "exposed" | "absent" | "unmanaged";

export interface CheckedHost {
  host: string;
  coverage: HostCoverage;
}

export interface MdmCheck {
  ok: boolean;
  hosts: CheckedHost[];
  files: CheckedFile[];
}

export interface CheckOptions {
  /** Hosts installed on this machine. */
  presentHosts: readonly string[];
  /** Hosts to check. Empty for all hosts. */
  selectedHosts: readonly string[];
  /** Hosts to report as unmanaged if the pack has no files for them. */
  candidateHosts: readonly string[];
  /** Whether the pack's files are expected even for hosts that aren't installed. */
  isDeployed: boolean;
  /** Profile files by host ID. If any of a host's files exists, device management delivers the host's settings. */
  profiles: Readonly<Record<string, readonly string[]>>;
  /** Prefix for all paths, used to check a mounted disk image. */
  system: string;
  /** By host ID, the setting that keeps a host from running hooks. */
  disablingSettings: ReadonlyMap<string, string>;
  /** Formats the command that restores a host's files. */
  formatFix: (host: string) => string;
  platform: NodeJS.Platform;
}

/** Compares the files on a machine with the files that a pack places. */
export function checkInstalledPack(pack: InstalledPack, options: CheckOptions): MdmCheck {
  const { selectedHosts, candidateHosts, system } = options;
  const isSelected = (host: string) => selectedHosts.length === 0 || selectedHosts.includes(host);
  const isExpected = ({ host, target }: InstalledPack["files"][number]) =>
    options.isDeployed ||
    host === OWN_NAME ||
    selectedHosts.length > 0 ||
    options.presentHosts.includes(host) ||
    existsSync(dirname(system + target));
  const packFiles = pack.files.filter(({ host }) => isSelected(host));
  const files = [
    ...(selectedHosts.length > 0 ? [] : [checkExecutable(pack, options)]),
    ...packFiles.filter(isExpected).map((file) => checkFile(file, options)),
  ];
  const packHosts = packFiles.map(({ host }) => host).filter((host) => host !== OWN_NAME);
  const hostIds = new Set([...packHosts, ...candidateHosts.filter(isSelected)]);
  const checkedHosts = [...hostIds].map((host): CheckedHost => ({
    host,
    coverage: packHosts.includes(host) ? rateCoverage(files.filter((file) => file.host === host)) : "unmanaged",
  }));
  return { ok: files.every(isInPlace) && !isSelectedHostUnmanaged(checkedHosts, options), hosts: checkedHosts, files };
}

/** Returns whether `--host` names a host for which the pack has no files. */
const isSelectedHostUnmanaged = (checkedHosts: readonly CheckedHost[], { selectedHosts }: CheckOptions): boolean =>
  selectedHosts.length > 0 && checkedHosts.some(({ coverage }) => coverage === "unmanaged");

/** Rates a host by the worst state of its files. */
function rateCoverage(files: readonly CheckedFile[]): HostCoverage {
  const hasState = (state: FileState) => files.some((file) => file.state === state);
  if (files.length === 0) return "absent";
  if (hasState("missing")) return "missing";
  if (hasState("different")) return "outdated";
  return hasState("exposed") ? "exposed" : "covered";
}

/** Returns whether a file needs no action. */
export const isInPlace = ({ fix }: CheckedFile): boolean => fix === undefined;

/** Checks a policy file whose expected contents are unknown: it must be a regular file that only root can change. */
export function checkUnknownFile(path: string, options: CheckOptions): CheckedFile {
  const result = { host: OWN_NAME, path };
  const stat = orAbsent(() => lstatSync(path));
  if (!stat) return { ...result, state: "none" };
  if (!stat.isFile())
    return {
      ...result,
      state: "different",
      problem: NOT_A_FILE,
      fix: `move ${path} away; ${options.formatFix(OWN_NAME)}`,
    };
  const exposure = findExposure(path, options);
  return exposure ? { ...result, state: "exposed", ...exposure } : { ...result, state: "ok" };
}

const NOT_A_FILE = "not a regular file";

function checkFile({ host, target, bytes }: InstalledPack["files"][number], options: CheckOptions): CheckedFile {
  const path = options.system + target;
  const fix = options.formatFix(host);
  const stat = orAbsent(() => lstatSync(path));
  if (!stat) {
    const profile = (options.profiles[host] ?? []).find((one) => existsSync(options.system + one));
    if (profile !== undefined)
      return { host, path, state: "profile", problem: `delivered by ${options.system}${profile}` };
    return { host, path, state: "missing", problem: "missing", fix };
  }
  if (!stat.isFile()) return { host, path, state: "different", problem: NOT_A_FILE, fix: `move ${path} away; ${fix}` };
  const exposure = findExposure(path, options);
  if (exposure) return { host, path, state: "exposed", ...exposure };
  const content = readFileSync(path);
  if (Buffer.compare(content, bytes) === 0) return { host, path, state: "ok" };
  // Additional settings in the policy file may weaken the policy.
  if (host !== OWN_NAME && isSupersetOf(parseDocument(content, path), parseDocument(bytes, target))) {
    const problem = options.disablingSettings.get(host);
    if (problem !== undefined) return { host, path, state: "different", problem, fix };
    return { host, path, state: "merged", problem: "the file has additional settings" };
  }
  return {
    host,
    path,
    state: "different",
    problem: "the content differs; if the file didn't come from a pack, move it away first",
    fix,
  };
}

/** Parses a config file. Returns undefined for other files and for invalid contents. */
function parseDocument(bytes: Uint8Array, path: string): unknown {
  if (!/\.(json|toml)$/.test(path)) return undefined;
  try {
    return parseJsonOrToml(new TextDecoder("utf-8", { fatal: true }).decode(bytes), path);
  } catch {
    return undefined;
  }
}

/** Returns whether a value contains everything in `part`. Lists may have additional items. */
function isSupersetOf(value: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(value) && part.every((item) => value.some((candidate) => isSupersetOf(candidate, item)));
  if (isObject(part))
    return (
      isObject(value) &&
      Object.entries(part).every(([key, one]) => Object.hasOwn(value, key) && isSupersetOf(value[key], one))
    );
  return part !== undefined && value === part;
}

/**
 * Checks whether users other than root can change a file or one of its parent directories. Always returns undefined on
 * Windows, where files have no owner ID or mode bits.
 */
function findExposure(path: string, { system, platform }: CheckOptions): { problem: string; fix: string } | undefined {
  if (platform === "win32") return undefined;
  for (let one = path; ; one = dirname(one)) {
    const { uid = 0, mode = 0 } = orAbsent(() => lstatSync(one)) ?? {};
    if (uid !== 0)
      return { problem: `${one} belongs to user ${uid}`, fix: quoteCommand(["sudo", "chown", "root", one], "sh") };
    if ((mode & 0o022) !== 0 && (mode & 0o170000) !== 0o120000)
      return {
        problem: `users other than root can write to ${one}`,
        fix: quoteCommand(["sudo", "chmod", "go-w", one], "sh"),
      };
    if (dirname(one) === one || one === system) return undefined;
  }
}

function checkExecutable({ program, version }: InstalledPack, options: CheckOptions): CheckedFile {
  const path = options.system + program;
  const result = { host: OWN_NAME, path };
  const fix = "install the executable first; see the pack's executable/README.md";
  const stat = orAbsent(() => lstatSync(path));
  if (!stat) return { ...result, state: "missing", problem: "the executable is missing", fix };
  const exposure = findExposure(path, options);
  if (exposure) return { ...result, state: "exposed", ...exposure };
  // Don't run a program from a disk image, which may be for a different machine.
  if (options.system !== "") return { ...result, state: "ok" };
  const { stdout } = readOutput({ argv: [path, "--version"], cwd: "/", env: process.env, timeout: 2_000 });
  const installedVersion = stdout.split(/\r?\n/)[0] ?? "";
  if (installedVersion === version) return { ...result, state: "ok" };
  const problem =
    installedVersion === ""
      ? "the executable does not run on this machine"
      : `version ${installedVersion} instead of the pack's ${version}`;
  return { ...result, state: "different", problem, fix };
}

/** Returns the name of the host with this ID, or the ID itself for bridge-hooks. */
export const getPlacedName = (id: string): string => hosts.find((host) => host.id === id)?.name ?? id;
