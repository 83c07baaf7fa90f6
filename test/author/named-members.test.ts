import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { PAGE } from "../seeds/page.ts";
import { ROOT } from "../support/fixtures.ts";

const DECLARATIONS = readFileSync(join(ROOT, "src/cli/build/types/bridge-hooks.d.txt"), "utf8");
/** Files from which hook authors learn the member names of events and contexts. */
const PAGES = ["docs/guide/*.md", "docs/reference/*.md", "src/cli/init/template/*.txt", "src/cli/build/types/*.d.txt"];

test("the event and context members named in pages, templates and comments exist in the types", () => {
  const isDeclared = (name: string) => new RegExp(`(?:^|[\\s{(;])${name}\\??[:(<]`, "m").test(DECLARATIONS);
  // The conformance page quotes member names from other systems.
  const files = PAGES.flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)]).filter((path) => path !== PAGE);
  const named = files.flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(/`(?:event|context)\.([\w.]+)/g)].flatMap(
      ([span, members = ""]) => members.split(".").map((name) => ({ path, span, name })),
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => !isDeclared(name))).toEqual([]);
});
