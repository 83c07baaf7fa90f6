import type { HostIdentity } from "../../protocol/host/host.ts";
import type { ForeignMark } from "./detect.ts";

export const formatMismatch = (named: HostIdentity, { id, name }: HostIdentity): string =>
  `called with --host ${named.id} by ${name}; answered as ${id}. Give ${name} its own entry with --host ${id}`;

export const formatUnknownEvent = ({ name }: HostIdentity): string =>
  `unknown event of ${name}, so no hook was asked; check --host and --event`;

/** The event is named neither by the payload nor by the entry. */
export const formatMissingEvent = ({ name }: HostIdentity): string =>
  `stdin does not name its event of ${name}, and the entry has no --event; give the entry --event NAME`;

export const formatForeignMark = (named: HostIdentity, { host, label }: ForeignMark): string =>
  `stdin has ${label}, a mark of ${host.name}; answered as ${named.id}, which --host names. If ${host.name} sent it, give ${host.name} an entry with --host ${host.id}`;
