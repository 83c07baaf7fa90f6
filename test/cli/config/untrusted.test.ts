import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createProject } from "../../support/projects.ts";

const RULES = { "acme/deploy": { program: "acme-deploy", reason: "it deploys" } };
const PROJECT = {
  mode: "observe",
  exceptions: [{ rule: "git/*", reason: "r" }],
  rules: RULES,
  hooks: { "block-destructive": { allow: ["git push -f x"] } },
};

/** Creates a project with a config file, in the home directory of a user who has a host installed. */
function createUntrusted(document: object = PROJECT) {
  const app = createProject({ ".bridge-hooks.json": JSON.stringify(document) });
  mkdirSync(join(app.home, ".claude"));
  app.run(["install", "--yes", "--host", "claude"]);
  const ask = (args: readonly string[]) => {
    const { code, stdout, stderr } = app.run(args);
    // Lines are wrapped only between words.
    return { code, said: `${stdout}${stderr}`.replaceAll(/\s+/g, " ").replaceAll("~/", `${app.home}/`) };
  };
  const trust = `this project is not trusted; to trust it, run bridge-hooks config set trusted.+ ${app.at}`;
  return { ...app, ask, trust, [Symbol.dispose]: app.end };
}

const COMMANDS: [args: string[], code: number][] = [
  [["try", "--command", "acme-deploy now", "--host", "claude"], 0],
  [["explain", "--command", "acme-deploy now"], 0],
  [["rules"], 0],
  [["rules", "acme/deploy"], 1],
  [["list"], 0],
  [["config", "show"], 0],
  [["config", "check", "--scope", "project", ".bridge-hooks.json"], 0],
  [["doctor", "--host", "claude"], 0],
];

describe("the ignored parts of an untrusted project's file are reported, with how to trust it", () => {
  for (const [args, code] of COMMANDS)
    test(`by ${args.join(" ")}`, () => {
      using project = createUntrusted();
      const outcome = project.ask(args);
      expect(outcome.said).toContain(`ignored: ${project.trust}`);
      expect(outcome.said).toContain("rules");
      expect(outcome.said).toContain("allow");
      expect(outcome.said).toContain("mode: ignored in a project's file");
      expect(outcome.code).toBe(code);
    });

  test("and once the project is trusted, only what no project may set is reported", () => {
    using project = createUntrusted();
    expect(project.ask(["config", "set", "trusted.+", project.at]).code).toBe(0);
    for (const [args] of COMMANDS) {
      const { code, said } = project.ask(args);
      expect([args, code, said.includes("not trusted")]).toEqual([args, 0, false]);
      expect(said).toMatch(/ignored[^.]*project's file/);
    }
  });

  test("and nothing is reported if every part is effective", () => {
    using project = createUntrusted({ hooks: { "own-hook": {} } });
    for (const [args] of COMMANDS.filter(([words]) => words[1] !== "acme/deploy"))
      expect([args, project.run(args).stderr]).toEqual([args, ""]);
  });
});

test("config check also validates an ignored rule, and runs its examples", () => {
  const rules = { "acme/deploy": { ...RULES["acme/deploy"], deny: ["acme-ship"] }, "acme/x": { program: "x" } };
  using project = createUntrusted({ rules });
  const { code, said } = project.ask(["config", "check", ".bridge-hooks.json"]);
  expect([code, said]).toEqual([1, expect.stringContaining("rules.acme/x: reason is missing")]);
  expect(said).toContain(`rules: ignored: ${project.trust}`);
  expect(said).toContain("deny acme-ship: passes");
});
