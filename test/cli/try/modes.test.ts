import { afterAll, describe, expect, test } from "bun:test";
import { createProject } from "../../support/projects.ts";

const CONFIG = "../.config/bridge-hooks/config.json";
const app = createProject({ "payload.json": "{}" });
afterAll(app.end);
const LINE = "git push --force origin main";
const UNTIL = "2999-12-31";

const WARNS = { rules: { "git/push-force": { action: "warn" } } };

/**
 * Each setting that lets the denied call through: the config, how the setting is displayed, its key, and the withheld
 * decision.
 */
const FORMS: [config: object, passes: string, key: string, decision?: "deny" | "warn"][] = [
  [{ mode: "observe" }, "mode: observe", "mode"],
  [{ mode: "warn" }, "mode: warn", "mode"],
  [{ mode: { mode: "observe", until: UNTIL } }, `mode: observe until ${UNTIL}`, "mode"],
  [{ mode: { hooks: { "block-destructive": "warn" } } }, "mode: warn", "mode.hooks.block-destructive"],
  [{ mode: { rules: { "git/*": "observe" } } }, "mode: observe", "mode.rules.git/*"],
  [
    { mode: { rules: { "git/push-force": { mode: "warn", until: UNTIL } } } },
    `mode: warn until ${UNTIL}`,
    "mode.rules.git/push-force",
  ],
  [{ ...WARNS, mode: "observe" }, "mode: observe", "mode", "warn"],
];

describe.each(FORMS)("with %j", (config, passes, key, decision = "deny") => {
  const run = (...args: string[]) => {
    app.put(CONFIG, JSON.stringify(config));
    return app.run(args, { env: { COLUMNS: "400" } });
  };
  const would = `would ${decision} (${passes})`;
  const origin = `"${key}" in ~/.config/bridge-hooks/config.json`;

  test("try names the rule, and what allows the call", () => {
    const { stdout, code } = run("try", "--command", LINE, "--host", "claude");
    expect(stdout).toMatch(new RegExp(`^claude +PreToolUse +would ${decision} +0 `, "m"));
    expect(stdout).toContain(`${would}: git/push-force of block-destructive; ${origin}\n`);
    expect(code).toBe(0);
  });

  test("try --explain shows it for the hook", () => {
    const { stdout } = run("try", "--command", LINE, "--host", "claude", "--explain");
    expect(stdout).toContain(`    decision  ${would}\n`);
    expect(stdout).toContain("    rule      git/push-force\n");
    expect(stdout.match(/has no opinion/g)).toHaveLength(2);
  });

  test("explain --command shows it for the call, and for every host", () => {
    const { stdout } = run("explain", "--command", LINE);
    expect(stdout).toStartWith(`today: ${would}\n`);
    expect(stdout).toContain("  rule     git/push-force\n");
    expect(stdout).toMatch(new RegExp(`^  today .*: ${RegExp.escape(would)}`, "m"));
    expect(stdout).toContain(`  mode     ${origin}\n`);
    if (passes.includes("warn")) expect(stdout).toContain("shown to no one, only logged");
  });

  test("rules shows it for the rule", () => {
    const { stdout } = run("rules", "git/push-force");
    const what = decision === "warn" ? "the rule would warn, but only logs" : "matching calls are allowed";
    expect(stdout).toContain(`  mode     ${passes.slice("mode: ".length)}: ${what}\n           ${origin}\n`);
  });

  test("replay shows it for the payload, and counts it", () => {
    const { payload } = JSON.parse(run("try", "--command", LINE, "--host", "claude", "--json").stdout).hosts[0]
      .calls[0];
    app.put("payload.json", JSON.stringify(payload));
    const { stdout } = run("replay", "payload.json");
    expect(stdout).toMatch(new RegExp(`claude +PreToolUse Bash +would ${decision} `));
    expect(stdout).toContain("1 would be stopped, changed or warned about if enforced");
    const { rows } = JSON.parse(run("replay", "--json", "--pure", "payload.json").stdout);
    expect(rows[0].withheld).toBe(would);
    expect(rows[0].causes).toEqual([
      { decision, hook: "block-destructive", rule: "git/push-force", subject: LINE, passes },
    ]);
  });

  test("log, explain and report show it for a past call", () => {
    app.put(CONFIG, JSON.stringify({ ...config, log: { level: "all" } }));
    const home = { XDG_STATE_HOME: `${app.home}/state-${Bun.hash(JSON.stringify(config))}` };
    const payload = JSON.parse(run("try", "--command", LINE, "--host", "claude", "--json").stdout).hosts[0].calls[0]
      .payload;
    app.put(CONFIG, JSON.stringify({ ...config, log: { level: "all" } }));
    app.run(["--host", "claude"], { stdin: JSON.stringify(payload), env: home });
    const read = (...args: string[]) => app.run(args, { env: { ...home, COLUMNS: "400" } }).stdout;
    expect(read("log")).toMatch(new RegExp(`claude +PreToolUse Bash +would ${decision} +git/push-force`));
    expect(read("explain", "--last")).toContain(`claude PreToolUse Bash: ${would.replace(/ until [\d-]+/, "")}\n`);
    const outcome = decision === "warn" ? "would be warned about" : "would be denied";
    expect(read("report")).toContain(`1 withheld by a mode: 1 ${outcome} (${passes.split(" ")[1]})`);
  });
});

describe.each([WARNS, { ...WARNS, mode: "warn" }])("with %j, a rule warns", (config) => {
  const run = (...args: string[]) => {
    app.put(CONFIG, JSON.stringify({ ...config, log: { level: "all" } }));
    return app.run(args, { env: { COLUMNS: "400" } });
  };

  test("try, explain, rules, replay, log and report show this, and that no mode would deny it", () => {
    const tried = run("try", "--command", LINE, "--host", "claude").stdout;
    expect(tried).toMatch(/^claude +PreToolUse +warn +0 /m);
    expect(tried).toContain("warn: git/push-force of block-destructive\nshown to the model and the user on claude\n");
    expect(run("try", "--command", LINE, "--host", "claude", "--explain").stdout).toContain("    decision  warn\n");
    const explained = run("explain", "--command", LINE).stdout;
    expect(explained).toStartWith("today: warn\n");
    expect(explained).toContain(": warn; shown to the model and the user\n");
    expect(run("rules", "git/push-force").stdout).toContain("  action   warn\n");
    const { payload } = JSON.parse(run("try", "--command", LINE, "--host", "claude", "--json").stdout).hosts[0]
      .calls[0];
    app.put("payload.json", JSON.stringify(payload));
    const replayed = run("replay", "payload.json").stdout;
    expect(replayed).toMatch(/claude +PreToolUse Bash +warn /);
    expect(replayed).toContain("1 only warned about");
    app.run(["--host", "claude"], { stdin: JSON.stringify(payload) });
    expect(run("log").stdout).toMatch(/claude +PreToolUse Bash +warn +git\/push-force/);
    const last = run("explain", "--last").stdout;
    expect(last).toContain("claude PreToolUse Bash: warn\n");
    expect(last).toContain(": warn; shown to the model and the user\n");
    expect(run("report").stdout).toContain(" warned\n");
    for (const text of [tried, explained, replayed, last]) expect(text).not.toMatch(/would|to allow/);
  });
});

test("a mode that has ended, or that doesn't apply, enforces", () => {
  for (const mode of [
    { mode: "observe", until: "2020-01-01" },
    { rules: { "sql/*": "observe" } },
    { hooks: { "protect-secrets": "warn" } },
  ]) {
    app.put(CONFIG, JSON.stringify({ mode }));
    const { stdout } = app.run(["explain", "--command", LINE]);
    expect(stdout).toStartWith("today: deny\n");
    expect(stdout).not.toContain("would deny");
  }
});

test("an ask, a rewrite and a failure in a mode are named as such", () => {
  app.put(
    "hooks/mixed.ts",
    `import { ask, defineHook, modify } from "bridge-hooks";
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handler(event) {
    if (event.input.command === "ask") return ask("Sure?");
    if (event.input.command === "throw") throw new Error("broken");
    return modify({ command: "other" });
  },
});
`,
  );
  app.put(CONFIG, JSON.stringify({ mode: "observe" }));
  for (const [command, expected] of [
    ["ask", "would ask"],
    ["change", "would rewrite"],
    ["throw", "would fail"],
  ] as const) {
    const { stdout } = app.run(["try", "--hooks", ".", "--command", command, "--host", "claude", "--explain"]);
    expect(stdout).toContain(`    decision  ${expected} (mode: observe)\n`);
  }
});

test("list shows each hook's mode, and that the bridge's own guard is enforced", () => {
  app.put(CONFIG, JSON.stringify({ mode: { mode: "warn", hooks: { "protect-secrets": "observe" } } }));
  const { hooks } = JSON.parse(app.run(["list", "--json"]).stdout);
  const modes = hooks.map(({ name, mode }: { name: string; mode?: { mode: string } }) => [name, mode?.mode]);
  expect(Object.fromEntries(modes)).toMatchObject({
    "block-destructive": "warn",
    "protect-secrets": "observe",
  });
  expect(Object.fromEntries(modes)["protect-hooks"]).toBeUndefined();
  expect(app.run(["list"]).stdout).toContain('  mode     warn: denials are withheld; "mode" in\n');
});
