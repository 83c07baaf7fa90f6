import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HOOKS_RULES } from "../../../hooks/_protect-rules.ts";
import { SECRETS_RULES } from "../../../hooks/_secrets/rules.ts";
import { RULES } from "../../../hooks/_destructive/rules.ts";
import { ROOT } from "../../support/fixtures.ts";
import { createProject, measureWidth } from "../../support/projects.ts";

const app = createProject({
  "hooks/guard.ts": `import { defineHook } from "bridge-hooks";
import * as v from "valibot";
export default defineHook({
  event: "PreToolUse",
  options: v.strictObject({ strict: v.optional(v.boolean(), true), ask: v.optional(v.boolean(), false) }),
  rules: (options) => [
    {
      id: "release/publish",
      program: "npm|pnpm",
      pattern: ["publish", "dist-tag add"],
      reason: "it publishes a package, which nobody can take back from those who have installed it",
      advice: "let the release job do it",
      action: options.ask ? "ask" : "deny",
      deny: ["npm publish", "pnpm publish --tag next"],
      allow: ["npm pack"],
    },
    {
      id: "files/lock",
      finds: "an edit of a lock file",
      reason: "it edits <file>",
      enabled: options.strict,
      deny: ["package-lock.json", "a\\nb"],
      allow: ["package.json"],
    },
  ],
  handler() {},
});
`,
  "hooks/plain.ts": `import { defineHook } from "bridge-hooks";
export default defineHook({ event: "Stop", handler() {} });
`,
});
afterAll(app.end);
const user = join(app.home, process.platform === "win32" ? "AppData/Roaming" : ".config", "bridge-hooks/config.json");
mkdirSync(dirname(user), { recursive: true });
const configure = (guard: object) => writeFileSync(user, JSON.stringify({ hooks: { guard } }));
const run = (...args: string[]) => app.run(["rules", "--hooks", ".", ...args]);

describe("for people", () => {
  test("all of them, by category", () => {
    configure({});
    const { code, stdout, stderr } = run();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`rules: ./hooks (2 of guard)

release
  release/publish  deny  it publishes a package, which nobody can take back from
                         those who have installed it

files
  files/lock       deny  it edits <file>
`);
  });
  test("as settings have them", () => {
    configure({ strict: false, ask: true });
    const { stdout } = run();
    expect(stdout).toContain("  release/publish  ask   it publishes");
    expect(stdout).toContain("  files/lock       off   it edits <file>");
  });
  test("one, with its examples", () => {
    configure({});
    expect(run("release/publish").stdout).toBe(`release/publish
  hook     guard
  action   deny
  program  npm, pnpm
  pattern  publish
           dist-tag add
  reason   it publishes a package, which nobody can take back from those who
           have installed it
  advice   let the release job do it
  denied   npm publish
           pnpm publish --tag next
  passes   npm pack
`);
    expect(run("files/lock").stdout).toBe(`files/lock
  hook     guard
  action   deny
  finds    an edit of a lock file
  reason   it edits <file>
  denied   package-lock.json
           a⏎b
  passes   package.json
`);
  });
  test("a category", () => {
    const { stdout } = run("--category", "files");
    expect([stdout.includes("files/lock"), stdout.includes("release/publish")]).toEqual([true, false]);
  });
  test("not wider than a terminal", () => expect(measureWidth(run().stdout)).toBeLessThanOrEqual(80));
  test("no rules at all", () => {
    app.put("other/plain.ts", `export { default } from "../hooks/plain.ts";`);
    expect(app.run(["rules", "--hooks", "other"])).toEqual({
      code: 0,
      stdout: "rules: ./other (none: no hook here declares any)\n",
      stderr: "",
    });
  });
});

describe("for programs", () => {
  test("every field", () => {
    configure({ strict: false });
    const { from, rules } = JSON.parse(run("--json").stdout);
    expect([from, rules.length]).toEqual(["./hooks", 2]);
    expect(rules[1]).toEqual({
      hook: "guard",
      id: "files/lock",
      category: "files",
      action: "deny",
      enabled: false,
      finds: "an edit of a lock file",
      reason: "it edits <file>",
      deny: ["package-lock.json", "a\nb"],
      allow: ["package.json"],
    });
    expect(JSON.parse(run("release/publish", "--json").stdout).rules[0].patterns).toEqual(["publish", "dist-tag add"]);
  });
  test("the starter hooks declare theirs", () => {
    const { code, stdout } = app.run(["rules", "--hooks", join(ROOT, "hooks"), "--json"]);
    const ids = JSON.parse(stdout).rules.map(({ id }: { id: string }) => id);
    expect([code, ids]).toEqual([
      0,
      [
        ...Object.values(RULES).flatMap((all) => all.map(({ id }) => id)),
        ...Object.keys(HOOKS_RULES).map((name) => `hooks/${name}`),
        ...Object.keys(SECRETS_RULES),
      ],
    ]);
  });
  test("what the setting deny adds", () => {
    writeFileSync(
      user,
      JSON.stringify({ hooks: { "block-destructive": { deny: ["npm publish"], categories: ["git"] } } }),
    );
    const { stdout } = app.run(["rules", "--hooks", join(ROOT, "hooks"), "--json"]);
    const rules = JSON.parse(stdout).rules as { id: string; category: string; enabled: boolean; finds?: string }[];
    expect(rules.find(({ category }) => category === "block-destructive")).toMatchObject({
      id: "block-destructive/deny",
      finds: "commands that the setting deny names: npm publish",
      enabled: true,
    });
    expect([...new Set(rules.filter(({ enabled }) => enabled).map(({ category }) => category))]).toEqual([
      "git",
      "block-destructive",
      "hooks",
      "secrets",
    ]);
  });
});

describe("mistakes", () => {
  const cases: [args: string[], message: string][] = [
    [["release/publsh"], 'unknown rule "release/publsh"; did you mean release/publish?'],
    [["publish"], 'unknown rule "publish"; did you mean release/publish?'],
    [["release"], 'unknown rule "release"; did you mean --category release?'],
    [["xyzzy"], 'unknown rule "xyzzy"; bridge-hooks rules lists them'],
    [["--category", "file"], 'unknown category "file"; did you mean files?'],
    [["--category", "xyzzy"], 'unknown category "xyzzy"; known: release, files'],
  ];
  for (const [args, message] of cases)
    test(args.join(" "), () => {
      configure({});
      expect(run(...args)).toEqual({ code: 1, stdout: "", stderr: `bridge-hooks: ${message}\n` });
    });
  test("settings that are wrong: the defaults are shown", () => {
    configure({ strict: "yes" });
    const { code, stdout, stderr } = run();
    expect([code, stdout.includes("files/lock       deny")]).toEqual([1, true]);
    expect(stderr).toContain("hooks.guard.strict: ");
    expect(stderr).toContain("; shown are the rules with its default settings\n");
  });
  test("a hook that can't give its rules", () => {
    configure({});
    app.put(
      "broken/guard.ts",
      `import { defineHook } from "bridge-hooks";
export default defineHook({ event: "Stop", rules() { throw new Error("no file"); }, handler() {} });
`,
    );
    const { code, stderr } = app.run(["rules", "--hooks", "broken"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("guard: it can't give its rules (no file)\n")]);
  });
});
