import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../src/hosts/find-program.ts";
import { COMMANDS } from "../../src/cli/main.ts";
import { describeCommands } from "../../release/packages/command-line.ts";
import { findTools, makeFolder, makeNextRelease, makeSmallRelease, run, toolCommand } from "./support.ts";

const { folder } = await makeSmallRelease(["linux-x64"]);
const next = makeNextRelease(["linux-x64"], "0.2.0");
const tools = await findTools();
const root = "root" in tools ? tools.root : undefined;
const noTools = "missing" in tools ? tools.missing : "";
const canMap = findProgram("unshare") !== undefined && (await run(["unshare", "-r", "true"])).exit_code === 0;
const noNamespaces = canMap ? "" : "namespaces are not allowed here";

/** Defines a test. If it's skipped, its title says why. */
const testUnless = (obstacle: string, name: string, work: () => Promise<void>) =>
  test.skipIf(obstacle !== "")(obstacle === "" ? name : `${name} (not run: ${obstacle})`, work);

/** Lists all files in a directory except the package manager's own. */
const listFiles = (system: string) =>
  readdirSync(system, { recursive: true, encoding: "utf8" })
    .filter((path) => !/^(var|tmp|proc|root|\.rpmdb)(\/|$)/.test(path) && !lstatSync(join(system, path)).isDirectory())
    .sort();

const FILES = [
  "opt/bridge-hooks/bridge-hooks",
  "usr/bin/bridge-hooks",
  "usr/share/bash-completion/completions/bridge-hooks",
  "usr/share/doc/bridge-hooks/README.md",
  "usr/share/doc/bridge-hooks/THIRD-PARTY-NOTICES.txt",
  "usr/share/doc/bridge-hooks/copyright",
  "usr/share/fish/vendor_completions.d/bridge-hooks.fish",
  "usr/share/man/man1/bridge-hooks.1.gz",
];

async function checkInstalled(system: string, version: string, completions: string): Promise<void> {
  expect(listFiles(system)).toEqual([...FILES, `usr/share/zsh/${completions}/_bridge-hooks`]);
  expect(readlinkSync(join(system, "usr/bin/bridge-hooks"))).toBe("/opt/bridge-hooks/bridge-hooks");
  expect(lstatSync(join(system, "opt/bridge-hooks/bridge-hooks")).mode & 0o777).toBe(0o755);
  expect(lstatSync(join(system, "etc/bridge-hooks")).isDirectory()).toBe(true);
  expect((await run([join(system, "opt/bridge-hooks/bridge-hooks"), "--version"])).stdout).toBe(`${version}\n`);
}

const dpkg = findProgram("dpkg") === undefined ? "there is no dpkg" : noNamespaces;
testUnless(dpkg, "dpkg installs, upgrades, downgrades and removes the .deb", async () => {
  const system = makeFolder();
  for (const name of ["info", "updates", "triggers"])
    mkdirSync(join(system, "var/lib/dpkg", name), { recursive: true });
  for (const name of ["status", "available"]) writeFileSync(join(system, "var/lib/dpkg", name), "");
  const call = (...args: string[]) =>
    run([
      "unshare",
      "-r",
      "dpkg",
      `--root=${system}`,
      "--log=/dev/null",
      "--force-depends",
      "--force-not-root",
      "--force-script-chrootless",
      ...args,
    ]);
  const install = async (from: string, version: string) => {
    const { exit_code, stderr } = await call("--install", join(from, `bridge-hooks_${version}_amd64.deb`));
    expect([exit_code, stderr]).toEqual([0, expect.any(String)]);
    await checkInstalled(system, version, "vendor-completions");
  };
  await install(folder, "0.1.0");
  expect((await call("--verify", "bridge-hooks")).stdout).toBe("");
  const config = join(system, "etc/bridge-hooks/config.json");
  writeFileSync(config, "{}\n");
  await run(["rm", config]);
  await install(await next, "0.2.0");
  // A downgrade, which dpkg performs with a warning.
  await install(folder, "0.1.0");
  const { exit_code, stderr } = await call("--remove", "bridge-hooks");
  expect([exit_code, stderr]).toEqual([0, expect.stringContaining("run bridge-hooks uninstall first")]);
  expect(listFiles(system)).toEqual([]);
  expect(existsSync(join(system, "opt/bridge-hooks"))).toBe(false);
});

testUnless(noTools || noNamespaces, "rpm verifies, installs, upgrades, downgrades and removes the .rpm", async () => {
  const system = makeFolder();
  const call = (...args: string[]) => run(["unshare", "-r", ...toolCommand(root ?? "", "rpm"), ...args]);
  const file = join(folder, "bridge-hooks-0.1.0-1.x86_64.rpm");
  const checked = await run([...toolCommand(root ?? "", "rpmkeys"), "-Kv", file], { env: { HOME: system } });
  expect([checked.exit_code, checked.stdout.match(/: OK$/gm)?.length ?? 0, checked.stdout]).toEqual([
    0,
    4,
    expect.any(String),
  ]);
  expect((await call("-qp", "--qf", "%{NAME} %{VERSION} %{ARCH} %{LICENSE} %{BUILDTIME}", file)).stdout).toBe(
    "bridge-hooks 0.1.0 x86_64 MIT 1700000000",
  );
  const change = async (way: string, from: string, version: string, ...more: string[]) => {
    const { exit_code, stderr } = await call(
      "--root",
      system,
      way,
      ...more,
      "--force-debian",
      "--nodeps",
      "--noscripts",
      join(from, `bridge-hooks-${version}-1.x86_64.rpm`),
    );
    expect([exit_code, stderr]).toEqual([0, ""]);
    await checkInstalled(system, version, "site-functions");
    expect((await call("--root", system, "-V", "--nodeps", "bridge-hooks")).stdout).toBe("");
  };
  await change("--install", folder, "0.1.0");
  await change("--upgrade", await next, "0.2.0");
  const older = await call("--root", system, "--upgrade", "--force-debian", "--nodeps", "--noscripts", file);
  expect([older.exit_code, older.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining("(which is newer than bridge-hooks-0.1.0-1.x86_64) is already installed"),
  ]);
  await checkInstalled(system, "0.2.0", "site-functions");
  await change("--upgrade", folder, "0.1.0", "--oldpackage");
  const { exit_code, stderr } = await call(
    "--root",
    system,
    "--erase",
    "--force-debian",
    "--noscripts",
    "bridge-hooks",
  );
  expect([exit_code, stderr]).toEqual([0, ""]);
  expect(listFiles(system)).toEqual([]);
  expect((await call("-qp", "--scripts", file)).stdout).toContain("preuninstall scriptlet");
});

describe("the archive for Linux", () => {
  const work = makeFolder();
  const unpacked = run([
    "tar",
    "-xzf",
    join(folder, "bridge-hooks-0.1.0-linux-x64.tar.gz"),
    "--strip-components=1",
    "-C",
    work,
  ]);
  const file = (name: string) => join(work, "completions", name);
  const complete = async (...words: string[]) => {
    await unpacked;
    const program = `source ${file("bridge-hooks.bash")}; COMP_WORDS=(bridge-hooks "$@"); COMP_CWORD=$#; _bridge_hooks; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await run(["bash", "--norc", "-c", program, "bash", ...words])).stdout.trim().split("\n");
  };
  test("has completions of commands, options and values for bash", async () => {
    expect(await complete("un")).toEqual(["uninstall"]);
    expect(await complete("config", "s")).toEqual(["show", "set", "schema"]);
    expect(await complete("config", "show", "--or")).toEqual(["--origin"]);
    expect(await complete("install", "--scope", "m")).toEqual(["managed"]);
    expect(await complete("install", "--host", "c")).toEqual([
      "claude",
      "cursor",
      "codex",
      "copilot",
      "crush",
      "cline",
    ]);
    expect(await complete("install", "--dry")).toEqual(["--dry-run"]);
    expect(await complete("rules", "test", "--")).toContain("--help");
    expect(await complete("install", "--bin", "x")).toEqual([""]);
  });
  test("has a completion of every command for bash, zsh and fish", async () => {
    await unpacked;
    const names = COMMANDS.flatMap(({ paths = [] }) => paths.flat()).filter(
      (name) => /^[a-z]/.test(name) && name !== "help",
    );
    for (const shell of ["bridge-hooks.bash", "_bridge-hooks", "bridge-hooks.fish"])
      for (const name of names)
        expect([shell, name, readFileSync(file(shell), "utf8").includes(name)]).toEqual([shell, name, true]);
    expect(describeCommands().length).toBeGreaterThan(15);
  });
  testUnless(noTools, "has completions that zsh and fish parse", async () => {
    await unpacked;
    for (const [shell, name] of [
      ["zsh", "_bridge-hooks"],
      ["fish", "bridge-hooks.fish"],
    ] as const) {
      const { exit_code, stderr } = await run([...toolCommand(root ?? "", shell), "-n", file(name)], {
        env: { HOME: work },
      });
      expect([shell, exit_code, stderr]).toEqual([shell, 0, ""]);
    }
  });
  const man = findProgram("man");
  testUnless(
    man === undefined ? "there is no man" : "",
    "has a man page that man formats without a warning",
    async () => {
      await unpacked;
      const { stdout, stderr } = await run([man ?? "", "--warnings", "-l", join(work, "man/bridge-hooks.1")], {
        env: { MANWIDTH: "100", LC_ALL: "C.UTF-8" },
      });
      expect([stdout.includes("bridge-hooks config show"), stderr]).toEqual([true, ""]);
    },
  );
});
