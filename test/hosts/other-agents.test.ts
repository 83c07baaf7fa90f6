import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hosts } from "../../src/hosts/index.ts";
import { describeOtherAgent } from "../../src/hosts/other-agents.ts";
import { requireHost } from "../../src/operate/machine/entry-command.ts";
import { ROOT } from "../support/fixtures.ts";

test("an unsupported agent is rejected with what is known about it, and an existing page", () => {
  for (const name of ["continue", "cn", "kilo", "KiloCode", "amp"]) {
    const known = describeOtherAgent(name) ?? "";
    expect(() => requireHost(name)).toThrow(`unknown host "${name}": ${known}`);
    const [, page = ""] = /see bridge-hooks docs (\w+)$/.exec(known) ?? [];
    expect([name, page, existsSync(join(ROOT, "docs/hosts", page === "hosts" ? "README.md" : `${page}.md`))]).toEqual([
      name,
      page,
      true,
    ]);
  }
});

test("the list contains no supported host, and no name of a built-in property", () => {
  for (const name of [...hosts.map(({ id }) => id), "toString", "__proto__"])
    expect([name, describeOtherAgent(name)]).toEqual([name, undefined]);
});
