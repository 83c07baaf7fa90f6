import type { Host } from "../protocol/host/host.ts";
import { hostRegistry } from "./registry.ts";

/** Every host with all that there is about it: for code that no call waits for. */
export const hosts: readonly Host[] = await Promise.all(hostRegistry.map(({ loadHost }) => loadHost()));
