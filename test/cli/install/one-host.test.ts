import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { applyUninstall, planUninstall } from "../../../src/cli/uninstall/uninstall.ts";
import { collectStatus } from "../../../src/operate/machine/status.ts";
import { createHome, type Home, installTargets, readTestFile, writeTestFile } from "../../support/homes.ts";

const fileOf = (home: Home, host: string, scope = "user") =>
  installTargets.find((one) => one.host.id === host && one.scope === scope)?.file(home).path as string;

async function install(home: Home, ...hosts: string[]) {
  const options = { hosts, scope: "user", events: [], on_error: "deny" } as const;
  const plan = await planInstall(options, home);
  return { ...plan, problems: [...plan.problems, ...applyInstall(plan, options, home)] };
}

async function uninstall(home: Home, ...hosts: string[]) {
  const plan = await planUninstall({ hosts, scope: "user", events: [] }, home);
  return [...plan.problems, ...applyUninstall(plan, home)];
}

const HANDLER = '{"type":"command","command":"true"}';

/** Configs in which a host ignores one part but applies the rest. */
const SKIPPED: readonly [host: string, name: string, text: string][] = [
  ["gemini", "hooks.enabled", '{"hooks":{"enabled":true}}'],
  ["gemini", "hooks.disabled", '{"hooks":{"disabled":["x"]}}'],
  ["gemini", "hooks.notifications", '{"hooks":{"notifications":false}}'],
  ["gemini", "a flat entry", `{"hooks":{"BeforeTool":[${HANDLER}]}}`],
  ["gemini", "a type in capitals", '{"hooks":{"BeforeTool":[{"hooks":[{"type":"Command","command":"true"}]}]}}'],
  [
    "copilot",
    "an invalid pattern as a matcher",
    `{"version":1,"hooks":{"preToolUse":[{"command":"true","matcher":"("}]}}`,
  ],
  ["codex", "a matcher with look-around", `{"hooks":{"PreToolUse":[{"matcher":"(?=x)","hooks":[${HANDLER}]}]}}`],
  ["claude", "an invalid pattern as a matcher", `{"hooks":{"PreToolUse":[{"matcher":"(","hooks":[${HANDLER}]}]}}`],
  ["claude", "an event that is not a list", '{"hooks":{"Foo":{}}}'],
];

describe("a part that a host ignores is a note for install and doctor, and uninstall restores it:", () => {
  for (const [host, name, text] of SKIPPED)
    test(`${host}, ${name}`, async () => {
      using home = createHome();
      writeTestFile(fileOf(home, host), text);
      const { problems, notes } = await install(home, host);
      expect(problems).toEqual([]);
      expect(notes.join()).toContain(fileOf(home, host));
      const findings = (await diagnoseHosts([host], home, "0")).hosts[0]?.findings ?? [];
      expect(findings.filter(({ check }) => check === "config-flaw").map(({ level }) => level)).toEqual(["note"]);
      expect(await uninstall(home, host)).toEqual([]);
      expect(readTestFile(fileOf(home, host))).toBe(text);
    });
});

test("an ignored entry is red if it is ours", async () => {
  using home = createHome();
  await install(home, "copilot");
  const file = fileOf(home, "copilot");
  writeTestFile(file, readTestFile(file).replace('"timeout": 20', '"timeout": 0'));
  const findings = (await diagnoseHosts(["copilot"], home, "0")).hosts[0]?.findings ?? [];
  expect(findings.filter(({ check }) => check === "config-flaw").map(({ level }) => level)).toEqual(["red"]);
});

/** TOML that Codex accepts [seen 0.169.0, 2026-11-28]. */
const TOML: readonly [name: string, text: string][] = [
  ["a byte order mark", '\ufeffmodel = "x"\n'],
  ["an integer above 2^53", "limit = 9223372036854775807\n"],
  [
    "dates next to hooks",
    'since = 2026-01-02\nat = 07:32:00\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n',
  ],
  ["an inline table over several lines", "a = {\n  b = 1,\n}\n"],
  ["look-around in a matcher", '[[hooks.Stop]]\nmatcher = "(?=x)"\n'],
];

describe("install and uninstall work with Codex's config.toml with", () => {
  for (const [name, text] of TOML)
    for (const own of [false, true])
      test(`${name}${own ? ", and entries in it" : ""}`, async () => {
        using home = createHome();
        const file = join(home.machine.home, ".codex/config.toml");
        const hooks = '\n[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "./mine.sh"\n';
        writeTestFile(file, own ? text + hooks : text);
        const { problems } = await install(home, "codex");
        expect(problems).toEqual([]);
        if (own) expect(readTestFile(file)).toContain("--host codex");
        const findings = (await diagnoseHosts(["codex"], home, "0")).hosts[0]?.findings ?? [];
        expect(findings.filter(({ check, level }) => check.startsWith("config") && level === "red")).toEqual([]);
        expect(await uninstall(home, "codex")).toEqual([]);
        expect(readTestFile(file)).toBe(own ? text + hooks : text);
      });
});

test("an event that is a table in Codex's config.toml keeps Codex from starting, as does an integer beyond 64 bits", async () => {
  for (const text of ['[hooks.PreToolUse]\nmatcher = "x"\n', "limit = 9223372036854775808\n"]) {
    using home = createHome();
    writeTestFile(join(home.machine.home, ".codex/config.toml"), text);
    await install(home, "codex");
    const findings = (await diagnoseHosts(["codex"], home, "0")).hosts[0]?.findings ?? [];
    const [flaw] = findings.filter(({ check }) => check === "config-flaw");
    expect([flaw?.level, flaw?.what]).toEqual(["red", expect.stringContaining("Codex doesn't start with this file")]);
  }
});

test("inline hooks in Codex's config.toml: the entries go to hooks.json, and doctor's note suggests moving the hooks there", async () => {
  using home = createHome();
  const file = join(home.machine.home, ".codex/config.toml");
  const text = 'hooks = { PreToolUse = [ { hooks = [ { type = "command", command = "true" } ] } ] }\n';
  writeTestFile(file, text);
  expect((await install(home, "codex")).problems).toEqual([]);
  const both = async () =>
    ((await diagnoseHosts(["codex"], home, "0")).hosts[0]?.findings ?? []).filter(
      ({ check }) => check === "two-representations",
    );
  expect((await both())[0]?.fix).toContain("as [[hooks.PreToolUse]] tables");
  writeTestFile(file, '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "true"\n');
  await uninstall(home, "codex");
  await install(home, "codex");
  expect(readTestFile(file)).toContain("--host codex");
  expect(await both()).toEqual([]);
});

describe("an empty config, or one without settings, is written and restored byte for byte:", () => {
  for (const { host, scope, syntax } of installTargets)
    if (syntax === "json")
      for (const text of ["", "{}", "{ }\n", "{\n}\n", "\ufeff{}\n"])
        test(`${host.id}, ${scope}, ${JSON.stringify(text)}`, async () => {
          using home = createHome();
          const path = fileOf(home, host.id, scope);
          writeTestFile(path, text);
          const options = { hosts: [host.id], scope, events: [], on_error: "deny" } as const;
          const plan = await planInstall(options, home);
          const check = await host.loadDoctor();
          if (text.startsWith("\ufeff") && check.findConfigProblems(text, path).length > 0) {
            expect(plan.problems.map(({ message }) => message).join()).toContain("byte order mark");
            return;
          }
          expect([...plan.problems, ...applyInstall(plan, options, home)]).toEqual([]);
          expect(readTestFile(path)).toContain("--host");
          applyUninstall(await planUninstall({ hosts: [host.id], scope, events: [] }, home), home);
          expect(readTestFile(path)).toBe(text);
        });
  for (const text of ["", "{}", "{ }\n", "// mine\n{}\n"])
    test(`openclaw.json, ${JSON.stringify(text)}`, async () => {
      using home = createHome();
      const path = join(home.machine.home, ".openclaw/openclaw.json");
      writeTestFile(path, text);
      expect((await install(home, "openclaw")).problems).toEqual([]);
      expect(readTestFile(path)).toContain("allowConversationAccess");
      expect(await uninstall(home, "openclaw")).toEqual([]);
      expect(readTestFile(path)).toBe(text);
    });
});

type Plant = (path: string) => void;

/** Things in a config's place that can't be read or written. */
const BAD_INPUT: Readonly<Record<string, Plant>> = {
  "a truncated file": (path) => writeFileSync(path, '{"hooks":{"PreToolUse":[{"hooks":[{"comm'),
  "a binary file": (path) => writeFileSync(path, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff, 0xfe, 0, 1])),
  "50 MB": (path) => writeFileSync(path, Buffer.alloc(50_000_000, 0x20)),
  "a FIFO": (path) => void spawnSync("mkfifo", [path]),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a dangling link": (path) => symlinkSync("/nowhere/at/all", path),
  "a folder": (path) => mkdirSync(path),
};

describe("other hosts and other files are processed despite a config that is", () => {
  for (const host of [
    "claude",
    "cursor",
    "codex",
    "gemini",
    "copilot",
    "grok",
    "qwen",
    "droid",
    "kimi",
    "auggie",
    "crush",
  ])
    for (const [name, plant] of Object.entries(BAD_INPUT))
      test(`${name}, of ${host}`, async () => {
        using home = createHome();
        const other = host === "claude" ? "cursor" : "claude";
        const path = fileOf(home, host);
        mkdirSync(dirname(path), { recursive: true });
        plant(path);
        const { problems } = await install(home, host, other);
        expect(problems.map((one) => [one.host, one.file])).toEqual([[host, path]]);
        expect(problems[0]?.message).toContain(path);
        expect(readTestFile(fileOf(home, other))).toContain(`--host ${other}`);
        const report = await diagnoseHosts([host, other], { ...home, entries: [] }, "0");
        expect(
          report.hosts
            .find((one) => one.host === host)
            ?.findings.map(({ what }) => what)
            .join(),
        ).toContain(path);
        const { installed, unreadable } = await collectStatus({ hosts: [host, other] }, home, "0");
        expect(installed.map((one) => one.host)).toEqual([other]);
        expect(unreadable.map(({ file }) => file)).toEqual([path]);
        await uninstall(home, host, other);
        expect(existsSync(fileOf(home, other))).toBe(false);
      });
});
