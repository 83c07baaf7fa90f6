import { dlopen, FFIType, ptr } from "bun:ffi";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** How hosts are isolated in this run. */
export interface Isolation {
  /** A network namespace whose only device is loopback, which guarantees that hosts are offline. */
  network: boolean;
  /** A mount namespace, in which files can be overlaid on /etc to test managed settings. */
  mounts: boolean;
}

const ISOLATED_VARIABLE = "BRIDGE_E2E_ISOLATED";

/** All processes in a PID namespace end when its first process does. */
const PROCESS_FLAGS = ["--fork", "--mount-proc", "--kill-child"];

/**
 * Ways to create namespaces, each with a trial command, starting with the best: as root, with a user namespace, network
 * only.
 */
const ISOLATION_WAYS: readonly { flags: string[]; isolation: Isolation; trial: string[] }[] = [
  {
    flags: ["-nmp", ...PROCESS_FLAGS],
    isolation: { network: true, mounts: true },
    trial: withEtcOverlay(import.meta.dir, ["true"]),
  },
  {
    flags: ["-rnmp", ...PROCESS_FLAGS],
    isolation: { network: true, mounts: true },
    trial: withEtcOverlay(import.meta.dir, ["true"]),
  },
  { flags: ["-rn"], isolation: { network: true, mounts: false }, trial: ["true"] },
];

/** Whether this process runs inside the namespaces. */
export const isInside = (): boolean => Boolean(process.env[ISOLATED_VARIABLE]);

/**
 * Restarts this program inside namespaces and exits with the restarted program's exit code. Returns only if already
 * inside, or if the machine doesn't allow namespaces.
 */
export async function runIsolated(): Promise<Isolation> {
  const inside = process.env[ISOLATED_VARIABLE];
  if (inside) {
    raiseLoopback();
    return JSON.parse(inside) as Isolation;
  }
  const way =
    process.platform === "linux" &&
    ISOLATION_WAYS.find(({ flags, trial }) => spawnSync("unshare", [...flags, ...trial]).status === 0);
  if (!way) return { network: false, mounts: false };
  const child = spawn("unshare", [...way.flags, process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, [ISOLATED_VARIABLE]: JSON.stringify(way.isolation) },
  });
  // unshare itself ignores these signals.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill("SIGKILL"));
  process.exit(await new Promise<number>((resolve) => child.on("exit", (code) => resolve(code ?? 130))));
}

/**
 * Brings up the loopback device in a new network namespace. Does what `ip link set lo up` does, but without needing
 * `ip`.
 */
function raiseLoopback(): void {
  const { symbols: libc } = dlopen(existsSync("/lib/ld-musl-x86_64.so.1") ? "/lib/ld-musl-x86_64.so.1" : "libc.so.6", {
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
  if (result !== 0)
    throw new Error("the loopback device of the new network namespace can't be started; see `man netdevice`");
}

/** Builds a command that sees files overlaid on /etc. Requires `Isolation.mounts`. */
export function withEtcOverlay(upper: string, command: readonly string[]): string[] {
  return [
    "unshare",
    "-m",
    "sh",
    "-c",
    // The upper layer is on tmpfs, because an overlay can't be mounted on another overlay, such as a container's root.
    'set -e; files=$1; shift; mount -t tmpfs tmpfs /mnt; mkdir /mnt/upper /mnt/work; cp -r "$files/." /mnt/upper; mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work /etc; exec "$@"',
    "sh",
    upper,
    ...command,
  ];
}
