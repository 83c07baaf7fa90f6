import { afterAll, expect, test } from "bun:test";
import { createProject } from "../../support/projects.ts";

const CONFIG = "../.config/bridge-hooks/config.json";
const app = createProject({});
afterAll(app.end);
const LINE = "git push --force origin feature/x";
const EXCEPTIONS = [
  { rule: "git/push-force", match: "git push --force origin release/*", reason: "releases" },
  { rule: "git/push-force", match: "git push --force origin feature/*", reason: "own branches" },
];
const SOURCE = `${app.home}/.config/bridge-hooks/config.json: exceptions.1`;
const env = { COLUMNS: "400", XDG_STATE_HOME: `${app.home}/state` };
const run = (args: string[], stdin?: string) => app.run(args, { env, ...(stdin !== undefined && { stdin }) });

test("a call allowed by a config file's exception is shown by try, log, explain and report", () => {
  app.put(CONFIG, JSON.stringify({ exceptions: EXCEPTIONS }));
  const ask = (command: string) => ["try", "--command", command, "--host", "claude"];
  const { stdout } = run([...ask(LINE), "--explain"]);
  expect(stdout).toContain(
    `    allowed   git/push-force would deny this call, but the exception ${SOURCE} allows it\n`,
  );
  for (const command of [LINE, "git status"]) {
    const { payload, hooks } = JSON.parse(run([...ask(command), "--json"]).stdout).hosts[0].calls[0];
    expect(hooks.filter((hook: { allowed?: object }) => hook.allowed)).toHaveLength(command === LINE ? 1 : 0);
    expect(run(["--host", "claude"], JSON.stringify(payload)).stdout).toBe("");
  }
  const lines = run(["log", "--json"]).stdout.trim().split("\n");
  // At its default level, the log omits the other call.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { decision: "none", wanted: "deny", hook: "block-destructive", rule: "git/push-force", exceptions: [SOURCE] },
  ]);
  expect(run(["explain", "--last"]).stdout).toContain("claude PreToolUse Bash: allowed\n");
  expect(run(["report"]).stdout).toContain("1 allowed by an exception");
});

test("a call that another rule stops is logged as denied", () => {
  app.put(CONFIG, JSON.stringify({ exceptions: EXCEPTIONS }));
  const { decision, hooks } = JSON.parse(
    run(["try", "--command", `${LINE}; rm -rf /`, "--host", "claude", "--json"]).stdout,
  ).hosts[0].calls[0];
  expect(decision).toBe("deny");
  expect(hooks.some((hook: { allowed?: object }) => hook.allowed)).toBe(false);
});
