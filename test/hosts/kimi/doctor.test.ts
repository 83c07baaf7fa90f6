import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { applyUninstall, planUninstall } from "../../../src/cli/uninstall/uninstall.ts";
import { createHome, type Home, readTestFile, writeTestFile } from "../../support/homes.ts";
import { buildSpecificOutput, DENY, getSetup, testFlaws, testVerdicts } from "../check-support.ts";

testVerdicts([
  ["kimi", "PreToolUse", "exit code 2", "", "no", 2, {}, "denied"],
  ["kimi", "PreToolUse", "exit code 2 without output", "", "", 2, {}, "denied"],
  ["kimi", "PreToolUse", "exit code 2 behind noise", "noise", "no", 2, {}, "denied"],
  ["kimi", "PreToolUse", "a document", buildSpecificOutput(DENY), "", 0, {}, "denied"],
  ["kimi", "PreToolUse", "noise around a document", `noise\n${buildSpecificOutput(DENY)}`, "", 0, {}, "passed"],
  ["kimi", "PreToolUse", "a document with exit code 1", buildSpecificOutput(DENY), "", 1, {}, "broken code 1"],
  ["kimi", "PreToolUse", "another form", '{"decision":"deny","reason":"R"}', "", 0, {}, "passed"],
  ["kimi", "PreToolUse", "ask", buildSpecificOutput({ permissionDecision: "ask" }), "", 0, {}, "passed"],
  ["kimi", "PreToolUse", "a signal", "", "", null, {}, "broken killed"],
  ["kimi", "UserPromptSubmit", "exit code 2", "", "no", 2, {}, "denied"],
  ["kimi", "Stop", "exit code 2", "", "go on", 2, {}, "denied"],
  ["kimi", "PostToolUse", "exit code 2", "", "no", 2, {}, "passed"],
  ["kimi", "SessionStart", "a document", buildSpecificOutput(DENY), "", 0, {}, "passed"],
]);

const entry = (more: string) => `[[hooks]]\nevent = "Stop"\ncommand = "x"\n${more}\n`;
const DROPS = "runs none of the hooks";

testFlaws([
  ["kimi", "config.toml", entry('type = "command"'), DROPS],
  ["kimi", "config.toml", entry("Timeout = 5"), DROPS],
  ["kimi", "config.toml", entry("timeout = 0"), "1 and 600"],
  ["kimi", "config.toml", entry("timeout = 601"), "1 and 600"],
  ["kimi", "config.toml", entry("timeout = 1.5"), "whole number"],
  ["kimi", "config.toml", entry('timeout = "5"'), DROPS],
  ["kimi", "config.toml", entry("matcher = 3"), DROPS],
  ["kimi", "config.toml", entry('matcher = "("'), "never runs this entry"],
  ["kimi", "config.toml", '[[hooks]]\nevent = "Foo"\ncommand = "x"\n', "not an event that Kimi Code supports"],
  ["kimi", "config.toml", '[[hooks]]\nevent = "Stop"\ncommand = ""\n', "a command is missing"],
  ["kimi", "config.toml", '[[hooks]]\nevent = "Stop"\n', DROPS],
  ["kimi", "config.toml", '[hooks]\nevent = "Stop"\ncommand = "x"\n', "write each entry as [[hooks]]"],
  ["kimi", "config.toml", '[[hooks.Stop]]\ncommand = "x"\n', "write each entry as [[hooks]]"],
  ["kimi", "config.toml", "x = 9223372036854775807\n", "54 bits", "9223372036854775807"],
  ["kimi", "config.toml", "x = 1\nx = 2\n", "not valid TOML"],
  ["kimi", "config.toml", "[hooks\n", "not valid TOML"],
]);

const CONFIG = ".kimi-code/config.toml";
const MINE = `# mine\ndefault_model = "m" # keep\n\n[providers.m]\ntype = "openai"\napi_key = "k"\n`;
const THEIRS = `\n# theirs\n[[hooks]] # first\nevent = "PreToolUse"\nmatcher = "Bash"\ncommand = 'their "guard"'\ntimeout = 5\n`;

const options = (scope: "user" | "project" | "managed" = "user") =>
  ({ hosts: ["kimi"], scope, events: [], on_error: "deny" }) as const;

async function install(home: Home) {
  const plan = await planInstall(options(), home);
  return { ...plan, problems: [...plan.problems, ...applyInstall(plan, options(), home)] };
}
const listReds = async (home: Home) =>
  ((await diagnoseHosts(["kimi"], home, "0")).hosts[0]?.findings ?? [])
    .filter(({ level, check }) => level === "red" && check.startsWith("config"))
    .map(({ what }) => what);

describe("an installation for Kimi Code", () => {
  const texts: [name: string, text: string][] = [
    ["providers and comments", MINE],
    ["other tools' entries", `${MINE}${THEIRS}`],
    ["a table after other tools' entries", `${MINE}${THEIRS}\n[thinking]\nenabled = true`],
    ["a byte order mark", `\ufeff${MINE}${THEIRS}`],
    ["Windows line endings", `${MINE}${THEIRS}`.replaceAll("\n", "\r\n")],
    ["an event missing in other releases", `${MINE}[[hooks]]\nevent = "TurnStarted"\ncommand = "true"\n`],
  ];
  for (const [name, text] of texts)
    test(`keeps every byte of a config with ${name}, and removes its own entries again`, async () => {
      using home = createHome();
      const path = join(home.machine.home, CONFIG);
      writeTestFile(path, text);
      expect((await install(home)).problems).toEqual([]);
      const written = readTestFile(path);
      expect(written.startsWith(text)).toBe(true);
      expect(getSetup("kimi").parseEntries(written.replace("\ufeff", ""), path).filter(isOurs)).toHaveLength(2);
      expect(await listReds(home)).toEqual([]);
      const out = await planUninstall({ hosts: ["kimi"], scope: "user", events: [] }, home);
      expect([...out.problems, ...applyUninstall(out, home)]).toEqual([]);
      expect(readTestFile(path)).toBe(text);
    });

  const isOurs = ({ command }: { command: string }) => command.includes("--host kimi");

  test("creates the directory and the file, and removes them again", async () => {
    using home = createHome();
    expect((await install(home)).problems).toEqual([]);
    expect(readTestFile(join(home.machine.home, CONFIG))).toBe(
      ["PreToolUse", "SessionStart"]
        .map((event) =>
          [
            "[[hooks]]",
            `event = "${event}"`,
            `command = "${home.self} --host kimi${event === "PreToolUse" ? " --on-error deny" : ""} --timeout-ms 18000 --event ${event}"`,
            "timeout = 20\n",
          ].join("\n"),
        )
        .toSorted((a, b) => b.localeCompare(a))
        .join("\n"),
    );
  });

  for (const flaw of [
    'type = "command"',
    "timeout = 601",
    '[[hooks]]\nevent = "Foo"\ncommand = "x"',
    "[hooks.more]\na = 1",
    "limit = 9223372036854775807",
  ])
    test(`is rejected if Kimi Code would drop all hooks because of ${flaw}, and doctor is red if ours are in it`, async () => {
      using home = createHome();
      const path = join(home.machine.home, CONFIG);
      writeTestFile(path, `${MINE}${THEIRS}${flaw}\n`);
      const { problems, files } = await install(home);
      expect([problems.length > 0, files]).toEqual([true, []]);
      expect(readTestFile(path)).toBe(`${MINE}${THEIRS}${flaw}\n`);
      writeTestFile(path, `${MINE}`);
      await install(home);
      writeTestFile(path, `${readTestFile(path)}${THEIRS}${flaw}\n`);
      expect((await listReds(home)).join()).toContain(path);
    });

  test("repairs an entry of ours that has an unknown key", async () => {
    using home = createHome();
    const path = join(home.machine.home, CONFIG);
    await install(home);
    const written = readTestFile(path);
    writeTestFile(path, written.replace("timeout = 20\n", 'timeout = 20\ntype = "command"\n'));
    expect((await listReds(home)).length).toBe(1);
    expect((await install(home)).problems).toEqual([]);
    expect(readTestFile(path)).toBe(written);
  });

  test("in another scope is rejected with a clear message", async () => {
    using home = createHome();
    for (const scope of ["project", "managed"] as const)
      expect((await planInstall(options(scope), home)).problems.map(({ message }) => message)).toEqual([
        `Kimi Code has no scope "${scope}" (it has user); nothing was installed for it`,
      ]);
  });

  test("follows KIMI_CODE_HOME, and writes no event that an older release lacks", () => {
    const { listConfigFiles, planSubscriptions } = getSetup("kimi");
    const place = { roots: ["/p"], home: "/h", platform: "linux" } as const;
    expect(listConfigFiles({ ...place, env: { KIMI_CODE_HOME: "/k" } }).map(({ path }) => path)).toEqual([
      "/k/config.toml",
    ]);
    expect(listConfigFiles({ ...place, env: {} }).map(({ path }) => path)).toEqual(["/h/.kimi-code/config.toml"]);
    const events = planSubscriptions("all").map(({ native_event }) => native_event);
    expect(events).toContain("PermissionRequest");
    for (const event of ["UserPromptQueued", "TurnStarted", "TaskStarted", "SessionHeartbeat"])
      expect(events).not.toContain(event);
  });
});
