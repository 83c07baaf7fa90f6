import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { checkProgram } from "../../../src/operate/machine/program.ts";
import { writeExecutable, type Home, createHookEntry, writeTestFile, readTestFile } from "../../support/homes.ts";
import {
  product,
  createMachine,
  copyExecutable,
  installEntries,
  findRedChecks,
  getConfigPath,
  writeScript,
} from "./machine.ts";

/** A fault, and the finding that reports it. */
const FAULTS: Record<string, { check: string; host?: string; plant: (home: Home) => Promise<void> | void }> = {
  "a host without entries": { check: "not-installed", plant: () => {} },
  "a missing executable": {
    check: "stale-path",
    async plant(home) {
      await installEntries(home, "claude");
      rmSync(home.self);
    },
  },
  "an executable without execute permission": {
    check: "not-executable",
    async plant(home) {
      await installEntries(home, "claude");
      copyExecutable(home);
      chmodSync(home.self, 0o644);
    },
  },
  "an executable for another machine": {
    check: "wrong-architecture",
    async plant(home) {
      await installEntries(home, "claude");
      const bytes = copyExecutable(home);
      // The ELF machine field: 0xb7 is arm64, 0x3e is x64.
      bytes.writeUInt16LE(bytes.readUInt16LE(18) === 0xb7 ? 0x3e : 0xb7, 18);
      writeFileSync(home.self, bytes);
    },
  },
  "an executable inside the project": {
    check: "program-not-run",
    async plant(home) {
      const inside = join(home.machine.roots[0] as string, "bridge-hooks");
      copyFileSync(product, inside);
      await installEntries(home, "claude", "project", inside);
    },
  },
  "an entry for another host": {
    check: "wrong-host",
    async plant(home) {
      await installEntries(home, "claude");
      const file = getConfigPath(home, "claude");
      writeTestFile(file, readTestFile(file).replaceAll("--host claude", "--host codex"));
    },
  },
  "an entry for an unknown host": {
    check: "wrong-host",
    async plant(home) {
      await installEntries(home, "claude");
      const file = getConfigPath(home, "claude");
      writeTestFile(file, readTestFile(file).replaceAll("--host claude", "--host cluade"));
    },
  },
  "a missing entry for an event that a hook subscribes to": {
    check: "drift",
    async plant(home) {
      await installEntries({ ...home, entries: [createHookEntry(["PreToolUse"])] }, "claude");
    },
  },
  "entries in the user's and the project's file": {
    check: "duplicate",
    host: "cursor",
    async plant(home) {
      await installEntries(home, "cursor");
      await installEntries(home, "cursor", "project");
    },
  },
  "entries in the user's and the managed file": {
    check: "duplicate",
    async plant(home) {
      await installEntries(home, "claude");
      await installEntries(home, "claude", "managed");
    },
  },
  "a program that allows everything": {
    check: "deny-probe",
    async plant(home) {
      await installEntries(home, "claude", "user", writeScript(home, "weak", "cat > /dev/null; exit 0"));
    },
  },
  "a program that denies everything": {
    check: "allow-probe",
    async plant(home) {
      await installEntries(home, "claude", "user", writeScript(home, "strict", "cat > /dev/null; echo no >&2; exit 2"));
    },
  },
  "a program whose failures allow calls, although the entry denies on failure": {
    check: "garbage-probe",
    async plant(home) {
      await installEntries(home, "codex", "managed", writeScript(home, "open", "exit 1"));
    },
    host: "codex",
  },
  "an answer that the host rejects": {
    check: "deny-probe",
    async plant(home) {
      await installEntries(
        home,
        "codex",
        "managed",
        writeScript(home, "wordy", `cat > /dev/null; echo '{"permission":"deny"}'`),
      );
    },
    host: "codex",
  },
  "additional output, for a host that then ignores the answer": {
    check: "deny-probe",
    async plant(home) {
      await installEntries(
        home,
        "codex",
        "managed",
        writeScript(home, "noisy", `echo noise; exec '${product}' "$@" 2>/dev/null`),
      );
    },
    host: "codex",
  },
  "a settings file with a comment": {
    check: "config-flaw",
    async plant(home) {
      await installEntries(home, "claude");
      const file = getConfigPath(home, "claude");
      writeTestFile(file, `// mine\n${readTestFile(file)}`);
    },
  },
  "a hooks.json with a trailing comma": {
    check: "config-flaw",
    host: "cursor",
    async plant(home) {
      await installEntries(home, "cursor");
      const file = getConfigPath(home, "cursor");
      writeTestFile(file, readTestFile(file).replace(/\]\s*\}\s*\}\s*$/, "],}}"));
    },
  },
  "a hooks.json without a version": {
    check: "config-flaw",
    host: "cursor",
    async plant(home) {
      await installEntries(home, "cursor");
      const file = getConfigPath(home, "cursor");
      writeTestFile(file, readTestFile(file).replace(/"version": 1,/, ""));
    },
  },
  "a truncated config file": {
    check: "config-flaw",
    host: "codex",
    async plant(home) {
      await installEntries(home, "codex");
      const file = getConfigPath(home, "codex");
      writeTestFile(file, readTestFile(file).slice(0, -20));
    },
  },
  "a config file that is not UTF-8": {
    check: "config-unreadable",
    async plant(home) {
      await installEntries(home, "claude");
      writeFileSync(getConfigPath(home, "claude"), new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]));
    },
  },
  "a project's hooks.json that is a link": {
    check: "linked-config",
    host: "cursor",
    async plant(home) {
      await installEntries(home, "cursor", "project");
      const file = getConfigPath(home, "cursor", "project");
      writeTestFile(join(home.folder, "elsewhere.json"), readTestFile(file));
      rmSync(file);
      symlinkSync(join(home.folder, "elsewhere.json"), file);
    },
  },
  "a project that turns all hooks off": {
    check: "hooks-disabled",
    async plant(home) {
      await installEntries(home, "claude");
      writeTestFile(getConfigPath(home, "claude", "project"), '{ "disableAllHooks": true }');
    },
  },
  "managed settings that allow only managed hooks": {
    check: "managed-hooks-only",
    async plant(home) {
      await installEntries(home, "claude");
      writeTestFile(
        getConfigPath(home, "claude", "managed").replace("50-bridge-hooks", "10-other"),
        '{ "allowManagedHooksOnly": true }',
      );
    },
  },
  "a project whose settings load code into hooks": {
    check: "env-loads-code",
    async plant(home) {
      await installEntries(home, "claude");
      writeTestFile(getConfigPath(home, "claude", "project"), '{ "env": { "LD_PRELOAD": "./evil.so" } }');
    },
  },
  "a host release that does not support onFailure": {
    check: "on-failure-ignored",
    async plant(home) {
      await installEntries(home, "claude");
      writeFileSync(writeExecutable(join(home.folder, "old", "claude")), "#!/bin/sh\necho '2.1.197 (Claude Code)'\n");
      Object.assign(home.machine.env, { PATH: `${join(home.folder, "old")}:/usr/bin:/bin` });
    },
  },
  "requirements that a project can turn off": {
    check: "managed-not-pinned",
    host: "codex",
    async plant(home) {
      await installEntries(home, "codex", "managed");
      const file = getConfigPath(home, "codex", "managed");
      writeTestFile(file, readTestFile(file).replace(/\[features\]\s+hooks = true/, ""));
    },
  },
  "a managed plugin that the config next to it does not name": {
    check: "drift",
    host: "opencode",
    async plant(home) {
      await installEntries(home, "opencode", "managed");
      const config = join(dirname(dirname(getConfigPath(home, "opencode", "managed"))), "opencode.json");
      writeTestFile(config, readTestFile(config).replace("file://", "file:///other"));
    },
  },
  "a plugin whose entries are not valid JSON": {
    check: "config-flaw",
    host: "opencode",
    async plant(home) {
      await installEntries(home, "opencode");
      const file = getConfigPath(home, "opencode");
      writeTestFile(file, readTestFile(file).replace('"hooks"', "hooks"));
    },
  },
  "an environment variable that keeps plugins from loading": {
    check: "plugins-disabled",
    host: "opencode",
    async plant(home) {
      await installEntries(home, "opencode");
      Object.assign(home.machine.env, { OPENCODE_PURE: "1" });
    },
  },
  "a plugin whose entry is disabled": {
    check: "drift",
    host: "openclaw",
    async plant(home) {
      await installEntries(home, "openclaw");
      const config = join(home.machine.home, ".openclaw/openclaw.json");
      writeTestFile(config, readTestFile(config).replace('"enabled": true', '"enabled": false'));
    },
  },
  "disabled plugins": {
    check: "plugins-disabled",
    host: "openclaw",
    async plant(home) {
      await installEntries(home, "openclaw");
      const config = join(home.machine.home, ".openclaw/openclaw.json");
      writeTestFile(config, readTestFile(config).replace('"plugins": {', '"plugins": { "enabled": false,'));
    },
  },
  "a plugin without its manifest": {
    check: "drift",
    host: "openclaw",
    async plant(home) {
      await installEntries(home, "openclaw");
      rmSync(join(dirname(getConfigPath(home, "openclaw")), "openclaw.plugin.json"));
    },
  },
  "an environment in which programs print before their answer": {
    check: "environment-ends-programs",
    async plant(home) {
      await installEntries(home, "claude");
      Object.assign(home.machine.env, { LD_SHOW_AUXV: "" });
    },
  },
  "an environment that loads code into every program": {
    check: "environment-loads-code",
    async plant(home) {
      await installEntries(home, "claude");
      Object.assign(home.machine.env, { LD_PRELOAD: join(home.folder, "none.so") });
    },
  },
};

describe("doctor is red for", () => {
  for (const [name, { check, host = "claude", plant }] of Object.entries(FAULTS)) {
    test(name, async () => {
      using home = createMachine();
      await plant(home);
      expect(await findRedChecks(home, host)).toContain(check);
    });
  }
  test("34 faults", () => expect(Object.keys(FAULTS).length).toBe(34));
});

describe("the fix that doctor names", () => {
  test("for entries in two files uninstalls those of the host in the project", async () => {
    using home = createMachine();
    for (const scope of ["user", "project"] as const) await installEntries(home, "cursor", scope);
    const {
      hosts: [one],
    } = await diagnoseHosts(["cursor"], home, "0");
    const doubled = one?.findings.find(({ check }) => check === "duplicate");
    expect(doubled?.fix).toStartWith(`${home.self} uninstall --host cursor --scope project`);
  });
  test("for an executable that was downloaded on Windows is Unblock-File", () => {
    using home = createMachine();
    writeFileSync(`${home.self}:Zone.Identifier`, "[ZoneTransfer]\nZoneId=3\n");
    const image = Buffer.alloc(4096);
    image.write("MZ");
    image.writeUInt32LE(128, 0x3c);
    image.writeUInt16LE(process.arch === "arm64" ? 0xaa64 : 0x8664, 132);
    rmSync(home.self);
    writeFileSync(home.self, image);
    const [found] = checkProgram(home.self, home.self, { ...home.machine, platform: "win32" }, "install");
    expect([found?.check, found?.fix]).toEqual(["quarantined", `Unblock-File "${home.self}"`]);
  });
});
