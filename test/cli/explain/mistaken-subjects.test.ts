import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createProject } from "../../support/projects.ts";

const CONFIG = "../.config/bridge-hooks/config.json";
const PUSH = "git push --force origin main";
const app = createProject({ ".keep": "" });
afterAll(app.end);
beforeEach(() => {
  for (const path of ["state", ".config"]) rmSync(join(app.home, path), { recursive: true, force: true });
  for (const path of [".bridge-hooks.json", "off.json"]) rmSync(join(app.at, path), { force: true });
});
const run = (args: readonly string[], stdin = "") => app.run(args, { stdin, env: { COLUMNS: "1000" } });
const configure = (config: object | string) =>
  app.put(CONFIG, typeof config === "string" ? config : JSON.stringify(config));
const call = (command: string) =>
  run(
    ["--host", "claude", "--event", "PreToolUse"],
    JSON.stringify({
      ...{ session_id: "s", transcript_path: "/t", cwd: app.at, hook_event_name: "PreToolUse" },
      ...{ tool_name: "Bash", tool_input: { command } },
    }),
  );

describe("a one-word argument of explain", () => {
  test.each(["reboot", "./reboot", "/sbin/reboot", "shutdown"])("%s is a command", (word) => {
    const { stdout, code } = run(["explain", word]);
    expect(code).toBe(0);
    expect(stdout).toContain(`  call     ${word}\n`);
    expect(stdout).toEqual(run(["explain", "--command", word]).stdout);
  });
  test("comes with a note if it could be an ID", () => {
    expect(run(["explain", "reboot"]).stderr).toBe(
      'bridge-hooks: note: the log has no line "reboot", so it is explained as a command\n',
    );
    expect(run(["explain", "./reboot"]).stderr).toBe("");
  });
  test("is an ID if it looks like one or starts one, and a rule is refused", () => {
    expect(run(["explain", "ab12cd34"]).stderr).toContain('the log has no line "ab12cd34"');
    call(PUSH);
    const { id } = JSON.parse(run(["log", "--json"]).stdout.split("\n")[0] as string);
    for (const text of [id, id.slice(0, 3)]) expect(run(["explain", text]).stdout).toStartWith(`${id}  `);
    expect(run(["explain", "git/push-force"]).stderr).toContain("to show a rule: bridge-hooks rules git/push-force");
  });
});

describe("with --config, try and explain suggest changes to that file", () => {
  const both = (args: readonly string[]) => ["try", "explain"].map((command) => run([command, ...args, PUSH]).stdout);
  test.each(["managed", "user"])("if it turns a rule off as the %s file", (scope) => {
    app.put("off.json", JSON.stringify({ rules: { "git/push-force": { enabled: false } } }));
    for (const stdout of both(["--config", "off.json", "--scope", scope])) {
      expect(stdout).toContain('to turn it on: set "rules.git/push-force.enabled" to true in ');
      expect(stdout).toMatch(/ in \S*off\.json\n/);
      expect(stdout).not.toContain("config set");
    }
  });
  test("if it sets the mode", () => {
    app.put("off.json", JSON.stringify({ mode: "observe" }));
    for (const stdout of both(["--config", "off.json"]))
      expect(stdout).toMatch(/to enforce it: set "mode" to enforce in \S*off\.json\n/);
  });
  test("or to the user's file, if that turns the rule off", () => {
    configure({ rules: { "git/push-force": { enabled: false } } });
    app.put("off.json", "{}");
    for (const stdout of both(["--config", "off.json"]))
      expect(stdout).toContain("to turn it on: bridge-hooks config set rules.git/push-force.enabled true\n");
  });
  test("if an exception in the user's file is needed", () => {
    app.put("off.json", "{}");
    const { stdout } = run(["explain", "--config", "off.json", "--scope", "user", PUSH]);
    expect(stdout).toMatch(/: add \{"rule":"git\/push-force",.*\} to "exceptions" in \S*off\.json\n/);
    expect(stdout).not.toContain("config set");
  });
});

describe("a project's file that weakens a rule", () => {
  const both = (command: string) => ["try", "explain"].map((name) => run([name, command]).stderr);
  const ENABLED = "rules.git/reset-hard.enabled: no effect: a project's file can only make a rule stricter\n";
  test("is reported, without advice to trust the project", () => {
    app.put(".bridge-hooks.json", JSON.stringify({ rules: { "git/reset-hard": { enabled: false } } }));
    for (const trusted of [[], [app.at]]) {
      configure({ trusted });
      for (const stderr of both("git reset --hard")) {
        expect(stderr).toEndWith(ENABLED);
        expect(stderr).not.toContain("trusted");
      }
    }
  });
  test("is reported along with the advice if other rules would apply", () => {
    app.put(
      ".bridge-hooks.json",
      JSON.stringify({ rules: { "git/reset-hard": { action: "warn" }, "downloads/pipe-to-shell": { enabled: true } } }),
    );
    for (const stderr of both("ls")) {
      expect(stderr).toContain("rules: ignored: this project is not trusted; to trust it, run ");
      expect(stderr).toContain("rules.git/reset-hard.action: no effect");
    }
    configure({ trusted: [app.at] });
    for (const stderr of both("ls")) expect(stderr).not.toContain("trust it");
  });
  test("is reported for a logged call", () => {
    call("git reset --hard");
    app.put(".bridge-hooks.json", JSON.stringify({ rules: { "git/reset-hard": { enabled: false } } }));
    expect(run(["explain"]).stderr).toEndWith(ENABLED);
  });
});

describe("a failure that decides the call", () => {
  beforeEach(() => configure('{ "mode": '));
  test("is explained once, with the decision that hosts are sent", () => {
    const { stdout } = run(["explain", PUSH]);
    expect(stdout).toStartWith("today: deny (a hook failed)\n");
    expect(stdout).toContain("  options  a failure decided this call, not a rule; find out what failed\n");
    expect(stdout).toMatch(/^ {2}today {4}every host: deny \(hooks "block-destructive", .* failed: .*\)\n$/m);
    expect(stdout).not.toContain("⏎");
    expect(stdout).not.toContain("no decision was made");
  });
  test("is shown without symbols for line breaks in a logged call", () => {
    call(PUSH);
    const { stdout } = run(["explain"]);
    expect(stdout).toContain("  reason ");
    expect(stdout).not.toContain("⏎");
  });
});

test("try names every host for an invalid setting that concerns all of them", () => {
  configure({ log: "all" });
  expect(run(["try", PUSH]).stdout).toMatch(/^note {3}every host: \S+config\.json: log is invalid /m);
});

test("explain says that another executable decided a call, and suggests nothing that this one can't know", () => {
  app.put(
    "hooks/no-publish.ts",
    'import { defineHook, deny } from "bridge-hooks";\nexport default defineHook({ event: "PreToolUse", matcher: "Bash(npm publish*)", handler: () => deny("Only CI publishes") });\n',
  );
  const payload = {
    ...{ session_id: "s", transcript_path: "/t", cwd: app.at, hook_event_name: "PreToolUse" },
    ...{ tool_name: "Bash", tool_input: { command: "npm publish" } },
  };
  const build = run(["build", "hooks", "--outfile", "guard", "--name", "guard", "--no-check"]);
  expect(build.code).toBe(0);
  const env = { ...app.env, COLUMNS: "1000" };
  Bun.spawnSync([join(app.at, "guard"), "--host", "claude", "--event", "PreToolUse"], {
    ...{ env, cwd: app.at, stdin: Buffer.from(JSON.stringify(payload)) },
  });
  const { stdout } = run(["explain"]);
  expect(stdout).toMatch(
    / {2}options {2}another executable decided this call \(guard \S+, hash \w+\); only that executable can explain it: explain \w{8}\n/,
  );
  for (const text of ["such a call is now allowed", "has changed", "  today "]) expect(stdout).not.toContain(text);
});
