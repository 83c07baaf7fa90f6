import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { at } from "../../../src/cli/host-config/edit/editor.ts";
import { editorOf } from "../../../src/cli/host-config/edit/entries.ts";
import { carryOut, type InstallOptions, planInstall } from "../../../src/cli/install/install.ts";
import type { HookEntry } from "../../../src/protocol/hook.ts";
import type { Host } from "../../../src/protocol/host/host.ts";
import { changesFile } from "../../../src/cli/host-config/plan.ts";
import type { World } from "../../../src/cli/host-config/place.ts";
import { statusOf } from "../../../src/cli/status/status.ts";
import { planUninstall, takeOut } from "../../../src/cli/uninstall/uninstall.ts";
import { PROBE } from "../../../src/protocol/probe.ts";
import type { ConfigFile, Place } from "../../../src/protocol/host/install.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";
import { executableAt, foreignConfig, type Home, hook, newHome, put, read, targets } from "../../support/homes.ts";

type Target = (typeof targets)[number];

const optionsOf = ({ host, scope }: Target, more: Partial<InstallOptions> = {}): InstallOptions => ({
  hosts: [host.id],
  scope,
  events: [],
  on_error: "deny",
  ...more,
});

async function install(target: Target, world: World, more: Partial<InstallOptions> = {}) {
  const options = optionsOf(target, more);
  const plan = await planInstall(options, world);
  if (plan.problems.length === 0) carryOut(plan, options, world);
  return plan;
}

async function uninstall({ host, scope }: Target, world: World, events: string[] = []) {
  const plan = await planUninstall({ hosts: [host.id], scope, events }, world);
  if (plan.problems.length === 0) takeOut(plan, world);
  return plan;
}

/** Every file below a folder with what is in it, the state folder apart. */
const tree = ({ folder }: Home) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => !path.startsWith("state"))
    .sort()
    .map((path) => [
      path,
      lstatSync(join(folder, path)).isFile()
        ? read(join(folder, path))
        : lstatSync(join(folder, path)).isSymbolicLink()
          ? "link"
          : "folder",
    ]);

const eventOf = ({ setup }: Target) => setup.subscriptions([{ event: "PreToolUse" }])[0]?.native_event as string;
const commandsIn = ({ setup, file }: Target, world: World) =>
  setup.entries(read(file(world).path), file(world).path).map(({ command, args = [] }) => [command, ...args].join(" "));

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

describe("Codex: hooks that stand in config.toml", () => {
  const INLINE =
    'model = "gpt" # mine\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "./mine.sh"\n';
  const codex = targets.find(({ host, scope }) => host.id === "codex" && scope === "user") as Target;
  const pathsOf = (home: Home) => {
    const json = codex.file(home).path;
    return { json, toml: join(dirname(json), "config.toml") };
  };
  const eventsIn = (path: string) =>
    existsSync(path)
      ? codex.setup
          .entries(read(path), path)
          .map(({ native_event }) => native_event)
          .sort()
      : [];

  test("entries go beside them, and away again: Codex warns of a layer with hooks in two files", async () => {
    using home = newHome();
    const { json, toml } = pathsOf(home);
    put(toml, INLINE);
    const before = tree(home);
    const plan = await install(codex, home);
    expect([plan.problems, eventsIn(json), eventsIn(toml)]).toEqual([[], [], ["PreToolUse", "SessionStart", "Stop"]]);
    expect(read(toml).startsWith(INLINE)).toBe(true);
    expect((await install(codex, home)).files.some(changesFile)).toBe(false);
    expect((await statusOf({ hosts: ["codex"] }, home, "0")).installed.map(({ file, drift }) => [file, drift])).toEqual(
      [[toml, []]],
    );
    await uninstall(codex, home);
    expect(tree(home)).toEqual(before);
  });
  test("entries stay where they are: in another place they would have to be trusted again", async () => {
    using home = newHome();
    const { json, toml } = pathsOf(home);
    await install(codex, home);
    put(toml, INLINE);
    expect((await install(codex, home)).files.some(changesFile)).toBe(false);
    expect([eventsIn(json), eventsIn(toml)]).toEqual([["PreToolUse", "SessionStart"], ["Stop"]]);
  });
  test("hooks.json is taken where config.toml has hooks in a form that none can be added to", async () => {
    for (const text of ["hooks.PreToolUse = [{ hooks = [] }]\n", "hooks = { PreToolUse = [{ hooks = [] }] }\n"]) {
      using home = newHome();
      const { json, toml } = pathsOf(home);
      put(toml, text);
      const plan = await install(codex, home);
      expect([plan.problems, eventsIn(json), read(toml)]).toEqual([[], ["PreToolUse", "SessionStart"], text]);
      expect(plan.notes).toContain(`Codex: no entry can be added to ${toml}; they go to ${json}`);
      expect((await install(codex, home)).files.some(changesFile)).toBe(false);
    }
  });
  test("hooks.json is taken where it has hooks, and where config.toml has none", async () => {
    for (const texts of [
      ["{}", 'model = "gpt"\n'],
      [foreignConfig(codex.setup, "json", "PostToolUse"), INLINE],
    ] as const) {
      using home = newHome();
      const { json, toml } = pathsOf(home);
      put(json, texts[0]);
      put(toml, texts[1]);
      await install(codex, home);
      expect([eventsIn(json).includes("PreToolUse"), read(toml)]).toEqual([true, texts[1]]);
    }
  });
});

test("an event of which the host tells less than its name says, or nothing, is named with that", async () => {
  using home = newHome();
  const notes = async (id: string, event: string) =>
    (await planInstall({ hosts: [id], scope: "user", events: [event], on_error: "deny" }, home)).notes.filter((note) =>
      note.includes(event),
    );
  expect((await notes("opencode", "permission.ask")).join()).toContain("does not call permission.ask for anything");
  expect((await notes("openclaw", "before_agent_start")).join()).toContain("removed this hook");
  expect((await notes("codex", "PreToolUse")).join()).toContain("web search");
  expect(await notes("opencode", "file.edited")).toEqual([]);
});

test("a misspelt event is answered with the one that was most likely meant, of the named hosts first", async () => {
  using home = newHome();
  const error = (hosts: string[], event: string) =>
    planInstall({ hosts, scope: "user", events: [event], on_error: "deny" }, home).catch(
      (thrown: Error) => thrown.message,
    );
  const meant = (given: string, name: string) => `there is no event "${given}"; did you mean ${name}?`;
  expect(await error(["opencode"], "file.edit")).toBe(meant("file.edit", "file.edited"));
  expect(await error(["openclaw"], "command:neww")).toBe(meant("command:neww", "command:new"));
  expect(await error(["cursor"], "PreToolUSe")).toBe(meant("PreToolUSe", "PreToolUse"));
  expect(await error(["cursor"], "beforeShelExecution")).toBe(meant("beforeShelExecution", "beforeShellExecution"));
  expect(await error([], "nonsense")).toBe('there is no event "nonsense"; bridge-hooks matrix HOST shows the names');
  expect(await error(["opencode"], "nonsense")).toBe(
    'there is no event "nonsense"; bridge-hooks matrix opencode shows the names',
  );
});

test("the home folder is no project", async () => {
  using home = newHome();
  const world = { ...home, place: { ...home.place, roots: [] } };
  const plan = planInstall({ hosts: ["cursor"], scope: "project", events: [], on_error: "deny" }, world);
  expect(await plan.catch(({ message }: Error) => message)).toBe(
    "there is no project here for --scope project; run it in a project's folder, or pass --root DIR",
  );
});

test("a named event that a host does not have is named", async () => {
  using home = newHome();
  const { notes } = await planInstall(
    { hosts: ["claude"], scope: "user", events: ["beforeShellExecution"], on_error: "deny" },
    home,
  );
  expect(notes).toContain("Claude Code has no event beforeShellExecution");
});

test("a hook that a host never asks is named", async () => {
  using home = newHome();
  const notes = async (id: string, tools: HookEntry["tools"]) => {
    const entries = [hook(["PreToolUse"], { name: "guard", tools: tools ?? [] })];
    const order: InstallOptions = { hosts: [id], scope: "user", events: [], on_error: "deny" };
    return (await planInstall(order, { ...home, entries })).notes.filter((note) => note.includes("guard"));
  };
  expect(await notes("codex", ["Write"])).toEqual([
    'Codex reports new files as Edit: hook "guard" wants Write and is not called for them; add Edit to its tools',
  ]);
  expect(await notes("codex", ["Write", "Edit"])).toEqual([]);
  expect(await notes("codex", ["Glob", "WebFetch"])).toEqual([
    'Codex has no tool Glob or WebFetch: hook "guard" is not asked there',
  ]);
  expect(await notes("codex", ["WebFetch", "Bash"])).toEqual([]);
  expect(await notes("claude", ["Write"])).toEqual([]);
});

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

describe("Cursor's cloud agents run a project's entries", () => {
  const cursor = hosts.find(({ id }) => id === "cursor") as Host;
  const cloudLine = async (home: Home, options: Partial<InstallOptions>) => {
    const plan = await planInstall(
      { hosts: ["cursor"], scope: "project", events: [], on_error: "deny", ...options },
      home,
    );
    return plan.by_hand.filter((line) => line.includes("cloud agents"));
  };

  test("a project's installation says what happens where their image lacks the executable, in one line", async () => {
    using home = newHome();
    const [line, ...more] = await cloudLine(home, {});
    expect([line, more]).toEqual([
      expect.stringContaining(`lacks the executable at ${home.self}, every call is blocked; put it there, or`),
      [],
    ]);
    expect(await cloudLine(home, { on_error: "allow" })).toEqual([
      expect.stringContaining("every call goes on unguarded"),
    ]);
    expect(await cloudLine(home, { scope: "user" })).toEqual([]);
  });

  test("with --bin NAME the entry starts wherever a login shell finds that name, as Cursor starts it", async () => {
    if (process.platform === "win32") return;
    using home = newHome();
    const [project] = home.place.roots as [string];
    // An image: another home, and nothing of this machine's paths.
    const image = join(home.folder, "image");
    mkdirSync(join(image, "bin"), { recursive: true });
    symlinkSync(EXECUTABLE, join(image, "bin/bridge-hooks"));
    put(join(image, ".bash_profile"), 'PATH="$HOME/bin:$PATH"\n');
    const env = { HOME: image, PATH: `${image}/bin:/usr/bin:/bin`, XDG_STATE_HOME: join(home.folder, "state") };
    const args = [
      "install",
      "--host",
      "cursor",
      "--scope",
      "project",
      "--root",
      project,
      "--bin",
      "bridge-hooks",
      "--yes",
    ];
    const { exitCode, stdout } = Bun.spawnSync([EXECUTABLE, ...args], { env, cwd: project });
    expect([exitCode, stdout.toString()]).toEqual([
      0,
      expect.stringContaining("lacks the executable bridge-hooks on its PATH"),
    ]);
    const setup = await cursor.setup();
    const check = await cursor.check();
    const place: Place = { ...home.place, home: image, env };
    const file = setup.configs(place).find(({ scope }) => scope === "project") as ConfigFile;
    const entries = setup
      .entries(read(file.path), file.path)
      .filter(({ native_event }) => native_event === "preToolUse");
    expect(entries.map(({ command }) => command)).toEqual([
      "bridge-hooks --host cursor --on-error deny --event preToolUse",
    ]);
    let started = 0;
    for (const entry of entries)
      for (const { argv, cwd, env, stdin } of check.launches(
        entry,
        file,
        JSON.stringify(check.sample("preToolUse", PROBE)),
        place,
      )) {
        expect(cwd).toBe(project);
        const answer = Bun.spawnSync([...argv], { cwd, env, stdin: Buffer.from(stdin) });
        const result = {
          stdout: answer.stdout.toString(),
          stderr: answer.stderr.toString(),
          exit_code: answer.exitCode,
        };
        expect(check.verdict("preToolUse", result, entry.handler)).toEqual({ kind: "denied" });
        started++;
      }
    expect(started).toBe(2);
  });
});
