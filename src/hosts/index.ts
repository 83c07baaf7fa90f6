import type { Host } from "../protocol/host/host.ts";
import { hostRegistry } from "./registry.ts";

/** All hosts, fully loaded; for code outside of the hot path. */
export const hosts: readonly Host[] = await Promise.all(hostRegistry.map(({ loadHost }) => loadHost()));
