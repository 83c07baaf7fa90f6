import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { collectStatus } from "../../../src/operate/machine/status.ts";
import { planUninstall, applyUninstall } from "../../../src/cli/uninstall/uninstall.ts";
import type { InstallContext } from "../../../src/operate/machine/install-context.ts";
import {
  writeExecutable,
  type Home,
  createHookEntry,
  createHome,
  writeTestFile,
  readTestFile,
  installTargets,
} from "../../support/homes.ts";

const fileOf = (home: InstallContext, host: string, scope = "user") =>
  installTargets.find((one) => one.host.id === host && one.scope === scope)?.file(home).path as string;

async function install(home: InstallContext, host: string, more: { events?: string[]; bin?: string } = {}) {
  const options = { hosts: [host], scope: "user", events: [], on_error: "deny", ...more } as const;
  const plan = await planInstall(options, home);
  if (plan.problems.length === 0) applyInstall(plan, options, home);
  return plan.problems.map(({ message }) => message).join("\n");
}

async function uninstall(home: InstallContext, host: string, scope: "user" | "project" = "user") {
  const plan = await planUninstall({ hosts: [host], scope, events: [] }, home);
  if (plan.problems.length === 0) applyUninstall(plan, home);
  return plan.problems.map(({ message }) => message).join("\n");
}

describe("install and uninstall leave the config unchanged for", () => {
  const forms: [name: string, host: string, text: string, message: RegExp][] = [
    ["a list instead of an object", "claude", "[]", /not an object/],
    ["hooks that are a list", "claude", '{"hooks":[]}', /"hooks" is not an object/],
    ["hooks that are null", "cursor", '{"version":1,"hooks":null}', /:1:22: hooks: .*Expected Object/],
    ["hooks that are a string", "codex", '{"hooks":"x"}', /:1:10: hooks: .*Expected Object/],
    ["an event that is not a list", "claude", '{"hooks":{"PreToolUse":{}}}', /"hooks.PreToolUse" is not a list/],
    ["duplicate hooks", "claude", '{"hooks":{},"model":"a","hooks":{}}', /:1:25: "hooks" appears twice/],
    [
      "a duplicate event",
      "cursor",
      '{"version":1,"hooks":{"preToolUse":[],"preToolUse":[]}}',
      /:1:39: "preToolUse" appears twice/,
    ],
  ];
  for (const [name, host, text, message] of forms) {
    test(`${name} in ${host}'s file`, async () => {
      using home = createHome();
      writeTestFile(fileOf(home, host), text);
      expect(await install(home, host)).toMatch(message);
      expect(readTestFile(fileOf(home, host))).toBe(text);
      const report = await diagnoseHosts([host], home, "0");
      expect(report.hosts[0]?.findings.map(({ check }) => check).join()).toMatch(/config-(unreadable|flaw)/);
    });
  }

  test("an entry in another host's format", async () => {
    using home = createHome();
    const text = `{"model":"x","hooks":{"PreToolUse":[{"type":"command","command":"${home.self} --host claude"}],"Stop":[{"hooks":[{"type":"command","command":"./mine.sh"}]}]}}`;
    writeTestFile(fileOf(home, "claude"), text);
    await uninstall(home, "claude");
    expect(readTestFile(fileOf(home, "claude"))).toBe(text);
  });

  test("features inline in Codex's requirements.toml", async () => {
    using home = createHome();
    const file = fileOf(home, "codex", "managed");
    writeTestFile(file, "features = { other = true }\n");
    const plan = await planInstall({ hosts: ["codex"], scope: "managed", events: [], on_error: "deny" }, home);
    expect(plan.problems.map(({ message }) => message).join()).toMatch(/requirements\.toml: .*no changes made/);
    expect(readTestFile(file)).toBe("features = { other = true }\n");
  });
});

describe("install and uninstall keep", () => {
  const programs = [
    "/usr/bin/bridge-hooks-lint --host claude",
    "/opt/bridge-hooks/check",
    "echo --host claude",
    "sudo -u x bridge-hooks --host claude",
    "bridge-hooks --host claude; rm x",
    "bridge-hooks",
  ];
  for (const command of programs) {
    test(`the foreign command ${command}`, async () => {
      using home = createHome();
      const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command }] }] } });
      writeTestFile(fileOf(home, "claude"), text);
      expect((await collectStatus({ hosts: ["claude"] }, home, "0")).installed).toEqual([]);
      await install(home, "claude");
      expect(readTestFile(fileOf(home, "claude"))).toContain(JSON.stringify(command));
      await uninstall(home, "claude");
      expect(readTestFile(fileOf(home, "claude"))).toBe(text);
    });
  }
  test("a backup that another program changed, and restore nothing from it", async () => {
    using home = createHome();
    const file = fileOf(home, "claude");
    writeTestFile(file, '{ "model": "opus" }\n');
    await install(home, "claude");
    writeTestFile(
      `${file}.bridge-hooks-backup`,
      '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "./evil.sh" }] }] } }\n',
    );
    await uninstall(home, "claude");
    expect(readTestFile(file)).toBe('{ "model": "opus" }\n');
    expect(existsSync(`${file}.bridge-hooks-backup`)).toBe(true);
  });
});

describe("status, doctor and uninstall don't run the program that a project's config names by", () => {
  const places: [name: string, plant: (home: Home, tool: string) => string][] = [
    ["its path", (_, tool) => `${tool} --host claude --event PreToolUse`],
    ["exec and its path", (_, tool) => `exec ${tool} --host claude --event PreToolUse`],
    [
      "a link to it",
      (home, tool) => {
        symlinkSync(tool, join(home.folder, "bin", "bridge-hooks-linux-x64"));
        return `${join(home.folder, "bin", "bridge-hooks-linux-x64")} --host claude --event PreToolUse`;
      },
    ],
    [
      "a path through a directory whose name begins with dots",
      (home) =>
        `${markingProgram(home, join(home.machine.roots[0] as string, "..x"))} --host claude --event PreToolUse`,
    ],
    [
      "a path outside the project",
      (home) => `${markingProgram(home, join(home.folder, "tools"))} --host claude --event PreToolUse`,
    ],
  ];
  const markingProgram = (home: Home, folder: string) => {
    const path = writeExecutable(join(folder, "bridge-hooks"));
    writeFileSync(path, `#!/bin/sh\ntouch '${join(home.folder, "marker")}'\n`);
    return path;
  };
  for (const [name, plant] of places) {
    test(name, async () => {
      using home = createHome();
      const tool = markingProgram(home, join(home.machine.roots[0] as string, "tools"));
      const command = plant(home, tool);
      for (const scope of ["project", "local"]) {
        writeTestFile(
          fileOf(home, "claude", scope),
          JSON.stringify({
            env: { HOME: ".", LD_DEBUG: "libs" },
            hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] },
          }),
        );
      }
      await collectStatus({ hosts: ["claude"] }, home, "0");
      const report = await diagnoseHosts(["claude"], home, "0");
      await uninstall(home, "claude", "project");
      expect(existsSync(join(home.folder, "marker"))).toBe(false);
      expect(report.hosts[0]?.findings.map(({ check }) => check)).toContain("program-not-run");
    });
  }
});

test("after an install of named events, status expects only these events", async () => {
  using home = createHome();
  await install(home, "claude", { events: ["SessionStart"] });
  expect((await collectStatus({ hosts: ["claude"] }, home, "0")).installed[0]?.drift).toEqual([]);
  await install(home, "claude", { events: ["Stop"] });
  const [both] = (await collectStatus({ hosts: ["claude"] }, home, "0")).installed;
  expect([both?.events, both?.drift]).toEqual([["SessionStart", "Stop"], []]);
});

test("an entry with an additional flag is not drift, stays on install and is removed by uninstall", async () => {
  using home = createHome([createHookEntry(["PreToolUse"])]);
  await install(home, "cursor");
  const path = fileOf(home, "cursor");
  const drift = async () => (await collectStatus({ hosts: ["cursor"] }, home, "0")).installed[0]?.drift;
  expect(readTestFile(path)).not.toContain("--cursor-deny");
  // Write an entry in the older format, which dates from when denials didn't always exit with code 0.
  const before = readTestFile(path).replaceAll("--on-error deny ", "--on-error deny --cursor-deny json ");
  writeTestFile(path, before);
  expect([before.includes("--cursor-deny json --timeout-ms 18000 --event preToolUse"), await drift()]).toEqual([
    true,
    [],
  ]);
  await install(home, "cursor");
  expect(readTestFile(path)).toBe(before);
  writeTestFile(path, before.replaceAll("--event preToolUse", "--event postToolUse"));
  expect(await drift()).toEqual([expect.stringContaining("preToolUse differs from this version's entry in command")]);
  await uninstall(home, "cursor");
  expect(existsSync(path) && readTestFile(path).includes("bridge-hooks")).toBe(false);
});

test("a key that may keep an entry from being called is drift, and the next install removes it", async () => {
  using home = createHome([createHookEntry(["PreToolUse"])]);
  await install(home, "claude");
  writeTestFile(
    fileOf(home, "claude"),
    readTestFile(fileOf(home, "claude")).replace(
      '"timeout": 20',
      '"if": "Bash(never *)", "statusMessage": "policy", "timeout": 20',
    ),
  );
  expect((await collectStatus({ hosts: ["claude"] }, home, "0")).installed[0]?.drift).toEqual([
    "PreToolUse has if, which may keep the host from calling bridge-hooks",
  ]);
  await install(home, "claude");
  expect(readTestFile(fileOf(home, "claude"))).not.toContain('"if"');
  expect(readTestFile(fileOf(home, "claude"))).toContain('"statusMessage": "policy"');
});

test("doctor does not wait for a process left by a broken executable, and is red", async () => {
  using home = createHome([createHookEntry(["PreToolUse"])]);
  const left = join(home.folder, "left-behind");
  writeFileSync(home.self, `#!/bin/sh\nsleep 3600 &\necho $! >> ${left}\nexit 2\n`);
  await install(home, "claude");
  const report = await diagnoseHosts(["claude"], home, "0");
  expect(report.healthy).toBe(false);
  // `process.kill` throws if a process has already ended.
  for (const pid of readTestFile(left).trim().split("\n")) process.kill(Number(pid));
});

test("install reports a host's directory that is a file, and changes no other host's config", async () => {
  using home = createHome();
  writeTestFile(join(home.machine.home, ".cursor"), "a file in the folder's place");
  writeTestFile(fileOf(home, "claude"), "{}\n");
  const options = { hosts: ["claude", "cursor"], scope: "user", events: [], on_error: "deny" } as const;
  const { problems } = await planInstall(options, home);
  expect(problems.map(({ message }) => message).join()).toContain("is not a directory");
  mkdirSync(join(home.folder, "x"));
  expect(readTestFile(fileOf(home, "claude"))).toBe("{}\n");
});

describe("install, status, doctor and uninstall", () => {
  const settings = (home: Home) => fileOf(home, "claude");
  const out = async (home: Home, events: string[] = [], scope: "user" | "project" = "user", host = "claude") => {
    const plan = await planUninstall({ hosts: [host], scope, events }, home);
    if (plan.problems.length === 0) applyUninstall(plan, home);
    return plan;
  };

  test("don't follow a project's link to the user's config", async () => {
    using home = createHome();
    await install(home, "claude");
    const before = readTestFile(settings(home));
    symlinkSync(join(home.machine.home, ".claude"), join(home.machine.roots[0] as string, ".claude"));
    const { problems } = await out(home, [], "project");
    expect(problems.map(({ message }) => message).join()).toContain("outside the project");
    expect(readTestFile(settings(home))).toBe(before);
  });

  test("see no entry in an empty file, and ignore a folder in place of Codex's config.toml", async () => {
    using home = createHome();
    for (const host of ["claude", "cursor", "codex"]) writeTestFile(fileOf(home, host), "");
    const empty = await collectStatus({ hosts: [] }, home, "0");
    expect([empty.unreadable, empty.installed]).toEqual([[], []]);
    await install(home, "codex");
    mkdirSync(join(home.machine.home, ".codex/config.toml"));
    expect((await out(home, [], "user", "codex")).problems).toEqual([]);
    expect((await collectStatus({ hosts: ["claude"] }, home, "0")).installed).toEqual([]);
    expect(readTestFile(fileOf(home, "codex"))).toBe("");
  });

  test("keep a comment in a file that install created", async () => {
    using home = createHome();
    await install(home, "cursor");
    const file = fileOf(home, "cursor");
    writeTestFile(file, `// my notes\n${readTestFile(file)}`);
    await out(home, [], "user", "cursor");
    expect(readTestFile(file)).toStartWith("// my notes\n");
  });

  test("reject a duplicate key in a group, and leave the file unchanged", async () => {
    using home = createHome();
    const text = `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/x/foreign"}],"hooks":[{"type":"command","command":"${home.self} --host claude"}]}]}}`;
    writeTestFile(settings(home), text);
    expect(await install(home, "claude")).toContain('"hooks" appears twice');
    expect((await out(home)).problems.map(({ message }) => message).join()).toContain('"hooks" appears twice');
    expect(readTestFile(settings(home))).toBe(text);
  });

  test("keep what the user added to an entry that moves out of a shared group", async () => {
    using home = createHome([createHookEntry(["PreToolUse"])]);
    const ours = {
      type: "command",
      command: `${home.self} --host claude --timeout-ms 15000 --event PreToolUse`,
      timeout: 60,
      statusMessage: "mine",
    };
    const theirs = { type: "command", command: "./mine.sh" };
    writeTestFile(
      settings(home),
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [theirs, ours] }] } }),
    );
    await install(home, "claude");
    const [first, second] = JSON.parse(readTestFile(settings(home))).hooks.PreToolUse;
    expect(first).toEqual({ matcher: "Bash", hooks: [theirs] });
    expect(second.hooks[0]).toMatchObject({
      command: expect.stringContaining("--timeout-ms 15000"),
      timeout: 60,
      statusMessage: "mine",
    });
  });

  test("don't report an event that was uninstalled as missing, and change nothing for one that is not installed", async () => {
    using home = createHome();
    await install(home, "claude");
    const before = readTestFile(settings(home));
    expect((await out(home, ["Notification"])).files).toEqual([]);
    expect(readTestFile(settings(home))).toBe(before);
    await out(home, ["SessionStart"]);
    const [left] = (await collectStatus({ hosts: ["claude"] }, home, "0")).installed;
    expect([left?.events, left?.drift]).toEqual([["PreToolUse", "PreSkillShellCommand"], []]);
    await out(home);
    expect(existsSync(settings(home))).toBe(false);
  });

  test("restore the config even if the state directory was deleted in between", async () => {
    using home = createHome();
    writeTestFile(settings(home), '{ "model": "opus" }\n');
    await install(home, "claude");
    rmSync(join(home.folder, "state"), { recursive: true });
    const plan = await planInstall({ hosts: ["claude"], scope: "user", events: [], on_error: "allow" }, home);
    applyInstall(plan, { hosts: ["claude"], scope: "user", events: [], on_error: "allow" }, home);
    await out(home);
    expect(JSON.parse(readTestFile(settings(home)))).toEqual({ model: "opus" });
  });

  test("work with a leftover temporary directory and a dangling backup link", async () => {
    using home = createHome();
    const folder = join(home.machine.home, ".claude");
    mkdirSync(join(folder, ".bridge-hooks-999999-x"), { recursive: true });
    writeTestFile(settings(home), "{}\n");
    symlinkSync("/nowhere", `${settings(home)}.bridge-hooks-backup`);
    expect(await install(home, "claude")).toBe("");
    expect(existsSync(`${settings(home)}.bridge-hooks-backup1`)).toBe(true);
    await out(home);
    expect(readTestFile(settings(home))).toBe("{}\n");
  });

  test("don't start a host's program that a project puts on PATH", async () => {
    using home = createHome();
    await install(home, "claude");
    const folder = join(home.machine.roots[0] as string, "node_modules/.bin");
    writeFileSync(writeExecutable(join(folder, "claude")), `#!/bin/sh\ntouch '${join(home.folder, "marker")}'\n`);
    Object.assign(home.machine.env, { PATH: `${folder}:/usr/bin:/bin` });
    await diagnoseHosts(["claude"], home, "0");
    expect(existsSync(join(home.folder, "marker"))).toBe(false);
  });

  test("don't block on a device in place of another host's config", async () => {
    using home = createHome();
    mkdirSync(join(home.machine.roots[0] as string, ".claude"));
    symlinkSync("/dev/zero", fileOf(home, "claude", "project"));
    expect(await install(home, "cursor")).toBe("");
    expect((await diagnoseHosts(["cursor"], home, "0")).hosts).toHaveLength(1);
  });
});
