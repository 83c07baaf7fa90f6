import type { HostIdentity, Payload, HostSign, PayloadTrait, ProcessInput } from "../../protocol/host/host.ts";

interface HostScore<Known extends HostIdentity> {
  host: Known;
  points: number;
  /** Number of the host's markers in the payload. */
  marks: number;
  /** Sign in the payload: a trait that only this host's payloads have. */
  sign?: HostSign;
}

/** Another host's marker in a payload that is attributed to the named host. */
export interface ForeignMarker {
  host: HostIdentity;
  /** Name of the sign in messages. */
  label: string;
}

type Detection<Known extends HostIdentity> =
  | {
      host: Known;
      /** The named host, if the payload has another host's signature. */
      contradicted?: Known;
      foreignMark?: ForeignMarker;
    }
  | { problem: string };

/** Points for a sign, a trait that only one host's payloads have. */
const UNIQUE_TRAIT_POINTS = 5;
const MIN_POINTS = 3;

// This file uses plain loops. It runs on every call, and each process would have to compile `some` and similar methods.

function hasTrait({ any, all, test }: PayloadTrait, payload: Payload, runtime: Pick<ProcessInput, "env">): boolean {
  if (all) for (const key of all) if (payload[key] === undefined) return false;
  if (any) {
    let isPresent = false;
    for (const key of any) isPresent ||= payload[key] !== undefined;
    if (!isPresent) return false;
  }
  return !test || test(payload, runtime.env);
}

export function hasUniqueTrait({ signs }: HostIdentity, payload: Payload, runtime: Pick<ProcessInput, "env">): boolean {
  for (const sign of signs) if (hasTrait(sign, payload, runtime)) return true;
  return false;
}

/** Scores the payload for each host, highest score first. */
async function scoreHosts<Known extends HostIdentity>(
  hosts: readonly Known[],
  payload: Payload,
  runtime: Pick<ProcessInput, "env">,
): Promise<HostScore<Known>[]> {
  const scores: HostScore<Known>[] = [];
  for (const host of hosts) {
    const score: HostScore<Known> = { host, points: 0, marks: 0 };
    for (const sign of host.signs) {
      if (!hasTrait(sign, payload, runtime)) continue;
      score.points += UNIQUE_TRAIT_POINTS;
      score.marks += sign.weight ?? 1;
      score.sign ??= sign;
    }
    for (const hint of (await host.loadHints?.()) ?? []) {
      if (!hasTrait(hint, payload, runtime)) continue;
      score.points += hint.points;
      if (hint.points > 0 && !hint.isShared) score.marks++;
    }
    let at = scores.length;
    while (at > 0 && (scores[at - 1] as HostScore<Known>).points < score.points) at--;
    scores.splice(at, 0, score);
  }
  return scores;
}

/** Returns whether the payload has another host's sign. */
function hasForeignTrait(
  hosts: readonly HostIdentity[],
  namedHost: HostIdentity,
  payload: Payload,
  runtime: Pick<ProcessInput, "env">,
): boolean {
  for (const host of hosts) {
    if (host !== namedHost && hasUniqueTrait(host, payload, runtime)) return true;
  }
  return false;
}

/**
 * Returns whether the payload has the host's whole signature, meaning multiple markers. One isn't enough, since another
 * host's next version may add it.
 */
const hasWholeSignature = ({ sign, marks }: HostScore<HostIdentity>) => sign !== undefined && marks > 1;

/** Returns whether the payload has a host's whole signature and no trait that counts against that host. */
const isUndisputed = (score: HostScore<HostIdentity>) =>
  hasWholeSignature(score) && score.points >= UNIQUE_TRAIT_POINTS;

/**
 * Detects a payload's host as described by the table in docs/hosts/detection.md. A named host wins unless the payload
 * has the whole signature of another host but not that of the named one. If no host is named, the best score wins,
 * provided the result is unambiguous.
 */
export async function detectHost<Known extends HostIdentity>(
  hosts: readonly Known[],
  payload: Payload,
  runtime: Pick<ProcessInput, "env">,
  namedHost?: Known,
): Promise<Detection<Known>> {
  if (namedHost && !hasForeignTrait(hosts, namedHost, payload, runtime)) return { host: namedHost };
  const scores = await scoreHosts(hosts, payload, runtime);
  if (namedHost) return resolveContradiction(scores, namedHost);
  const [first, second] = scores;
  const rival = scores.find(({ host, sign }) => host !== first?.host && sign !== undefined);
  if (first && first.points >= MIN_POINTS && first.points !== second?.points && (!rival || isUndisputed(first)))
    return { host: first.host };
  const finding = first && first.points >= MIN_POINTS ? "matches several hosts" : "matches no known host";
  const scoreList = first?.points
    ? ` (scores: ${scores.map(({ host, points }) => `${host.id} ${points}`).join(", ")})`
    : "";
  return { problem: `stdin ${finding}${scoreList}; name the host with --host <id>` };
}

function resolveContradiction<Known extends HostIdentity>(
  scores: readonly HostScore<Known>[],
  namedHost: Known,
): Detection<Known> {
  const rivals = scores.filter(({ host, sign }) => host !== namedHost && sign !== undefined);
  const ownScore = scores.find(({ host }) => host === namedHost);
  const contradiction = ownScore && hasWholeSignature(ownScore) ? undefined : rivals.find(isUndisputed);
  if (contradiction) return { host: contradiction.host, contradicted: namedHost };
  const [{ host, sign }] = rivals as [HostScore<Known> & { sign: HostSign }];
  return { host: namedHost, foreignMark: { host, label: sign.label } };
}
