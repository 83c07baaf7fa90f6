import { expect } from "bun:test";
import { copyFileSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeExecutable } from "../../support/executables.ts";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { DoctorReport } from "../../../src/cli/doctor/report.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import type { InstallScope } from "../../../src/protocol/host/install.ts";
import { writeExecutable, type Home, createHookEntry, createHome, installTargets } from "../../support/homes.ts";

export const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-doctor-"));
export const product = join(folder, "bridge-hooks");

await placeExecutable("hooks", product);
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** What the starter hooks subscribe to. */
export const STARTER_ENTRIES = [
  createHookEntry(["PreToolUse", "PermissionRequest"]),
  createHookEntry(["SessionStart"]),
].map((entry) => ({
  ...entry,
  load: async () => ({ event: entry.events, handler: () => undefined }),
}));

/** Creates a machine with the real executable. */
export function createMachine(): Home {
  const home = createHome(STARTER_ENTRIES);
  rmSync(home.self);
  linkSync(product, home.self);
  return home;
}

/** Replaces a machine's executable with a copy that tests can damage. */
export function copyExecutable({ self }: Home): Buffer {
  rmSync(self);
  copyFileSync(product, self);
  return readFileSync(self);
}

export async function installEntries(
  home: Home,
  host: string,
  scope: InstallScope = "user",
  bin?: string,
  events: string[] = [],
): Promise<void> {
  const options = { hosts: [host], scope, events, on_error: "deny", ...(bin && { bin }) } as const;
  const plan = await planInstall(options, home);
  expect(plan.problems).toEqual([]);
  applyInstall(plan, options, home);
}

export const findRedChecks = async (home: Home, host: string) => {
  const report = await diagnoseHosts([host], home, "0");
  DoctorReport.parse(report);
  const found = [...report.findings, ...report.hosts.flatMap(({ findings }) => findings)].filter(
    ({ level }) => level === "red",
  );
  for (const { what, impact, fix } of found) expect([what, impact, fix].every((text) => text.length > 3)).toBe(true);
  expect(report.healthy).toBe(found.length === 0);
  return found.map(({ check }) => check);
};

export const getConfigPath = (home: Home, host: string, scope: InstallScope = "user") =>
  installTargets.find((one) => one.host.id === host && one.scope === scope)?.file(home).path as string;
export const writeScript = (home: Home, name: string, text: string) => {
  const path = writeExecutable(join(home.folder, name, "bridge-hooks"));
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && echo 0.1.0 && exit\n${text}\n`);
  return path;
};
