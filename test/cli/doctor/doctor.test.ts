import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "../../../src/cli/build/build.ts";
import { examine } from "../../../src/cli/doctor/doctor.ts";
import { programFindings } from "../../../src/cli/doctor/program.ts";
import { Report } from "../../../src/cli/doctor/report.ts";
import { fileFindings, settingsFindings } from "../../../src/cli/doctor/settings.ts";
import { examineFile } from "../../../src/cli/list/file.ts";
import type { ConfigScope } from "../../../src/run/settings.ts";
import { carryOut, planInstall } from "../../../src/cli/install/install.ts";
import { statusOf } from "../../../src/cli/status/status.ts";
import type { Scope } from "../../../src/protocol/host/install.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { ROOT } from "../../support/fixtures.ts";
import { executableAt, type Home, hook, newHome, put, read, targets } from "../../support/homes.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-doctor-"));
const product = join(folder, "bridge-hooks");

beforeAll(async () => {
  await build({ hooks: join(ROOT, "hooks"), outfile: product });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the starter hooks subscribe to. */
const STARTER = [hook(["PreToolUse", "PermissionRequest"]), hook(["SessionStart"])].map((entry) => ({
  ...entry,
  load: async () => ({ event: entry.events, handler: () => undefined }),
}));

/** A machine with the real executable. */
function machine(): Home {
  const home = newHome(STARTER);
  rmSync(home.self);
  linkSync(product, home.self);
  return home;
}

/** Gives a machine an executable that can be spoilt. */
function ownCopy({ self }: Home): Buffer {
  rmSync(self);
  copyFileSync(product, self);
  return readFileSync(self);
}

async function install(
  home: Home,
  host: string,
  scope: Scope = "user",
  bin?: string,
  events: string[] = [],
): Promise<void> {
  const options = { hosts: [host], scope, events, on_error: "deny", ...(bin && { bin }) } as const;
  const plan = await planInstall(options, home);
  expect(plan.problems).toEqual([]);
  carryOut(plan, options, home);
}

const red = async (home: Home, host: string) => {
  const report = await examine([host], home, "0");
  Report.parse(report);
  const found = [...report.findings, ...report.hosts.flatMap(({ findings }) => findings)].filter(
    ({ level }) => level === "red",
  );
  for (const { what, impact, fix } of found) expect([what, impact, fix].every((text) => text.length > 3)).toBe(true);
  expect(report.healthy).toBe(found.length === 0);
  return found.map(({ check }) => check);
};

const fileOf = (home: Home, host: string, scope: Scope = "user") =>
  targets.find((one) => one.host.id === host && one.scope === scope)?.file(home).path as string;
const script = (home: Home, name: string, text: string) => {
  const path = executableAt(join(home.folder, name, "bridge-hooks"));
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && echo 0.1.0 && exit\n${text}\n`);
  return path;
};

describe("a machine where all is well", () => {
  for (const { host, scope } of targets) {
    test(`${host.name}, ${scope}: a denial holds`, async () => {
      using home = machine();
      await install(home, host.id, scope);
      const report = await examine([host.id], home, "0");
      const [one] = report.hosts;
      // What only a person can do is not done.
      const left = host.id === "codex" && scope !== "managed" ? ["untrusted"] : [];
      expect(one?.findings.filter(({ level }) => level === "red").map(({ check }) => check)).toEqual(left);
      expect(report.healthy).toBe(left.length === 0);
      const trials = one?.entries.flatMap((entry) => entry.trials) ?? [];
      expect(trials.filter(({ probe, outcome }) => probe === "deny" && outcome === "denied").length).toBeGreaterThan(0);
      expect(trials.filter(({ probe, outcome }) => probe === "allow" && outcome === "passed").length).toBeGreaterThan(
        0,
      );
      expect(trials.filter(({ probe, outcome }) => probe === "garbage" && outcome === "denied").length).toBeGreaterThan(
        0,
      );
    }, 30_000);
  }
});

test("where only calls of MCP servers are asked about, a denial holds too", async () => {
  using home = machine();
  await install(home, "cursor", "user", undefined, ["beforeMCPExecution"]);
  const [one] = (await examine(["cursor"], home, "0")).hosts;
  const outcomes = one?.entries.flatMap(({ trials }) => trials.map(({ probe, outcome }) => `${probe} ${outcome}`));
  expect([...new Set(outcomes)]).toEqual(["deny denied", "allow passed", "garbage denied"]);
}, 30_000);

/** A fault, and the finding that tells of it. */
const FAULTS: Record<string, { check: string; host?: string; plant: (home: Home) => Promise<void> | void }> = {
  "nothing installed": { check: "not-installed", plant: () => {} },
  "an executable that is gone": {
    check: "stale-path",
    async plant(home) {
      await install(home, "claude");
      rmSync(home.self);
    },
  },
  "an executable that nobody may execute": {
    check: "not-executable",
    async plant(home) {
      await install(home, "claude");
      ownCopy(home);
      chmodSync(home.self, 0o644);
    },
  },
  "an executable for another machine": {
    check: "wrong-architecture",
    async plant(home) {
      await install(home, "claude");
      const bytes = ownCopy(home);
      // ELF's machine: 0xb7 is arm64, 0x3e x64.
      bytes.writeUInt16LE(bytes.readUInt16LE(18) === 0xb7 ? 0x3e : 0xb7, 18);
      writeFileSync(home.self, bytes);
    },
  },
  "an executable inside the project": {
    check: "program-not-run",
    async plant(home) {
      const inside = join(home.place.roots[0] as string, "bridge-hooks");
      copyFileSync(product, inside);
      await install(home, "claude", "project", inside);
    },
  },
  "an entry that says another host": {
    check: "wrong-host",
    async plant(home) {
      await install(home, "claude");
      const file = fileOf(home, "claude");
      put(file, read(file).replaceAll("--host claude", "--host codex"));
    },
  },
  "an entry that says a host that there is not": {
    check: "wrong-host",
    async plant(home) {
      await install(home, "claude");
      const file = fileOf(home, "claude");
      put(file, read(file).replaceAll("--host claude", "--host cluade"));
    },
  },
  "an entry missing for an event that a hook wants": {
    check: "drift",
    async plant(home) {
      await install({ ...home, entries: [hook(["PreToolUse"])] }, "claude");
    },
  },
  "entries in two files": {
    check: "duplicate",
    host: "cursor",
    async plant(home) {
      await install(home, "cursor");
      await install(home, "cursor", "project");
    },
  },
  "an entry that is started another way in a second file": {
    check: "duplicate",
    async plant(home) {
      await install(home, "claude");
      await install(home, "claude", "managed");
    },
  },
  "a program of our name that lets everything pass": {
    check: "deny-probe",
    async plant(home) {
      await install(home, "claude", "user", script(home, "weak", "cat > /dev/null; exit 0"));
    },
  },
  "a program that stops everything": {
    check: "allow-probe",
    async plant(home) {
      await install(home, "claude", "user", script(home, "strict", "cat > /dev/null; echo no >&2; exit 2"));
    },
  },
  "a program whose failures let calls pass, although the entry says deny": {
    check: "garbage-probe",
    async plant(home) {
      await install(home, "codex", "managed", script(home, "open", "exit 1"));
    },
    host: "codex",
  },
  "a document that the host does not take": {
    check: "deny-probe",
    async plant(home) {
      await install(home, "codex", "managed", script(home, "wordy", `cat > /dev/null; echo '{"permission":"deny"}'`));
    },
    host: "codex",
  },
  "noise beside the document, for a host that reads none then": {
    check: "deny-probe",
    async plant(home) {
      await install(home, "codex", "managed", script(home, "noisy", `echo noise; exec '${product}' "$@" 2>/dev/null`));
    },
    host: "codex",
  },
  "settings with a comment": {
    check: "config-flaw",
    async plant(home) {
      await install(home, "claude");
      const file = fileOf(home, "claude");
      put(file, `// mine\n${read(file)}`);
    },
  },
  "a hooks.json with a trailing comma": {
    check: "config-flaw",
    host: "cursor",
    async plant(home) {
      await install(home, "cursor");
      const file = fileOf(home, "cursor");
      put(file, read(file).replace(/\]\s*\}\s*\}\s*$/, "],}}"));
    },
  },
  "a hooks.json without a version": {
    check: "config-flaw",
    host: "cursor",
    async plant(home) {
      await install(home, "cursor");
      const file = fileOf(home, "cursor");
      put(file, read(file).replace(/"version": 1,/, ""));
    },
  },
  "a config that is cut short": {
    check: "config-flaw",
    host: "codex",
    async plant(home) {
      await install(home, "codex");
      const file = fileOf(home, "codex");
      put(file, read(file).slice(0, -20));
    },
  },
  "a config that is no text": {
    check: "config-unreadable",
    async plant(home) {
      await install(home, "claude");
      writeFileSync(fileOf(home, "claude"), new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]));
    },
  },
  "a project's hooks.json that is a link": {
    check: "linked-config",
    host: "cursor",
    async plant(home) {
      await install(home, "cursor", "project");
      const file = fileOf(home, "cursor", "project");
      put(join(home.folder, "elsewhere.json"), read(file));
      rmSync(file);
      symlinkSync(join(home.folder, "elsewhere.json"), file);
    },
  },
  "a project that turns all hooks off": {
    check: "hooks-disabled",
    async plant(home) {
      await install(home, "claude");
      put(fileOf(home, "claude", "project"), '{ "disableAllHooks": true }');
    },
  },
  "managed settings that allow managed hooks only": {
    check: "managed-hooks-only",
    async plant(home) {
      await install(home, "claude");
      put(
        fileOf(home, "claude", "managed").replace("50-bridge-hooks", "10-other"),
        '{ "allowManagedHooksOnly": true }',
      );
    },
  },
  "a project whose settings load code into hooks": {
    check: "env-loads-code",
    async plant(home) {
      await install(home, "claude");
      put(fileOf(home, "claude", "project"), '{ "env": { "LD_PRELOAD": "./evil.so" } }');
    },
  },
  "a release of the host that does not know onFailure": {
    check: "on-failure-ignored",
    async plant(home) {
      await install(home, "claude");
      writeFileSync(executableAt(join(home.folder, "old", "claude")), "#!/bin/sh\necho '2.1.197 (Claude Code)'\n");
      Object.assign(home.place.env, { PATH: `${join(home.folder, "old")}:/usr/bin:/bin` });
    },
  },
  "requirements that a project can turn off": {
    check: "managed-not-pinned",
    host: "codex",
    async plant(home) {
      await install(home, "codex", "managed");
      const file = fileOf(home, "codex", "managed");
      put(file, read(file).replace(/\[features\]\s+hooks = true/, ""));
    },
  },
  "a managed plugin that the config beside it does not name": {
    check: "drift",
    host: "opencode",
    async plant(home) {
      await install(home, "opencode", "managed");
      const config = join(dirname(dirname(fileOf(home, "opencode", "managed"))), "opencode.json");
      put(config, read(config).replace("file://", "file:///other"));
    },
  },
  "a plugin whose entries somebody broke": {
    check: "config-flaw",
    host: "opencode",
    async plant(home) {
      await install(home, "opencode");
      const file = fileOf(home, "opencode");
      put(file, read(file).replace('"hooks"', "hooks"));
    },
  },
  "a switch that loads no plugin": {
    check: "plugins-disabled",
    host: "opencode",
    async plant(home) {
      await install(home, "opencode");
      Object.assign(home.place.env, { OPENCODE_PURE: "1" });
    },
  },
  "a plugin whose entry somebody turned off": {
    check: "drift",
    host: "openclaw",
    async plant(home) {
      await install(home, "openclaw");
      const config = join(home.place.home, ".openclaw/openclaw.json");
      put(config, read(config).replace('"enabled": true', '"enabled": false'));
    },
  },
  "plugins that are turned off": {
    check: "plugins-disabled",
    host: "openclaw",
    async plant(home) {
      await install(home, "openclaw");
      const config = join(home.place.home, ".openclaw/openclaw.json");
      put(config, read(config).replace('"plugins": {', '"plugins": { "enabled": false,'));
    },
  },
  "a plugin's manifest that is gone": {
    check: "drift",
    host: "openclaw",
    async plant(home) {
      await install(home, "openclaw");
      rmSync(join(dirname(fileOf(home, "openclaw")), "openclaw.plugin.json"));
    },
  },
  "an environment in which programs print before their answer": {
    check: "environment-ends-programs",
    async plant(home) {
      await install(home, "claude");
      Object.assign(home.place.env, { LD_SHOW_AUXV: "" });
    },
  },
  "an environment that loads code into every program": {
    check: "environment-loads-code",
    async plant(home) {
      await install(home, "claude");
      Object.assign(home.place.env, { LD_PRELOAD: join(home.folder, "none.so") });
    },
  },
};

describe("a planted fault turns red:", () => {
  for (const [name, { check, host = "claude", plant }] of Object.entries(FAULTS)) {
    test(
      name,
      async () => {
        using home = machine();
        await plant(home);
        expect(await red(home, host)).toContain(check);
      },
      30_000,
    );
  }
  test("what fixes a doubled entry takes nothing from other hosts", async () => {
    using home = machine();
    for (const scope of ["user", "project"] as const) await install(home, "cursor", scope);
    const {
      hosts: [one],
    } = await examine(["cursor"], home, "0");
    const doubled = one?.findings.find(({ check }) => check === "duplicate");
    expect(doubled?.fix).toStartWith(`${home.self} uninstall --host cursor --scope project`);
  }, 30_000);
  test("every one of them names what it is", () => expect(Object.keys(FAULTS).length).toBe(34));

  test("a downloaded executable", () => {
    using home = machine();
    writeFileSync(`${home.self}:Zone.Identifier`, "[ZoneTransfer]\nZoneId=3\n");
    const image = Buffer.alloc(4096);
    image.write("MZ");
    image.writeUInt32LE(128, 0x3c);
    image.writeUInt16LE(process.arch === "arm64" ? 0xaa64 : 0x8664, 132);
    rmSync(home.self);
    writeFileSync(home.self, image);
    const [found] = programFindings(home.self, home.self, { ...home.place, platform: "win32" }, "install");
    expect([found?.check, found?.fix]).toEqual(["quarantined", `Unblock-File "${home.self}"`]);
  });
});

describe("entries that call another executable", () => {
  /** Another executable, whose hooks want less than those of this one, is installed. */
  const others = async (home: Home, scope: Scope = "user") => {
    const other = join(home.folder, "other", "bridge-hooks");
    mkdirSync(dirname(other));
    linkSync(product, other);
    await install({ ...home, self: other, entries: [hook(["PreToolUse"])] }, "claude", scope);
    return other;
  };
  const findings = async (home: Home) =>
    (await examine(["claude"], home, "0")).hosts.flatMap(({ findings }) => findings);

  test("are told in one finding, and not measured by these hooks; what fixes it does", async () => {
    using home = machine();
    const other = await others(home);
    expect(await findings(home)).toEqual([
      {
        check: "other-build",
        level: "note",
        what: `${fileOf(home, "claude")} calls ${other}, not this executable (${home.self})`,
        impact: "its hooks are in force, and not these",
        fix: `to put these in their place: ${home.self} install --host claude. To ask that one: ${other} doctor`,
      },
    ]);
    const { installed } = await statusOf({ hosts: ["claude"] }, home, "0");
    expect(installed.map(({ programs, drift }) => [programs, drift])).toEqual([
      [[{ program: other, version: "0.1.0", other: true }], []],
    ]);
    await install(home, "claude");
    expect(await findings(home)).toEqual([]);
  }, 30_000);
  test("are said to go out of force before they do", async () => {
    using home = machine();
    const other = await others(home);
    const notesOf = async (events: string[] = []) =>
      (await planInstall({ hosts: ["claude"], scope: "user", events, on_error: "deny" }, home)).notes.filter((note) =>
        note.includes("the place"),
      );
    const note = `${home.self} takes the place of ${other} in ${fileOf(home, "claude")}; that one's hooks are out of force there then`;
    expect(await notesOf()).toEqual([note]);
    expect(await notesOf(["SessionStart"])).toEqual([]);
    const dry = Bun.spawnSync([home.self, "install", "--dry-run", "--host", "claude"], {
      cwd: home.place.roots[0],
      env: { HOME: home.place.home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home.folder, "state") },
    });
    expect(dry.stdout.toString()).toMatch(/\n[ +-].*\n\nGood to know:\n {2}- /);
    await install(home, "claude");
    expect(await notesOf()).toEqual([]);
  }, 30_000);
  test("of a project are not run", async () => {
    using home = machine();
    const other = await others(home, "project");
    const found = await findings(home);
    expect(found.map(({ check }) => check)).toEqual(["program-not-run"]);
    expect(found[0]?.fix).toBe(
      `to put these in their place: ${home.self} install --host claude --scope project. If you trust that one, run it as your own: ${other} doctor`,
    );
  }, 30_000);
  test("beside some that call this one: these hooks are meant, and what fixes it does", async () => {
    using home = machine();
    const other = join(home.folder, "other", "bridge-hooks");
    mkdirSync(dirname(other));
    linkSync(product, other);
    await install(home, "claude");
    const file = fileOf(home, "claude");
    put(file, read(file).replace(home.self, other));
    const found = await findings(home);
    expect(found.map(({ check }) => check)).toEqual(expect.arrayContaining(["other-build", "drift"]));
    for (const { fix } of found) expect(fix).toContain(`${home.self} install --host claude`);
    await install(home, "claude");
    expect(await findings(home)).toEqual([]);
  }, 30_000);
  test("are named by their path, and this one by the word that runs it", async () => {
    using home = machine();
    const other = await others(home);
    Object.assign(home.place.env, { PATH: `${dirname(other)}:/usr/bin:/bin` });
    await install({ ...home, self: other }, "claude", "user", "bridge-hooks");
    expect((await findings(home))[0]?.fix).toEndWith(
      `${home.self} install --host claude. To ask that one: ${other} doctor`,
    );
    Object.assign(home.place.env, { PATH: `${dirname(home.self)}:/usr/bin:/bin` });
    await install({ ...home, self: other }, "claude", "user", other);
    expect((await findings(home))[0]?.fix).toContain(": bridge-hooks install --host claude.");
  }, 30_000);
  test("that can't be started are told as that, with what writes them anew", async () => {
    using home = machine();
    rmSync(await others(home));
    const found = await findings(home);
    expect([...new Set(found.map(({ check }) => check))]).toEqual(
      ["stale-path", "deny-probe", "allow-probe"].slice(0, found.length),
    );
    expect(found[0]?.fix).toBe(`put it back, or: ${home.self} install --host claude`);
  }, 30_000);
});

describe("an executable inside a project", () => {
  const notes = async (home: Home) =>
    (await examine(["claude"], home, "0")).hosts
      .flatMap(({ findings }) => findings)
      .filter(({ check }) => check === "program-in-project")
      .map(({ level, what, fix }) => ({ level, what, fix }));
  const inside = async (home: Home, ...folders: string[]) => {
    const path = join(home.folder, ...folders, "bridge-hooks");
    mkdirSync(dirname(path), { recursive: true });
    linkSync(product, path);
    await install({ ...home, self: path }, "claude", "user", path);
    return { ...home, self: path };
  };
  const PLACE = process.platform === "win32" ? "C:\\Program Files\\bridge-hooks" : "~/.local/bin";
  const told = (self: string, root: string) => [
    {
      level: "note" as const,
      what: `${self} lies in the project ${root}`,
      fix: `put it outside of projects (${PLACE}), and install it from there`,
    },
  ];
  test("that is looked at", async () => {
    using home = machine();
    const found = await inside(home, "project", "dist");
    expect(await notes(found)).toEqual(told(found.self, home.place.roots[0] as string));
  }, 30_000);
  test("that is another one", async () => {
    using home = machine();
    put(join(home.folder, "hooks-of-mine", ".git", "HEAD"), "");
    const found = await inside(home, "hooks-of-mine", "dist");
    expect(await notes(found)).toEqual(told(found.self, join(home.folder, "hooks-of-mine")));
  }, 30_000);
  test("is not one in a home folder, even where that is a repository", async () => {
    using home = machine();
    put(join(home.place.home, ".git", "HEAD"), "");
    expect(await notes(await inside(home, "home", ".local", "bin"))).toEqual([]);
  }, 30_000);
});

test("a matcher that fits no call is told", async () => {
  using home = machine();
  const load = async () => ({ event: "PreToolUse" as const, handler: () => undefined });
  const found = await settingsFindings(
    [hook(["PreToolUse"], { name: "guard", matcher: "Bash|Raed", load })],
    home.folder,
  );
  expect(found.map(({ check, level, what }) => [check, level, what])).toEqual([
    ["matcher", "note", 'the hook "guard": matcher: "Raed" fits no tool; did you mean Read?'],
  ]);
});

describe("names that no hook has, in a config file", () => {
  const KNOWN = ["block-destructive", "protect-secrets"];
  const file = join(folder, "config.json");
  const found = async (scope: ConfigScope, document: unknown) => {
    writeFileSync(file, JSON.stringify(document));
    return fileFindings(await examineFile({ scope, path: file }, KNOWN)).map(({ level, what, impact, fix }) => [
      level,
      what,
      impact,
      fix,
    ]);
  };
  const locked = [
    `${file}: locked: "protect-secret": no hook here has this name`,
    "it locks nothing",
    "did you mean protect-secrets?",
  ];
  const set = `${file}: hooks.mine: no hook here has this name`;
  test("are red in the company's, where they lock or set nothing", async () => {
    const document = { hooks: { mine: {}, "protect-secrets": {} }, locked: ["protect-secret", "block-destructive"] };
    expect(await found("managed", document)).toEqual([
      ["red", set, expect.any(String), expect.any(String)],
      ["red", ...locked],
    ]);
    expect((await found("user", document)).map(([level]) => level)).toEqual(["note", "note"]);
  });
  test("a project locks nobody out, and is told so", async () => {
    expect(await found("project", { hooks: { mine: {} }, locked: ["protect-secret"], trusted: ["**"] })).toEqual([
      [
        "note",
        `${file}: locked: ignored in a project's file; say it in your own`,
        expect.any(String),
        expect.any(String),
      ],
      [
        "note",
        `${file}: trusted: ignored in a project's file; say it in your own`,
        expect.any(String),
        expect.any(String),
      ],
      ["note", set, expect.any(String), expect.any(String)],
    ]);
  });
});

describe("the command", () => {
  const run = (home: Home, ...args: string[]) => {
    const started = performance.now();
    const { stdout, stderr, exitCode } = Bun.spawnSync([home.self, ...args], {
      cwd: home.place.roots[0],
      env: { HOME: home.place.home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home.folder, "state") },
    });
    return { stdout: stdout.toString(), stderr: stderr.toString(), code: exitCode, ms: performance.now() - started };
  };

  test("install, status, doctor and uninstall, as a person runs them", async () => {
    using home = machine();
    const { home: at } = home.place;
    for (const host of hosts) put(join((await host.setup()).traces(home.place)[0] ?? at, "x"), "");
    expect(run(home, "doctor").code).toBe(1);
    const installed = run(home, "install");
    expect([installed.code, installed.stderr]).toEqual([0, ""]);
    expect(installed.stdout).toContain("files were written.");
    expect(installed.stdout).toContain(`${home.self} doctor shows whether a denial holds now.`);
    expect(installed.stdout).toContain("nothing was trusted on your behalf");
    expect(run(home, "install").stdout).toContain("Nothing was written: all of it is there.");
    const status = run(home, "status", "--json");
    expect([status.code, JSON.parse(status.stdout).installed.map(({ host }: { host: string }) => host)]).toEqual([
      0,
      hosts.map(({ id }) => id),
    ]);
    const doctor = run(home, "doctor", "--json");
    const report = Report.parse(JSON.parse(doctor.stdout));
    // Nobody has trusted the entries in Codex yet.
    const reds = report.hosts.flatMap(({ host, findings }) =>
      findings.filter(({ level }) => level === "red").map(({ check }) => `${host} ${check}`),
    );
    expect([doctor.code, report.healthy, reds]).toEqual([1, false, ["codex untrusted"]]);
    expect(run(home, "doctor").stdout).toEndWith("1 red finding.\n");
    const green = run(home, "doctor", "--host", "claude", "--host", "cursor");
    expect([green.code, green.stdout]).toEqual([
      0,
      expect.stringMatching(/\n\nNothing is red, with 1 note: a denial holds\.\n$/),
    ]);
    expect(run(home, "doctor", "--host", "claude").stdout).toEndWith("\n\nAll green: a denial holds.\n");
    // Up to three tries more: the machine may be busy.
    const quickest = (ms: number, command: string, tries = 3): number =>
      ms < 2_000 || tries === 0 ? ms : quickest(run(home, command).ms, command, tries - 1);
    for (const [command, { ms }] of Object.entries({ install: installed, status, doctor }))
      expect(quickest(ms, command)).toBeLessThan(2_000);
    expect(run(home, "uninstall").code).toBe(0);
    expect(run(home, "uninstall").stdout).toContain("No user config has an entry of bridge-hooks.");
    expect(run(home, "status").stdout).toContain(`not installed; ${home.self} install --host claude`);
  }, 60_000);

  test("it ends when all is said, and not before", () => {
    using home = machine();
    put(join(home.place.home, ".claude/x"), "");
    // A host's program that leaves something behind, which holds its stdout open.
    writeFileSync(
      executableAt(join(home.folder, "tools", "claude")),
      '#!/bin/sh\nsleep 30 &\necho $! > "$0.pid"\necho 2.1.330\n',
    );
    const shell = (line: string) =>
      Bun.spawnSync(["/bin/sh", "-c", line], {
        env: { HOME: home.place.home, PATH: `${join(home.folder, "tools")}:${dirname(home.self)}:/usr/bin:/bin` },
        cwd: home.place.roots[0],
      }).stdout.toString();
    const started = performance.now();
    expect(shell("bridge-hooks doctor")).toContain("Claude Code has no entry of bridge-hooks");
    // It waits two seconds for that program.
    expect(performance.now() - started).toBeLessThan(8_000);
    process.kill(Number(read(join(home.folder, "tools", "claude.pid"))));
    const slowly = shell("bridge-hooks matrix --markdown --notes | (sleep 0.3; cat)");
    // More than a pipe holds.
    expect(slowly.length).toBeGreaterThan(65_536);
    expect(slowly).toBe(shell("bridge-hooks matrix --markdown --notes > x; cat x"));
  }, 30_000);

  test("in the home folder the user's files are no project's", () => {
    using home = machine();
    put(join(home.place.home, ".claude/x"), "");
    const at = (...args: string[]) =>
      Bun.spawnSync([home.self, ...args], {
        cwd: home.place.home,
        env: { HOME: home.place.home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home.folder, "state") },
      });
    expect(at("install").exitCode).toBe(0);
    expect([at("doctor").exitCode, at("uninstall", "--scope", "project").stdout.toString()]).toEqual([
      0,
      "No project config has an entry of bridge-hooks.\nStill there, user: " + fileOf(home, "claude") + "\n",
    ]);
  }, 30_000);

  test("config files of hooks: what is wrong with them is told as theirs", () => {
    using home = machine();
    put(join(home.place.home, ".claude/x"), "");
    expect(run(home, "install").code).toBe(0);
    const user = join(home.place.home, ".config/bridge-hooks/config.json");
    const project = join(home.place.roots[0] as string, ".bridge-hooks.json");
    const found = (path: string, text: string) => {
      put(path, text);
      const { stdout } = run(home, "doctor", "--json");
      rmSync(path);
      return Report.parse(JSON.parse(stdout)).findings.map(({ check, level, what }) => `${check} ${level}: ${what}`);
    };
    expect(found(user, "{}")).toEqual([]);
    expect(found(user, '{"hooks": {"block-destructive": {"alow": []}}}')).toEqual([
      `settings-unknown note: ${user}: hooks.block-destructive.alow: unknown setting`,
    ]);
    expect(found(user, '{"hooks": {"block-destructive": {"allow": 5}}}')).toEqual([
      expect.stringMatching(
        /^hook-fails red: the hook "block-destructive" fails: .*config\.json: hooks\.block-destructive\.allow: /,
      ),
    ]);
    expect(found(user, '{"version": 2, "audit": true, "locked": "protect-secret", "trusted": 1}')).toEqual([
      `settings-wrong red: ${user}: locked: this has to be true, or a list of hooks' names; until then every hook is locked`,
      `settings-wrong red: ${user}: trusted: this has to be a list of folders; until then it trusts none`,
      `settings-ignored note: ${user}: version 2 is not one that this executable knows (1): what it does not know is ignored`,
      `settings-ignored note: ${user}: unknown setting "audit", ignored`,
    ]);
    // Once, and not for each hook.
    expect(found(user, '{"hooks": {')).toEqual([
      expect.stringMatching(/^settings-unreadable red: .*config\.json:1:\d+: it does not parse/),
    ]);
    expect(found(project, '{"hooks": []}')).toEqual([
      `settings-unreadable red: ${project}: hooks: this has to be an object, with the settings of each hook by its name`,
    ]);
    expect(found(project, '{"hooks": {"session-context": {"commits": "x"}}}')).toEqual([
      expect.stringMatching(/^settings-wrong red: .*\.bridge-hooks\.json: hooks\.session-context\.commits: /),
    ]);
    expect(found(user, '{"hooks": {"protect-secret": {}}}')).toEqual([
      `settings-unknown note: ${user}: hooks.protect-secret: no hook here has this name`,
    ]);
    expect(found(project, '{"hooks": {"protect-secrets": {"content": "off"}}}')).toEqual([
      `settings-untrusted note: ${project}: hooks.protect-secrets: content: nobody trusts this project, so it does not count`,
    ]);
    put(user, '{"locked": ["protect-secret"]}');
    const yellow = run(home, "doctor");
    expect([yellow.code, yellow.stdout]).toEqual([
      0,
      expect.stringContaining("note " + user + ': locked: "protect-secret": no hook here has this name'),
    ]);
    expect(yellow.stdout).toEndWith("Nothing is red, with 1 note: a denial holds.\n");
    put(user, '{"hooks": {"block-destructive": {"allow": 5}}}');
    const { stdout, code } = run(home, "doctor");
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("impact: it stops every call that it is asked about\n"),
    ]);
  }, 60_000);

  test("an image that is being built", () => {
    using home = machine();
    const image = join(home.folder, "image");
    put(join(image, "opt/x"), "");
    const { stdout, code } = run(
      home,
      "install",
      "--scope",
      "managed",
      "--root",
      image,
      "--host",
      "claude",
      "--host",
      "codex",
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("2 files were written.")]);
    expect(
      JSON.parse(run(home, "status", "--scope", "managed", "--root", image, "--json").stdout).installed,
    ).toHaveLength(2);
    expect(run(home, "uninstall", "--scope", "managed", "--root", image).code).toBe(0);
  }, 30_000);

  test("--root is said to take the place of what it takes the place of", () => {
    using home = machine();
    const told = (command: string) => /--root DIR +(.*)/.exec(run(home, command, "--help").stdout)?.[1];
    expect(told("doctor")).toBe("Instead of the project's folder");
    expect(told("status")).toBe("Instead of the project's folder; with --scope user the home folder, with managed /");
    for (const command of ["install", "uninstall"])
      expect(told(command)).toBe("Instead of the home folder (user), the project (project, local) or / (managed)");
  });

  test("doctor --schema describes doctor --json", () => {
    using home = machine();
    const schema = JSON.parse(run(home, "doctor", "--schema").stdout);
    expect([schema.type, Object.keys(schema.properties)]).toEqual([
      "object",
      ["version", "healthy", "hosts", "findings"],
    ]);
  });

  test("installations at once lose nothing", async () => {
    using home = machine();
    const events = ["PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit", "Notification"];
    const all = events.map((event) =>
      Bun.spawn([home.self, "install", "--host", "claude", "--event", event], {
        cwd: home.folder,
        env: { HOME: home.place.home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home.folder, "state") },
        stdout: "ignore",
        stderr: "ignore",
      }),
    );
    expect(await Promise.all(all.map(({ exited }) => exited))).toEqual(events.map(() => 0));
    expect(Object.keys(JSON.parse(read(fileOf(home, "claude"))).hooks).sort()).toEqual(events.toSorted());
  }, 60_000);

  test("--dry-run prints a diff and writes nothing", () => {
    using home = machine();
    put(fileOf(home, "claude"), '{\n  "model": "opus"\n}\n');
    const { stdout, code } = run(home, "install", "--dry-run", "--host", "claude");
    expect([code, stdout]).toEqual([0, expect.stringContaining('-  "model": "opus"\n+  "model": "opus",\n')]);
    expect(read(fileOf(home, "claude"))).toBe('{\n  "model": "opus"\n}\n');
  });

  test("what makes no sense is said, and nothing is written", () => {
    using home = machine();
    const wrong: [string[], string][] = [
      [["install", "--host", "nobody"], 'there is no host "nobody"'],
      [["install", "--scope", "everywhere"], 'there is no scope "everywhere"'],
      [["install", "--event", "Foo", "--host", "claude"], 'there is no event "Foo"'],
      [["install", "--event", "WorktreeCreate", "--host", "claude"], "WorktreeCreate takes no entry"],
      [["install", "--on-error", "ask"], "--on-error takes deny or allow"],
      [["install", "--bin", "/nowhere/x", "--host", "claude"], "there is no such executable"],
      [["install", "--bin", "/bin/ls", "--host", "claude"], "this is no bridge-hooks executable"],
      [["install", "--bin", "/bin", "--host", "claude"], "this is no bridge-hooks executable"],
      [["install", "--event", "pretooluse", "--host", "claude"], "did you mean PreToolUse?"],
      [["install", "--scope", "local", "--host", "codex"], 'has no scope "local"'],
      [["install", "--root", "/nowhere"], "there is no such folder"],
      [["install"], "no host was found here"],
      [["mdm", "--out", home.place.home, "--bin-path", "relative"], "no absolute path"],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = run(home, ...args);
      expect([args, code, `${stdout}${stderr}`]).toEqual([args, 1, expect.stringContaining(message)]);
    }
  });
});
