import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { existsSync } from "node:fs";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { applyUninstall, planUninstall } from "../../../src/cli/uninstall/uninstall.ts";
import { collectStatus } from "../../../src/operate/machine/status.ts";
import { type Home, readTestFile, writeTestFile } from "../../support/homes.ts";
import { createMachine, getConfigPath } from "./machine.ts";

/** Creates a machine with the executable's directory on PATH. */
function createMachineOnPath(): Home {
  const home = createMachine();
  Object.assign(home.machine.env, { PATH: `${dirname(home.self)}:${home.machine.env.PATH}` });
  return home;
}

const buildGroups = (command: string, matcher?: string) =>
  JSON.stringify({
    hooks: {
      PreToolUse: [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: "command", command }] }],
    },
  });

async function examine(home: Home, host: string) {
  const report = await diagnoseHosts([host], home, "0");
  const { installed } = await collectStatus({ hosts: [host] }, home, "0");
  const findings = report.hosts[0]?.findings ?? [];
  return {
    reds: findings.filter(({ level }) => level === "red").map(({ check, what }) => `${check}: ${what}`),
    byHand: findings.filter(({ check }) => check === "by-hand").map(({ what }) => what),
    held: report.hosts[0]?.entries.every(({ trials }) => trials.length > 1 && trials.every(({ ok }) => ok)),
    drift: installed.flatMap((one) => one.drift),
    notes: installed.flatMap((one) => one.notes),
  };
}

test("bridge-hooks --host claude in settings.json is green, with one note about what install adds", async () => {
  using home = createMachineOnPath();
  writeTestFile(getConfigPath(home, "claude"), buildGroups("bridge-hooks --host claude"));
  const { reds, byHand, held, drift, notes } = await examine(home, "claude");
  expect([reds, drift, held]).toEqual([[], [], true]);
  expect(byHand).toHaveLength(1);
  expect(byHand[0]).toContain("--on-error");
  expect(byHand[0]).toContain("onFailure");
  expect(notes[0]).toContain("lack --on-error, --timeout-ms, --event");
});

/** Matchers of manually written entries, each with whether it covers every call of every tool. */
const MATCHERS: readonly [host: string, event: string, matcher: string | undefined, covers: boolean][] = [
  ["claude", "PreToolUse", undefined, true],
  ["claude", "PreToolUse", "", true],
  ["claude", "PreToolUse", "*", true],
  ["claude", "PreToolUse", ".*", true],
  ["claude", "PreToolUse", "Bash", false],
  ["claude", "PreToolUse", "Bash|Write|Edit", false],
  ["claude", "UserPromptSubmit", "x", true],
  ["claude", "SessionStart", "startup|resume|clear|compact", true],
  ["claude", "SessionStart", "startup", false],
  ["cursor", "beforeSubmitPrompt", "UserPromptSubmit", true],
  ["cursor", "stop", "Stop", true],
  ["cursor", "beforeReadFile", "Read|TabRead", true],
  ["cursor", "beforeReadFile", "Read", true],
  ["cursor", "beforeReadFile", "TabRead", false],
  ["cursor", "afterTabFileEdit", "Write|TabWrite", true],
  ["cursor", "stop", "Other", false],
  ["cursor", "preToolUse", "Shell", false],
];

describe("matchers are compared by what they match:", () => {
  for (const [host, event, matcher, covers] of MATCHERS)
    test(`${host} ${event} with ${matcher === undefined ? "none" : `"${matcher}"`} ${covers ? "matches everything" : "is drift"}`, async () => {
      using home = createMachineOnPath();
      const unified = ["PreToolUse", "UserPromptSubmit", "SessionStart", "Stop", "PostToolUse"] as const;
      const entries = home.entries.map((one) => ({ ...one, events: unified }));
      const entry = { command: `bridge-hooks --host ${host}`, ...(matcher !== undefined && { matcher }) };
      const group = { matcher, hooks: [{ type: "command", command: entry.command }] };
      const document =
        host === "cursor" ? { version: 1, hooks: { [event]: [entry] } } : { hooks: { [event]: [group] } };
      writeTestFile(getConfigPath(home, host), JSON.stringify(document));
      const { installed } = await collectStatus({ hosts: [host] }, { ...home, entries }, "0");
      const drift = installed[0]?.drift.filter((line) => line.startsWith(event)) ?? [];
      expect(drift.map((line) => line.includes("matches only"))).toEqual(covers ? [] : [true]);
    });
});

/** Wrappers that users put around our command. */
const WRAPPERS: readonly [name: string, wrap: (command: string) => string][] = [
  ["env X=1", (command) => `env X=1 ${command}`],
  ["timeout 5", (command) => `timeout 5 ${command}`],
  ["nice", (command) => `nice -n 5 ${command}`],
  ["sh -c", (command) => `sh -c '${command}'`],
  ["sh -c exec", (command) => `sh -c 'exec ${command}'`],
  ["2>/dev/null", (command) => `${command} 2>/dev/null`],
  ["|| true", (command) => `${command} || true`],
  ["cd x &&", (command) => `cd / && ${command}`],
  ["FOO=1", (command) => `FOO=1 ${command}`],
  ["several", (command) => `cd / && FOO=1 timeout 5 sh -c '${command}' 2>>/dev/null`],
];

/** Command lines that run more than our command, or something else entirely. */
const FOREIGN: readonly string[] = [
  "echo bridge-hooks --host claude",
  "bridge-hooks --host claude; rm x",
  "bridge-hooks --host claude | tee log",
  "bridge-hooks --host claude > log",
  "sudo -u other bridge-hooks --host claude",
  "$TOOL --host claude",
  "/opt/other --host claude",
];

describe("a wrapped entry is recognized after", () => {
  for (const [name, wrap] of WRAPPERS)
    test(name, async () => {
      using home = createMachineOnPath();
      const file = getConfigPath(home, "claude");
      writeTestFile(file, buildGroups(wrap("bridge-hooks --host claude")));
      const { reds, byHand, held, drift } = await examine(home, "claude");
      expect([reds, drift, held, byHand.length]).toEqual([[], [], true, 1]);
      applyUninstall(await planUninstall({ hosts: ["claude"], scope: "user", events: [] }, home), home);
      expect(existsSync(file) && readTestFile(file).includes("bridge-hooks")).toBe(false);
    });
  for (const line of FOREIGN)
    test(`but not in ${line}`, async () => {
      using home = createMachineOnPath();
      const file = getConfigPath(home, "claude");
      const text = buildGroups(line);
      writeTestFile(file, text);
      expect((await collectStatus({ hosts: ["claude"] }, home, "0")).installed).toEqual([]);
      applyUninstall(await planUninstall({ hosts: ["claude"], scope: "user", events: [] }, home), home);
      expect(readTestFile(file)).toBe(text);
    });

  test("and install keeps the wrapper of an equivalent entry", async () => {
    using home = createMachineOnPath();
    const options = { hosts: ["claude"], scope: "user", events: [], on_error: "deny" } as const;
    const install = async () => applyInstall(await planInstall(options, home), options, home);
    await install();
    const file = getConfigPath(home, "claude");
    writeTestFile(file, readTestFile(file).replaceAll(`"command": "`, `"command": "timeout 9 `));
    const before = readTestFile(file);
    expect(before).toContain("timeout 9 ");
    expect((await collectStatus({ hosts: ["claude"] }, home, "0")).installed[0]?.drift).toEqual([]);
    await install();
    expect(readTestFile(file)).toBe(before);
  });

  test("and an entry that sets variables in a project's file is not run", async () => {
    using home = createMachineOnPath();
    const marker = join(home.folder, "marker");
    writeTestFile(
      getConfigPath(home, "claude", "project"),
      buildGroups(`BASH_ENV=x X="$(touch ${marker})" bridge-hooks --host claude`),
    );
    const { reds } = await examine(home, "claude");
    expect(existsSync(marker)).toBe(false);
    expect(reds.join()).toMatch(/program-not-run|not-installed/);
    writeTestFile(getConfigPath(home, "claude", "project"), buildGroups("LD_PRELOAD=/x.so bridge-hooks --host claude"));
    expect((await examine(home, "claude")).reds.join()).toContain("sets variables");
  });
});

test("a bare name for --bin is looked up on PATH, and must not be in the project", async () => {
  using home = createMachineOnPath();
  const options = { hosts: ["claude"], scope: "project", events: [], on_error: "deny", bin: "bridge-hooks" } as const;
  const folder = process.cwd();
  const before = process.env.PATH;
  try {
    process.chdir(home.machine.roots[0] as string);
    const { notes } = await planInstall(options, home);
    expect(notes.filter((line) => line.includes("in the project"))).toEqual([]);
  } finally {
    process.chdir(folder);
    process.env.PATH = before;
  }
});
