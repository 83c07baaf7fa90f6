import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import pkg from "../../../package.json" with { type: "json" };
import { RulesReport } from "../../../src/cli/rules/report.ts";
import { HOOKS_RULES } from "../../../hooks/_protect-rules.ts";
import { SECRETS_RULES } from "../../../hooks/_secrets/rules.ts";
import { RULES_BY_CATEGORY } from "../../../hooks/_destructive/rules.ts";
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

describe("bridge-hooks rules", () => {
  test("describes what a rule finds in plain words, and explains the symbols in its patterns", () => {
    const list = (...args: string[]) => app.run(["rules", ...args]).stdout;
    const { rules } = RulesReport.parse(JSON.parse(list("--json")));
    const names = rules.flatMap(({ reason, advice = "" }) => `${reason} ${advice}`.match(/<[^>]+>/g) ?? []);
    for (const set of ["globbed", "away", "answered", "what", "lost", "below"]) expect(names).not.toContain(`<${set}>`);
    expect(names).toContain("<folder>");
    const shown = list("filesystem/move-outside");
    expect(shown).toContain("  reason   it moves <path>, which is outside the project\n");
    expect(shown).toContain("  pattern  <away>\n           (<name>: arguments that the hook looks up;");
    expect(list("git/push-force")).not.toContain("(<name>");
  });

  test("counts the rules by category, and says how to list them", () => {
    configure({});
    const { code, stdout, stderr } = run();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`rules: ./hooks (2 of guard)

  release  1
  files    1

bridge-hooks rules CATEGORY  lists the rules of a category
bridge-hooks rules WORD      lists the rules whose ID contains a word
bridge-hooks rules ID        lists one rule with its pattern and examples
bridge-hooks rules --all     lists every rule
`);
    configure({ strict: false, ask: true });
    expect(run().stdout).toContain("\n  release  1  1 ask\n  files    1  1 off\n\nbridge-hooks rules CATEGORY");
  });
  test("--all lists all rules by category", () => {
    configure({});
    const { code, stdout, stderr } = run("--all");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`rules: ./hooks (2 of guard)

release
  release/publish  deny  it publishes a package, which nobody can take back from
                         those who have installed it

files
  files/lock       deny  it edits <file>
`);
  });
  test("shows actions as settings change them", () => {
    configure({ strict: false, ask: true });
    const { stdout } = run("--all");
    expect(stdout).toContain("  release/publish  ask   it publishes");
    expect(stdout).toContain("  files/lock       off   it edits <file>");
  });
  test("shows one rule with its examples", () => {
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
  test("--category lists the rules of one category", () => {
    const { stdout } = run("--category", "files");
    expect([stdout.includes("files/lock"), stdout.includes("release/publish")]).toEqual([true, false]);
  });
  test("NAME lists a category, or the rules with a word in their ID, or the rules for a program", () => {
    const list = (name: string) => {
      const { rules } = RulesReport.parse(JSON.parse(app.run(["rules", name, "--json"]).stdout));
      return rules.map(({ id }) => id);
    };
    const ids = Object.values(RULES_BY_CATEGORY).flatMap((all) => all.map(({ id }) => id));
    const git = ids.filter((id) => id.startsWith("git/"));
    expect(git.length).toBeLessThan(ids.filter((id) => id.includes("git")).length);
    for (const name of ["git", "git/*"]) expect(list(name)).toEqual(git);
    expect(list("Force")).toEqual(ids.filter((id) => id.includes("force")));
    const shutdown = list("poweroff");
    expect([shutdown.length > 0, shutdown.some((id) => id.includes("poweroff"))]).toEqual([true, false]);
    configure({});
    expect(app.run(["rules", "git"]).stdout).toStartWith(
      `rules: compiled in (${git.length} of block-destructive)\n\ngit\n`,
    );
    for (const name of ["publish", "release", "pnpm"]) expect(run(name).stdout).toStartWith("release/publish\n  hook ");
  });
  test("prints at most 80 columns", () => {
    for (const args of [[], ["--all"]]) expect(measureWidth(run(...args).stdout)).toBeLessThanOrEqual(80);
  });
  test("reports that no hook declares rules", () => {
    app.put("other/plain.ts", `export { default } from "../hooks/plain.ts";`);
    expect(app.run(["rules", "--hooks", "other"])).toEqual({
      code: 0,
      stdout: "rules: ./other (none)\n",
      stderr: "",
    });
  });
});

describe("bridge-hooks rules --json", () => {
  test("has every field of a rule", () => {
    configure({ strict: false });
    const { policy, from, rules } = z.strictObject(RulesReport.shape).parse(JSON.parse(run("--json").stdout));
    expect([policy, from, rules.length]).toEqual([{ name: "bridge-hooks", version: pkg.version }, "./hooks", 2]);
    expect(rules[1]).toEqual({
      hook: "guard",
      source: "built-in",
      id: "files/lock",
      category: "files",
      action: "deny",
      enabled: false,
      finds: "an edit of a lock file",
      reason: "it edits <file>",
      deny: ["package-lock.json", "a\nb"],
      allow: ["package.json"],
      setBy: [],
      exceptions: [],
    });
    expect(JSON.parse(run("release/publish", "--json").stdout).rules[0].patterns).toEqual(["publish", "dist-tag add"]);
  });
  test("has the JSON Schema that --schema prints", () =>
    expect(JSON.parse(run("--schema").stdout)).toEqual(z.toJSONSchema(RulesReport)));
  test("lists the rules of the starter hooks", () => {
    const { code, stdout } = app.run(["rules", "--json"]);
    const ids = JSON.parse(stdout).rules.map(({ id }: { id: string }) => id);
    expect([code, ids]).toEqual([
      0,
      [
        ...Object.values(RULES_BY_CATEGORY).flatMap((all) => all.map(({ id }) => id)),
        ...Object.keys(HOOKS_RULES).map((name) => `hooks/${name}`),
        ...Object.keys(SECRETS_RULES),
      ],
    ]);
  });
  test("lists a rule for the commands in the setting deny", () => {
    writeFileSync(
      user,
      JSON.stringify({ hooks: { "block-destructive": { deny: ["npm publish"], categories: ["git"] } } }),
    );
    const { stdout } = app.run(["rules", "--json"]);
    const rules = JSON.parse(stdout).rules as { id: string; category: string; enabled: boolean; finds?: string }[];
    expect(rules.find(({ category }) => category === "block-destructive")).toMatchObject({
      id: "block-destructive/deny",
      finds: 'commands listed in the "deny" setting: npm publish',
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

describe("bridge-hooks rules with config files", () => {
  const starters = createProject({});
  afterAll(starters.end);
  const file = join(
    starters.home,
    process.platform === "win32" ? "AppData/Roaming" : ".config",
    "bridge-hooks/config.json",
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    JSON.stringify({
      trusted: [starters.at],
      locked: ["rules/disks/*"],
      rules: {
        "git/push-force": { action: "ask" },
        "system/shutdown": { enabled: false },
        "acme/deploy-prod": {
          program: "acme-deploy",
          pattern: "prod",
          reason: "it deploys to production",
          advice: "open a release request",
          deny: ["acme-deploy prod"],
        },
        "acme/void": { program: "acme-deploy", patern: "x", reason: "r" },
      },
      exceptions: [
        { rule: "git/*", match: "git push --force origin wip*", reason: "mine alone", until: "2999-12-31" },
        { rule: "git/push-force", reason: "elsewhere", project: "/nowhere" },
        { rule: "git/push-force", reason: "over", until: "2020-12-31" },
      ],
    }),
  );
  starters.put(
    ".bridge-hooks.json",
    JSON.stringify({
      rules: { "acme/deploy-prod": { enabled: true, action: "ask" }, "git/push-force": { action: "deny" } },
    }),
  );
  const show = (...args: string[]) => starters.run(["rules", ...args]);

  test("lists the rules that config files add or change, below the number of rules of each category", () => {
    const { code, stdout } = show();
    const lines = stdout.replaceAll("\\", "/").split("\n");
    expect([code, lines.length < 40]).toEqual([0, true]);
    expect(lines.filter((line) => line.includes("set by config files"))).toEqual([
      expect.stringMatching(/^ {2}git +\d+ {2}1 set by config files$/),
      expect.stringMatching(/^ {2}system +\d+ {2}1 off, 1 set by config files$/),
      expect.stringMatching(/^ {2}acme +1 {2}1 set by config files$/),
      "set by config files",
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}downloads +\d+ {2}\d+ off$/));
    const [, changed = ""] = stdout.replaceAll("\\", "/").split("\n\nset by config files\n");
    expect(changed.split("\n\n")[0]?.replaceAll(/\s+/g, " ").trim()).toBe(
      [
        "git/push-force deny it overwrites remote commits that others may have pulled (~/.config/bridge-hooks/config.json, .bridge-hooks.json)",
        "system/shutdown off it shuts down, restarts or halts the machine (~/.config/bridge-hooks/config.json)",
        "acme/deploy-prod deny it deploys to production (~/.config/bridge-hooks/config.json)",
      ].join(" "),
    );
  });
  test("shows which files set a rule, and the active exceptions", () => {
    const { code, stdout, stderr } = show("git/push-force");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.replaceAll("\\", "/").split("  program ")[0]).toBe(`git/push-force
  hook     block-destructive
  action   deny
  set by   ~/.config/bridge-hooks/config.json: ask
           .bridge-hooks.json: deny
`);
    expect(stdout).toContain(`  except   git push --force origin wip* until 2999-12-31: mine alone
           (~/.config/bridge-hooks/config.json)
  denied   `);
  });
  test("shows which file adds a rule", () => {
    expect(show("acme/deploy-prod").stdout.replaceAll("\\", "/")).toBe(`acme/deploy-prod
  hook     block-destructive
  added by ~/.config/bridge-hooks/config.json
  action   deny
  program  acme-deploy
  pattern  prod
  reason   it deploys to production
  advice   open a release request
  denied   acme-deploy prod
`);
    const [added] = RulesReport.parse(JSON.parse(show("acme/deploy-prod", "--json").stdout)).rules;
    expect(added?.source).toBe(file);
    expect(show("acme/void").stderr).toContain('unknown rule "acme/void"');
  });
  test("shows which file turns a rule off or locks it", () => {
    expect(show("system/shutdown").stdout).toContain(
      "  action   off\n  set by   ~/.config/bridge-hooks/config.json: off\n",
    );
    expect(show("disks/overwrite-disk").stdout).toContain("  lock     ~/.config/bridge-hooks/config.json\n");
    const { rules } = RulesReport.parse(JSON.parse(show("--json").stdout));
    expect(rules.filter(({ enabled, setBy }) => !enabled && setBy.length > 0).map(({ id }) => id)).toEqual([
      "system/shutdown",
    ]);
    expect([...new Set(rules.filter(({ lockedBy }) => lockedBy === file).map(({ category }) => category))]).toEqual([
      "disks",
    ]);
    expect(rules.filter(({ exceptions }) => exceptions.length > 0).every(({ category }) => category === "git")).toBe(
      true,
    );
  });
});

describe("bridge-hooks rules fails for", () => {
  const cases: [args: string[], message: string][] = [
    [["release/publsh"], 'unknown rule "release/publsh"; did you mean release/publish?'],
    [["publsh"], 'unknown rule "publsh"; did you mean release/publish?'],
    [["release/*x"], 'unknown rule "release/*x"; to list rules: bridge-hooks rules'],
    [["xyzzy"], 'unknown rule "xyzzy"; to list rules: bridge-hooks rules'],
    [["--category", "file"], 'unknown category "file"; did you mean files?'],
    [["--category", "xyzzy"], 'unknown category "xyzzy"; known: release, files'],
  ];
  for (const [args, message] of cases)
    test(args.join(" "), () => {
      configure({});
      expect(run(...args)).toEqual({ code: 1, stdout: "", stderr: `bridge-hooks: ${message}\n` });
    });
  test("invalid settings, but lists the rules with default settings", () => {
    configure({ strict: "yes" });
    const { code, stdout, stderr } = run("--all");
    expect([code, stdout.includes("files/lock       deny")]).toEqual([1, true]);
    expect(stderr).toContain("hooks.guard.strict: ");
    expect(stderr).toContain("; the rules are shown with default settings\n");
  });
  test("a hook whose rules can't be read", () => {
    configure({});
    app.put(
      "broken/guard.ts",
      `import { defineHook } from "bridge-hooks";
export default defineHook({ event: "Stop", rules() { throw new Error("no file"); }, handler() {} });
`,
    );
    const { code, stderr } = app.run(["rules", "--hooks", "broken"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("guard: the rules can't be read (no file)\n")]);
  });
});
