import type { Goal, GroupName } from "./calls.ts";
import type { PeerResult } from "./peers.ts";
import type { FloorName } from "./programs.ts";
import type { ResidentResult } from "./resident.ts";
import type { Quartiles } from "./statistics.ts";

/** Measurements of calls that each run in a separate process. */
export interface CallResult {
  id: string;
  group: GroupName;
  title: string;
  /** Length of the payload. */
  bytes: number;
  ms: number;
  /** Ratio to each floor, from samples taken in the same round. */
  ratios: Partial<Record<FloorName, Quartiles>>;
  /** Milliseconds above the `node:fs` floor. */
  beyondMs: Quartiles;
  /** Peak resident memory in bytes. */
  memory: number;
  floorMemory: number;
  goal?: Goal;
}

/** Results of a whole run, as written by `--json`. */
export interface BenchResult {
  machine: { platform: string; arch: string; cpus: number; processor: string; runtime: string; load: number };
  rounds: number;
  calls: CallResult[];
  resident: ResidentResult[];
  peers: PeerResult[];
}

/** Returns the ratios to store in a baseline, keyed by row. */
export function listRatios({ calls, resident }: Pick<BenchResult, "calls" | "resident">): Record<string, number> {
  const ratios: [string, number | undefined][] = [
    ...calls.map(({ id, ratios }): [string, number | undefined] => [id, ratios["node:fs"]?.median]),
    ...resident.map(({ id, ratio }): [string, number] => [id, ratio.median]),
  ];
  return Object.fromEntries(ratios.filter((entry): entry is [string, number] => entry[1] !== undefined));
}
