import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../src/hosts/run-program.ts";

/** Cache directory for tools and for the root directories that other platforms' executables run in. */
export const CACHE_FOLDER = join(import.meta.dir, "..", "node_modules/.cache/bridge-hooks/platforms");

/** Thrown if a target can't run on this machine. */
export class UnavailableError extends Error {}

export interface PackageSet {
  architecture: "amd64" | "arm64";
  /** Debian release. Defaults to the one this machine runs. */
  suite?: string;
  packages: readonly string[];
}

/** Runs a program and returns its stdout. */
export async function runTool(argv: readonly string[], timeout = 300_000): Promise<string> {
  const { exit_code, stdout, stderr } = await runProgram({
    argv: [...argv],
    cwd: tmpdir(),
    env: { ...process.env, LC_ALL: "C" } as Record<string, string>,
    stdin: "",
    timeout,
  }).catch((error: unknown) => ({ exit_code: null, stdout: "", stderr: (error as Error).message }));
  if (exit_code === 0) return stdout;
  const problem = `${stderr}`.trim().split("\n").at(-1) || `exit code ${exit_code}`;
  throw new UnavailableError(`${argv[0]?.split("/").at(-1)}: ${problem}`);
}

/**
 * Downloads Debian packages and their dependencies from this machine's configured mirror and unpacks them into a
 * directory. Installs nothing and doesn't change apt's own state.
 *
 * @throws UnavailableError if this machine has no apt or no network access.
 */
export async function fetchPackages(name: string, { architecture, suite, packages }: PackageSet): Promise<string> {
  const folder = join(CACHE_FOLDER, "packages", name);
  const [root, marker] = [join(folder, "root"), join(folder, "packages.txt")];
  const fingerprint = JSON.stringify([architecture, suite, packages]);
  if (existsSync(marker) && readFileSync(marker, "utf8") === fingerprint) return root;
  const release = /^VERSION_CODENAME=(.+)$/m.exec(readIfExists("/etc/os-release"))?.[1];
  const mirrors = (await runTool(["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)"])).split("\n");
  const mirror = mirrors.find((line) => line.endsWith(` ${release}`))?.split(" ")[0];
  if (!mirror || !/^ID=debian$/m.test(readIfExists("/etc/os-release")))
    throw new UnavailableError("the packages come from Debian, but this machine's apt has no Debian mirror configured");
  rmSync(folder, { recursive: true, force: true });
  for (const part of ["lists/partial", "archives/partial", "root"]) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, "status"), "");
  writeFileSync(join(folder, "sources.list"), `deb ${mirror} ${suite ?? release} main\n`);
  const options = [
    `Dir::State::Lists=${folder}/lists`,
    `Dir::State::status=${folder}/status`,
    `Dir::Cache=${folder}`,
    `Dir::Cache::archives=${folder}/archives`,
    `Dir::Etc::sourcelist=${folder}/sources.list`,
    "Dir::Etc::sourceparts=-",
    `APT::Architecture=${architecture}`,
    `APT::Architectures::=${architecture}`,
    `APT::Sandbox::User=${process.env.USER ?? "root"}`,
    "Acquire::Languages=none",
    "Debug::NoLocking=1",
  ].flatMap((option) => ["-o", option]);
  await runTool(["apt-get", ...options, "-q", "update"]);
  await runTool([
    "apt-get",
    ...options,
    ...["-q", "-y", "--no-install-recommends", "--download-only", "install"],
    ...packages,
  ]);
  const archives = join(folder, "archives");
  for (const file of readdirSync(archives).filter((file) => file.endsWith(".deb")))
    await runTool(["dpkg", "-x", join(archives, file), root]);
  rmSync(archives, { recursive: true });
  writeFileSync(marker, fingerprint);
  return root;
}

const readIfExists = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
