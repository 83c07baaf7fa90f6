import type { Host } from "../../protocol/host/host.ts";
import type { PackFile } from "../../protocol/host/pack.ts";
import { buildAnsibleFiles } from "./ansible-files.ts";
import { buildCoverageFiles } from "./coverage-files.ts";
import { buildExecutableFiles } from "./executable-files.ts";
import { buildManifest } from "./manifest.ts";
import { buildPolicyFiles, type ShippedConfig } from "./policy-files.ts";
import { createPackSpec, type PackOrder } from "./pack-order.ts";
import { checkProgramPaths, CLIENT_SYSTEMS } from "./programs.ts";
import { buildReadmes, type HostPack } from "./readme.ts";
import { buildRolloutFiles } from "./rollout-files.ts";

export { writePack } from "./pack.ts";

/**
 * Builds the files for a host. The list is empty if the host has no managed file or supports none of the requested
 * events.
 */
async function buildHostPack(host: Host, order: PackOrder): Promise<HostPack> {
  const spec = await createPackSpec(host, order);
  const files = spec ? (await host.loadPackBuilder())(spec) : [];
  return {
    host,
    files: files.map((file) => ({ ...file, host: host.id })),
    ...(!spec && { isUnwanted: true as const }),
  };
}

/** Builds the files for all hosts, without the README pages. */
export const buildHostPacks = (order: PackOrder, hosts: readonly Host[]): Promise<HostPack[]> =>
  Promise.all(hosts.map((host) => buildHostPack(host, order)));

/**
 * Builds the files that an administrator deploys, and the README pages.
 * @throws Error if there are no files to deploy, or if a host's config can't represent a path.
 */
export async function buildMdmFiles(
  order: PackOrder,
  hosts: readonly Host[],
  packages: readonly PackFile[] = [],
  config?: ShippedConfig,
): Promise<PackFile[]> {
  checkProgramPaths(order.programs);
  const packs = await buildHostPacks(order, hosts);
  const unmanagedHosts = packs.filter(({ isUnwanted }) => !isUnwanted).map(({ host }) => host.name);
  if (unmanagedHosts.length > 0 && packs.every(({ files }) => files.length === 0))
    throw new Error(`${unmanagedHosts.join(", ")}: no managed file; run bridge-hooks install as each user`);
  if (packs.every(({ files }) => files.length === 0))
    throw new Error(
      "the hooks don't subscribe to any events of the hosts; build the executable with hooks, or pass --event",
    );
  const policy = config ? buildPolicyFiles(config) : [];
  const executable = [...packages, ...(await buildExecutableFiles(order.programs, hosts))];
  const placedFiles = [...packs.flatMap(({ files }) => files), ...policy];
  const parts = {
    ...{ packs, executable, policy },
    rollout: buildRolloutFiles(order, placedFiles),
    ansible: buildAnsibleFiles(order, [...placedFiles, ...packages]),
    coverage: buildCoverageFiles(order, config?.hash ?? ""),
  };
  const manifest = buildManifest(order.programs, placedFiles);
  const files = [...placedFiles, ...executable, ...parts.rollout, ...parts.ansible, ...parts.coverage, manifest];
  const readmes = buildReadmes(order, { ...parts, modes: config?.modes });
  return [...readmes.map(({ path, text }) => ({ path, text, deployment: "", os: CLIENT_SYSTEMS, by: [] })), ...files];
}
