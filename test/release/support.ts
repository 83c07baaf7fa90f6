import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { generateKeyPairSync } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "bun:test";
import { type ProgramResult, runProgram } from "../../src/hosts/run-program.ts";
import { fetchPackages } from "../../release/debian-packages.ts";
import { ROOT } from "../support/fixtures.ts";
import { scaleMs } from "../support/machine.ts";
import { copySources } from "./sources.ts";

/** Creates a directory that's removed after all tests in the file. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-release-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeKey(file: string): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(file, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
  return file;
}

/** Stands in for an executable of 120 MB, to save time. Prints its version and denies every call. */
const SMALL_EXECUTABLE = `#!/bin/sh
[ "$1" = --version ] && echo 0.1.0 && exit 0
[ "$1" = copy ] && exec cat
echo "denied $*" >&2
exit 2
`;

export function writeSmallExecutables(folder: string, targets: readonly string[], text = SMALL_EXECUTABLE): string {
  mkdirSync(folder, { recursive: true });
  for (const target of targets) {
    const file = join(folder, `bridge-hooks-${target}${target.startsWith("windows") ? ".exe" : ""}`);
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }
  return folder;
}

/** A timestamp that no other test file uses. */
export const RELEASE_TIME = 1_700_000_000;

interface RunOptions {
  root?: string;
  env?: Record<string, string>;
  /** Command that wraps the release command. */
  within?: readonly string[];
}

/** Does what `npm run release` does, without npm. */
export const runRelease = (
  args: readonly string[],
  { root = ROOT, env = {}, within = [] }: RunOptions = {},
): Promise<ProgramResult> =>
  run([...within, process.execPath, "--no-install", join(root, "release/main.ts"), ...args], {
    cwd: root,
    env: { SOURCE_DATE_EPOCH: `${RELEASE_TIME}`, ...env },
  });

interface ProgramOptions {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
}

/** Time after which a hanging program is killed. It isn't a performance limit. */
const HANG_MS = scaleMs(300_000);

export const run = (
  argv: readonly string[],
  { cwd = tmpdir(), env = {}, stdin = "" }: ProgramOptions = {},
): Promise<ProgramResult> =>
  runProgram({ argv, cwd, env: { ...process.env, INIT_CWD: cwd, ...env }, stdin, timeout: HANG_MS });

/** Serves files to a test on this machine, with timeouts that allow for a busy machine. */
export function serveFiles(answer: (place: string, name: string) => Response | Promise<Response>, tls?: Tls) {
  const server = Bun.serve({
    idleTimeout: 255,
    hostname: "127.0.0.1",
    port: 0,
    ...(tls && { tls }),
    fetch(request) {
      const [, place = "", name = ""] = new URL(request.url).pathname.split("/");
      return answer(place, name);
    },
  });
  afterAll(() => server.stop(true));
  return server.url.href;
}

interface Tls {
  cert: string;
  key: string;
}

/** Returns a release of small executables, built once for all tests in a file. */
export const makeSmallRelease = (() => {
  const made = new Map<string, Promise<{ folder: string; key: string }>>();
  return (targets: readonly string[], more: readonly string[] = []): Promise<{ folder: string; key: string }> => {
    const name = [...targets, ...more].join(" ");
    const known = made.get(name);
    if (known) return known;
    const making = (async () => {
      const work = makeFolder();
      afterAll(() => void made.delete(name));
      const key = writeKey(join(work, "key.pem"));
      const executables = writeSmallExecutables(join(work, "executables"), targets);
      const folder = join(work, "release");
      const { exit_code, stderr } = await runRelease([
        ...["--out", folder, "--key", key, "--executables", executables, "--work-tree"],
        ...targets.flatMap((target) => ["--target", target]),
        ...more,
      ]);
      if (exit_code !== 0) throw new Error(stderr);
      return { folder, key };
    })();
    made.set(name, making);
    return making;
  };
})();

/** Builds another version of the release, for testing upgrades. */
export async function makeNextRelease(
  targets: readonly string[],
  version: string,
  { key, executable = SMALL_EXECUTABLE }: { key?: string; executable?: string } = {},
): Promise<string> {
  const work = makeFolder();
  const root = copySources(join(work, "sources"), version);
  const executables = writeSmallExecutables(join(work, "executables"), targets, executable.replace("0.1.0", version));
  const out = join(work, "release");
  const args = [
    "--out",
    out,
    ...(key === undefined ? ["--unsigned"] : ["--key", key]),
    "--executables",
    executables,
    "--work-tree",
    ...targets.flatMap((one) => ["--target", one]),
  ];
  const { exit_code, stderr } = await runRelease(args, { root });
  if (exit_code !== 0) throw new Error(stderr);
  return out;
}

/** Downloads and unpacks Debian tools that check what a release contains, or returns why they aren't available. */
export async function findTools(): Promise<{ root: string } | { missing: string }> {
  try {
    return {
      root: await fetchPackages("release", { architecture: "amd64", packages: ["fish", "rpm", "zsh"] }),
    };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/** Returns the command that runs a program from the unpacked packages, with their libraries. */
export const toolCommand = (root: string, program: string): string[] => [
  "env",
  `LD_LIBRARY_PATH=${join(root, "usr/lib/x86_64-linux-gnu")}`,
  `RPM_CONFIGDIR=${join(root, "usr/lib/rpm")}`,
  [join(root, "usr/bin", program), join(root, "bin", program)].find(existsSync) ?? program,
];
