import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hasFileChange } from "../../../src/operate/machine/plan.ts";
import { type InstallTarget, listTree, runInstall, runUninstall } from "../../cli/install/support.ts";
import { createHome, type Home, installTargets, readTestFile, writeTestFile } from "../../support/homes.ts";

const getTarget = (scope: string) =>
  installTargets.find(({ host, scope: one }) => host.id === "droid" && one === scope) as InstallTarget;
const user = getTarget("user");
const pathsOf = (home: Home) => ({
  hooks: join(home.folder, "home/.factory/hooks.json"),
  settings: join(home.folder, "home/.factory/settings.json"),
});
const THEIRS = '[{ "matcher": "Execute", "hooks": [{ "type": "command", "command": "./theirs.sh" }] }]';
/** Another tool's hooks, with comments and with an event that Droid doesn't have. */
const HOOKS = `// theirs\n{\n  "Later": [3],\n  "PreToolUse": ${THEIRS}, // first\n  "showHookOutput": true\n}\n`;
const eventsIn = (path: string) =>
  existsSync(path)
    ? user.setup
        .parseEntries(readTestFile(path), path)
        .filter(({ command }) => command.includes("--host droid"))
        .map(({ native_event }) => native_event)
        .sort()
    : [];
const WANTED = ["PreToolUse", "SessionStart"];

describe("an installation for Droid", () => {
  test("puts its events at the top level of hooks.json, and uninstalling leaves no file", async () => {
    using home = createHome();
    const before = listTree(home);
    const { hooks } = pathsOf(home);
    expect((await runInstall(user, home)).problems).toEqual([]);
    expect(Object.keys(JSON.parse(readTestFile(hooks))).sort()).toEqual(WANTED);
    expect((await runInstall(user, home)).files.some(hasFileChange)).toBe(false);
    await runUninstall(user, home);
    expect(listTree(home)).toEqual(before);
  });

  test("keeps the bytes of another tool's hooks and comments", async () => {
    using home = createHome();
    const { hooks } = pathsOf(home);
    writeTestFile(hooks, HOOKS);
    expect((await runInstall(user, home)).problems).toEqual([]);
    expect(eventsIn(hooks)).toEqual(WANTED);
    const after = readTestFile(hooks);
    for (const part of [
      "// theirs\n{\n",
      '"Later": [3],\n',
      THEIRS.slice(0, -1),
      "// first\n",
      '"showHookOutput": true',
    ])
      expect([part, after.includes(part)]).toEqual([part, true]);
    await runUninstall(user, home);
    expect(readTestFile(hooks)).toBe(HOOKS);
  });

  test("goes into the file that has hooks, so that no event replaces another tool's event", async () => {
    using home = createHome();
    const { hooks, settings } = pathsOf(home);
    const text = `{\n  // theirs\n  "hooks": { "PreToolUse": ${THEIRS} }\n}\n`;
    writeTestFile(settings, text);
    await runInstall(user, home);
    expect([existsSync(hooks), eventsIn(settings)]).toEqual([false, WANTED]);
    await runUninstall(user, home);
    expect(readTestFile(settings)).toBe(text);
  });

  test("reports that the entries in settings.json don't run if both files have hooks", async () => {
    using home = createHome();
    const { hooks, settings } = pathsOf(home);
    writeTestFile(settings, `{"hooks":{"PreToolUse":${THEIRS}}}`);
    writeTestFile(hooks, `{"Stop":${THEIRS}}`);
    const { notes } = await runInstall(user, home);
    expect(notes.join("\n")).toContain(`${hooks} overrides PreToolUse in ${settings}`);
  });

  test("writes nothing into a file that Droid would drop", async () => {
    for (const text of ['{"PreToolUse":[],}', '{"Stop":null}', `\ufeff{"PreToolUse":${THEIRS}}`]) {
      using home = createHome();
      const { hooks } = pathsOf(home);
      writeTestFile(hooks, text);
      const { problems } = await runInstall(user, home);
      expect([text, problems.length > 0, readTestFile(hooks)]).toEqual([text, true, text]);
    }
  });

  test("pins managed hooks, and uninstalling removes the pin", async () => {
    using home = createHome();
    const target = getTarget("managed");
    const { path } = target.file(home);
    const text = '{\n  "modelPolicy": {}\n}\n';
    writeTestFile(path, text);
    await runInstall(target, home);
    expect(JSON.parse(readTestFile(path)).hooks.hooksDisabled).toBe(false);
    await runUninstall(target, home);
    expect(readTestFile(path)).toBe(text);
  });
});
