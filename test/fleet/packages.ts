import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProgram } from "../../src/hosts/run-program.ts";
import { copySources } from "../release/sources.ts";
import { ROOT } from "../support/fixtures.ts";

export const FLEET_FOLDER = join(ROOT, ".e2e/fleet");
export const VERSIONS = ["0.1.0", "0.2.0"] as const;
export type Version = (typeof VERSIONS)[number];
export type FleetTarget = "linux-x64" | "windows-x64";

async function runBun(root: string, ...args: readonly string[]): Promise<void> {
  const { exit_code, stderr } = await runProgram({
    argv: [process.execPath, "--no-install", ...args],
    cwd: root,
    env: { ...process.env, INIT_CWD: root } as Record<string, string>,
    stdin: "",
    timeout: 600_000,
  });
  if (exit_code !== 0) throw new Error(`${args[0]}: ${stderr.trim().split("\n").at(-1)}`);
}

/** Returns the directories of the two releases. */
export const findReleases = (target: FleetTarget): Record<Version, string> =>
  Object.fromEntries(VERSIONS.map((version) => [version, join(FLEET_FOLDER, target, version, "release")])) as Record<
    Version,
    string
  >;

/** Builds this version and the next one for a target. */
export async function makeReleases(target: FleetTarget): Promise<void> {
  for (const version of VERSIONS) {
    const work = join(FLEET_FOLDER, target, version);
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    const root = version === VERSIONS[0] ? ROOT : copySources(join(work, "sources"), version);
    const program = join(work, "executables", `bridge-hooks-${target}${target === "windows-x64" ? ".exe" : ""}`);
    mkdirSync(dirname(program));
    await runBun(root, "build.ts", "--outfile", program, "--target", target);
    const release = findReleases(target)[version];
    const args = ["--out", release, "--unsigned", "--work-tree", "--target", target];
    await runBun(root, "release/main.ts", ...args, "--executables", dirname(program));
    if (existsSync(join(work, "sources"))) rmSync(join(work, "sources"), { recursive: true });
    cpSync(program, join(release, "program"));
  }
}
