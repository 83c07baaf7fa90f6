import {
  findPresentHosts,
  type InstallContext,
  type PresentHost,
  readVersion,
} from "../../operate/machine/install-context.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { readConfigFiles } from "./config-files.ts";
import { isDisabling } from "./skipped-entries.ts";

/**
 * Finds config problems, keyed by host ID, for hosts that have bridge-hooks entries. Runs the same checks as `doctor`,
 * but doesn't run the entries.
 * @param hostIds if empty, all hosts on this machine
 */
export async function findConfigFaults(
  context: InstallContext,
  hostIds: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const presentHosts = await findPresentHosts(hostIds, context.machine);
  const faults = await Promise.all(
    presentHosts.map(
      async (presentHost) => [presentHost.host.id, await findFaultsOfHost(presentHost, context)] as const,
    ),
  );
  return new Map(faults);
}

/** Finds, by host ID, the settings and invalid files that keep a host from running entries. */
export async function findDisablingFaults(
  context: InstallContext,
  hostIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const faults = await findConfigFaults(context, hostIds);
  return new Map([...faults].map(([host, findings]) => [host, findings.filter(isDisabling)]));
}

async function findFaultsOfHost({ host, setup, programs }: PresentHost, context: InstallContext): Promise<Finding[]> {
  const check = await host.loadDoctor();
  const { examined, findings } = readConfigFiles({ host, setup, check }, context);
  if (examined.every(({ installedEntries }) => installedEntries.length === 0)) return [];
  const [program] = programs;
  const versions = await Promise.all(programs.map((path) => readVersion(path, context.machine.env)));
  const releases = versions.filter((release) => release !== undefined);
  const [version] = versions;
  const files = examined.map(({ file }) => file);
  const faults = await check.examineConfig({ machine: context.machine, files, version, releases, program });
  return [...findings, ...faults].filter(({ level }) => level === "red");
}
