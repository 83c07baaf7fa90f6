import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { applyUninstall, planUninstall } from "../../../src/cli/uninstall/uninstall.ts";
import { ENTRY_CHECKS, ENTRY_SETUPS } from "../../support/entry-setups.ts";
import { readTestFile, writeTestFile } from "../../support/homes.ts";
import { createMachine } from "./machine.ts";

describe("doctor agrees with the host's behavior, and uninstall restores the file:", () => {
  for (const { host, name, file, text, installed, outcome } of ENTRY_SETUPS)
    test(`${host}, ${file} with ${name}: ${outcome === "denied" ? "nothing is red" : "red"}`, async () => {
      using home = createMachine();
      const path = join(home.machine.roots[0] as string, file);
      const before = text.replaceAll("{ours}", () => home.self);
      writeTestFile(path, before);
      const options = { hosts: [host], scope: "project", events: [], on_error: "deny" } as const;
      if (installed) applyInstall(await planInstall(options, home), options, home);
      const findings = (await diagnoseHosts([host], home, "0")).hosts[0]?.findings ?? [];
      const reds = findings.filter(({ check, level }) => level === "red" && ENTRY_CHECKS.includes(check));
      expect([reds.map(({ what }) => what), reds.length > 0]).toEqual([
        outcome === "denied" ? [] : expect.anything(),
        outcome !== "denied",
      ]);
      applyUninstall(await planUninstall(options, home), home);
      if (installed) expect(readTestFile(path)).toBe(before);
    });
});
