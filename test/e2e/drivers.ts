import { commonCases } from "./common-cases.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hosts } from "../../src/hosts/index.ts";
import type { HostCase, HostDriver } from "./driver.ts";
import { installCases } from "./install-cases.ts";
import { pluginCases } from "./plugin-cases.ts";
import { policyCases } from "./policy-cases.ts";
import { entryCases } from "./entry-cases.ts";
import { projectCases } from "./project-cases.ts";
import { tableCases } from "./table-cases.ts";

/** Drivers for the hosts that can run on this machine. */
export const drivers: readonly HostDriver[] = await Promise.all(
  hosts
    .map(({ id }) => join(import.meta.dir, `hosts/${id}.ts`))
    .filter((file) => existsSync(file))
    .map(async (file) => ((await import(file)) as { driver: HostDriver }).driver),
);

/** Lists all of a host's cases: those derived from its table, the common ones, and its own. */
export const listCases = (driver: HostDriver): HostCase[] => [
  ...tableCases(driver),
  ...commonCases(driver),
  ...installCases(driver),
  ...pluginCases(driver),
  ...policyCases(driver),
  ...projectCases(driver),
  ...entryCases(driver),
  ...driver.cases,
];

/** Returns the releases of a host that a case covers. */
export function filterVersions({ releases, newest }: HostCase, versions: readonly string[]): readonly string[] {
  const fitting = versions.filter((version) => releases === undefined || Bun.semver.satisfies(version, releases));
  return newest ? fitting.slice(-1) : fitting;
}
