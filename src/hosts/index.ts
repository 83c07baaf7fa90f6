import type { Host } from "../protocol/host/host.ts";
import { hostRegistry } from "./registry.ts";

/** All hosts, fully loaded. Import this only from code off the hot path. */
export const hosts: readonly Host[] = await Promise.all(hostRegistry.map(({ loadHost }) => loadHost()));
