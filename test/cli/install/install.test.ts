import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasFileChange } from "../../../src/operate/machine/plan.ts";
import { type InstallOptions, planInstall } from "../../../src/cli/install/install.ts";
import { collectStatus } from "../../../src/operate/machine/status.ts";
import { hosts } from "../../../src/hosts/index.ts";
import type { HookDescriptor } from "../../../src/protocol/hook.ts";
import type { Host } from "../../../src/protocol/host/host.ts";
import type { ConfigFile, MachineContext } from "../../../src/protocol/host/install.ts";
import { PROBE } from "../../../src/protocol/probe.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";
import {
  buildForeignConfig,
  type Home,
  createHookEntry,
  createHome,
  writeTestFile,
  readTestFile,
  installTargets,
} from "../../support/homes.ts";
import { type InstallTarget, runInstall, runUninstall, listTree } from "./support.ts";

describe("install for Codex", () => {
  const INLINE =
    'model = "gpt" # mine\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "./mine.sh"\n';
  const codex = installTargets.find(({ host, scope }) => host.id === "codex" && scope === "user") as InstallTarget;
  const pathsOf = (home: Home) => {
    const json = codex.file(home).path;
    return { json, toml: join(dirname(json), "config.toml") };
  };
  const eventsIn = (path: string) =>
    existsSync(path)
      ? codex.setup
          .parseEntries(readTestFile(path), path)
          .map(({ native_event }) => native_event)
          .sort()
      : [];

  test("adds entries to config.toml if it contains hooks, because Codex warns about a layer with hooks in two files", async () => {
    using home = createHome();
    const { json, toml } = pathsOf(home);
    writeTestFile(toml, INLINE);
    const before = listTree(home);
    const plan = await runInstall(codex, home);
    expect([plan.problems, eventsIn(json), eventsIn(toml)]).toEqual([[], [], ["PreToolUse", "SessionStart", "Stop"]]);
    expect(readTestFile(toml).startsWith(INLINE)).toBe(true);
    expect((await runInstall(codex, home)).files.some(hasFileChange)).toBe(false);
    expect(
      (await collectStatus({ hosts: ["codex"] }, home, "0")).installed.map(({ file, drift }) => [file, drift]),
    ).toEqual([[toml, []]]);
    await runUninstall(codex, home);
    expect(listTree(home)).toEqual(before);
  });
  test("leaves entries where they are, because in another file they would have to be trusted again", async () => {
    using home = createHome();
    const { json, toml } = pathsOf(home);
    await runInstall(codex, home);
    writeTestFile(toml, INLINE);
    expect((await runInstall(codex, home)).files.some(hasFileChange)).toBe(false);
    expect([eventsIn(json), eventsIn(toml)]).toEqual([["PreToolUse", "SessionStart"], ["Stop"]]);
  });
  test("writes hooks.json if config.toml has hooks in a form that can't be extended", async () => {
    for (const text of ["hooks.PreToolUse = [{ hooks = [] }]\n", "hooks = { PreToolUse = [{ hooks = [] }] }\n"]) {
      using home = createHome();
      const { json, toml } = pathsOf(home);
      writeTestFile(toml, text);
      const plan = await runInstall(codex, home);
      expect([plan.problems, eventsIn(json), readTestFile(toml)]).toEqual([[], ["PreToolUse", "SessionStart"], text]);
      expect(plan.notes).toContain(`Codex: entries can't be added to ${toml}; using ${json} instead`);
      expect((await runInstall(codex, home)).files.some(hasFileChange)).toBe(false);
    }
  });
  test("writes hooks.json if it has hooks, or if config.toml has none", async () => {
    for (const texts of [
      ["{}", 'model = "gpt"\n'],
      [buildForeignConfig(codex.setup, { syntax: "json" }, "PostToolUse"), INLINE],
    ] as const) {
      using home = createHome();
      const { json, toml } = pathsOf(home);
      writeTestFile(json, texts[0]);
      writeTestFile(toml, texts[1]);
      await runInstall(codex, home);
      expect([eventsIn(json).includes("PreToolUse"), readTestFile(toml)]).toEqual([true, texts[1]]);
    }
  });
});

test("install notes a named event that the host sends only in part or never", async () => {
  using home = createHome();
  const notes = async (id: string, event: string) =>
    (await planInstall({ hosts: [id], scope: "user", events: [event], on_error: "deny" }, home)).notes.filter((note) =>
      note.includes(event),
    );
  expect((await notes("opencode", "permission.ask")).join()).toContain("does not call permission.ask for anything");
  expect((await notes("openclaw", "before_agent_start")).join()).toContain("removed this hook");
  expect((await notes("codex", "PreToolUse")).join()).toContain("web search");
  expect(await notes("opencode", "file.edited")).toEqual([]);
});

test("install suggests a similar name for a misspelled event, of the named hosts first", async () => {
  using home = createHome();
  const error = (hosts: string[], event: string) =>
    planInstall({ hosts, scope: "user", events: [event], on_error: "deny" }, home).catch(
      (thrown: Error) => thrown.message,
    );
  const meant = (given: string, name: string) => `unknown event "${given}"; did you mean ${name}?`;
  expect(await error(["opencode"], "file.edit")).toBe(meant("file.edit", "file.edited"));
  expect(await error(["openclaw"], "command:neww")).toBe(meant("command:neww", "command:new"));
  expect(await error(["cursor"], "PreToolUSe")).toBe(meant("PreToolUSe", "PreToolUse"));
  expect(await error(["cursor"], "beforeShelExecution")).toBe(meant("beforeShelExecution", "beforeShellExecution"));
  expect(await error([], "nonsense")).toBe('unknown event "nonsense"; bridge-hooks matrix HOST lists the event names');
  expect(await error(["opencode"], "nonsense")).toBe(
    'unknown event "nonsense"; bridge-hooks matrix opencode lists the event names',
  );
});

test("install --scope project is rejected outside a project", async () => {
  using home = createHome();
  const world = { ...home, machine: { ...home.machine, roots: [] } };
  const plan = planInstall({ hosts: ["cursor"], scope: "project", events: [], on_error: "deny" }, world);
  expect(await plan.catch(({ message }: Error) => message)).toBe(
    "--scope project needs a project; run it inside one or pass --root DIR",
  );
});

test("install notes a named event that a host lacks", async () => {
  using home = createHome();
  const { notes } = await planInstall(
    { hosts: ["claude"], scope: "user", events: ["beforeShellExecution"], on_error: "deny" },
    home,
  );
  expect(notes).toContain("Claude Code has no event beforeShellExecution");
});

test("install notes a hook that a host never calls, with the reason", async () => {
  using home = createHome();
  const notes = async (id: string, tools: HookDescriptor["tools"]) => {
    const entries = [createHookEntry(["PreToolUse"], { name: "guard", tools: tools ?? [] })];
    const order: InstallOptions = { hosts: [id], scope: "user", events: [], on_error: "deny" };
    return (await planInstall(order, { ...home, entries })).notes.filter((note) => note.includes("guard"));
  };
  expect(await notes("codex", ["Write"])).toEqual([
    `Codex reports new files as Edit, so the hook "guard" isn't called for them; add Edit to its tools`,
  ]);
  expect(await notes("codex", ["Write", "Edit"])).toEqual([]);
  expect(await notes("codex", ["Glob", "WebFetch"])).toEqual([
    `Codex has no tool Glob or WebFetch, so the hook "guard" isn't called there`,
  ]);
  expect(await notes("codex", ["WebFetch", "Bash"])).toEqual([]);
  expect(await notes("claude", ["Write"])).toEqual([]);
});

describe("install for Cursor's cloud agents", () => {
  const cursor = hosts.find(({ id }) => id === "cursor") as Host;
  const cloudLine = async (home: Home, options: Partial<InstallOptions>) => {
    const plan = await planInstall(
      { hosts: ["cursor"], scope: "project", events: [], on_error: "deny", ...options },
      home,
    );
    return plan.by_hand.filter((line) => line.includes("cloud agents"));
  };

  test("says in one line what happens if their image lacks the executable", async () => {
    using home = createHome();
    const [line, ...more] = await cloudLine(home, {});
    expect([line, more]).toEqual([
      expect.stringContaining(`has no executable at ${home.self}, every call is blocked; put the executable there, or`),
      [],
    ]);
    expect(await cloudLine(home, { on_error: "allow" })).toEqual([
      expect.stringContaining("every call runs unguarded"),
    ]);
    expect(await cloudLine(home, { scope: "user" })).toEqual([]);
  });

  test("with --bin NAME writes an entry that works wherever a login shell finds the name", async () => {
    if (process.platform === "win32") return;
    using home = createHome();
    const [project] = home.machine.roots as [string];
    // The image has its own home directory and contains none of this machine's paths.
    const image = join(home.folder, "image");
    mkdirSync(join(image, "bin"), { recursive: true });
    symlinkSync(EXECUTABLE, join(image, "bin/bridge-hooks"));
    writeTestFile(join(image, ".bash_profile"), 'PATH="$HOME/bin:$PATH"\n');
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
      expect.stringContaining("has no executable bridge-hooks on its PATH"),
    ]);
    const setup = await cursor.setup();
    const check = await cursor.loadDoctor();
    const place: MachineContext = { ...home.machine, home: image, env };
    const file = setup.listConfigFiles(place).find(({ scope }) => scope === "project") as ConfigFile;
    const entries = setup
      .parseEntries(readTestFile(file.path), file.path)
      .filter(({ native_event }) => native_event === "preToolUse");
    expect(entries.map(({ command }) => command)).toEqual([
      "bridge-hooks --host cursor --on-error deny --timeout-ms 18000 --event preToolUse",
    ]);
    let started = 0;
    for (const entry of entries)
      for (const { argv, cwd, env, stdin } of check.listLaunches(
        entry,
        file,
        JSON.stringify(check.getProbePayload("preToolUse", PROBE)),
        place,
      )) {
        expect(cwd).toBe(project);
        const answer = Bun.spawnSync([...argv], { cwd, env, stdin: Buffer.from(stdin) });
        const result = {
          stdout: answer.stdout.toString(),
          stderr: answer.stderr.toString(),
          exit_code: answer.exitCode,
        };
        expect(check.judgeAnswer("preToolUse", result, entry.handler)).toEqual({ kind: "denied" });
        started++;
      }
    expect(started).toBe(2);
  });
});
