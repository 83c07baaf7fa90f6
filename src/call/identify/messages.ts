import type { HostIdentity } from "../../protocol/host/host.ts";

export const formatMismatch = (named: HostIdentity, { id, name }: HostIdentity): string =>
  `called with --host ${named.id} by ${name}; answered as ${id}. Give ${name} its own entry with --host ${id}`;

export const formatUnknownEvent = ({ name }: HostIdentity): string =>
  `unknown event of ${name}, so no hook was asked; check --host and --event`;
