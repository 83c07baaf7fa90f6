import type { RegisteredHost } from "../../protocol/host/host.ts";
import { hostRegistry } from "../../hosts/registry.ts";

export function findHost(id: string | undefined): RegisteredHost | undefined {
  for (const host of hostRegistry) if (host.id === id) return host;
  return undefined;
}
