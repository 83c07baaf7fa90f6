import { afterAll, describe, expect, test } from "bun:test";
import { ConfigDiffReport } from "../../../src/cli/config/diff-report.ts";
import { diffDocuments } from "../../../src/cli/config/diff-documents.ts";
import { createProject } from "../../support/projects.ts";

const DEPLOY = {
  "acme/deploy": { program: "acme-deploy", reason: "it deploys", deny: ["acme-deploy now"] },
};
const CANDIDATE = { rules: DEPLOY, mode: { rules: { "git/*": "observe" } } };
const call = (at: number, command: string) => ({
  ...{ uuid: `id-${at}`, isSidechain: false, cwd: "/nowhere", sessionId: "one", version: "2.1.330", type: "assistant" },
  timestamp: new Date(Date.now() - at * 60_000).toISOString(),
  message: { role: "assistant", content: [{ type: "tool_use", id: `toolu_${at}`, name: "Bash", input: { command } }] },
});
const COMMANDS = ["git push --force origin x", "acme-deploy prod", "ls"];
const app = createProject({
  "new.json": JSON.stringify(CANDIDATE),
  "same.json": JSON.stringify({ ...CANDIDATE, mode: { rules: { "git/*": { mode: "observe" } } } }),
  "wrong.json": '{"rules": {"x": 1}, "mod": "warn"}',
  "../.claude/projects/-x/one.jsonl": COMMANDS.map((line, at) => `${JSON.stringify(call(at, line))}\n`).join(""),
});
afterAll(app.end);
const wide = { env: { COLUMNS: "300" } };

describe("--config judges by a file as if it were installed, and writes nothing:", () => {
  test("try, explain, rules, list, config show and replay name the rule that it adds", () => {
    const payload = JSON.parse(app.run(["try", "--command", "acme-deploy now", "--host", "claude", "--json"]).stdout);
    expect(payload.hosts[0].calls[0].decision).toBe("none");
    app.put("payload.json", JSON.stringify(payload.hosts[0].calls[0].payload));
    const head = "config: new.json, used as the managed file\n";
    for (const [args, expected] of [
      [["try", "--command", "acme-deploy now", "--explain"], "rule      acme/deploy"],
      [["explain", "--command", "acme-deploy now"], "today: deny"],
      [["rules", "acme/deploy"], "added by new.json"],
      [["list"], "managed  new.json"],
      [["config", "show"], "  acme/deploy               deny\n"],
      [["config", "show", "--origin"], "  acme/deploy               deny  (managed: new.json:1:11, added)\n"],
      [["replay", "payload.json"], "1 payload: 1 deny"],
      [["replay", "--history"], "acme/deploy"],
    ] as const) {
      const { stdout, code } = app.run([...args, "--config", "new.json"], wide);
      expect(stdout).toStartWith(head);
      expect(stdout).toContain(expected);
      expect(code).toBe(0);
    }
    expect(app.run(["rules", "acme/deploy"]).stderr).toContain('unknown rule "acme/deploy"');
  });

  test("files next to it are guarded no more than without it", () => {
    const { stdout } = app.run([
      "try",
      "--tool",
      "Write",
      "--path",
      "a.ts",
      "--host",
      "claude",
      "--config",
      "new.json",
    ]);
    expect(stdout).not.toContain("hooks/change-files");
  });
  test("the scope determines what it may set: an untrusted project adds no rule, the user's file does", () => {
    const decide = (scope: string) => {
      const args = ["try", "--command", "acme-deploy now", "--host", "claude", "--json", "--config", "new.json"];
      return JSON.parse(app.run([...args, "--scope", scope]).stdout).hosts[0].calls[0].decision;
    };
    expect(["managed", "user", "project"].map(decide)).toEqual(["deny", "deny", "none"]);
    app.put("../.config/bridge-hooks/config.json", JSON.stringify({ trusted: [app.at] }));
    expect(decide("project")).toBe("deny");
    app.put("../.config/bridge-hooks/config.json", "{}");
  });

  test("an invalid file has the errors of config check, and is not used", () => {
    const check = app.run(["config", "check", "wrong.json"]);
    for (const args of [["try", "--command", "ls"], ["replay", "--history"], ["rules"], ["config", "show"]]) {
      const { stdout, stderr, code } = app.run([...args, "--config", "wrong.json"]);
      expect([stdout, code]).toEqual(["", 1]);
      expect(stderr).toBe(`${check.stdout}bridge-hooks: wrong.json was not used; fix its errors first\n`);
    }
  });

  test("- means stdin, and --scope needs a file", () => {
    const args = ["try", "--command", "acme-deploy now", "--host", "claude", "--config", "-"];
    expect(app.run(args, { stdin: JSON.stringify(CANDIDATE) }).stdout).toStartWith("config: stdin, used as");
    expect(app.run(["rules", "--scope", "user"]).stderr).toBe("bridge-hooks: --scope needs --config\n");
  });
});

describe("config diff", () => {
  const diff = (...args: string[]) => app.run(["config", "diff", ...args], wide);

  test("names the settings that differ, and counts different decisions by rule", () => {
    const { stdout, code } = diff("new.json");
    expect(code).toBe(1);
    expect(stdout).toContain('  mode.rules.git/*.mode  added "observe"\n');
    expect(stdout).toMatch(/^3 calls and 0 prompts in 1 session since .* were judged with both files: Claude Code\.$/m);
    expect(stdout).toContain("1 denied only by B; 1 denied only by A.\n");
    expect(stdout).toMatch(/^none → deny: 1 call\n +1 {2}acme\/deploy {2}acme-deploy prod\n .*one\.jsonl:2$/m);
    expect(stdout).toMatch(/^deny → would deny: 1 call\n +1 {2}git\/push-force {2}git push --force origin x$/m);
  });

  test("--json reports the same data, and swapping the files reverses it", () => {
    const report = (...args: string[]) => ConfigDiffReport.parse(JSON.parse(diff("--json", ...args).stdout));
    expect(report("new.json").calls?.totals.changes).toEqual({ "none → deny": 1, "deny → would deny": 1 });
    expect(report("new.json", "current").calls?.totals.changes).toEqual({ "deny → none": 1, "would deny → deny": 1 });
    expect(report("new.json", "--no-history").calls).toBeUndefined();
  });

  test("exits with 0 if nothing differs, and with 2 if a file is invalid", () => {
    expect(diff("new.json", "same.json").code).toBe(0);
    expect(diff("new.json", "new.json").code).toBe(0);
    expect(diff("current", "current", "--no-history").code).toBe(0);
    expect(diff("new.json", "wrong.json").code).toBe(2);
    expect(diff("new.json", "missing.json").code).toBe(2);
  });

  test("treats short and long forms as equal, and ignores the order of lists", () => {
    expect(diffDocuments({ mode: "warn", locked: ["a", "b"] }, { mode: { mode: "warn" }, locked: ["b", "a"] })).toEqual(
      [],
    );
    expect(
      diffDocuments({ rules: DEPLOY }, { rules: { "acme/deploy": { ...DEPLOY["acme/deploy"], action: "ask" } } }),
    ).toEqual([{ key: "rules.acme/deploy.action", b: "ask" }]);
  });
});

test("calls of hosts without records come from the log", () => {
  app.put("../.config/bridge-hooks/config.json", "{}");
  const trial = JSON.parse(app.run(["try", "--command", "rm -rf /", "--host", "kimi", "--json"]).stdout);
  const { payload, native_event } = trial.hosts[0].calls[0];
  app.run(["--host", "kimi", "--event", native_event], { stdin: JSON.stringify(payload) });
  expect(app.run(["replay"], wide).stdout).toMatch(
    /^Kimi Code +1 session, 1 call, 0 prompts \(from the decision log\)$/m,
  );
  const { hosts } = JSON.parse(app.run(["config", "diff", "new.json", "--json"]).stdout).calls;
  expect(hosts.find(({ host }: { host: string }) => host === "kimi")).toMatchObject({ source: "log", calls: 1 });
});
