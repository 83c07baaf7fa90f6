import type { RegisteredHost } from "../../protocol/host/host.ts";
import { hostRegistry } from "../../hosts/registry.ts";

/** The registered host with an id. */
export function findHost(id: string | undefined): RegisteredHost | undefined {
  for (const host of hostRegistry) if (host.id === id) return host;
  return undefined;
}
