import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram } from "../../../src/hosts/run-program.ts";
import { findProgramsFolder, isInPackageFolder } from "../../../src/cli/install/copy-executable.ts";
import { BUILD_MS, buildShared, linkExecutable } from "../../support/executables.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-copy-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Executables built from two versions of a policy with the same hook. */
const executables = { first: "", second: "" };
beforeAll(async () => {
  for (const name of ["first", "second"] as const) {
    const policy = { name: "acme", version: name };
    executables[name] = (await buildShared("test/cli/build/good-hook", { policy })).outfile;
  }
}, 2 * BUILD_MS);

let count = 0;
/** Creates a home directory with an executable where npm installs it. */
function makeMachine() {
  const home = join(folder, `home-${count++}`);
  const program = join(home, "project/node_modules/@bridge-hooks/linux-x64/bridge-hooks");
  mkdirSync(dirname(program), { recursive: true });
  mkdirSync(join(home, ".claude"));
  try {
    linkSync(EXECUTABLE, program);
  } catch {
    copyFileSync(EXECUTABLE, program);
  }
  const env = { PATH: "/usr/bin:/bin", HOME: home, XDG_STATE_HOME: join(home, "state") };
  const run = (...args: string[]) =>
    runProgram({ argv: [program, "install", "--host", "claude", ...args], cwd: home, env });
  return { home, run, entries: () => readFileSync(join(home, ".claude/settings.json"), "utf8") };
}

describe("an executable in node_modules", () => {
  test("is copied to the programs directory, and entries name the copy", async () => {
    const { home, run, entries } = makeMachine();
    const copy = join(home, ".local/bin/bridge-hooks");
    const dry = await run("--dry-run");
    expect(dry.stdout.split("\n")[0]).toBe(
      `The executable would be copied to ${copy}; to run it by name, add ${dirname(copy)} to your PATH.`,
    );
    expect(existsSync(copy)).toBe(false);
    const { exit_code, stdout, stderr } = await run("--yes");
    expect([exit_code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")[0]).toBe(
      `The executable was copied to ${copy}; to run it by name, add ${dirname(copy)} to your PATH.`,
    );
    expect(stdout).toContain(`To check that denials take effect: ${copy} doctor`);
    expect(statSync(copy).mode & 0o777).toBe(0o755);
    expect(entries()).toContain(`"${copy} --host claude`);
    expect(entries()).not.toContain("node_modules");
    const again = await run("--yes");
    expect(again.stdout).toContain(`The executable is ${copy}`);
    expect(again.stdout).toContain("No changes needed.");
  });

  test("is copied to the directory that --copy-to names", async () => {
    const { home, run, entries } = makeMachine();
    const { stdout } = await run("--yes", "--json", "--copy-to", "my programs");
    const to = join(home, "my programs/bridge-hooks");
    expect(JSON.parse(stdout).copied).toMatchObject({ to, there: false });
    expect(entries()).toContain("my programs/bridge-hooks");
  });

  const wrong = async (prepare: (home: string) => void, args: readonly string[], message: RegExp) => {
    const { home, run } = makeMachine();
    prepare(home);
    const { exit_code, stderr } = await run("--yes", ...args);
    expect([exit_code, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(existsSync(join(home, ".claude/settings.json"))).toBe(false);
  };
  test("does not replace another program", () =>
    wrong(
      (home) => {
        mkdirSync(join(home, ".local/bin"), { recursive: true });
        writeFileSync(join(home, ".local/bin/bridge-hooks"), "#!/bin/sh\n");
      },
      [],
      /^bridge-hooks: .*\.local\/bin\/bridge-hooks exists and is not a bridge-hooks executable; pass another directory with --copy-to\n$/,
    ));
  test("does not replace an executable with hooks that it lacks", () =>
    wrong(
      (home) => linkExecutable(executables.first, join(home, ".local/bin/bridge-hooks")),
      [],
      /^bridge-hooks: .*\.local\/bin\/bridge-hooks has hooks that this executable lacks \(a, busy\); pass another directory with --copy-to\n$/,
    ));
  test("replaces an older executable with the same hooks", async () => {
    const { home } = makeMachine();
    const [copy, program] = [join(home, ".local/bin/guard"), join(home, "dist/guard")];
    linkExecutable(executables.first, copy);
    linkExecutable(executables.second, program);
    const argv = [program, "install", "--host", "claude", "--yes", "--copy-to", dirname(copy)];
    const env = { PATH: "/usr/bin:/bin", HOME: home, XDG_STATE_HOME: join(home, "state") };
    expect(await runProgram({ argv, cwd: home, env })).toMatchObject({ exit_code: 0, stderr: "" });
    expect(readFileSync(copy).equals(readFileSync(program))).toBe(true);
  });
  test("is not installed if its copy can't be written", () =>
    wrong(
      (home) => writeFileSync(join(home, "file"), ""),
      ["--copy-to", "file/x"],
      /^bridge-hooks: the executable can't be copied to .*file\/x \(ENOTDIR\); pass another directory/,
    ));
  test("is not installed with both --copy-to and --bin", () =>
    wrong(() => {}, ["--copy-to", "x", "--bin", "y"], /^bridge-hooks: --bin and --copy-to can't be combined/));
});

test("the default directory for programs depends on system and scope, and node_modules belongs to packages", () => {
  const place = (platform: NodeJS.Platform, env = {}) => ({
    platform,
    env,
    home: platform === "win32" ? "C:\\Users\\u" : "/home/u",
    roots: [],
  });
  expect(findProgramsFolder(place("linux"), "user")).toBe("/home/u/.local/bin");
  expect(findProgramsFolder(place("darwin"), "managed")).toBe("/opt/bridge-hooks");
  expect(findProgramsFolder(place("win32"), "user")).toBe("C:\\Users\\u\\AppData\\Local\\Programs\\bridge-hooks");
  expect(findProgramsFolder(place("win32", { LOCALAPPDATA: "D:\\L" }), "user")).toBe("D:\\L\\Programs\\bridge-hooks");
  expect(findProgramsFolder(place("win32"), "managed")).toBe("C:\\Program Files\\bridge-hooks");
  expect(
    ["/p/node_modules/x/bridge-hooks", "C:\\p\\node_modules\\x\\b.exe", "/home/u/.local/bin/bridge-hooks"].map(
      isInPackageFolder,
    ),
  ).toEqual([true, true, false]);
});

test("a requested copy is created even if no host is installed yet, and the message says so", async () => {
  const home = join(folder, "empty");
  mkdirSync(home);
  const argv = [EXECUTABLE, "install", "--yes", "--copy-to", join(home, "bin")];
  const { exit_code, stdout, stderr } = await runProgram({
    argv,
    cwd: home,
    env: { PATH: "/usr/bin:/bin", HOME: home },
  });
  expect([exit_code, existsSync(join(home, "bin/bridge-hooks"))]).toEqual([1, true]);
  expect(stdout).toStartWith(`The executable was copied to ${join(home, "bin/bridge-hooks")};`);
  expect(stderr).toStartWith("bridge-hooks: no hosts found on this machine");
});

test("uninstall names every copy, even if entries no longer call it", async () => {
  const home = join(folder, "several copies");
  for (const host of [".claude", ".cursor"]) mkdirSync(join(home, host), { recursive: true });
  const env = { PATH: "/usr/bin:/bin", HOME: home, XDG_STATE_HOME: join(home, "state") };
  const run = async (...args: string[]) => (await runProgram({ argv: [EXECUTABLE, ...args], cwd: home, env })).stdout;
  for (const [host, at] of [
    ["claude", "first"],
    ["claude", "second"],
    ["cursor", "third"],
  ] as const)
    await run("install", "--host", host, "--yes", "--copy-to", join(home, at));
  const remaining = ["second", "first", "third"].map((at) => join(home, at, "bridge-hooks"));
  expect(remaining.filter((copy) => existsSync(copy))).toEqual(remaining);
  const list = (stdout: string) => stdout.match(/(?<=The executable remains; to delete it: rm ').*(?=')/g);
  // Cursor's entries still call one of the copies.
  expect(list(await run("uninstall", "--host", "claude", "--yes"))).toBeNull();
  expect(list(await run("uninstall", "--host", "cursor", "--yes"))?.toSorted()).toEqual(remaining.toSorted());
  rmSync(join(home, "first"), { recursive: true });
  const last = await run("uninstall", "--purge", "--yes");
  expect(list(last)?.toSorted()).toEqual(remaining.filter((copy) => existsSync(copy)).toSorted());
  expect(readdirSync(join(home, "state"))).toEqual([]);
});
