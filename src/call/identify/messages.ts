import type { HostIdentity } from "../../protocol/host/host.ts";
import type { ForeignMarker } from "./detect.ts";
import type { PayloadDifference } from "./call-fields.ts";

export const formatMismatch = (namedHost: HostIdentity, { id, name }: HostIdentity): string =>
  `${name} called bridge-hooks with --host ${namedHost.id}, but the answer is for ${id}; give ${name} its own entry with --host ${id}`;

export const formatUnknownEvent = ({ name }: HostIdentity): string =>
  `unknown ${name} event, so no hook ran; check --host and --event`;

/** Message if neither the payload nor the entry names an event. */
export const formatMissingEvent = ({ name }: HostIdentity): string =>
  `stdin doesn't name the ${name} event, and the entry has no --event; add --event NAME to the entry`;

export const formatForeignMarker = (namedHost: HostIdentity, { host, label }: ForeignMarker): string =>
  `stdin contains ${label}, which is typical of ${host.name}, but --host names ${namedHost.id}; if ${host.name} sent this payload, give it its own entry with --host ${host.id}`;

const MAX_DIFFERENCES = 6;

/** Formats how a payload differs from what the host named by the entry sends. */
export function formatDifferences({ name }: HostIdentity, differences: readonly PayloadDifference[]): string {
  const hiddenCount = differences.length - MAX_DIFFERENCES;
  const list =
    differences
      .slice(0, MAX_DIFFERENCES)
      .map(({ text }) => text)
      .join(", ") + (hiddenCount > 0 ? `, and ${hiddenCount} more` : "");
  return `stdin doesn't look like a payload from ${name}: ${list}; the call was evaluated from its fields; if ${name} sent it, update bridge-hooks; otherwise check that the sender honors denials (bridge-hooks docs strangers)`;
}
