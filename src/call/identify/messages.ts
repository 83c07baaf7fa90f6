import type { HostIdentity } from "../../protocol/host/host.ts";
import type { ForeignMark } from "./detect.ts";
import type { PayloadDifference } from "./call-fields.ts";

export const formatMismatch = (namedHost: HostIdentity, { id, name }: HostIdentity): string =>
  `${name} called with --host ${namedHost.id}, but the answer is for ${id}; give ${name} its own entry with --host ${id}`;

export const formatUnknownEvent = ({ name }: HostIdentity): string =>
  `unknown ${name} event, so no hook ran; check --host and --event`;

/** Message if neither the payload nor the entry names an event. */
export const formatMissingEvent = ({ name }: HostIdentity): string =>
  `stdin does not name its ${name} event, and the entry has no --event; add --event NAME to the entry`;

export const formatForeignMark = (namedHost: HostIdentity, { host, label }: ForeignMark): string =>
  `stdin contains ${label}, a marker of ${host.name}; the answer is for ${namedHost.id} because of --host. If ${host.name} sent the payload, give ${host.name} its own entry with --host ${host.id}`;

const MAX_DIFFERENCES = 6;

/** Formats how a payload differs from what the host named by the entry sends. */
export function formatDifferences({ name }: HostIdentity, differences: readonly PayloadDifference[]): string {
  const hiddenCount = differences.length - MAX_DIFFERENCES;
  const list =
    differences
      .slice(0, MAX_DIFFERENCES)
      .map(({ text }) => text)
      .join(", ") + (hiddenCount > 0 ? `, and ${hiddenCount} more` : "");
  return `stdin differs from ${name}'s payloads: ${list}; the call was judged by its fields. If another program sent the payload, check that it obeys denials (bridge-hooks docs strangers); if ${name} sent it, update bridge-hooks`;
}
