import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createProject } from "../../support/projects.ts";

const CONFIG = "../.config/bridge-hooks/config.json";
const PUSH = "git push --force origin main";
const PIPE = "curl https://example.com/install.sh | sh";
const app = createProject({ ".keep": "" });
afterAll(app.end);
beforeEach(() => {
  for (const path of ["state", ".config"]) rmSync(join(app.home, path), { recursive: true, force: true });
});
const run = (args: readonly string[], stdin = "") => app.run(args, { stdin, env: { COLUMNS: "400" } });
const configure = (config: object) => app.put(CONFIG, JSON.stringify(config));
const call = (command: string) =>
  run(
    ["--host", "claude", "--event", "PreToolUse"],
    JSON.stringify({
      ...{ session_id: "s", transcript_path: "/t", cwd: app.at, hook_event_name: "PreToolUse" },
      ...{ tool_name: "Bash", tool_input: { command } },
    }),
  );

describe("a rule that would stop the call, but is off", () => {
  const file = "~/.config/bridge-hooks/config.json (user)";
  const CASES: [what: string, config: object, line: string, rule: string, cause: string][] = [
    [
      "turned off itself",
      { rules: { "git/push-force": { enabled: false } } },
      PUSH,
      "git/push-force",
      `: "rules.git/push-force.enabled" in ${file}`,
    ],
    [
      "in a category that a setting leaves out",
      { hooks: { "block-destructive": { categories: ["disks"], outside: ["/mnt"] } } },
      PUSH,
      "git/push-force",
      `: "hooks.block-destructive.categories" in ${file}`,
    ],
    ["in a category that is off by default", {}, PIPE, "downloads/pipe-to-shell", " by default"],
    [
      "turned off by a setting of another hook",
      { hooks: { "protect-secrets": { files: "off" } } },
      "cat .env",
      "secrets/read-file",
      `: "hooks.protect-secrets.files" in ${file}`,
    ],
    [
      "added by a file that turns it off",
      { rules: { "acme/deploy": { program: "deploy", reason: "it deploys", enabled: false } } },
      "deploy now",
      "acme/deploy",
      `: "rules.acme/deploy.enabled" in ${file}`,
    ],
  ];
  test.each(CASES)("%s is named by try and explain, which say how to turn it on", (_, config, line, rule, cause) => {
    configure(config);
    const setting = /"(hooks\..*)" in/.exec(cause)?.[1];
    const command = `bridge-hooks config ${setting === undefined ? `set rules.${rule}.enabled true` : `unset ${setting}`}`;
    const texts = [`${rule} would deny this call, but is off${cause}`, `to turn it on: ${command}`];
    expect(run(["try", line]).stdout).toContain(
      `\ndecision: none (the rule that would match is off)\n\n${texts.join("\n")}\n`,
    );
    expect(run(["try", line, "--host", "claude"]).stdout).toContain(`\n\n${texts.join("\n")}\n`);
    const { stdout } = run(["explain", line]);
    expect(stdout).toStartWith(`today: none; ${rule} would deny, but is off\n`);
    expect(stdout).toContain(`  off      ${texts.join("\n           ")}\n`);
    expect(stdout).not.toContain("  options  ");
    if (setting !== undefined)
      expect(stdout).toMatch(/  set by {3}off: "hooks\.\S+" in ~\/.config\/bridge-hooks\/config.json\n/);
    expect(run(command.split(" ").slice(1)).code).toBe(0);
    expect(run(["explain", line]).stdout).toStartWith("today: deny\n");
    expect(run(["try", line]).stdout).toContain("\ndecision: deny on every host\n");
  });
  test("is named with each other such rule", () => {
    configure({ rules: { "git/push-force": { enabled: false }, "filesystem/rm-recursive": { enabled: false } } });
    const { turnedOffRules } = JSON.parse(run(["explain", `${PUSH}; rm -rf /usr`, "--json"]).stdout);
    expect(turnedOffRules.map(({ rule }: { rule: string }) => rule)).toEqual([
      "git/push-force",
      "filesystem/rm-recursive",
    ]);
  });
  test("is not named if the call is stopped, excepted or harmless, nor in the JSON of try", () => {
    for (const [config, line] of [
      [{ rules: { "git/push-force": { enabled: false } } }, `${PUSH}; rm -rf /usr`],
      [{ exceptions: [{ rule: "git/push-force", reason: "mine" }] }, `${PUSH} && ${PIPE}`],
      [{}, "ls"],
    ] as const) {
      configure(config);
      for (const command of ["try", "explain"]) expect(run([command, line]).stdout).not.toContain("but is off");
    }
    configure({ rules: { "git/push-force": { enabled: false } } });
    expect(run(["try", PUSH, "--json"]).stdout).not.toContain("turnedOff");
  });
  test("is named for a past call", () => {
    configure({ log: { level: "all" }, rules: { "git/push-force": { enabled: false } } });
    call(PUSH);
    const [line = ""] = run(["log", "--json"]).stdout.split("\n");
    expect(run(["explain", JSON.parse(line).id]).stdout).toContain("git/push-force would deny this call, but is off");
  });
});

test.each(["observe", "warn"])("try and explain name the command that ends mode %s, which works", (mode) => {
  const CASES: [config: object, command: string][] = [
    [{ mode }, "config set mode.mode enforce"],
    [{ mode: { mode, hooks: { "protect-secrets": "warn" } } }, "config set mode.mode enforce"],
    [{ mode: { rules: { "git/push-force": mode } } }, "config set mode.rules.git/push-force enforce"],
  ];
  for (const [config, command] of CASES) {
    configure(config);
    for (const args of [
      ["try", PUSH],
      ["explain", PUSH],
    ])
      expect(run(args).stdout).toContain(`to enforce it: bridge-hooks ${command}\n`);
    expect(run(["explain", PUSH]).stdout).toContain(
      `options  mode ${mode} allows this call; to keep allowing such calls once the mode is enforce:\n`,
    );
    expect(run(command.split(" ")).code).toBe(0);
    expect(run(["explain", PUSH]).stdout).toStartWith("today: deny\n");
  }
});

test("explain takes a command instead of an ID", () => {
  expect(run(["explain", PUSH])).toEqual(run(["explain", "--command", PUSH]));
  expect(run(["explain", PUSH, "--last"]).stderr).toContain("pass only one of ID, LINE, --last and --command");
  expect(run(["explain", "git", "push"]).stderr).toBe(
    "bridge-hooks: explain: unexpected argument; quote the whole command: 'git push'; see bridge-hooks explain --help\n",
  );
});

test("explain suggests no exception for a past call that an exception allowed", () => {
  configure({ exceptions: [{ rule: "git/push-force", match: PUSH, reason: "mine" }] });
  expect(call(PUSH).code).toBe(0);
  const explain = () => run(["explain", "--last"]).stdout;
  const file = join(app.home, ".config/bridge-hooks/config.json");
  expect(explain()).toContain(`  excepted the exception ${file}: exceptions.0 allowed this call\n`);
  expect(explain()).toContain("to remove it: bridge-hooks config unset exceptions.0\n");
  // An exception that has been removed since then isn't suggested again.
  configure({});
  for (const stdout of [explain(), (configure({ mode: "observe" }), explain())])
    expect(stdout).not.toMatch(/^ {2}options|to remove it|config set/m);
});

describe("a denial without a host and an event", () => {
  const mistype = () => expect(run(["--host", "claud"]).code).toBe(2);
  test("stays in the log, but explain and the completion of IDs offer the last denied call", () => {
    call(PUSH);
    mistype();
    expect(run(["log", "--denied"]).stdout).toMatch(
      /^\w{8} {2}\S+ \S+ {2}unknown host +deny \(failed\) {2}unknown host "claud"\n/,
    );
    expect(run(["explain"]).stdout).toContain("  rule     git/push-force\n");
    const { stdout } = run(["completion", "bash", "--", "explain", ""]);
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(stdout).toContain(JSON.parse(run(["log", "--json"]).stdout.split("\n")[1] ?? "").id);
  });
  test("is explained with a readable head if it is the only denial", () => {
    mistype();
    const { stdout } = run(["explain"]);
    expect(stdout).toMatch(/^\w{8} {2}\S+ \S+ {2}unknown host: deny \(failed\)\n/);
    expect(stdout).toContain("  chosen   the last denial, in an unknown project\n");
    expect(stdout).toContain('  failed   unknown host "claud"\n');
  });
  test("is not explained if another denial names its event", () => {
    run(["--host", "claud", "--event", "PreToolUse"]);
    mistype();
    expect(run(["explain"]).stdout).toMatch(/^\w{8} {2}\S+ \S+ {2}unknown host PreToolUse: deny \(failed\)\n/);
  });
});
