import type { HostEntry, Payload, Sign, World } from "../core/host.ts";

interface Score {
  host: HostEntry;
  points: number;
}

type Detection =
  { host: HostEntry; /** The host that was named although the payload is another's. */ contradicted?: HostEntry } | { problem: string };

/** Points of a sign: no other host's payload carries it. */
const UNMISTAKABLE = 5;
const ENOUGH = 3;

// Plain loops in this file: every call runs it, and the engine compiles `some` and its like anew in every process.

function carries({ any, all, test }: Sign, payload: Payload, world: Pick<World, "env">): boolean {
  if (all) for (const key of all) if (payload[key] === undefined) return false;
  if (any) {
    let found = false;
    for (const key of any) found ||= payload[key] !== undefined;
    if (!found) return false;
  }
  return !test || test(payload, world.env);
}

/** What a payload says for each host, the most first. */
async function scoresOf(hosts: readonly HostEntry[], payload: Payload, world: Pick<World, "env">): Promise<Score[]> {
  const scores: Score[] = [];
  for (const host of hosts) {
    let points = 0;
    for (const sign of host.signs) if (carries(sign, payload, world)) points += UNMISTAKABLE;
    if (host.hints) for (const hint of await host.hints()) if (carries(hint, payload, world)) points += hint.points;
    let at = scores.length;
    while (at > 0 && (scores[at - 1] as Score).points < points) at--;
    scores.splice(at, 0, { host, points });
  }
  return scores;
}

/** Whether the payload carries what only another host's payloads carry. */
function contradicts(hosts: readonly HostEntry[], named: HostEntry, payload: Payload, world: Pick<World, "env">): boolean {
  for (const host of hosts) {
    if (host === named) continue;
    for (const sign of host.signs) if (carries(sign, payload, world)) return true;
  }
  return false;
}

/** The host of a payload. A named host holds unless the payload is unmistakably another's. */
export async function detect(
  hosts: readonly HostEntry[],
  payload: Payload,
  world: Pick<World, "env">,
  named?: HostEntry,
): Promise<Detection> {
  if (named && !contradicts(hosts, named, payload, world)) return { host: named };
  const scores = await scoresOf(hosts, payload, world);
  const [first, second] = scores;
  if (named) {
    const own = scores.find(({ host }) => host === named)?.points ?? 0;
    const other = first && first.host !== named && first.points >= UNMISTAKABLE && first.points > own;
    return other ? { host: first.host, contradicted: named } : { host: named };
  }
  if (first && first.points >= ENOUGH && first.points !== second?.points) return { host: first.host };
  const what = first && first.points >= ENOUGH ? "looks like several hosts" : "looks like no known host";
  const shown = first?.points ? ` (scores: ${scores.map(({ host, points }) => `${host.id} ${points}`).join(", ")})` : "";
  return { problem: `stdin ${what}${shown}; name it with --host <id>` };
}
