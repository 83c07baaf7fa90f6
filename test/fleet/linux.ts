import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hasReachedModel, readProjectFile, findFirstProblem, findRunProblem } from "../e2e/driver.ts";
import { driver as claude } from "../e2e/hosts/claude.ts";
import type { Release } from "../e2e/releases.ts";
import { type HostRunner, runHost } from "../e2e/run.ts";
import { findProgram } from "../../src/hosts/find-program.ts";
import { ROOT } from "../support/fixtures.ts";
import { FLEET_FOLDER, type Version } from "./packages.ts";
import type { FleetReport } from "./report.ts";

/** A separate root file system on top of this machine's files. What is written stays in memory. */
const SYSTEM = "/mnt/system";
const CHANGES = "/mnt/changes";
const MOUNTS = `set -e
mount -t tmpfs tmpfs /mnt
mkdir ${CHANGES} /mnt/work ${SYSTEM}
mount -t overlay overlay -o lowerdir=/,upperdir=${CHANGES},workdir=/mnt/work ${SYSTEM}
for place in /proc /dev "$1"; do mkdir -p "${SYSTEM}$place"; mount --rbind "$place" "${SYSTEM}$place"; done`;

const chroot = findProgram("chroot", { path: `${process.env.PATH}:/usr/sbin:/sbin` }) ?? "chroot";
const inSystem = (argv: readonly string[], cwd = "/"): string[] => [chroot, SYSTEM, "env", "-C", cwd, ...argv];

function run(...argv: string[]): { code: number | null; output: string } {
  const [program = "", ...args] = inSystem(argv);
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root", DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: "utf8", timeout: 120_000 });
  return { code: status, output: `${stdout}${stderr}${error?.message ?? ""}`.trim() };
}

const explain = ({ code, output }: ReturnType<typeof run>): string | false =>
  code !== 0 && `exit code ${code}: ${output.split("\n").slice(-3).join("; ")}`;

/** Lists the files that were written to the root, except unrelated ones and the package manager's own. */
function listChanges(below = ""): string[] {
  return readdirSync(join(CHANGES, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    // In an overlay, a file that was created and then deleted leaves a whiteout.
    if (entry.isCharacterDevice()) return [];
    if (/^(proc|dev|tmp|root|var\/(lib\/dpkg|log|cache))(\/|$)/.test(path) || join("/", path) === ROOT) return [];
    if (!entry.isDirectory()) return [path];
    const found = listChanges(path);
    // Skip an empty directory that exists on this machine as well.
    return found.length > 0 || existsSync(join("/", path)) ? found : [path];
  });
}

const LINE = "git push --force origin main; echo made > marker.txt";

/** Has the real host make a call that the starter hooks deny. */
async function askHost(release: Release): Promise<{ denied: string | undefined; passed: string | undefined }> {
  const own = claude.runner(release, "");
  const runner: HostRunner = {
    ...own,
    configure: () => {},
    start(step, setup, place) {
      const { argv, env } = own.start(step, setup, place);
      return { env, argv: inSystem(argv, place.project) };
    },
  };
  const seen = await runHost(
    runner,
    { script: { main: [{ calls: [claude.bash(LINE)] }, { text: "FINAL" }] } },
    join(FLEET_FOLDER, "runs"),
  );
  const marker = readProjectFile(seen, "marker.txt");
  const told = hasReachedModel(seen, "[bridge-hooks git/push-force]");
  const { code = 1, stderr = "" } = seen.sessions[0] ?? {};
  const problem =
    findRunProblem(seen) ??
    (code !== 0 && `the host ended with exit code ${code}: ${stderr.trim().split("\n").at(-1)}`);
  return {
    denied: findFirstProblem(
      problem,
      marker !== undefined && "the call took place",
      !told && "the model was not told the rule",
    ),
    passed: findFirstProblem(problem, marker === undefined && "the call did not take place", told && "it was denied"),
  };
}

/** Installs, upgrades and removes a package and a managed config in a separate root, using the real Claude Code. */
export async function tryLinuxFleet(
  packages: Record<Version, string>,
  release: Release,
  report: FleetReport,
): Promise<void> {
  const mounted = spawnSync("sh", ["-c", MOUNTS, "sh", ROOT], { encoding: "utf8" });
  if (mounted.status !== 0) return report.skip("Linux", `no separate root (${mounted.stderr.trim()})`);
  const file = (version: Version) => join(packages[version], `bridge-hooks_${version}_amd64.deb`);
  const dpkg = (...args: string[]) => run("dpkg", "--force-confdef", ...args);
  const before = listChanges();
  const started = performance.now();
  const installed = dpkg("--install", file("0.1.0"));
  if (/Permission denied|Operation not permitted|Value too large/.test(installed.output))
    return report.skip("Linux", `dpkg can't write to the root (${installed.output.split("\n").at(-1)})`);
  report.check("the package is installed", explain(installed));
  const isVersion = (version: Version) => {
    const { output } = run("/usr/bin/bridge-hooks", "--version");
    return output.split("\n")[0] !== version && `it is ${output}`;
  };
  report.check("and runs as bridge-hooks", isVersion("0.1.0"));

  const pack = join(FLEET_FOLDER, "pack");
  rmSync(pack, { recursive: true, force: true });
  report.check(
    "it writes the fleet pack",
    explain(run("bridge-hooks", "mdm", "--out", pack, "--package", file("0.1.0"))),
  );
  const place = (action: string) => run("sh", join(pack, "rollout/linux/place-files.sh"), action, "claude");
  const check = () => run("bridge-hooks", "mdm", "--check", "--pack", pack, "--host", "claude");
  report.check("the client check is red", check().code !== 1 && "the check is not red");
  report.check("the managed config is placed", explain(place("install")));
  report.check("the client check is green", explain(check()));
  const first = await askHost(release);
  report.check("the host denies a forced push", first.denied);
  console.log(
    `        ${((performance.now() - started) / 1000).toFixed(1)} s from the package to the first denied call`,
  );
  const smoke = run("sh", join(pack, "executable/linux/smoke-test.sh"));
  report.check("the pack's smoke test is green", explain(smoke));

  report.check("an upgrade is installed", explain(dpkg("--install", file("0.2.0"))) || isVersion("0.2.0"));
  report.check("the host denies the call after the upgrade", (await askHost(release)).denied);
  report.check("the older package is restored", explain(dpkg("--install", file("0.1.0"))) || isVersion("0.1.0"));
  report.check("the host denies the call after the upgrade", (await askHost(release)).denied);

  report.check("the managed config is removed", explain(place("remove")));
  report.check("the package is removed", explain(dpkg("--purge", "bridge-hooks")));
  report.check("the host allows the call again", (await askHost(release)).passed);
  const left = listChanges().filter((path) => !before.includes(path));
  report.check("no files remain", left.length > 0 && left.join(", "));

  tryPlainFiles(packages, pack, report);
}

function tryPlainFiles(packages: Record<Version, string>, pack: string, report: FleetReport): void {
  const place = (...args: string[]) => run("sh", join(pack, "executable/linux/place.sh"), ...args);
  const program = "/opt/bridge-hooks/bridge-hooks";
  const isInForce = (version: Version) =>
    run(program, "--version").output.split("\n")[0] !== version && "another executable is active";
  const added = place("add", join(packages["0.1.0"], "program"));
  report.check("a plain executable is placed", explain(added) || isInForce("0.1.0"));
  report.check(
    "a newer executable is placed next to it",
    explain(place("add", join(packages["0.2.0"], "program"))) || isInForce("0.2.0"),
  );
  report.check("the smoke test is green", explain(run("sh", join(pack, "executable/linux/smoke-test.sh"))));
  report.check(
    "the first executable is active again",
    explain(place("use", added.output.split(" ")[0] ?? "")) || isInForce("0.1.0"),
  );
  report.check(
    "both executables are removed",
    explain(place("remove")) ||
      (lstatSync(join(SYSTEM, "opt/bridge-hooks"), { throwIfNoEntry: false }) && "files remain"),
  );
}
