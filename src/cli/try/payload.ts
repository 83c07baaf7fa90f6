import type { AnyEvent } from "../../protocol/event.ts";
import { type Host, isInstallable, type Payload, rowOf } from "../../protocol/host/host.ts";
import { registry } from "../../hosts/registry.ts";
import { withoutNulls } from "../../hosts/wire.ts";
import { detect } from "../../run/detect.ts";
import { standInFor } from "../../run/unknown.ts";

/** A payload that a host sent once. */
export interface Recorded {
  host: Host;
  native_event: string;
  payload: Payload;
  event: AnyEvent;
}

/**
 * Whose payload it is, and what it means; found out as a call does.
 * @param named the host, where it is known.
 * @param hint the host's own event name, for a payload that does not say it.
 * @throws Error when nobody can tell, or the payload is not as that host sends it.
 */
export async function recorded(payload: Payload, named?: Host, hint?: string): Promise<Recorded> {
  const given = withoutNulls(payload);
  // Not this process's variables: it was sent to another.
  const found = await detect(registry, given, { env: {} }, named && registry.find(({ id }) => id === named.id));
  if ("problem" in found)
    throw new Error(
      found.problem
        .replace(/^stdin/, "it")
        .replace("--host <id>", "--from ID")
        .replaceAll("--host ", "--from "),
    );
  if (found.contradicted) throw new Error(`it is a payload of ${found.host.id}, not of ${found.contradicted.id}`);
  const host = await found.host.load();
  if (!isInstallable(host))
    throw new Error(`it is a payload of ${host.name}; what that makes of an answer is not known here`);
  const said = host.eventName(given, hint);
  const standIn = Object.hasOwn(host.capabilities, said) ? undefined : standInFor(host, said, given, hint);
  const native_event = standIn?.native_event ?? said;
  if (native_event === "") throw new Error(`it does not say which event of ${host.name} it is; name that with --event`);
  const { event } = host.decode(given, native_event, rowOf(host, native_event));
  event._native = payload;
  return { host, native_event, payload, event };
}
