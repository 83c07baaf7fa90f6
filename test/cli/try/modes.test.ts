import { afterAll, describe, expect, test } from "bun:test";
import { createProject } from "../../support/projects.ts";

const CONFIG = "../.config/bridge-hooks/config.json";
const app = createProject({ "payload.json": "{}" });
afterAll(app.end);
const LINE = "git push --force origin main";
const UNTIL = "2999-12-31";

/** Each form that lets the denial pass, as people read it, and where it is set; absent: the action of the rule. */
const FORMS: [config: object, passes: string, key?: string][] = [
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
  [{ rules: { "git/push-force": { action: "warn" } } }, "action: warn"],
];

describe.each(FORMS)("under %j", (config, passes, key) => {
  const run = (...args: string[]) => {
    app.put(CONFIG, JSON.stringify(config));
    return app.run(args, { env: { COLUMNS: "400" } });
  };
  const would = `would deny (${passes})`;
  const origin = key === undefined ? undefined : `"${key}" in ~/.config/bridge-hooks/config.json`;

  test("try names the rule, and what lets it pass", () => {
    const { stdout, code } = run("try", "--command", LINE, "--host", "claude");
    expect(stdout).toMatch(/^claude +PreToolUse +would deny +0 /m);
    const line = `${would}: git/push-force of block-destructive`;
    expect(stdout).toContain(`${origin === undefined ? line : `${line}; ${origin}`}\n`);
    expect(code).toBe(0);
  });

  test("try --explain has it at the hook", () => {
    const { stdout } = run("try", "--command", LINE, "--host", "claude", "--explain");
    expect(stdout).toContain(`    decision  ${would}\n`);
    expect(stdout).toContain("    rule      git/push-force\n");
    expect(stdout.match(/has no opinion/g)).toHaveLength(2);
  });

  test("explain --command says it of the call, and of every host", () => {
    const { stdout } = run("explain", "--command", LINE);
    expect(stdout).toStartWith(`today: ${would}\n`);
    expect(stdout).toContain("  rule     git/push-force\n");
    expect(stdout).toMatch(new RegExp(`^  today .*: ${RegExp.escape(would)}`, "m"));
    if (origin !== undefined) expect(stdout).toContain(`  mode     ${origin}\n`);
    if (passes.includes("warn")) expect(stdout).toContain("told of it: nobody (only the log has it)");
  });

  test("rules says it of the rule", () => {
    const { stdout } = run("rules", "git/push-force");
    if (origin === undefined) expect(stdout).toContain("  action   warn\n");
    else
      expect(stdout).toContain(
        `  mode     ${passes.slice("mode: ".length)}: what it catches passes\n           ${origin}\n`,
      );
  });

  test("replay says it of the payload, and counts it", () => {
    const { payload } = JSON.parse(run("try", "--command", LINE, "--host", "claude", "--json").stdout).hosts[0]
      .calls[0];
    app.put("payload.json", JSON.stringify(payload));
    const { stdout } = run("replay", "payload.json");
    expect(stdout).toMatch(/claude +PreToolUse Bash +would deny /);
    expect(stdout).toContain("1 would be stopped or changed once they are enforced");
    const { rows } = JSON.parse(run("replay", "--json", "--pure", "payload.json").stdout);
    expect(rows[0].withheld).toBe(would);
    expect(rows[0].causes).toEqual([
      { decision: "deny", hook: "block-destructive", rule: "git/push-force", subject: LINE, passes },
    ]);
  });
});

test("a mode that has ended, and what it does not fit, enforces", () => {
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

test("a question, a rewrite and a failure under a mode are named for what they are", () => {
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

test("list says under which mode each hook is, and that what guards the bridge is enforced", () => {
  app.put(CONFIG, JSON.stringify({ mode: { mode: "warn", hooks: { "protect-secrets": "observe" } } }));
  const { hooks } = JSON.parse(app.run(["list", "--json"]).stdout);
  const modes = hooks.map(({ name, mode }: { name: string; mode?: { mode: string } }) => [name, mode?.mode]);
  expect(Object.fromEntries(modes)).toMatchObject({
    "block-destructive": "warn",
    "protect-secrets": "observe",
  });
  expect(Object.fromEntries(modes)["protect-hooks"]).toBeUndefined();
  expect(app.run(["list"]).stdout).toContain('  mode     warn: what it would deny passes; "mode" in\n');
});
