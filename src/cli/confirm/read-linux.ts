import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { networkInterfaces, release } from "node:os";
import { dirname } from "node:path";
import type { Env } from "../../protocol/host/host.ts";
import type { ProcessFacts, TerminalFacts } from "./facts.ts";

/** Clock ticks per second in `/proc`; 100 on every supported Linux. */
const TICKS_PER_SECOND = 100;
/** Indexes of fields in `/proc/PID/stat`, counted from the process state that follows the name. */
const STAT_FIELDS = { parent: 1, session: 3, terminal: 4, startTime: 19 } as const;
const WORLD_WRITABLE_BIT = 0o002;
const GROUP_WRITABLE_BIT = 0o020;
const STICKY_BIT = 0o1000;

const readTextFile = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

const splitAtNulBytes = (text = "") => text.split("\0").filter((part) => part !== "");

/** Derives a terminal's name from its device number. */
export function nameTerminal(device: number): string | undefined {
  if (device === 0) return undefined;
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `pts/${(major - 136) * 256 + minor}`;
  if (major === 4) return minor < 64 ? `tty${minor}` : `ttyS${minor - 64}`;
  if (major === 204 && minor >= 64 && minor < 80) return `ttyAMA${minor - 64}`;
  if (major === 229) return `hvc${minor}`;
  return major === 5 && minor === 1 ? "console" : `device ${major}:${minor}`;
}

/** Parses `/proc/PID/environ`. */
export const parseEnvironment = (text: string): Env =>
  Object.fromEntries(
    splitAtNulBytes(text).map((line) => [line.replace(/=[^]*/, ""), line.slice(line.indexOf("=") + 1)] as const),
  );

/** Parses `/proc/PID/cgroup` and returns the version 2 group or the group in systemd's hierarchy. */
export const parseGroup = (text = ""): string =>
  /^0::(\/.+)$/m.exec(text)?.[1] ?? /^\d+:name=systemd:(\/.+)$/m.exec(text)?.[1] ?? "/";

/** Reads a process. Returns undefined if the process has ended or is hidden. */
function readProcess(pid: number, bootTime: number): ProcessFacts | undefined {
  const folder = `/proc/${pid}`;
  const [stat, status] = [readTextFile(`${folder}/stat`), readTextFile(`${folder}/status`)];
  if (stat === undefined || status === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ids = /^Uid:\s+(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
  return {
    pid,
    parent: Number(fields[STAT_FIELDS.parent]),
    session: Number(fields[STAT_FIELDS.session]),
    terminal: nameTerminal(Number(fields[STAT_FIELDS.terminal])),
    startTime: bootTime + (Number(fields[STAT_FIELDS.startTime]) * 1_000) / TICKS_PER_SECOND,
    name: stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")),
    executable: readExecutable(folder),
    words: splitAtNulBytes(readTextFile(`${folder}/cmdline`)),
    account: Number(ids[1] ?? -1),
    isRoot: ids.length > 0 && ids.every((id) => id === "0"),
    isTraced: !/^TracerPid:\s+0$/m.test(status),
    // Use getters, because these fields are read for only a few processes.
    get environment() {
      const text = readTextFile(`${folder}/environ`);
      return text === undefined ? undefined : parseEnvironment(text);
    },
    get group() {
      return parseGroup(readTextFile(`${folder}/cgroup`));
    },
  };
}

/**
 * Returns the path of a process's program, or undefined if the path leads to a different file here, as it does for a
 * process in another mount namespace.
 */
function readExecutable(folder: string): string | undefined {
  try {
    const path = readlinkSync(`${folder}/exe`);
    const [run, here] = [statSync(`${folder}/exe`), statSync(path)];
    return run.dev === here.dev && run.ino === here.ino ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Whether only root can change which file a path leads to. Checks links, the file, and all parent directories. */
export function isProtected(path: string): boolean {
  try {
    return path.startsWith("/") && new Set([path, realpathSync(path)]).values().every(isWritableOnlyByRoot);
  } catch {
    return false;
  }
}

function isWritableOnlyByRoot(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const stats = lstatSync(at);
    const { uid, gid, mode } = stats;
    // In a sticky directory such as /nix/store, the group can't replace root's files. A link's own mode doesn't matter.
    const isGroups = (mode & GROUP_WRITABLE_BIT) !== 0 && (mode & STICKY_BIT) === 0 && gid !== 0;
    const isShared = !stats.isSymbolicLink() && ((mode & WORLD_WRITABLE_BIT) !== 0 || isGroups);
    if (uid !== 0 || isShared) return false;
  }
  return true;
}

/** Reads the remote hosts of login sessions, keyed by session leader. */
function readRemoteHosts(folder = "/run/systemd/sessions"): Map<number, string> {
  const hosts = new Map<number, string>();
  try {
    for (const name of readdirSync(folder)) {
      const text = readTextFile(`${folder}/${name}`) ?? "";
      const [leader, host] = ["LEADER", "REMOTE_HOST"].map((key) => new RegExp(`^${key}=(.*)$`, "m").exec(text)?.[1]);
      if (leader !== undefined && host) hosts.set(Number(leader), host);
    }
  } catch {
    // This system has no login service.
  }
  return hosts;
}

/** Reads facts about this machine's processes from `/proc`. */
export function readLinuxFacts(pid: number, environment: Env): TerminalFacts {
  const bootTime = Number(/^btime (\d+)$/m.exec(readTextFile("/proc/stat") ?? "")?.[1] ?? 0) * 1_000;
  const processes = new Map<number, ProcessFacts>();
  for (const name of listNames("/proc")) {
    const process = /^\d+$/.test(name) ? readProcess(Number(name), bootTime) : undefined;
    if (process) processes.set(process.pid, process);
  }
  const remote = readRemoteHosts();
  return {
    ...{ pid, platform: "linux", processes, environment, now: Date.now(), isProtected },
    // If the file is missing, the kernel has no user namespaces.
    hasRealAccounts: /^\s*0\s+0\s+4294967295\s*$/.test(readTextFile("/proc/self/uid_map") ?? "0 0 4294967295"),
    isWsl: /microsoft/i.test(release()),
    addresses: Object.values(networkInterfaces()).flatMap(
      (interfaceAddresses) => interfaceAddresses?.map(({ address }) => address) ?? [],
    ),
    getTerminalTime: (terminal) => getChangeTime(`/dev/${terminal}`),
    findRemoteHost: (leader) => remote.get(leader),
  };
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Returns when a device's owner or mode last changed. Only the device's creator changes them, and any later change
 * merely makes the device look newer.
 */
export function getChangeTime(path: string): number | undefined {
  try {
    return statSync(path).ctimeMs;
  } catch {
    return undefined;
  }
}
