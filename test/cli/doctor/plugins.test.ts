import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { planUninstall } from "../../../src/cli/uninstall/uninstall.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { collectStatus } from "../../../src/operate/machine/status.ts";
import { writePack } from "../../../src/operate/mdm/mdm.ts";
import { buildPluginFiles } from "../../../src/operate/mdm/plugin.ts";
import { type Home, writeTestFile } from "../../support/homes.ts";
import { createMachine, installEntries } from "./machine.ts";

const ID = "bridge-hooks@bridge-hooks";
const SYSTEM = { linux: "linux", darwin: "macos", win32: "windows" }[process.platform as string] ?? "linux";
const getHost = (id: string) => hosts.filter((host) => host.id === id);

/**
 * Writes a marketplace directory for this machine's executable. Returns its subdirectory for the host and operating
 * system.
 */
async function writeMarket({ folder, self, entries }: Home, id: string): Promise<string> {
  const order = {
    programs: { linux: self, macos: self, windows: self },
    on_error: "deny",
    hooks: entries,
    events: [],
  } as const;
  writePack(join(folder, "market"), await buildPluginFiles(order, getHost(id)));
  return join(folder, "market", id, SYSTEM);
}

interface Switches {
  user?: boolean;
  project?: boolean;
  managed?: boolean;
}

/**
 * Turns the plugin from a marketplace directory on or off in Claude Code's settings. Returns the plugin's hooks file.
 */
async function turnPlugin(home: Home, { user, project, managed }: Switches): Promise<string> {
  const path = await writeMarket(home, "claude");
  const write = (file: string, isOn: boolean | undefined, more: object = {}) =>
    isOn !== undefined && writeTestFile(file, JSON.stringify({ enabledPlugins: { [ID]: isOn }, ...more }));
  const known = { extraKnownMarketplaces: { "bridge-hooks": { source: { source: "directory", path } } } };
  write(join(home.machine.home, ".claude/settings.json"), user, known);
  write(join(home.machine.roots[0] ?? "", ".claude/settings.json"), project);
  const [place] = (await getHost("claude")[0]!.setup())
    .listConfigFiles(home.machine)
    .filter(({ scope, target }) => scope === "managed" && target);
  write(join(dirname(place?.path ?? ""), "40-plugins.json"), managed, known);
  return join(path, "plugins/bridge-hooks/hooks/hooks.json");
}

/** Returns what doctor reports about the host, and how many denials are enforced. */
async function diagnose(home: Home, id: string) {
  const [one] = (await diagnoseHosts([id], home, "0")).hosts;
  const trials = one?.entries.flatMap((entry) => entry.trials) ?? [];
  return {
    findings: one?.findings.map(({ check, level }) => `${level} ${check}`) ?? [],
    denied: trials.filter(({ probe, outcome }) => probe === "deny" && outcome === "denied").length,
  };
}

describe("the entries of an enabled plugin", () => {
  test("are tested if the user enabled it: doctor notes that it isn't managed", async () => {
    using home = createMachine();
    await turnPlugin(home, { user: true });
    expect(await diagnose(home, "claude")).toEqual({ findings: ["note plugin-not-managed"], denied: 3 });
  });

  test("are tested if managed settings enabled it: doctor is green", async () => {
    using home = createMachine();
    await turnPlugin(home, { managed: true, project: false });
    const { findings, denied } = await diagnose(home, "claude");
    expect([findings.filter((one) => one !== "note managed-source"), denied]).toEqual([[], 3]);
  });

  test("are not duplicates of the entries that install writes, and install says so", async () => {
    using home = createMachine();
    await turnPlugin(home, { user: true });
    const { notes } = await planInstall({ hosts: ["claude"], scope: "user", events: [], on_error: "deny" }, home);
    expect(notes.filter((note) => note.includes("plugin"))).toEqual([
      `Claude Code: the plugin ${ID} already calls this executable; with the new entries, the plugin's entries are ignored`,
    ]);
    await installEntries(home, "claude");
    expect(await diagnose(home, "claude")).toEqual({ findings: ["note plugin-beside-entries"], denied: 6 });
  });

  test("are counted twice if they do not stand down", async () => {
    using home = createMachine();
    const file = await turnPlugin(home, { user: true });
    await installEntries(home, "claude");
    const text = readFileSync(file, "utf8").replace(/,\s*"--from",\s*"plugin"/g, "");
    writeFileSync(file, text);
    const { findings } = await diagnose(home, "claude");
    expect(findings).toContain("red duplicate");
  });

  test.each(["the same", "another"])(
    "of two plugins with %s executable deny twice: doctor notes it, and says how to remove one",
    async (which) => {
      using home = createMachine();
      await turnPlugin(home, { user: true });
      const second = "bridge-hooks@acme";
      const file = join(home.machine.home, ".claude/settings.json");
      const { enabledPlugins, extraKnownMarketplaces } = JSON.parse(readFileSync(file, "utf8"));
      const path = join(home.folder, "acme");
      cpSync(extraKnownMarketplaces["bridge-hooks"].source.path, path, { recursive: true });
      const manifest = join(path, ".claude-plugin/marketplace.json");
      writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"name": "bridge-hooks"', '"name": "acme"'));
      if (which === "another") {
        const hooks = join(path, "plugins/bridge-hooks/hooks/hooks.json");
        const copy = join(home.folder, "copy/bridge-hooks");
        mkdirSync(dirname(copy));
        writeFileSync(copy, readFileSync(home.self), { mode: 0o755 });
        writeFileSync(hooks, readFileSync(hooks, "utf8").replaceAll(home.self, copy));
      }
      const known = { ...extraKnownMarketplaces, acme: { source: { source: "directory", path } } };
      const settings = { enabledPlugins: { ...enabledPlugins, [second]: true }, extraKnownMarketplaces: known };
      writeFileSync(file, JSON.stringify(settings));
      const [report] = (await diagnoseHosts(["claude"], home, "0")).hosts;
      const found = report?.findings.filter(({ check }) => check === "duplicate") ?? [];
      expect([...new Set(found.map(({ level, fix }) => `${level} ${fix}`))]).toEqual([
        `note keep one of the plugins: claude plugin uninstall ${second}`,
      ]);
      expect(found[0]?.impact).toStartWith("denials take effect, but each plugin runs the hooks");
      const reds = report?.findings.filter(({ level }) => level === "red").map(({ check }) => check);
      expect(reds).toEqual(which === "another" ? ["program-not-run"] : []);
    },
  );

  test("are reported if a project turns the plugin off", async () => {
    using home = createMachine();
    await turnPlugin(home, { user: true, project: false });
    const { findings } = await diagnose(home, "claude");
    expect(findings.toSorted()).toEqual(["red not-installed", "red plugin-off"]);
  });

  test("are found through the variable for the plugin's directory", async () => {
    using home = createMachine();
    const file = await turnPlugin(home, { user: true });
    const program = JSON.stringify(home.self).slice(1, -1);
    const inside = join(dirname(file), "../bin/bridge-hooks");
    mkdirSync(dirname(inside), { recursive: true });
    writeFileSync(inside, readFileSync(home.self), { mode: 0o755 });
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(program, "${CLAUDE_PLUGIN_ROOT}/bin/bridge-hooks"));
    const status = await collectStatus({ hosts: ["claude"] }, home, "0");
    expect(status.installed.flatMap(({ programs }) => programs.map((one) => one.program))).toContain(inside);
    expect((await diagnose(home, "claude")).findings).not.toContain("red stale-path");
  });

  test("are not run if a repository chose the plugin", async () => {
    using home = createMachine();
    const path = await writeMarket(home, "claude");
    const evil = join(home.folder, "evil/bridge-hooks");
    writeTestFile(evil, `#!/bin/sh\ntouch '${home.folder}/ran'\n`);
    Bun.spawnSync(["chmod", "755", evil]);
    const file = join(path, "plugins/bridge-hooks/hooks/hooks.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(JSON.stringify(home.self), JSON.stringify(evil)));
    const known = { "bridge-hooks": { source: { source: "directory", path } } };
    const settings = { enabledPlugins: { [ID]: true }, extraKnownMarketplaces: known };
    writeTestFile(join(home.machine.roots[0] ?? "", ".claude/settings.json"), JSON.stringify(settings));
    const { findings } = await diagnose(home, "claude");
    expect(findings).toContain("red program-not-run");
    expect(await Bun.file(join(home.folder, "ran")).exists()).toBe(false);
  });

  test("don't change when the executable is uninstalled or installed", async () => {
    using home = createMachine();
    const file = await turnPlugin(home, { user: true });
    const before = readFileSync(file, "utf8");
    for (const scope of ["user", "project", "managed"] as const) {
      await installEntries(home, "claude", scope);
      const { files, problems } = await planUninstall({ hosts: ["claude"], scope, events: [] }, home);
      expect([files.map((plan) => plan.file.path).includes(file), problems]).toEqual([false, []]);
    }
    expect(readFileSync(file, "utf8")).toBe(before);
    const { installed } = await collectStatus({ hosts: ["claude"] }, home, "0");
    expect(installed.find((one) => one.file === file)).toMatchObject({
      plugin: { id: ID, removal: `claude plugin uninstall ${ID}` },
      drift: [],
    });
  });
});

test("Codex's copy of a plugin is tested; without Codex its trust is unknown", async () => {
  using home = createMachine();
  const path = await writeMarket(home, "codex");
  const copy = join(home.machine.home, ".codex/plugins/cache/bridge-hooks/bridge-hooks/1.0.0");
  for (const name of ["hooks/hooks.json", ".codex-plugin/plugin.json"])
    writeTestFile(join(copy, name), readFileSync(join(path, "plugins/bridge-hooks", name), "utf8"));
  const config = join(home.machine.home, ".codex/config.toml");
  writeTestFile(config, `[plugins."${ID}"]\nenabled = true\n`);
  const { findings, denied } = await diagnose(home, "codex");
  expect([findings.toSorted(), denied]).toEqual([["note plugin-not-managed", "red untrusted"], 2]);
  writeTestFile(config, `[plugins."${ID}"]\nenabled = false\n`);
  expect((await diagnose(home, "codex")).findings).toEqual(["red not-installed"]);
});
