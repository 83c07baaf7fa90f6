import { hosts } from "../../src/hosts/index.ts";
import { withoutNulls } from "../../src/hosts/wire.ts";
import { type Host, type Payload, rowOf } from "../../src/protocol/host/host.ts";

export const host = (id: string): Host => hosts.find((known) => known.id === id) as Host;

/** The unified event of a payload; `any`, since each case looks at other fields. */
export function decoded(id: string, payload: Payload, hint?: string): any {
  const clean = withoutNulls(payload);
  const name = host(id).eventName(clean, hint);
  return host(id).decode(clean, name, rowOf(host(id), name)).event;
}

/** The event that the entry named: a payload that says none was recorded under its name. */
export const nameOf = (file: string, { hook_event_name, event }: Payload) =>
  String(hook_event_name ?? event ?? /^(?:PascalCase-)?(\w+)/.exec(file)?.[1]);
