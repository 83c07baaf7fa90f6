import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { DoctorReport } from "../../../src/cli/doctor/report.ts";
import { reportConfigFile, checkSettings } from "../../../src/cli/doctor/settings.ts";
import { examineConfigFile } from "../../../src/cli/list/list.ts";
import { hosts } from "../../../src/hosts/index.ts";
import type { ConfigScope } from "../../../src/policy/sources.ts";
import {
  writeExecutable,
  type Home,
  createHookEntry,
  writeTestFile,
  readTestFile,
  installTargets,
} from "../../support/homes.ts";
import { folder, createMachine, installEntries, getConfigPath } from "./machine.ts";

describe("doctor", () => {
  for (const { host, scope } of installTargets) {
    test(`finds that denials are enforced in ${host.name} after install --scope ${scope}`, async () => {
      using home = createMachine();
      await installEntries(home, host.id, scope);
      const report = await diagnoseHosts([host.id], home, "0");
      const [one] = report.hosts;
      // What remains are steps only the user can take.
      const untrusted: Readonly<Record<string, string>> = { codex: "untrusted", pi: "project-untrusted" };
      const isLeft = host.id === "codex" ? scope !== "managed" : host.id === "pi" && scope === "project";
      const left = isLeft ? [String(untrusted[host.id])] : [];
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
    });
  }
});

test("doctor finds that denials are enforced if only MCP calls have an entry", async () => {
  using home = createMachine();
  await installEntries(home, "cursor", "user", undefined, ["beforeMCPExecution"]);
  const [one] = (await diagnoseHosts(["cursor"], home, "0")).hosts;
  const outcomes = one?.entries.flatMap(({ trials }) => trials.map(({ probe, outcome }) => `${probe} ${outcome}`));
  expect([...new Set(outcomes)]).toEqual(["deny denied", "allow passed", "garbage denied"]);
});

test("doctor notes a hook's matcher that matches no tool", async () => {
  using home = createMachine();
  const load = async () => ({ event: "PreToolUse" as const, handler: () => undefined });
  const found = await checkSettings(
    [createHookEntry(["PreToolUse"], { name: "guard", matcher: "Bash|Raed", load })],
    home.folder,
  );
  expect(found.map(({ check, level, what }) => [check, level, what])).toEqual([
    ["matcher", "note", 'the hook "guard": matcher: "Raed" matches no tool; did you mean Read?'],
  ]);
});

describe("doctor, for an unknown hook in a config file,", () => {
  const catalog = {
    names: ["block-destructive", "protect-secrets"],
    hooks: [],
    enforcers: [],
    problems: [],
    isComplete: true,
  };
  const file = join(folder, "config.json");
  const found = async (scope: ConfigScope, document: unknown) => {
    writeFileSync(file, JSON.stringify(document));
    return reportConfigFile(
      await examineConfigFile({ scope, path: file }, { catalog, files: { isProjectTrusted: false }, hooks: new Map() }),
    ).map(({ level, what, impact, fix }) => [level, what, impact, fix]);
  };
  const locked = [
    `${file}:1:53: locked.0: no hook is named "protect-secret"; did you mean protect-secrets?`,
    "this lock has no effect",
    "run bridge-hooks list to see the hooks and their settings",
  ];
  const set = `${file}:1:11: hooks.mine: no hook is named "mine"`;
  test("is red for the managed file and for a lock, and has a note for a user's settings", async () => {
    const document = { hooks: { mine: {}, "protect-secrets": {} }, locked: ["protect-secret", "block-destructive"] };
    expect(await found("managed", document)).toEqual([
      ["red", set, expect.any(String), expect.any(String)],
      ["red", ...locked],
    ]);
    expect((await found("user", document)).map(([level]) => level)).toEqual(["note", "red"]);
  });
  test("notes that a project's file can't lock hooks or trust projects", async () => {
    expect(await found("project", { hooks: { mine: {} }, locked: ["protect-secret"], trusted: ["**"] })).toEqual([
      ["note", set, expect.any(String), expect.any(String)],
      ["note", `${file}:1:22: locked: ignored in a project's file`, expect.any(String), expect.any(String)],
      ["note", `${file}:1:50: trusted: ignored in a project's file`, expect.any(String), expect.any(String)],
    ]);
  });
});

describe("bridge-hooks", () => {
  const run = (home: Home, ...args: string[]) => {
    const { stdout, stderr, exitCode } = Bun.spawnSync([home.self, ...args], {
      cwd: home.machine.roots[0],
      env: { HOME: home.machine.home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home.folder, "state") },
    });
    return { stdout: stdout.toString(), stderr: stderr.toString(), code: exitCode };
  };

  test("install writes entries that status lists, doctor finds active and uninstall removes", async () => {
    using home = createMachine();
    const { home: at } = home.machine;
    for (const host of hosts)
      writeTestFile(join((await host.setup()).listTraceFolders(home.machine)[0] ?? at, "x"), "");
    expect(run(home, "doctor").code).toBe(1);
    const installed = run(home, "install", "--yes");
    expect([installed.code, installed.stderr]).toEqual([0, ""]);
    expect(installed.stdout).toContain("files were written.");
    expect(installed.stdout).toContain(`To check that denials take effect: ${home.self} doctor`);
    expect(installed.stdout).toContain("nothing was trusted on your behalf");
    expect(run(home, "install").stdout).toContain("No changes needed.");
    const status = run(home, "status", "--json");
    expect([
      status.code,
      [...new Set(JSON.parse(status.stdout).installed.map(({ host }: { host: string }) => host))],
    ]).toEqual([0, hosts.map(({ id }) => id)]);
    const doctor = run(home, "doctor", "--json");
    const report = DoctorReport.parse(JSON.parse(doctor.stdout));
    // The user hasn't trusted the entries in Codex yet.
    const reds = report.hosts.flatMap(({ host, findings }) =>
      findings.filter(({ level }) => level === "red").map(({ check }) => `${host} ${check}`),
    );
    expect([doctor.code, report.healthy, reds]).toEqual([1, false, ["codex untrusted"]]);
    expect(run(home, "doctor").stdout).toEndWith("1 red finding.\n");
    const green = run(home, "doctor", "--host", "claude", "--host", "cursor");
    expect([green.code, green.stdout]).toEqual([
      0,
      expect.stringMatching(/\n\nNo red findings, 1 note: denials take effect\.\n$/),
    ]);
    expect(run(home, "doctor", "--host", "claude").stdout).toEndWith("\n\nAll green: denials take effect.\n");

    expect(run(home, "uninstall", "--yes").code).toBe(0);
    expect(run(home, "uninstall").stdout).toContain("No user config has a bridge-hooks entry.");
    expect(run(home, "status").stdout).toContain(`not installed; to install: ${home.self} install --host claude`);
  });

  test("doctor ends although a process holds a host's stdout open, and matrix ends once a slow reader has read everything", () => {
    using home = createMachine();
    writeTestFile(join(home.machine.home, ".claude/x"), "");
    // One host's program leaves a background process running that holds stdout open.
    writeFileSync(
      writeExecutable(join(home.folder, "tools", "claude")),
      '#!/bin/sh\nsleep 3600 &\necho $! > "$0.pid"\necho 2.1.330\n',
    );
    const shell = (line: string) =>
      Bun.spawnSync(["/bin/sh", "-c", line], {
        env: { HOME: home.machine.home, PATH: `${join(home.folder, "tools")}:${dirname(home.self)}:/usr/bin:/bin` },
        cwd: home.machine.roots[0],
      }).stdout.toString();
    expect(shell("bridge-hooks doctor")).toContain("Claude Code has no bridge-hooks entry");
    // Throws if the process has already ended.
    process.kill(Number(readTestFile(join(home.folder, "tools", "claude.pid"))));
    // The reader is deliberately slow; any delay will do.
    const slowly = shell("bridge-hooks matrix --markdown --notes | (sleep 0.3; cat)");
    // Output larger than a pipe's buffer.
    expect(slowly.length).toBeGreaterThan(65_536);
    expect(slowly).toBe(shell("bridge-hooks matrix --markdown --notes > x; cat x"));
  });

  test("uninstall --scope project, in the home directory, leaves the user's entries", () => {
    using home = createMachine();
    writeTestFile(join(home.machine.home, ".claude/x"), "");
    const at = (...args: string[]) =>
      Bun.spawnSync([home.self, ...args], {
        cwd: home.machine.home,
        env: { HOME: home.machine.home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home.folder, "state") },
      });
    expect(at("install", "--yes").exitCode).toBe(0);
    expect([at("doctor").exitCode, at("uninstall", "--scope", "project").stdout.toString()]).toEqual([
      0,
      `No project config has a bridge-hooks entry.\nRemaining entries, user: ${getConfigPath(home, "claude")}\nThe decision log and state remain in ${join(home.folder, "state/bridge-hooks")}; to delete them: ${home.self} uninstall --purge\n`,
    ]);
  });

  test("doctor reports each problem of a hooks config file with the file and the setting", () => {
    using home = createMachine();
    writeTestFile(join(home.machine.home, ".claude/x"), "");
    expect(run(home, "install", "--yes").code).toBe(0);
    const user = join(home.machine.home, ".config/bridge-hooks/config.json");
    const project = join(home.machine.roots[0] as string, ".bridge-hooks.json");
    const found = (path: string, text: string) => {
      writeTestFile(path, text);
      const { stdout } = run(home, "doctor", "--json");
      rmSync(path);
      return DoctorReport.parse(JSON.parse(stdout)).findings.map(
        ({ check, level, what }) => `${check} ${level}: ${what}`,
      );
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
      `version-newer note: ${user}:1:2: version: version 2 is not supported (this executable supports 1)`,
      `key-unknown note: ${user}:1:16: audit: unknown key "audit"; known: version, hooks, rules, exceptions, locked, trusted, mode, announce, log, allow`,
      `key-wrong red: ${user}:1:31: locked: must be true, or a list of names`,
      `key-wrong red: ${user}:1:59: trusted: must be a list of directories`,
    ]);
    // The problem is reported once, not for each hook.
    expect(found(user, '{"hooks": {')).toEqual([
      expect.stringMatching(/^settings-unreadable red: .*config\.json:1:\d+: not valid JSON/),
    ]);
    expect(found(project, '{"hooks": []}')).toEqual([
      `settings-unreadable red: ${project}: hooks: must be an object with the settings of each hook, by hook name`,
    ]);
    expect(found(project, '{"hooks": {"session-context": {"commits": "x"}}}')).toEqual([
      expect.stringMatching(/^settings-wrong red: .*\.bridge-hooks\.json: hooks\.session-context\.commits: /),
    ]);
    expect(found(user, '{"hooks": {"protect-secret": {}}}')).toEqual([
      `hook-unknown note: ${user}:1:12: hooks.protect-secret: no hook is named "protect-secret"; did you mean protect-secrets?`,
    ]);
    expect(found(project, '{"hooks": {"protect-secrets": {"content": "off"}}}')).toEqual([
      expect.stringContaining(
        `settings-untrusted note: ${project}: hooks.protect-secrets: content: ignored: this project is not trusted; to trust it, run `,
      ) as never,
    ]);
    expect(found(user, '{"locked": ["protect-secret"]}')).toEqual([
      `lock-unknown red: ${user}:1:13: locked.0: no hook is named "protect-secret"; did you mean protect-secrets?`,
    ]);
    expect(
      found(
        user,
        '{"rules": {"acme/x": {"program": "x", "patern": "y", "reason": "r"}}, "exceptions": [{"rule": "git/psh-force", "reason": "r"}], "locked": ["protect-secrets/fils"]}',
      ),
    ).toEqual([
      `rule-void red: ${user}:1:39: rules.acme/x.patern: unknown field "patern"; did you mean pattern?`,
      `exception-unknown note: ${user}:1:87: exceptions.0.rule: no rule matches "git/psh-force"; did you mean git/push-force?`,
      `lock-unknown red: ${user}:1:140: locked.0: the hook protect-secrets has no setting "fils"; did you mean protect-secrets/files?`,
    ]);
    writeTestFile(user, '{"locked": ["session-context/commits"]}');
    expect(found(project, '{"hooks": {"session-context": {"commits": 3}}}')).toEqual([
      `settings-locked note: ${project}: hooks.session-context.commits: ignored: ${user} locks it`,
    ]);
    rmSync(user);
    writeTestFile(user, '{"rules": {"git/push-force": {"enabled": 0}}}');
    const broken = run(home, "doctor");
    expect([broken.code, broken.stdout]).toEqual([
      1,
      expect.stringContaining(`  RED ${user}:1:31: rules.git/push-force.enabled: must be true or false
      impact: this rule is ignored; all other rules apply
      fix:    fix the file; run ${home.self} rules test ${user} to check the file and its examples
`),
    ]);
    writeTestFile(user, '{"hooks": {"protect-secret": {}}}');
    const yellow = run(home, "doctor");
    expect([yellow.code, yellow.stdout]).toEqual([
      0,
      expect.stringContaining(
        `note ${user}:1:12: hooks.protect-secret: no hook is named "protect-secret"; did you mean`,
      ),
    ]);
    expect(yellow.stdout).toEndWith("No red findings, 1 note: denials take effect.\n");
    writeTestFile(user, '{"hooks": {"block-destructive": {"allow": 5}}}');
    const { stdout, code } = run(home, "doctor");
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("impact: the hook blocks every call that it receives\n"),
    ]);
  });

  test("install, status and uninstall --root work on the files of an image", () => {
    using home = createMachine();
    const image = join(home.folder, "image");
    writeTestFile(join(image, "opt/x"), "");
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
      "--yes",
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("2 files were written.")]);
    expect(
      JSON.parse(run(home, "status", "--scope", "managed", "--root", image, "--json").stdout).installed,
    ).toHaveLength(2);
    expect(run(home, "uninstall", "--yes", "--scope", "managed", "--root", image).code).toBe(0);
  });

  test("install, uninstall, status and doctor --help name the directory that --root replaces", () => {
    using home = createMachine();
    const told = (command: string) =>
      /--root DIR +((?:.*\n {6,})*.*)/.exec(run(home, command, "--help").stdout)?.[1]?.replaceAll(/\s+/g, " ");
    expect(told("doctor")).toBe("Use this directory as the project");
    expect(told("status")).toBe(
      "Use this directory instead of the project directory (with --scope user: the home directory; with managed: /)",
    );
    for (const command of ["install", "uninstall"])
      expect(told(command)).toBe(
        "Use this directory instead of the home directory (user), the project (project, local) or / (managed)",
      );
  });

  test("doctor --schema prints the JSON schema of a report", () => {
    using home = createMachine();
    const schema = JSON.parse(run(home, "doctor", "--schema").stdout);
    expect([schema.type, Object.keys(schema.properties)]).toEqual([
      "object",
      ["version", "policy", "healthy", "hosts", "findings"],
    ]);
  });

  test("install, run six times concurrently for different events, writes the entries of all six", async () => {
    using home = createMachine();
    const events = ["PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit", "Notification"];
    const all = events.map((event) =>
      Bun.spawn([home.self, "install", "--yes", "--host", "claude", "--event", event], {
        cwd: home.folder,
        env: { HOME: home.machine.home, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(home.folder, "state") },
        stdout: "ignore",
        stderr: "ignore",
      }),
    );
    expect(await Promise.all(all.map(({ exited }) => exited))).toEqual(events.map(() => 0));
    expect(Object.keys(JSON.parse(readTestFile(getConfigPath(home, "claude"))).hooks).sort()).toEqual(
      [...events, "PreSkillShellCommand"].toSorted(),
    );
  });

  test("install --dry-run prints a diff and writes nothing", () => {
    using home = createMachine();
    writeTestFile(getConfigPath(home, "claude"), '{\n  "model": "opus"\n}\n');
    const { stdout, code } = run(home, "install", "--dry-run", "--host", "claude");
    expect([code, stdout]).toEqual([0, expect.stringContaining('-  "model": "opus"\n+  "model": "opus",\n')]);
    expect(readTestFile(getConfigPath(home, "claude"))).toBe('{\n  "model": "opus"\n}\n');
  });

  test("install and mdm fail for an invalid argument, and describe the error", () => {
    using home = createMachine();
    const wrong: [string[], string][] = [
      [["install", "--host", "nobody"], 'unknown host "nobody"'],
      [["install", "--scope", "everywhere"], 'unknown scope "everywhere"'],
      [["install", "--event", "Foo", "--host", "claude"], 'unknown event "Foo"'],
      [["install", "--event", "WorktreeCreate", "--host", "claude"], "WorktreeCreate can't have an entry"],
      [["install", "--on-error", "ask"], "--on-error must be deny or allow"],
      [["install", "--bin", "/nowhere/x", "--host", "claude"], "no such executable"],
      [["install", "--bin", "/bin/ls", "--host", "claude"], "not a bridge-hooks executable"],
      [["install", "--bin", "/bin", "--host", "claude"], "not a bridge-hooks executable"],
      [["install", "--event", "pretooluse", "--host", "claude"], "did you mean PreToolUse?"],
      [["install", "--scope", "local", "--host", "codex"], 'has no scope "local"'],
      [["install", "--root", "/nowhere"], "no such directory"],
      [["install"], "no hosts found on this machine"],
      [["mdm", "--out", home.machine.home, "--bin-path", "relative"], "not an absolute path"],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = run(home, ...args);
      expect([args, code, `${stdout}${stderr}`]).toEqual([args, 1, expect.stringContaining(message)]);
    }
  });
});
