import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { hosts } from "../../hosts/index.ts";

/** A process above this one. */
interface Ancestor {
  pid: number;
  /** Its executable, and the script that it runs if it is an interpreter. */
  programs: readonly string[];
}

const MAX_ANCESTORS = 64;
const MAX_WORDS = 8;

/** A program, and the first file behind its options: the script, if it is an interpreter. */
function listPrograms([program = "", ...words]: readonly string[]): string[] {
  const script = words.find((word) => !word.startsWith("-"));
  return [program, ...(script?.startsWith("/") && !/\s/.test(script) ? [script] : [])];
}

/** The processes above one, the nearest first; those that the system does not tell are left out. */
export function* listAncestors(pid = process.ppid): Generator<Ancestor> {
  for (let count = 0; pid > 1 && count < MAX_ANCESTORS; count++) {
    const found = process.platform === "linux" ? readProcess(pid) : askForProcess(pid);
    if (!found) return;
    yield { pid, programs: found.programs };
    pid = found.parent;
  }
}

function readProcess(pid: number): { parent: number; programs: string[] } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 1).split(" ")[2]);
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0", MAX_WORDS);
    return { parent, programs: [name, ...readLink(`/proc/${pid}/exe`), ...listPrograms(words)] };
  } catch {
    return undefined;
  }
}

function readLink(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

function askForProcess(pid: number): { parent: number; programs: string[] } | undefined {
  const { stdout, success } = Bun.spawnSync(["/bin/ps", "-o", "ppid=,command=", "-p", String(pid)]);
  const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(stdout.toString()) ?? [];
  if (!success || parent === undefined) return undefined;
  return { parent: Number(parent), programs: listPrograms((command ?? "").split(" ", MAX_WORDS)) };
}

/** The name of the host that one of the processes above this one is; undefined if none is. */
export function findHostAbove(ancestors: Iterable<Ancestor> = listAncestors()): string | undefined {
  for (const { programs: above } of ancestors)
    for (const path of above) {
      const name = basename(path)
        .toLowerCase()
        .replace(/\.(?:exe|[cm]?js)$/, "");
      const isPackage = (one: string) => path.includes(`/node_modules/${one}/`);
      const host = hosts.find(({ programs, packages }) => programs.includes(name) || packages.some(isPackage));
      if (host) return host.name;
    }
  return undefined;
}
