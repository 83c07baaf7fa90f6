import { dlopen, FFIType, ptr } from "bun:ffi";
import { spawnSync } from "node:child_process";

/** What keeps the hosts of this run to themselves. */
export interface Isolation {
  /** A network namespace that has a loopback device and nothing else: offline is a fact, not a setting. */
  network: boolean;
  /** A mount namespace of its own: /etc may be overlaid, so that managed settings can be tried. */
  mounts: boolean;
}

const MARK = "BRIDGE_E2E_ISOLATED";

/** Ways to make namespaces, the best first: as root, with a user namespace, the network alone. */
const WAYS: readonly { flags: string[]; isolation: Isolation }[] = [
  { flags: ["-nmp", "--fork", "--mount-proc", "--kill-child"], isolation: { network: true, mounts: true } },
  { flags: ["-rnmp", "--fork", "--mount-proc", "--kill-child"], isolation: { network: true, mounts: true } },
  { flags: ["-rn"], isolation: { network: true, mounts: false } },
];

/** Whether this process is the one inside. */
export const isInside = (): boolean => Boolean(process.env[MARK]);

/**
 * Runs this program again inside namespaces, and ends with its exit code; returns only inside, or where the machine has
 * none to give.
 */
export function isolate(): Isolation {
  const inside = process.env[MARK];
  if (inside) {
    raiseLoopback();
    return JSON.parse(inside) as Isolation;
  }
  const way = process.platform === "linux" && WAYS.find(({ flags }) => spawnSync("unshare", [...flags, "true"]).status === 0);
  if (!way) return { network: false, mounts: false };
  const { status } = spawnSync("unshare", [...way.flags, process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, [MARK]: JSON.stringify(way.isolation) },
  });
  process.exit(status ?? 1);
}

/** A new network namespace has its loopback device down; `ip link set lo up`, without the program. */
function raiseLoopback(): void {
  const { symbols: libc } = dlopen("libc.so.6", {
    socket: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
    ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
    close: { args: [FFIType.i32], returns: FFIType.i32 },
  });
  const [AF_INET, SOCK_DGRAM, SIOCSIFFLAGS, IFF_UP] = [2, 2, 0x8914, 1];
  const request = Buffer.alloc(40);
  request.write("lo");
  request.writeInt16LE(IFF_UP, 16);
  const socket = libc.socket(AF_INET, SOCK_DGRAM, 0);
  const result = libc.ioctl(socket, SIOCSIFFLAGS, ptr(request));
  libc.close(socket);
  if (result !== 0) throw new Error("the loopback device of the new network namespace can't be started; see `man netdevice`");
}

/** A command with files laid over /etc, seen by it alone; needs `Isolation.mounts`. */
export const withEtc = (upper: string, command: readonly string[]): string[] => [
  "unshare",
  "-m",
  "sh",
  "-c",
  // The upper layer on tmpfs: an overlay on an overlay (a container's own root) is refused.
  'set -e; files=$1; shift; mount -t tmpfs tmpfs /mnt; mkdir /mnt/upper /mnt/work; cp -r "$files/." /mnt/upper; mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work /etc; exec "$@"',
  "sh",
  upper,
  ...command,
];
