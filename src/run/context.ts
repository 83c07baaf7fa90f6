import { hasContinuingDenial, pickCell, type CapabilityRow } from "../protocol/capability.ts";
import type { FailurePolicy } from "../protocol/hook.ts";
import type { Host, RegisteredHost, HostOptionValues } from "../protocol/host/host.ts";
import { type AnyOptions, settingsOf } from "./options.ts";

/** What is known of a call at one point of its way; a failure there is reported with it. */
export interface CallContext {
  /** The host that was named, or detected. */
  readonly host?: RegisteredHost | undefined;
  /** Empty while it is not known. */
  readonly native_event: string;
  readonly policy: FailurePolicy;
  readonly options: AnyOptions;
  /** The event is judged as one that the host is known to have. */
  readonly isStandIn?: boolean;
}

/** The host's options for this call. */
export const hostSettings = (host: Host, { options, isStandIn }: CallContext): HostOptionValues => ({
  ...settingsOf(host, options),
  ...(isStandIn && host.unknownEventOptions),
});

/** Whether a failure can end in a denial here. At Stop it must not: it would make the agent go on because of a fault. */
export const canDeny = (row: CapabilityRow, version: string | undefined): boolean =>
  !hasContinuingDenial(row) && pickCell(row.deny, version).support !== "unenforceable";

/** Warnings as lines for stderr. */
export function formatWarnings({ host, native_event }: CallContext, warnings: readonly string[]): string {
  if (warnings.length === 0) return "";
  const place = [host?.id, native_event].filter(Boolean).join(" ");
  return warnings.map((warning) => `bridge-hooks: ${place ? `${place}: ` : ""}${warning}`).join("\n");
}
