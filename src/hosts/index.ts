import { type Host, isInstallable, type ReaderHost } from "../protocol/host/host.ts";
import { registry } from "./registry.ts";

const all = await Promise.all(registry.map(({ load }) => load()));

/** Every host that has entries of ours, with all that there is about it: for code that no call waits for. */
export const hosts: readonly Host[] = all.filter(isInstallable);

/** Hosts that only read other hosts' configs: their calls are answered, and there is nothing to install. */
export const readers = all.filter((host): host is ReaderHost => !isInstallable(host));
