import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { generateKeyPairSync } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "bun:test";
import { type Ended, runProgram } from "../../src/hosts/run-program.ts";
import { fetchPackages } from "../../release/debian-packages.ts";
import { ROOT } from "../support/fixtures.ts";
import { scaleMs } from "../support/machine.ts";
import { copySources } from "./sources.ts";

/** A folder that goes with the test file. */
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

/** Stands in for an executable where its 120 MB would only take time: it knows its version, and denies every call. */
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

/** A time that no file of the tests has otherwise. */
export const RELEASE_TIME = 1_700_000_000;

interface RunOptions {
  root?: string;
  env?: Record<string, string>;
  /** The command that runs it, before its own. */
  within?: readonly string[];
}

/** Runs `npm run release` without npm. */
export const runRelease = (
  args: readonly string[],
  { root = ROOT, env = {}, within = [] }: RunOptions = {},
): Promise<Ended> =>
  run([...within, process.execPath, "--no-install", join(root, "release/main.ts"), ...args], {
    cwd: root,
    env: { SOURCE_DATE_EPOCH: `${RELEASE_TIME}`, ...env },
  });

interface ProgramOptions {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
}

/** It ends a program that hangs, and measures nothing. */
const HANG_MS = scaleMs(300_000);

export const run = (
  argv: readonly string[],
  { cwd = tmpdir(), env = {}, stdin = "" }: ProgramOptions = {},
): Promise<Ended> => runProgram({ argv, cwd, env: { ...process.env, INIT_CWD: cwd, ...env }, stdin, timeout: HANG_MS });

/** A server for a test file, on this machine alone. It answers while a busy machine takes its time. */
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

/** A release of small executables, made once for all tests of a file. */
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

/** The same as of another version: what an upgrade installs. */
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

/** Tools of Debian that check what a release holds, unpacked and not installed; or why there are none. */
export async function findTools(): Promise<{ root: string } | { missing: string }> {
  try {
    return {
      root: await fetchPackages("release", { architecture: "amd64", packages: ["fish", "rpm", "zsh"] }),
    };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/** Runs a program of the unpacked packages with their libraries. */
export const toolCommand = (root: string, program: string): string[] => [
  "env",
  `LD_LIBRARY_PATH=${join(root, "usr/lib/x86_64-linux-gnu")}`,
  `RPM_CONFIGDIR=${join(root, "usr/lib/rpm")}`,
  [join(root, "usr/bin", program), join(root, "bin", program)].find(existsSync) ?? program,
];
