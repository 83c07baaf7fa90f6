import { hosts } from "../../src/hosts/index.ts";
import type { HostFacts } from "./facts.ts";

export const hostFacts: Record<string, HostFacts> = {};
for (const { id } of hosts) hostFacts[id] = ((await import(`./${id}/facts.ts`)) as { facts: HostFacts }).facts;

export const getFacts = (id: string): HostFacts => hostFacts[id] as HostFacts;
