import type { Host } from "../protocol/host/host.ts";
import { hostRegistry } from "./registry.ts";

/** All hosts, fully loaded. Code on the hot path must not import this file. */
export const hosts: readonly Host[] = await Promise.all(hostRegistry.map(({ loadHost }) => loadHost()));
