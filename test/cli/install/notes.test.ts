import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { planInstall } from "../../../src/cli/install/install.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { createHome } from "../../support/homes.ts";

test("an installation notes that a host reads another host's file only if that host is installed", async () => {
  let checked = 0;
  for (const reader of hosts) {
    const setup = await reader.setup();
    for (const host of hosts.filter((one) => one !== reader)) {
      using home = createHome();
      const plan = async () =>
        (await planInstall({ hosts: [host.id], scope: "user", events: [], on_error: "deny" }, home)).notes.filter(
          (note) => note.startsWith(`${reader.name} also reads `),
        );
      const files = (await host.setup()).listConfigFiles(home.machine).map(({ path }) => path);
      const imported = setup.listImportedFiles?.(home.machine) ?? [];
      if (!imported.some((path) => files.includes(path))) continue;
      expect([reader.id, host.id, await plan()]).toEqual([reader.id, host.id, []]);
      mkdirSync(setup.listTraceFolders(home.machine)[0] as string, { recursive: true });
      checked += (await plan()).length;
    }
  }
  expect(checked).toBeGreaterThan(1);
});
