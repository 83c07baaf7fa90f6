import type { Env, Host, Mark, Payload } from "../core/host.ts";

export interface Score {
  host: Host;
  points: number;
  /** It carries a mark that no other host's payload carries. */
  unmistakable: boolean;
}

export type Detection =
  { host: Host; /** The host that was named although the payload is another's. */ contradicted?: Host } | { problem: string };

const UNMISTAKABLE = 5;
const ENOUGH = 3;

const carries = ({ any, all, test }: Mark, payload: Payload, env: Env) =>
  (!any || any.some((key) => payload[key] !== undefined)) &&
  (!all || all.every((key) => payload[key] !== undefined)) &&
  (!test || test(payload, env));

/** What a host's marks say about a payload. */
export function score(host: Host, payload: Payload, env: Env): Score {
  let points = 0;
  let unmistakable = false;
  for (const mark of host.marks) {
    if (!carries(mark, payload, env)) continue;
    points += mark.points;
    unmistakable ||= mark.points >= UNMISTAKABLE;
  }
  return { host, points, unmistakable };
}

/** The host of a payload. A named host holds unless the payload is unmistakably another's. */
export function detect(hosts: readonly Host[], payload: Payload, env: Env, named?: Host): Detection {
  const scores = hosts.map((host) => score(host, payload, env)).sort((a, b) => b.points - a.points);
  const [first, second] = scores;
  if (named) {
    const own = scores.find(({ host }) => host === named)?.points ?? 0;
    const other = first && first.host !== named && first.unmistakable && first.points >= UNMISTAKABLE && first.points > own;
    return other ? { host: first.host, contradicted: named } : { host: named };
  }
  if (first && first.points >= ENOUGH && first.points !== second?.points) return { host: first.host };
  const what = first && first.points >= ENOUGH ? "looks like several hosts" : "looks like no known host";
  const shown = scores.map(({ host, points }) => `${host.id} ${points}`).join(", ");
  return { problem: `stdin ${what} (scores: ${shown}); name it with --host <id>` };
}
