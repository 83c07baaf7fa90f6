import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getUserConfigSteps } from "../../../src/policy/config-paths.ts";
import { findSessionHosts, type SessionStatus } from "../../../src/cli/status/session.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { getPayload } from "../../support/fixtures.ts";
import { placeExecutable } from "../../support/executables.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-session-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const home = join(root, "home");
const project = join(home, "project");
const config = join(home, ...getUserConfigSteps());
for (const folder of [project, join(project, "below"), dirname(config), join(home, ".claude")])
  mkdirSync(folder, { recursive: true });
mkdirSync(join(project, ".git"));
const executable = await placeExecutable("hooks", join(root, "bin/bridge-hooks"));
const settings = join(home, ".claude/settings.json");

const SESSION = "0b7c3e52-session";
const IN_SESSION = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: SESSION };

function run(line: readonly string[], env: Record<string, string> = {}, stdin = "", cwd = project) {
  const { stdout, stderr, exitCode } = Bun.spawnSync([executable, ...line], {
    cwd,
    env: { PATH: "/usr/bin:/bin", HOME: home, USERPROFILE: home, XDG_STATE_HOME: join(home, "state"), ...env },
    stdin: Buffer.from(stdin),
  });
  return { stdout: `${stdout}`, stderr: `${stderr}`, exitCode };
}

const ask = (env?: Record<string, string>, cwd?: string) => {
  const { stdout, exitCode } = run(["status", "--session", "--json", "--host", "claude"], env, "", cwd);
  return { ...(JSON.parse(stdout) as SessionStatus), exitCode };
};

test.each(hosts.filter(({ childVariables }) => childVariables.length > 0))(
  "$name is detected by the variables that it sets for its shells, and no other host is",
  (host) => {
    const env = Object.fromEntries(host.childVariables.map((name) => [name, "1"]));
    expect(findSessionHosts(env).map(({ id }) => id)).toEqual([host.id]);
  },
);

describe("status --session", () => {
  test("reports that no entry governs a session, and how to change that", () => {
    const { stdout, exitCode } = run(["status", "--session", "--host", "claude"]);
    expect([exitCode, stdout.split("\n")[0]]).toEqual([1, "a session of Claude Code here is NOT governed"]);
    expect(stdout).toContain("install --host claude");
    expect(stdout).not.toContain("mode");
  });

  test("reports which policy governs a session, to a user and to the agent in it", () => {
    run(["install", "--host", "claude", "--yes"]);
    const { governed, exitCode, asked_by, hosts } = ask();
    expect([governed, exitCode, asked_by]).toEqual([true, 0, "person"]);
    expect(hosts.map(({ host, problems, entries }) => ({ host, problems, entries }))).toEqual([
      { host: "claude", problems: [], entries: [{ file: settings, events: expect.arrayContaining(["PreToolUse"]) }] },
    ]);
    expect(hosts[0]?.policy).toMatchObject({ name: "bridge-hooks", mode: "enforce", gaps: [] });
    expect(hosts[0]?.policy.hash).toMatch(/^[0-9a-f]{12}$/);
    const own = run(["status", "--session"], IN_SESSION);
    expect(own.stdout.split("\n")[0]).toBe("this session of Claude Code is governed");
    expect(own.exitCode).toBe(0);
  });

  test.skipIf(process.platform !== "linux")("asks the host that runs it if that host is not on PATH", () => {
    run(["install", "--host", "codex", "--yes"]);
    const [shell, file] = [join(root, "asks/codex"), join(home, ".codex/hooks.json")];
    mkdirSync(dirname(shell));
    copyFileSync(realpathSync("/bin/sh"), shell);
    const key = JSON.stringify(`${file}:pre_tool_use:0:0`);
    writeFileSync(join(home, ".codex/config.toml"), `[hooks.state.${key}]\ntrusted_hash = "sha256:0"\n`);
    const env = { PATH: "/usr/bin:/bin", HOME: home, CODEX_THREAD_ID: SESSION };
    const { stdout } = Bun.spawnSync([shell, "-c", `${executable} status --session --json; exit`], {
      cwd: project,
      env,
    });
    const [{ problems } = { problems: [] }] = (JSON.parse(`${stdout}`) as SessionStatus).hosts;
    expect(problems.map(({ what }) => what)).toContainEqual(expect.stringContaining(`${shell} did not list its hooks`));
  });

  test("finds the latest log record of the session that runs it, and of no other session", () => {
    const call = (session_id: string) =>
      run(
        ["--host", "claude", "--event", "PreToolUse"],
        {},
        JSON.stringify({
          ...getPayload("claude", "PreToolUse-Bash"),
          ...{ session_id, cwd: project, tool_input: { command: "git push --force" } },
        }),
      );
    call("another");
    expect(ask(IN_SESSION).hosts[0]).not.toHaveProperty("last");
    expect(ask().hosts[0]?.last).toMatchObject({ decision: "deny", rule: "git/push-force" });
    call(SESSION);
    expect(ask(IN_SESSION).hosts[0]).toMatchObject({
      session: SESSION,
      last: { rule: "git/push-force", tool: "Bash" },
    });
  });

  test("reports a mode that withholds denials", () => {
    writeFileSync(config, JSON.stringify({ mode: "observe" }));
    const { governed, hosts, exitCode } = ask();
    expect([governed, exitCode, hosts[0]?.withheld_by, hosts[0]?.policy.mode]).toEqual([
      false,
      1,
      "observe",
      "observe",
    ]);
    const { stdout } = run(["status", "--session"], IN_SESSION);
    expect(stdout).toStartWith("this session of Claude Code is only observed: denials are logged, but nothing is stop");
    expect(stdout).toContain("observe (denials are withheld)");
    writeFileSync(config, JSON.stringify({ mode: { mode: "warn", rules: { "git/*": "enforce" } } }));
    expect(run(["status", "--session"], IN_SESSION).stdout).toStartWith("this session of Claude Code is only warned");
    rmSync(config);
  });

  test.each([
    [{ mode: "observe", until: "2999-12-31" }, "mode observe until 2999-12-31", ""],
    [
      { mode: "warn", rules: { "git/*": "enforce" } },
      "mode warn",
      "; denials by rules/git/* (enforce) take effect now",
    ],
  ])(
    "doctor reports with %j that denials are withheld, and which denials would be enforced",
    (mode, withheld, more) => {
      writeFileSync(config, JSON.stringify({ mode }));
      const { stdout } = run(["doctor", "--host", "claude"]);
      rmSync(config);
      expect(stdout).toMatch(
        new RegExp(
          `^    ok  PreToolUse .* denials are withheld \\(${mode.mode}\\) and would take effect if enforced, [\\d.]+ ms$`,
          "m",
        ),
      );
      expect(stdout).toContain(`: denials are withheld (${withheld}) and would take effect if enforced${more}.`);
      expect(stdout).not.toContain("a denial");
    },
  );

  test("doctor names what a mode withholds if everything else is enforced", () => {
    writeFileSync(config, JSON.stringify({ mode: { mode: "enforce", rules: { "git/*": "observe" } } }));
    const { stdout } = run(["doctor", "--host", "claude"]);
    rmSync(config);
    expect(stdout).toContain(": denials take effect, except for rules/git/* (observe).");
  });

  test("uses the session's start directory, whatever its shell's directory is", () => {
    writeFileSync(join(project, ".bridge-hooks.json"), JSON.stringify({ rules: { "git/x": { enabled: false } } }));
    mkdirSync(join(root, "elsewhere"));
    const gaps = (cwd: string, more = {}) => ask({ ...IN_SESSION, ...more }, cwd).hosts[0]?.policy.gaps;
    const ignored = ["rules (this project is not trusted)"];
    expect(gaps(project)).toEqual(ignored);
    expect(gaps(join(root, "elsewhere"))).toEqual([]);
    expect(gaps(join(root, "elsewhere"), { CLAUDE_PROJECT_DIR: project })).toEqual(ignored);
    rmSync(join(project, ".bridge-hooks.json"));
  });

  test("counts a session of a release that ignores onFailure as governed, and says what the release lacks", () => {
    const old = join(root, "old");
    mkdirSync(old);
    writeFileSync(join(old, "claude"), "#!/bin/sh\necho '2.1.197 (Claude Code)'\n", { mode: 0o755 });
    const { governed, exitCode, hosts } = ask({ PATH: `${old}:/usr/bin:/bin` });
    expect([governed, exitCode]).toEqual([true, 0]);
    expect(hosts[0]?.notes).toEqual([expect.stringContaining("2.1.197 ignores onFailure")]);
  });

  test("reports why an entry is inactive", () => {
    const text = readFileSync(settings, "utf8");
    writeFileSync(settings, JSON.stringify({ ...JSON.parse(text), disableAllHooks: true }));
    const { governed, exitCode, hosts } = ask();
    expect([governed, exitCode]).toEqual([false, 1]);
    expect(hosts[0]?.problems.map(({ what }) => what).join()).toContain("disableAllHooks");
    writeFileSync(settings, text);
  });

  test("reports which host can't show the announcement enabled by the setting, as doctor does", () => {
    writeFileSync(config, JSON.stringify({ announce: "both" }));
    run(["install", "--host", "grok", "--yes"]);
    const untold = [
      "the user: Grok Build doesn't show messages from hooks",
      "the model: Grok Build doesn't accept context",
    ];
    const { stdout } = run(["status", "--session", "--host", "grok"]);
    const doctor = run(["doctor", "--host", "grok"]).stdout;
    for (const text of untold) expect([stdout.includes(text), doctor.includes(text)]).toEqual([true, true]);
    expect(run(["status", "--session", "--host", "claude"]).stdout).not.toContain("not told");
  });
});
