import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_MS } from "../../support/executables.ts";
import { createProject } from "../../support/projects.ts";

const HOOK = (name: string) => `import { defineHook } from "bridge-hooks";
import { reason } from "./_words.ts";
export default defineHook({ event: "PreToolUse", name: "${name}", handler: () => ({ decision: "deny" as const, reason }) });
`;
const app = createProject({ "hooks/strict.ts": HOOK("strict"), "hooks/_words.ts": 'export const reason = "no";\n' });
const command = [join(app.at, "dist/guard")];
afterAll(app.end);
beforeAll(() => {
  expect(app.run(["build", "--no-check", "--name", "guard"])).toMatchObject({ code: 0 });
}, BUILD_MS);

const CHANGED =
  "bridge-hooks: ./hooks has changed since this executable was built; rebuild it, or pass --hooks . to run the current files\n";
const COMMANDS = [["try", "--command", "ls"], ["list"], ["rules"], ["config", "show"], ["explain", "--command", "ls"]];
const collectWarnings = (cwd = app.at) =>
  COMMANDS.map((args) => Bun.spawnSync([...command, ...args], { cwd, env: app.env }).stderr.toString());

test("an executable reports nothing about its source directory if it is unchanged", () =>
  expect(collectWarnings()).toEqual(COMMANDS.map(() => "")));

test("an executable ignores changes to tests and other files that aren't sources", () => {
  app.put("hooks/strict.test.ts", "// new\n");
  app.put("hooks/README.md", "new\n");
  expect(collectWarnings()).toEqual(COMMANDS.map(() => ""));
});

test("an executable reports changed sources, including those that hooks import", () => {
  app.put("hooks/_words.ts", 'export const reason = "never";\n');
  expect(collectWarnings()).toEqual(COMMANDS.map(() => CHANGED));
  app.put("hooks/_words.ts", 'export const reason = "no";\n');
  app.put("hooks/new.ts", HOOK("new"));
  expect(collectWarnings()).toEqual(COMMANDS.map(() => CHANGED));
});

test("an executable reports another project's modules as not loaded", () => {
  const other = join(app.home, "other");
  mkdirSync(join(other, "hooks"), { recursive: true });
  writeFileSync(join(other, "hooks/mine.ts"), HOOK("mine"));
  const note = "bridge-hooks: ./hooks has 1 module that was not loaded; pass --hooks . to run it\n";
  expect(collectWarnings(other)).toEqual(COMMANDS.map(() => note));
});
