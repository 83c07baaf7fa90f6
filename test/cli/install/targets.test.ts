import { describe, expect, test } from "bun:test";
import { hosts } from "../../../src/hosts/index.ts";
import { chmodSync, existsSync, lstatSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { getValueAt } from "../../../src/protocol/object.ts";
import { createEditor } from "../../../src/operate/machine/edit/entries.ts";
import { hasFileChange } from "../../../src/operate/machine/plan.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { collectStatus } from "../../../src/operate/machine/status.ts";
import {
  writeExecutable,
  buildForeignConfig,
  type Home,
  createHookEntry,
  createHome,
  writeTestFile,
  readTestFile,
  installTargets,
} from "../../support/homes.ts";
import { buildOptions, runInstall, runUninstall, listTree, getEvent, readCommands } from "./support.ts";

let ran = 0;
/** Cases that need a second event, which one host doesn't have. */
const OTHER_EVENTS = [
  "adds the other events to a named one, which uninstall can remove alone",
  "removes events that no hook subscribes to any more",
  "leaves a status without drift, which later names a missing event or executable",
] as const;

for (const target of installTargets) {
  const { host, setup, scope, syntax } = target;
  const { findConfigProblems } = await host.loadDoctor();
  const allows = {
    comments: syntax === "toml" || findConfigProblems('{ "version": 1 /* c */ }', "hooks.json").length === 0,
  };
  /** Whether the whole file is ours and contains no other entries. */
  const whole = typeof syntax === "object";
  const beside = whole ? "" : buildForeignConfig(setup, target, getEvent(target));
  const guards = whole ? 0 : 1;

  describe(`install for ${host.name}, ${scope} scope,`, () => {
    const cases: Record<string, (home: Home, path: string) => Promise<void>> = {
      async "writes every entry once on a fresh machine, and uninstall removes all"(home, path) {
        const before = listTree(home);
        const plan = await runInstall(target, home);
        expect(plan.problems).toEqual([]);
        const wanted = setup
          .planSubscriptions([{ event: "PreToolUse" }, { event: "SessionStart" }])
          .map(({ native_event }) => native_event);
        expect(
          setup
            .parseEntries(readTestFile(path), path)
            .map(({ native_event }) => native_event)
            .sort(),
        ).toEqual(wanted.sort());
        for (const command of readCommands(target, home)) expect(command).toContain(`--host ${host.id}`);
        const once = listTree(home);
        const again = await runInstall(target, home);
        expect([again.files.some(hasFileChange), listTree(home)]).toEqual([false, once]);
        await runUninstall(target, home);
        expect(listTree(home)).toEqual(before);
      },
      async "keeps foreign hooks, or rejects a foreign file, and uninstall restores the config"(home, path) {
        const text = buildForeignConfig(setup, target, getEvent(target));
        writeTestFile(path, text);
        chmodSync(path, 0o640);
        const before = listTree(home);
        if (whole) {
          expect((await runInstall(target, home)).problems.map(({ message }) => message).join()).toContain(
            "did not write this file",
          );
          await runUninstall(target, home);
          expect(listTree(home)).toEqual(before);
          return;
        }
        expect((await runInstall(target, home)).problems).toEqual([]);
        expect(readCommands(target, home).filter((command) => command.includes("guard.sh"))).toHaveLength(1);
        for (const line of text.split("\n").filter((line) => /#|guard/.test(line)))
          expect(readTestFile(path)).toContain(line.trim());
        expect([
          readTestFile(`${path}.bridge-hooks-backup`),
          statSync(`${path}.bridge-hooks-backup`).mode & 0o777,
        ]).toEqual([text, 0o640]);
        expect(statSync(path).mode & 0o777).toBe(0o640);
        const once = listTree(home);
        await runInstall(target, home);
        expect(listTree(home)).toEqual(once);
        await runUninstall(target, home);
        expect(listTree(home)).toEqual(before);
      },
      async "is undone by uninstall without losing a change made in between"(home, path) {
        writeTestFile(path, buildForeignConfig(setup, target, getEvent(target)));
        await runInstall(target, home);
        const added = syntax === "toml" ? `\n[added]\nx = 1 # later\n` : undefined;
        writeTestFile(
          path,
          added ? readTestFile(path) + added : readTestFile(path).replace(/^\{/, '{\n    "later": 1,'),
        );
        // Even if the host rejects this key, removing our entries must work.
        await runUninstall(target, home);
        const text = buildForeignConfig(setup, target, getEvent(target));
        expect(readTestFile(path)).toBe(added ? text + added : text.replace(/^\{/, '{\n    "later": 1,'));
      },
      async "keeps comments, or rejects them if the host does"(home, path) {
        if (whole) return;
        const json = buildForeignConfig(setup, target, getEvent(target));
        const text = syntax === "toml" ? json : json.replace("{\n", "{ // mine\n").replace("]", "/* end */ ] // list");
        writeTestFile(path, text);
        const before = listTree(home);
        const { problems } = await runInstall(target, home);
        if (!allows.comments) {
          expect(problems.map(({ message }) => message).join()).toMatch(/:1:3: .*comment/);
          expect(listTree(home)).toEqual(before);
          return;
        }
        expect(problems).toEqual([]);
        for (const comment of text.match(/\/\/ \w+|\/\* \w+ \*\/|# .*/g) ?? ["none"])
          expect(readTestFile(path)).toContain(comment);
        await runUninstall(target, home);
        expect(listTree(home)).toEqual(before);
      },
      async "updates entries that name an old path of the executable"(home, path) {
        writeTestFile(path, beside);
        await runInstall(target, { ...home, self: writeExecutable(join(home.folder, "old place", "it's", "guard")) });
        const first = readCommands(target, home);
        expect(first.filter((command) => command.includes("old place"))).toHaveLength(first.length - guards);
        renameSync(join(home.folder, "old place"), join(home.folder, "away"));
        const moved = { ...home, self: writeExecutable(join(home.folder, "new", "ü place", "guard")) };
        await runInstall(target, moved);
        const second = readCommands(target, moved);
        expect(second).toHaveLength(first.length);
        expect(second.filter((command) => command.includes("ü place"))).toHaveLength(first.length - guards);
        await runUninstall(target, moved);
        expect(readTestFile(path)).toBe(beside);
        expect(existsSync(`${path}.bridge-hooks-backup`)).toBe(false);
      },
      async "leaves an invalid config unchanged, and names line and column"(home, path) {
        writeTestFile(path, syntax === "toml" ? "[features\nhooks = 1\n" : '{\n  "hooks": {\n');
        const before = listTree(home);
        const { problems } = await runInstall(target, home);
        expect(problems.map(({ message }) => message).join()).toMatch(/:\d+:\d+: /);
        expect(listTree(home)).toEqual(before);
      },
      async "leaves a read-only config unchanged, and reports it"(home, path) {
        writeTestFile(path, buildForeignConfig(setup, target, getEvent(target)));
        chmodSync(path, 0o444);
        const before = listTree(home);
        const { problems } = await runInstall(target, home);
        expect(problems.map(({ message }) => message).join()).toContain("read-only");
        expect(listTree(home)).toEqual(before);
      },
      async "writes through a link, unless it leads out of the project or the host rejects links"(home, path) {
        // A file outside the project isn't part of it.
        const own = scope === "project" || scope === "local";
        const real = own
          ? join(home.machine.roots[0] as string, "config", "real")
          : join(home.folder, "dotfiles", "config");
        const text = beside;
        writeTestFile(real, text);
        writeTestFile(join(dirname(path), "x"), "");
        symlinkSync(real, path);
        const { problems } = await runInstall(target, home);
        if (setup.explainLinkRefusal?.(target.file(home))) {
          expect(problems.map(({ message }) => message).join()).toContain("link");
          expect(readTestFile(real)).toBe(text);
          return;
        }
        expect(problems).toEqual([]);
        expect([lstatSync(path).isSymbolicLink(), readTestFile(real).includes("--host")]).toEqual([true, true]);
        await runUninstall(target, home);
        expect([lstatSync(path).isSymbolicLink(), readTestFile(real)]).toEqual([true, text]);
        if (!own) return;
        writeTestFile(join(home.folder, "elsewhere"), text);
        rmSync(path);
        symlinkSync(join(home.folder, "elsewhere"), path);
        expect((await runInstall(target, home)).problems.map(({ message }) => message).join()).toContain(
          "outside the project",
        );
        expect(readTestFile(join(home.folder, "elsewhere"))).toBe(text);
      },
      async "creates a file in which uninstall keeps hooks added later and their settings"(home, path) {
        await runInstall(target, home);
        const event = getEvent(target);
        const list = setup.layout === "list";
        const theirs = list
          ? '{ "command": "./mine.sh" }'
          : '{ "hooks": [{ "type": "command", "command": "./mine.sh" }] }';
        if (syntax === "toml")
          writeTestFile(
            path,
            `${readTestFile(path)}\n${
              setup.layout === "flat"
                ? `[[hooks]]\nevent = "${event}"\n`
                : `[[hooks.${event}]]\n[[hooks.${event}.hooks]]\ntype = "command"\n`
            }command = "./mine.sh"\n`,
          );
        else writeTestFile(path, readTestFile(path).replace(`"${event}": [`, `"${event}": [ ${theirs},`));
        const settings = setup.listSettings({ scope, program: home.self });
        await runUninstall(target, home);
        expect(readCommands(target, home)).toEqual(["./mine.sh"]);
        // Without these settings, the host wouldn't run the user's own hooks, or a project could turn hooks off.
        for (const { path: key } of settings)
          expect(getValueAt(createEditor(target.file(home), readTestFile(path)).value(), key)).toBeDefined();
      },
      async "keeps flags and timeouts that the user added to entries"(home, path) {
        await runInstall(target, home);
        const more = "--timeout-ms 9000";
        const edit = (text: string) =>
          text
            .replaceAll("--timeout-ms 18000", more)
            .replaceAll('"18000"', '"9000"')
            .replaceAll(/"timeout": 20/g, '"timeout": 60')
            .replaceAll("timeout = 20", "timeout = 60");
        writeTestFile(path, edit(readTestFile(path)));
        const edited = readCommands(target, home);
        expect(edited.every((command) => command.includes(more))).toBe(true);
        const status = await collectStatus({ hosts: [host.id], scope }, home, "0");
        await runInstall(target, home);
        expect(readCommands(target, home).every((command) => command.includes(more))).toBe(true);
        expect(readTestFile(path)).not.toMatch(/timeout"?\s*[:=]\s*20/);
        expect((await collectStatus({ hosts: [host.id], scope }, home, "0")).installed[0]?.drift).toEqual([]);
        expect(status.installed).toHaveLength(1);
      },
      async "changes nothing if another program changed the config after the plan"(home, path) {
        writeTestFile(path, beside);
        const options = buildOptions(target);
        const plan = await planInstall(options, home);
        writeTestFile(path, `${readTestFile(path)}\n`);
        const before = listTree(home);
        expect(applyInstall(plan, options, home).map(({ message }) => message)).toEqual([
          expect.stringContaining("changed by another program"),
        ]);
        expect(listTree(home).filter(([file]) => !file?.includes("backup"))).toEqual(before);
      },
      async [OTHER_EVENTS[0]](home, path) {
        await runInstall(target, home, { events: [getEvent(target)] });
        const [one] = readCommands(target, home);
        await runInstall(target, home);
        expect(readCommands(target, home)).toContain(one as string);
        await runUninstall(target, home, [getEvent(target)]);
        expect(readCommands(target, home)).not.toContain(one as string);
        await runUninstall(target, home);
        expect(existsSync(path)).toBe(false);
      },
      async [OTHER_EVENTS[1]](home) {
        await runInstall(target, home);
        await runInstall(target, { ...home, entries: [createHookEntry(["SessionStart"])] });
        expect(readCommands(target, home)).toHaveLength(1);
      },
      async [OTHER_EVENTS[2]](home, path) {
        await runInstall(target, home);
        const status = (entries = home.entries) =>
          collectStatus({ hosts: [host.id], scope }, { ...home, entries }, "0");
        expect((await status()).installed.map(({ file, drift, onError }) => [file, drift, onError])).toEqual([
          [path, [], "deny"],
        ]);
        const more = await status([...home.entries, createHookEntry(["UserPromptSubmit"])]);
        expect(more.installed[0]?.drift.join()).toContain("which your hooks subscribe to");
        renameSync(join(home.folder, "bin"), join(home.folder, "gone"));
        expect((await status()).installed[0]?.drift.join()).toContain("no executable at");
      },
    };
    for (const [name, run] of Object.entries(cases)) {
      ran++;
      const needsOthers = OTHER_EVENTS.some((one) => one === name);
      test.skipIf(needsOthers && Object.keys(host.capabilities).length === 1)(name, async () => {
        using home = createHome();
        await run(home, target.file(home).path);
      });
    }
  });
}

test("every host and scope has every install test", () => {
  // The host with one file per event has its own tests.
  for (const { id } of hosts.filter(({ id }) => id !== "cline"))
    expect([id, installTargets.some(({ host, scope }) => host.id === id && scope === "user")]).toEqual([id, true]);
  expect(ran).toBe(installTargets.length * 14);
});
