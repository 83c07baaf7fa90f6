import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { collectStatus } from "../../../src/operate/machine/status.ts";
import type { InstallScope } from "../../../src/protocol/host/install.ts";
import { type Home, createHookEntry, writeTestFile, readTestFile } from "../../support/homes.ts";
import { product, createMachine, installEntries, getConfigPath } from "./machine.ts";

describe("with entries that call another executable,", () => {
  /** Installs another executable, whose hooks subscribe to fewer events. */
  const others = async (home: Home, scope: InstallScope = "user") => {
    const other = join(home.folder, "other", "bridge-hooks");
    mkdirSync(dirname(other));
    linkSync(product, other);
    await installEntries({ ...home, self: other, entries: [createHookEntry(["PreToolUse"])] }, "claude", scope);
    return other;
  };
  const findings = async (home: Home) =>
    (await diagnoseHosts(["claude"], home, "0")).hosts.flatMap(({ findings }) => findings);

  test("doctor has one note, whose fix removes it", async () => {
    using home = createMachine();
    const other = await others(home);
    expect(await findings(home)).toEqual([
      {
        check: "other-build",
        level: "note",
        what: `${getConfigPath(home, "claude")} calls ${other}, not this executable (${home.self})`,
        impact: "that executable's hooks apply instead",
        fix: `to replace these entries with this executable's own: ${home.self} install --host claude; to check that executable: ${other} doctor`,
      },
    ]);
    const { installed } = await collectStatus({ hosts: ["claude"] }, home, "0");
    expect(installed.map(({ programs, drift }) => [programs, drift])).toEqual([
      [[{ program: other, version: "0.1.0", other: true }], []],
    ]);
    await installEntries(home, "claude");
    expect(await findings(home)).toEqual([]);
  });
  test("install notes that the hooks of that executable will no longer apply", async () => {
    using home = createMachine();
    const other = await others(home);
    const notesOf = async (events: string[] = []) =>
      (await planInstall({ hosts: ["claude"], scope: "user", events, on_error: "deny" }, home)).notes.filter((note) =>
        note.includes(" replaces "),
      );
    const note = `${home.self} replaces ${other} in ${getConfigPath(home, "claude")}; the hooks of the replaced executable no longer apply there`;
    expect(await notesOf()).toEqual([note]);
    expect(await notesOf(["SessionStart"])).toEqual([]);
    const dry = Bun.spawnSync([home.self, "install", "--dry-run", "--host", "claude"], {
      cwd: home.machine.roots[0],
      env: { HOME: home.machine.home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home.folder, "state") },
    });
    expect(dry.stdout.toString()).toMatch(/\n[ +-].*\n\nNotes:\n {2}- /);
    await installEntries(home, "claude");
    expect(await notesOf()).toEqual([]);
  });
  test("doctor does not run that executable if the entries are a project's", async () => {
    using home = createMachine();
    const other = await others(home, "project");
    const found = await findings(home);
    expect(found.map(({ check }) => check)).toEqual(["program-not-run"]);
    expect(found[0]?.fix).toBe(
      `to replace these entries with this executable's own: ${home.self} install --host claude --scope project; if you trust that executable, run: ${other} doctor`,
    );
  });
  test("doctor suggests fixes that install this executable if another entry already calls it", async () => {
    using home = createMachine();
    const other = join(home.folder, "other", "bridge-hooks");
    mkdirSync(dirname(other));
    linkSync(product, other);
    await installEntries(home, "claude");
    const file = getConfigPath(home, "claude");
    writeTestFile(file, readTestFile(file).replace(home.self, other));
    const found = await findings(home);
    expect(found.map(({ check }) => check)).toEqual(expect.arrayContaining(["other-build", "drift"]));
    for (const { fix } of found) expect(fix).toContain(`${home.self} install --host claude`);
    await installEntries(home, "claude");
    expect(await findings(home)).toEqual([]);
  });
  test("doctor names that executable by its path, and this one by the command that runs it", async () => {
    using home = createMachine();
    const other = await others(home);
    Object.assign(home.machine.env, { PATH: `${dirname(other)}:/usr/bin:/bin` });
    await installEntries({ ...home, self: other }, "claude", "user", "bridge-hooks");
    expect((await findings(home))[0]?.fix).toEndWith(
      `${home.self} install --host claude; to check that executable: ${other} doctor`,
    );
    Object.assign(home.machine.env, { PATH: `${dirname(home.self)}:/usr/bin:/bin` });
    await installEntries({ ...home, self: other }, "claude", "user", other);
    expect((await findings(home))[0]?.fix).toContain(": bridge-hooks install --host claude;");
  });
  test("doctor reports that the executable is missing, and how to replace its entries", async () => {
    using home = createMachine();
    rmSync(await others(home));
    const found = await findings(home);
    expect([...new Set(found.map(({ check }) => check))]).toEqual(
      ["stale-path", "deny-probe", "allow-probe"].slice(0, found.length),
    );
    expect(found[0]?.fix).toBe(`restore the executable, or run: ${home.self} install --host claude`);
  });
});

describe("doctor", () => {
  const notes = async (home: Home) =>
    (await diagnoseHosts(["claude"], home, "0")).hosts
      .flatMap(({ findings }) => findings)
      .filter(({ check }) => check === "program-in-project")
      .map(({ level, what, fix }) => ({ level, what, fix }));
  const inside = async (home: Home, ...folders: string[]) => {
    const path = join(home.folder, ...folders, "bridge-hooks");
    mkdirSync(dirname(path), { recursive: true });
    linkSync(product, path);
    await installEntries({ ...home, self: path }, "claude", "user", path);
    return { ...home, self: path };
  };
  const PLACE = process.platform === "win32" ? "C:\\Program Files\\bridge-hooks" : "~/.local/bin";
  const told = (self: string, root: string) => [
    {
      level: "note" as const,
      what: `${self} is inside the project ${root}`,
      fix: `move the executable out of the project, for example to ${PLACE}, and install it from there`,
    },
  ];
  test("notes an executable inside the examined project", async () => {
    using home = createMachine();
    const found = await inside(home, "project", "dist");
    expect(await notes(found)).toEqual(told(found.self, home.machine.roots[0] as string));
  });
  test("notes an executable inside another project", async () => {
    using home = createMachine();
    writeTestFile(join(home.folder, "hooks-of-mine", ".git", "HEAD"), "");
    const found = await inside(home, "hooks-of-mine", "dist");
    expect(await notes(found)).toEqual(told(found.self, join(home.folder, "hooks-of-mine")));
  });
  test("accepts an executable in the home directory, even if that is a repository", async () => {
    using home = createMachine();
    writeTestFile(join(home.machine.home, ".git", "HEAD"), "");
    expect(await notes(await inside(home, "home", ".local", "bin"))).toEqual([]);
  });
});
