import { hasContinuingDenial, pickCell, type CapabilityRow } from "../protocol/capability.ts";
import type { FailurePolicy } from "../protocol/hook.ts";
import type { Host, RegisteredHost, HostOptionValues } from "../protocol/host/host.ts";
import type { ModePolicy } from "../policy/modes.ts";
import { type AnyOptions, getHostOptionValues } from "./options.ts";

/** What is known about a call so far; failures are reported with it. */
export interface CallContext {
  /** The host that was named or detected. */
  readonly host?: RegisteredHost | undefined;
  /** Empty while unknown. */
  readonly native_event: string;
  readonly policy: FailurePolicy;
  readonly options: AnyOptions;
  /** The payload's event is unknown, and judged as a known one. */
  readonly isStandIn?: boolean;
  /** Absent: everything is enforced. */
  readonly modes?: ModePolicy | undefined;
}

/** The host's option values for this call. */
export const getHostSettings = (host: Host, { options, isStandIn }: CallContext): HostOptionValues => ({
  ...getHostOptionValues(host, options),
  ...(isStandIn && host.unknownEventOptions),
});

/**
 * Whether a failure may be answered with a denial here. Not at Stop: a denial there would make the agent go on because
 * of a fault.
 */
export const canDeny = (row: CapabilityRow, version: string | undefined): boolean =>
  !hasContinuingDenial(row) && pickCell(row.deny, version).support !== "unenforceable";

/** Formats warnings as lines for stderr. */
export function formatWarnings({ host, native_event }: CallContext, warnings: readonly string[]): string {
  const place = host?.id && native_event ? `${host.id} ${native_event}` : host?.id || native_event;
  const start = place ? `bridge-hooks: ${place}: ` : "bridge-hooks: ";
  let lines = "";
  // A loop: the deadline's answer has such a line, and the engine would compile `map` for it.
  for (const warning of warnings) lines += `${lines && "\n"}${start}${warning}`;
  return lines;
}
