import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Payload } from "../src/protocol/host/host.ts";
import { hosts } from "../src/hosts/index.ts";

/**
 * Recordings used as samples, by native event. `try`, `doctor` and `simulate` build payloads from them. The files are
 * in the host's `recordings` directory.
 */
export type Samples = Readonly<Record<string, string | { recording: string; change: Payload }>>;

/** Builds the JSON of a host's `samples.json`. */
export async function makeSamples(id: string): Promise<string> {
  const { samples } = (await import(`../test/hosts/${id}/samples.ts`)) as { samples: Samples };
  const payloads = Object.entries(samples).map(([native_event, sample]) => {
    const { recording, change } = typeof sample === "string" ? { recording: sample, change: {} } : sample;
    const text = readFileSync(join(import.meta.dir, "../test/hosts", id, "recordings", recording), "utf8");
    return [native_event, { ...JSON.parse(text), ...change }];
  });
  return JSON.stringify(Object.fromEntries(payloads));
}

export const samplesFile = (id: string) => join(import.meta.dir, "../src/hosts", id, "samples.json");

if (import.meta.main) for (const { id } of hosts) await Bun.write(samplesFile(id), await makeSamples(id));
