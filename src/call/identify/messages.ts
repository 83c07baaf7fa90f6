import type { HostIdentity } from "../../protocol/host/host.ts";
import type { ForeignMark } from "./detect.ts";
import type { PayloadDifference } from "./call-fields.ts";

export const formatMismatch = (named: HostIdentity, { id, name }: HostIdentity): string =>
  `called with --host ${named.id} by ${name}, so answered as ${id}; give ${name} its own entry with --host ${id}`;

export const formatUnknownEvent = ({ name }: HostIdentity): string =>
  `unknown ${name} event, so no hook ran; check --host and --event`;

/** Message about an event that neither the payload nor the entry names. */
export const formatMissingEvent = ({ name }: HostIdentity): string =>
  `stdin does not name its ${name} event, and the entry has no --event; add --event NAME to the entry`;

export const formatForeignMark = (named: HostIdentity, { host, label }: ForeignMark): string =>
  `stdin contains ${label}, a mark of ${host.name}; answered as ${named.id}, as --host says. If ${host.name} sent it, give it an entry with --host ${host.id}`;

const MAX_DIFFERENCES = 6;

/** Formats the differences between a payload and the payloads of the host that the entry names. */
export function formatDifferences({ name }: HostIdentity, differences: readonly PayloadDifference[]): string {
  const more = differences.length - MAX_DIFFERENCES;
  const shown =
    differences
      .slice(0, MAX_DIFFERENCES)
      .map(({ text }) => text)
      .join(", ") + (more > 0 ? `, and ${more} more` : "");
  return `stdin differs from ${name}'s payloads: ${shown}; the call was judged by its fields. If another program sent it, check that it obeys denials (bridge-hooks docs strangers); if ${name} did, update bridge-hooks`;
}
