import { networkInterfaces } from "node:os";
import type { Env } from "../../protocol/host/host.ts";
import type { ProcessFacts, TerminalFacts } from "./facts.ts";
import { getChangeTime, isProtected } from "./read-linux.ts";

/** The columns requested from `ps`. The last column can contain spaces. */
const PS_COLUMNS = ["pid", "ppid", "uid", "ruid", "tty", "lstart", "comm"];
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.+?)\s*$/;
/** Application directories, which a Mac's administrators can write to. */
const APPLICATION_FOLDER = /^\/(?:System\/)?Applications\//;

/** Parses two outputs of `ps`: the process list, and the list of the processes' arguments. */
export function parsePs(processList: string, commands: string): Map<number, ProcessFacts> {
  const words = new Map(
    commands.split("\n").flatMap((line) => {
      const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
      return command === undefined ? [] : [[Number(pid), command.split(" ")] as const];
    }),
  );
  const processes = new Map<number, ProcessFacts>();
  for (const line of processList.split("\n")) {
    const [, pid, parent, uid, ruid, terminal, startTime = "", path = ""] = PS_LINE.exec(line) ?? [];
    if (pid === undefined) continue;
    processes.set(Number(pid), {
      ...{ pid: Number(pid), parent: Number(parent), account: Number(uid), startTime: Date.parse(startTime) },
      terminal: terminal === "??" ? undefined : terminal,
      // A login shell's name begins with "-".
      name: path.replace(/.*\//, "").replace(/^-/, ""),
      executable: path.startsWith("/") ? path : undefined,
      words: words.get(Number(pid)) ?? [path],
      isRoot: uid === "0" && ruid === "0",
      ...{ isTraced: false, environment: {}, group: "/" },
    });
  }
  return processes;
}

/** Runs `ps` by its absolute path. */
const runPs = (columns: readonly string[]): string =>
  Bun.spawnSync(["/bin/ps", "-axww", ...columns.flatMap((column) => ["-o", `${column}=`])], {
    env: { LC_ALL: "C" },
  }).stdout.toString();

/** Reads facts about a Mac's processes from `ps`, which shows neither environments nor debuggers. */
export function readMacFacts(pid: number, environment: Env): TerminalFacts {
  return {
    ...{ pid, platform: "darwin", environment, now: Date.now(), hasRealAccounts: true, isWsl: false },
    processes: parsePs(runPs(PS_COLUMNS), runPs(["pid", "command"])),
    addresses: Object.values(networkInterfaces()).flatMap(
      (interfaceAddresses) => interfaceAddresses?.map(({ address }) => address) ?? [],
    ),
    getTerminalTime: (terminal) => getChangeTime(`/dev/${terminal}`),
    isProtected: (path) => APPLICATION_FOLDER.test(path) || isProtected(path),
    findRemoteHost: () => undefined,
  };
}
