import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Status } from "../../../src/operate/machine/status.ts";
import { getUserConfigSteps } from "../../../src/policy/config-paths.ts";
import { type Home, readTestFile, writeTestFile } from "../../support/homes.ts";
import type { DoctorReport } from "../../../src/cli/doctor/report.ts";
import { createMachine, getConfigPath } from "./machine.ts";

function run({ self, machine }: Home, ...line: string[]) {
  const { PATH = "", XDG_STATE_HOME = "" } = machine.env;
  const [cwd = machine.home] = machine.roots;
  mkdirSync(cwd, { recursive: true });
  const { stdout, stderr, exitCode } = Bun.spawnSync([self, ...line], {
    cwd,
    env: { PATH, XDG_STATE_HOME, HOME: machine.home, USERPROFILE: machine.home, COLUMNS: "400" },
  });
  return { text: `${stdout}${stderr}`, exitCode };
}

const install = (home: Home) => {
  const { exitCode } = run(home, "install", "--host", "claude", "--yes");
  expect(exitCode).toBe(0);
};

const diagnose = (home: Home) => {
  const { text, exitCode } = run(home, "doctor", "--host", "claude", "--json");
  return { ...(JSON.parse(text) as DoctorReport), exitCode };
};

const UNPARSABLE = "not valid JSON from here on (close brace expected); fix the syntax; Claude Code silently ignores";

describe("a host's config with entries but without its last brace", () => {
  test("is reported as unparsable, with the position, instead of as having no entries", () => {
    using home = createMachine();
    install(home);
    const path = getConfigPath(home, "claude");
    const text = readTestFile(path).replace(/\}\s*$/, "");
    writeTestFile(path, text);
    const [line, column] = [text.split("\n").length, (text.split("\n").at(-1)?.length ?? 0) + 1];
    const { healthy, exitCode, hosts } = diagnose(home);
    expect([healthy, exitCode]).toEqual([false, 1]);
    expect(hosts[0]?.findings.filter(({ level }) => level === "red")).toEqual([
      {
        check: "config-flaw",
        level: "red",
        what: expect.stringContaining(`${path}:${line}:${column}: ${UNPARSABLE}`),
        impact: "bridge-hooks entries in this file may not run, so calls may not be guarded",
        fix: expect.stringContaining(`correct line ${line}, column ${column} of ${path}`),
      },
    ]);
    const status = run(home, "status", "--host", "claude");
    expect(status.exitCode).toBe(1);
    expect(status.text).toContain(`${path} can't be read: line ${line}, column ${column}: ${UNPARSABLE}`);
    expect(status.text).not.toContain("not installed");
    expect((JSON.parse(run(home, "status", "--host", "claude", "--json").text) as Status).bare).toEqual([]);
  });

  test("still counts as having no entries if nothing in it mentions bridge-hooks", () => {
    using home = createMachine();
    const path = getConfigPath(home, "claude");
    writeTestFile(path, `{"a": 1`);
    const { healthy, hosts } = diagnose(home);
    const finding = hosts[0]?.findings.find(({ check }) => check === "not-installed");
    expect([healthy, finding?.level]).toEqual([false, "red"]);
    expect(finding?.fix).toMatch(/^correct .*settings\.json, then run: .* install --host claude$/);
    expect(run(home, "status", "--host", "claude").text).toContain("not installed; once that file is correct:");
  });
});

test("a broken user config is reported first, and its consequences in one line", () => {
  using home = createMachine();
  install(home);
  const config = join(home.machine.home, ...getUserConfigSteps());
  mkdirSync(dirname(config), { recursive: true });
  writeTestFile(config, `{"mode": "observe`);
  const { healthy, hosts, findings } = diagnose(home);
  expect(healthy).toBe(false);
  expect(findings.filter(({ level }) => level === "red").map(({ check }) => check)).toEqual(["settings-unreadable"]);
  const reds = hosts[0]?.findings.filter(({ level }) => level === "red") ?? [];
  expect(reds.map(({ check }) => check)).toEqual(["allow-probe"]);
  expect(reds[0]?.what).toMatch(
    /: PreToolUse, .*PermissionRequest: harmless calls fail, because of an error at .*config\.json:1:\d+$/,
  );
  expect(reds[0]?.fix).not.toContain("install");
  const { text } = run(home, "doctor", "--host", "claude");
  expect(text.indexOf("not valid JSON")).toBeGreaterThan(0);
  expect(text.indexOf("not valid JSON")).toBeLessThan(text.indexOf("Claude Code"));
  expect(text).not.toContain("hookSpecificOutput");
  expect(run(home, "status", "--session", "--host", "claude").text).toContain("NOT governed");
});

test("denials aren't reported as effective in a host whose settings disable hooks", () => {
  using home = createMachine();
  install(home);
  const path = getConfigPath(home, "claude");
  expect(run(home, "doctor", "--host", "claude").text).toContain("denials take effect");
  const enabled = run(home, "status", "--host", "claude");
  expect([enabled.exitCode, enabled.text.includes("disableAllHooks")]).toEqual([0, false]);
  writeTestFile(path, JSON.stringify({ ...JSON.parse(readTestFile(path)), disableAllHooks: true }));
  const { text, exitCode } = run(home, "doctor", "--host", "claude");
  expect(exitCode).toBe(1);
  expect(text).toContain(`${path} sets disableAllHooks`);
  expect(text).not.toContain("denials take effect");
  expect(text).not.toMatch(/^ *ok /m);
  const status = run(home, "status", "--host", "claude");
  expect(status.exitCode).toBe(1);
  expect(status.text).toContain(`  problem     ${path} sets disableAllHooks: the entries in ${path} don't run`);
});

test("denials aren't reported as effective for entries in a file that the host ignores", () => {
  using home = createMachine();
  install(home);
  const path = getConfigPath(home, "claude");
  writeTestFile(path, `// mine\n${readTestFile(path)}`);
  const { text, exitCode } = run(home, "doctor", "--host", "claude");
  expect([exitCode, text.includes("a comment; remove it")]).toEqual([1, true]);
  expect(text).not.toContain("denials take effect");
});
