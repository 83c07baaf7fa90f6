import { describe, expect, test } from "bun:test";
import { existsSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { hosts } from "../../../src/hosts/index.ts";
import { hasFileChange } from "../../../src/operate/machine/plan.ts";
import { collectStatus } from "../../../src/operate/machine/status.ts";
import type { ConfigFile } from "../../../src/protocol/host/install.ts";
import { createHome, createHookEntry, type Home, readTestFile, writeTestFile } from "../../support/homes.ts";
import { type InstallTarget, listTree, runInstall, runUninstall } from "./support.ts";

const found = await Promise.all(hosts.map(async (host) => ({ host, setup: await host.setup() })));
const place = { roots: ["/p"], home: "/h", platform: process.platform, env: {} };
const targets = found.flatMap(({ host, setup }) => {
  const files = setup.listConfigFiles(place).filter(({ target, event }) => target && event !== undefined);
  return [...new Set(files.map(({ scope }) => scope as InstallTarget["scope"]))].map((scope) => ({
    host,
    setup,
    scope,
  }));
});

for (const target of targets) {
  const { host, setup, scope } = target;
  const listFiles = ({ machine }: Home): ConfigFile[] =>
    setup.listConfigFiles(machine).filter((file) => file.target && file.scope === scope);
  const getPath = (home: Home, event: string) => listFiles(home).find((file) => file.event === event)?.path ?? "";
  const listWritten = (home: Home) => listFiles(home).flatMap(({ event, path }) => (existsSync(path) ? [event] : []));
  const plan = (...events: ("PreToolUse" | "SessionStart")[]) =>
    setup.planSubscriptions(events.map((event) => ({ event }))).map(({ native_event }) => native_event);
  const [PRE = ""] = plan("PreToolUse");
  const status = async (home: Home) => (await collectStatus({ hosts: [host.id], scope }, home, "0")).installed;

  describe(`install for ${host.name}, a file per event, ${scope} scope,`, () => {
    test("writes the files of the requested events once, and uninstall removes them", async () => {
      using home = createHome();
      const before = listTree(home);
      expect((await runInstall(target, home)).problems).toEqual([]);
      expect(listWritten(home)).toEqual(
        listFiles(home).flatMap(({ event = "" }) =>
          plan("PreToolUse", "SessionStart").includes(event) ? [event] : [],
        ),
      );
      expect(readTestFile(getPath(home, PRE))).toContain(`--host ${host.id} --on-error deny`);
      const once = listTree(home);
      expect((await runInstall(target, home)).files.some(hasFileChange)).toBe(false);
      expect(listTree(home)).toEqual(once);
      expect((await status(home)).flatMap(({ drift }) => drift)).toEqual([]);
      await runUninstall(target, home);
      expect(listTree(home)).toEqual(before);
    });

    test("rejects another tool's file with the same name, and then writes no file", async () => {
      using home = createHome();
      writeTestFile(getPath(home, PRE), "#!/bin/sh\ncat\n");
      const before = listTree(home);
      const { problems } = await runInstall(target, home);
      expect(problems.map(({ message }) => message).join()).toContain("did not write this script");
      await runUninstall(target, home);
      expect(listTree(home)).toEqual(before);
    });

    test("leaves another script of the event unchanged, next to ours", async () => {
      using home = createHome();
      const other = join(getPath(home, PRE), "..", PRE);
      writeTestFile(other, "#!/bin/sh\ncat\n");
      const before = listTree(home);
      expect((await runInstall(target, home)).problems).toEqual([]);
      expect([readTestFile(other), existsSync(getPath(home, PRE))]).toEqual(["#!/bin/sh\ncat\n", true]);
      await runUninstall(target, home);
      expect(listTree(home)).toEqual(before);
    });

    test("removes a manually written entry from another script, and writes its own", async () => {
      using home = createHome();
      const other = join(getPath(home, PRE), "..", PRE);
      writeTestFile(other, `exec ${home.self} --host ${host.id}\n`);
      expect((await runInstall(target, home)).problems).toEqual([]);
      expect([existsSync(other), existsSync(getPath(home, PRE))]).toEqual([false, true]);
    });

    test("rejects a link, which the host would not run", async () => {
      using home = createHome();
      writeTestFile(join(home.folder, "real"), "");
      writeTestFile(join(getPath(home, PRE), "..", "x"), "");
      symlinkSync(join(home.folder, "real"), getPath(home, PRE));
      expect((await runInstall(target, home)).problems.map(({ message }) => message).join()).toMatch(/link|leads out/);
    });

    test("keeps the files of other events if one is named, and removes unused ones", async () => {
      using home = createHome();
      await runInstall(target, home, { events: [PRE] });
      expect(listWritten(home)).toEqual([PRE]);
      await runInstall(target, home);
      const all = listWritten(home);
      expect(all.length).toBeGreaterThan(1);
      await runUninstall(target, home, [PRE]);
      expect(listWritten(home)).toEqual(all.filter((event) => event !== PRE));
      await runInstall(target, home);
      await runInstall(target, { ...home, entries: [createHookEntry(["PreToolUse"])] });
      expect(listWritten(home)).toEqual([PRE]);
      await runUninstall(target, home);
      expect(listWritten(home)).toEqual([]);
    });

    test("reports a missing file, a changed file and a missing executable in its status", async () => {
      using home = createHome();
      await runInstall(target, home);
      const [other = ""] = listWritten(home).filter((event) => event !== PRE);
      rmSync(getPath(home, other));
      expect((await status(home)).flatMap(({ drift }) => drift).join()).toContain(
        `no entry for ${other}, which your hooks`,
      );
      await runInstall(target, home);
      writeTestFile(getPath(home, PRE), `${readTestFile(getPath(home, PRE))}# mine\n`);
      expect((await status(home)).flatMap(({ drift }) => drift).join()).toContain(
        "differs from the one that this version writes",
      );
      await runInstall(target, home);
      expect((await status(home)).flatMap(({ drift }) => drift)).toEqual([]);
      renameSync(join(home.folder, "bin"), join(home.folder, "gone"));
      expect((await status(home)).flatMap(({ drift }) => drift).join()).toContain("no executable at");
      expect(basename(getPath(home, PRE))).toStartWith(PRE);
    });
  });
}

test("at least one host has a file per event", () => expect(targets.length).toBe(2));
