import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { at } from "../../../src/cli/host-config/edit/editor.ts";
import { editorOf } from "../../../src/cli/host-config/edit/entries.ts";
import { changesFile } from "../../../src/cli/host-config/plan.ts";
import { carryOut, planInstall } from "../../../src/cli/install/install.ts";
import { statusOf } from "../../../src/cli/status/status.ts";
import { executableAt, foreignConfig, type Home, hook, newHome, put, read, targets } from "../../support/homes.ts";
import { optionsOf, install, uninstall, tree, eventOf, commandsIn } from "./support.ts";

let ran = 0;
for (const target of targets) {
  const { host, setup, scope, syntax } = target;
  const { flaws } = await host.check();
  const allows = { comments: syntax === "toml" || flaws('{ "version": 1 /* c */ }', "hooks.json").length === 0 };
  /** All of the file is ours: nobody else's entries stand beside them. */
  const whole = typeof syntax === "object";
  const beside = whole ? "" : foreignConfig(setup, syntax, eventOf(target));
  const guards = whole ? 0 : 1;

  describe(`${host.name}, ${scope}`, () => {
    const cases: Record<string, (home: Home, path: string) => Promise<void>> = {
      async "a fresh machine"(home, path) {
        const before = tree(home);
        const plan = await install(target, home);
        expect(plan.problems).toEqual([]);
        const wanted = setup
          .subscriptions([{ event: "PreToolUse" }, { event: "SessionStart" }])
          .map(({ native_event }) => native_event);
        expect(
          setup
            .entries(read(path), path)
            .map(({ native_event }) => native_event)
            .sort(),
        ).toEqual(wanted.sort());
        for (const command of commandsIn(target, home)) expect(command).toContain(`--host ${host.id}`);
        const once = tree(home);
        const again = await install(target, home);
        expect([again.files.some(changesFile), tree(home)]).toEqual([false, once]);
        await uninstall(target, home);
        expect(tree(home)).toEqual(before);
      },
      async "a config with somebody else's hooks"(home, path) {
        const text = foreignConfig(setup, syntax, eventOf(target));
        put(path, text);
        chmodSync(path, 0o640);
        const before = tree(home);
        if (whole) {
          expect((await install(target, home)).problems.map(({ message }) => message).join()).toContain(
            "did not write this file",
          );
          await uninstall(target, home);
          expect(tree(home)).toEqual(before);
          return;
        }
        expect((await install(target, home)).problems).toEqual([]);
        expect(commandsIn(target, home).filter((command) => command.includes("guard.sh"))).toHaveLength(1);
        for (const line of text.split("\n").filter((line) => /#|guard/.test(line)))
          expect(read(path)).toContain(line.trim());
        expect([read(`${path}.bridge-hooks-backup`), statSync(`${path}.bridge-hooks-backup`).mode & 0o777]).toEqual([
          text,
          0o640,
        ]);
        expect(statSync(path).mode & 0o777).toBe(0o640);
        const once = tree(home);
        await install(target, home);
        expect(tree(home)).toEqual(once);
        await uninstall(target, home);
        expect(tree(home)).toEqual(before);
      },
      async "a config that somebody else changed in between"(home, path) {
        put(path, foreignConfig(setup, syntax, eventOf(target)));
        await install(target, home);
        const added = syntax === "toml" ? `\n[added]\nx = 1 # later\n` : undefined;
        put(path, added ? read(path) + added : read(path).replace(/^\{/, '{\n    "later": 1,'));
        // The host may not take such a key; to take ours out is right all the same.
        await uninstall(target, home);
        const text = foreignConfig(setup, syntax, eventOf(target));
        expect(read(path)).toBe(added ? text + added : text.replace(/^\{/, '{\n    "later": 1,'));
      },
      async "a config with comments"(home, path) {
        if (whole) return;
        const json = foreignConfig(setup, syntax, eventOf(target));
        const text = syntax === "toml" ? json : json.replace("{\n", "{ // mine\n").replace("]", "/* end */ ] // list");
        put(path, text);
        const before = tree(home);
        const { problems } = await install(target, home);
        if (!allows.comments) {
          expect(problems.map(({ message }) => message).join()).toMatch(/:1:3: .*comment/);
          expect(tree(home)).toEqual(before);
          return;
        }
        expect(problems).toEqual([]);
        for (const comment of text.match(/\/\/ \w+|\/\* \w+ \*\/|# .*/g) ?? ["none"])
          expect(read(path)).toContain(comment);
        await uninstall(target, home);
        expect(tree(home)).toEqual(before);
      },
      async "entries of ours that name another path"(home, path) {
        put(path, beside);
        await install(target, { ...home, self: executableAt(join(home.folder, "old place", "it's", "guard")) });
        const first = commandsIn(target, home);
        expect(first.filter((command) => command.includes("old place"))).toHaveLength(first.length - guards);
        renameSync(join(home.folder, "old place"), join(home.folder, "away"));
        const moved = { ...home, self: executableAt(join(home.folder, "new", "ü place", "guard")) };
        await install(target, moved);
        const second = commandsIn(target, moved);
        expect(second).toHaveLength(first.length);
        expect(second.filter((command) => command.includes("ü place"))).toHaveLength(first.length - guards);
        await uninstall(target, moved);
        expect(read(path)).toBe(beside);
        expect(existsSync(`${path}.bridge-hooks-backup`)).toBe(false);
      },
      async "a config that does not parse"(home, path) {
        put(path, syntax === "toml" ? "[features\nhooks = 1\n" : '{\n  "hooks": {\n');
        const before = tree(home);
        const { problems } = await install(target, home);
        expect(problems.map(({ message }) => message).join()).toMatch(/:\d+:\d+: /);
        expect(tree(home)).toEqual(before);
      },
      async "a config that is read-only"(home, path) {
        put(path, foreignConfig(setup, syntax, eventOf(target)));
        chmodSync(path, 0o444);
        const before = tree(home);
        const { problems } = await install(target, home);
        expect(problems.map(({ message }) => message).join()).toContain("read-only");
        expect(tree(home)).toEqual(before);
      },
      async "a config that is a link"(home, path) {
        // What leads out of a project is no project's.
        const own = scope === "project" || scope === "local";
        const real = own
          ? join(home.place.roots[0] as string, "config", "real")
          : join(home.folder, "dotfiles", "config");
        const text = beside;
        put(real, text);
        put(join(dirname(path), "x"), "");
        symlinkSync(real, path);
        const { problems } = await install(target, home);
        if (setup.refuses_links?.(target.file(home))) {
          expect(problems.map(({ message }) => message).join()).toContain("link");
          expect(read(real)).toBe(text);
          return;
        }
        expect(problems).toEqual([]);
        expect([lstatSync(path).isSymbolicLink(), read(real).includes("--host")]).toEqual([true, true]);
        await uninstall(target, home);
        expect([lstatSync(path).isSymbolicLink(), read(real)]).toEqual([true, text]);
        if (!own) return;
        put(join(home.folder, "elsewhere"), text);
        rmSync(path);
        symlinkSync(join(home.folder, "elsewhere"), path);
        expect((await install(target, home)).problems.map(({ message }) => message).join()).toContain(
          "leads out of the project",
        );
        expect(read(join(home.folder, "elsewhere"))).toBe(text);
      },
      async "a new file that somebody else puts hooks into"(home, path) {
        await install(target, home);
        const event = eventOf(target);
        const list = setup.layout === "list";
        const theirs = list
          ? '{ "command": "./mine.sh" }'
          : '{ "hooks": [{ "type": "command", "command": "./mine.sh" }] }';
        if (syntax === "toml")
          put(
            path,
            `${read(path)}\n[[hooks.${event}]]\n[[hooks.${event}.hooks]]\ntype = "command"\ncommand = "./mine.sh"\n`,
          );
        else put(path, read(path).replace(`"${event}": [`, `"${event}": [ ${theirs},`));
        const settings = setup.settings({ scope, program: home.self });
        await uninstall(target, home);
        expect(commandsIn(target, home)).toEqual(["./mine.sh"]);
        // Without them the host would not run what is left, or a project could turn it off.
        for (const { path: key } of settings)
          expect(at(editorOf(target.file(home), read(path)).value(), key)).toBeDefined();
      },
      async "entries that somebody added to by hand"(home, path) {
        await install(target, home);
        const more = "--timeout-ms 9000";
        const edit = (text: string) =>
          text
            .replaceAll(/(--host \w+ )/g, `$1${more} `)
            .replaceAll(/"--host",(\s+)/g, `"--timeout-ms",$1"9000",$1"--host",$1`)
            .replaceAll(/"timeout": 20/g, '"timeout": 60')
            .replaceAll("timeout = 20", "timeout = 60");
        put(path, edit(read(path)));
        const edited = commandsIn(target, home);
        expect(edited.every((command) => command.includes(more))).toBe(true);
        const status = await statusOf({ hosts: [host.id], scope }, home, "0");
        await install(target, home);
        expect(commandsIn(target, home).every((command) => command.includes(more))).toBe(true);
        expect(read(path)).not.toMatch(/timeout"?\s*[:=]\s*20/);
        expect((await statusOf({ hosts: [host.id], scope }, home, "0")).installed[0]?.drift).toEqual([]);
        expect(status.installed).toHaveLength(1);
      },
      async "a config that changes under us"(home, path) {
        put(path, beside);
        const options = optionsOf(target);
        const plan = await planInstall(options, home);
        put(path, `${read(path)}\n`);
        const before = tree(home);
        expect(() => carryOut(plan, options, home)).toThrow("changed by somebody else");
        expect(tree(home).filter(([file]) => !file?.includes("backup"))).toEqual(before);
      },
      async "one event alone, and then the rest"(home, path) {
        await install(target, home, { events: [eventOf(target)] });
        const [one] = commandsIn(target, home);
        await install(target, home);
        expect(commandsIn(target, home)).toContain(one as string);
        await uninstall(target, home, [eventOf(target)]);
        expect(commandsIn(target, home)).not.toContain(one as string);
        await uninstall(target, home);
        expect(existsSync(path)).toBe(false);
      },
      async "hooks that want less than before"(home) {
        await install(target, home);
        await install(target, { ...home, entries: [hook(["SessionStart"])] });
        expect(commandsIn(target, home)).toHaveLength(1);
      },
      async "status, and what has drifted"(home, path) {
        await install(target, home);
        const status = (entries = home.entries) => statusOf({ hosts: [host.id], scope }, { ...home, entries }, "0");
        expect((await status()).installed.map(({ file, drift, onError }) => [file, drift, onError])).toEqual([
          [path, [], "deny"],
        ]);
        const more = await status([...home.entries, hook(["UserPromptSubmit"])]);
        expect(more.installed[0]?.drift.join()).toContain("is missing: your hooks subscribe to it");
        renameSync(join(home.folder, "bin"), join(home.folder, "gone"));
        expect((await status()).installed[0]?.drift.join()).toContain("there is no executable");
      },
    };
    for (const [name, run] of Object.entries(cases)) {
      ran++;
      test(name, async () => {
        using home = newHome();
        await run(home, target.file(home).path);
      });
    }
  });
}

test("every host and scope has every case", () => {
  expect(targets.map(({ host, scope }) => `${host.id} ${scope}`)).toEqual([
    "claude managed",
    "claude user",
    "claude project",
    "claude local",
    "cursor managed",
    "cursor user",
    "cursor project",
    "codex managed",
    "codex user",
    "codex project",
    "gemini managed",
    "gemini user",
    "gemini project",
    "copilot managed",
    "copilot user",
    "copilot project",
    "copilot local",
    "opencode managed",
    "opencode user",
    "opencode project",
    "openclaw user",
  ]);
  expect(ran).toBe(targets.length * 14);
});
