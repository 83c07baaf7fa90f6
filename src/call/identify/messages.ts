import type { HostIdentity } from "../../protocol/host/host.ts";
import type { ForeignMark } from "./detect.ts";
import type { PayloadDifference } from "./call-fields.ts";

export const formatMismatch = (named: HostIdentity, { id, name }: HostIdentity): string =>
  `${name} called with --host ${named.id}, but the answer is for ${id}; give ${name} its own entry with --host ${id}`;

export const formatUnknownEvent = ({ name }: HostIdentity): string =>
  `unknown ${name} event, so no hook ran; check --host and --event`;

/** Message about an event that neither the payload nor the entry names. */
export const formatMissingEvent = ({ name }: HostIdentity): string =>
  `stdin does not name its ${name} event, and the entry has no --event; add --event NAME to the entry`;

export const formatForeignMark = (named: HostIdentity, { host, label }: ForeignMark): string =>
  `stdin contains ${label}, a marker of ${host.name}; the answer is for ${named.id} because of --host. If ${host.name} sent the payload, give it its own entry with --host ${host.id}`;

const MAX_DIFFERENCES = 6;

/** Formats the differences between a payload and the payloads of the host that the entry names. */
export function formatDifferences({ name }: HostIdentity, differences: readonly PayloadDifference[]): string {
  const more = differences.length - MAX_DIFFERENCES;
  const shown =
    differences
      .slice(0, MAX_DIFFERENCES)
      .map(({ text }) => text)
      .join(", ") + (more > 0 ? `, and ${more} more` : "");
  return `stdin differs from ${name}'s payloads: ${shown}; the call was judged by its fields. If another program sent the payload, check that it obeys denials (bridge-hooks docs strangers); if ${name} sent it, update bridge-hooks`;
}
