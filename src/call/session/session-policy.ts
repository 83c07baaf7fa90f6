import { type Mode, readModes, summarizeModes } from "../../policy/modes.ts";
import { policy as built } from "../built/policy.ts";
import { describePolicy } from "../log/name-policy.ts";
import { findGaps, type GovernedSession, type PolicyGaps } from "./policy-gaps.ts";

/** A session's policy, as reported by the session-start message and by `status --session`. */
export interface SessionPolicy extends PolicyGaps {
  name: string;
  version?: string;
  /** Hash of the policy; absent if the hooks run from source. */
  hash?: string;
  /** The mode for hooks and rules without a more specific mode. */
  mode: Mode;
  /** The last day on which the mode applies. */
  until?: string;
  /** Number of hooks and rules with a different mode. */
  others: number;
}

/** Describes the policy that currently applies to a session. */
export async function describeSessionPolicy(session: GovernedSession): Promise<SessionPolicy> {
  const modes = summarizeModes(await readModes());
  return {
    ...(built ? await describePolicy(built, session.folders, new Map()) : { name: "bridge-hooks" }),
    mode: modes?.mode ?? "enforce",
    ...(modes?.until !== undefined && { until: modes.until }),
    others: Object.keys(modes?.others ?? {}).length,
    ...(await findGaps(session)),
  };
}

/**
 * Formats a message such as `policy acme 1.4.0 (hash 0123456789ab) applies to this session, mode enforce; not in force:
 * …`.
 */
export function formatSessionPolicy(policy: SessionPolicy): string {
  const { name, version, hash, gaps, paused_until } = policy;
  const id = [name, version, hash && `(hash ${hash})`].filter(Boolean).join(" ");
  const pause = paused_until === undefined ? [] : [describePause(paused_until)];
  const missingParts = [...pause, ...gaps];
  const suffix = missingParts.length === 0 ? "" : `; not in force: ${missingParts.join("; ")}`;
  return `policy ${id} applies to this session, mode ${formatSessionMode(policy)}${suffix}`;
}

/** Formats a mode such as `observe until 2026-12-31 (denials are withheld; 2 hooks or rules in another mode)`. */
export function formatSessionMode({ mode, until, others }: SessionPolicy): string {
  const notes = [
    ...(mode === "enforce" ? [] : ["denials are withheld"]),
    ...(others === 0 ? [] : [`${others} ${others === 1 ? "hook or rule" : "hooks or rules"} in another mode`]),
  ];
  const day = until === undefined ? "" : ` until ${until}`;
  return `${mode}${day}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

const MINUTE_MS = 60_000;

export const describePause = (until: string, now = Date.now()): string =>
  `all hooks that can be paused, for ${Math.ceil((Date.parse(until) - now) / MINUTE_MS)} more min`;
