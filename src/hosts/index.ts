import { type Host, isInstallable, type ReaderHost } from "../protocol/host/host.ts";
import { hostRegistry } from "./registry.ts";

const loadedHosts = await Promise.all(hostRegistry.map(({ loadHost }) => loadHost()));

/** Every host that has entries of ours, with all that there is about it: for code that no call waits for. */
export const hosts: readonly Host[] = loadedHosts.filter(isInstallable);

/** Hosts that only read other hosts' configs: their calls are answered, and there is nothing to install. */
export const readerHosts = loadedHosts.filter((host): host is ReaderHost => !isInstallable(host));
