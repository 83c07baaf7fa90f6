import type { Env, Host, Mark, Payload } from "../core/host.ts";

interface Score {
  host: Host;
  points: number;
}

type Detection =
  { host: Host; /** The host that was named although the payload is another's. */ contradicted?: Host } | { problem: string };

/** Points of a mark that no other host's payload carries. */
const UNMISTAKABLE = 5;
const ENOUGH = 3;

// Plain loops in this file: every call runs it, and the engine compiles `some` and its like anew in every process.

function carries({ any, all, test }: Mark, payload: Payload, env: Env): boolean {
  if (all) for (const key of all) if (payload[key] === undefined) return false;
  if (any) {
    let found = false;
    for (const key of any) found ||= payload[key] !== undefined;
    if (!found) return false;
  }
  return !test || test(payload, env);
}

/** What a host's marks say about a payload. */
function score(host: Host, payload: Payload, env: Env): Score {
  let points = 0;
  for (const mark of host.marks) if (carries(mark, payload, env)) points += mark.points;
  return { host, points };
}

/** Whether the payload carries a mark that only another host's payloads carry. */
function contradicts(hosts: readonly Host[], named: Host, payload: Payload, env: Env): boolean {
  for (const host of hosts) {
    if (host === named) continue;
    for (const mark of host.marks) if (mark.points >= UNMISTAKABLE && carries(mark, payload, env)) return true;
  }
  return false;
}

/** The host of a payload. A named host holds unless the payload is unmistakably another's. */
export function detect(hosts: readonly Host[], payload: Payload, env: Env, named?: Host): Detection {
  if (named && !contradicts(hosts, named, payload, env)) return { host: named };
  const scores = hosts.map((host) => score(host, payload, env)).sort((a, b) => b.points - a.points);
  const [first, second] = scores;
  if (named) {
    const own = scores.find(({ host }) => host === named)?.points ?? 0;
    const other = first && first.host !== named && first.points >= UNMISTAKABLE && first.points > own;
    return other ? { host: first.host, contradicted: named } : { host: named };
  }
  if (first && first.points >= ENOUGH && first.points !== second?.points) return { host: first.host };
  const what = first && first.points >= ENOUGH ? "looks like several hosts" : "looks like no known host";
  const shown = scores.map(({ host, points }) => `${host.id} ${points}`).join(", ");
  return { problem: `stdin ${what} (scores: ${shown}); name it with --host <id>` };
}
