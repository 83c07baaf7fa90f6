import { hasContinuingDenial } from "../../protocol/capability.ts";
import {
  type HostAnswer,
  type Host,
  type Payload,
  getCapabilityRow,
  type ProcessInput,
} from "../../protocol/host/host.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { detectHost } from "./detect.ts";
import type { AnyOptions } from "../options.ts";
import { readEventName } from "../read.ts";

/**
 * The answer if `--host` names an unknown host. The wire format is unknown, too, so the answer is the exit code that
 * every host takes as a denial, whatever the failure policy. At an event like Stop, where that would make the agent go
 * on, it is a failure.
 * @param ms time limit for reading the payload.
 */
export async function refuseUnknownHost(
  { host = "", event }: AnyOptions,
  world: ProcessInput,
  ms: number,
): Promise<HostAnswer> {
  const known = hostRegistry.map(({ id }) => id);
  const stderr = `bridge-hooks: unknown host "${host}"${suggestName(host, known) || `; known: ${known.join(", ")}`}`;
  const stopping = await findContinuingHost(toPayloadText(world, ms), event, world);
  return stopping
    ? { stdout: stopping.neutralOutput, stderr, exit_code: stopping.failureExitCode ?? 1 }
    : { stdout: "", stderr, exit_code: 2 };
}

/** The payload as JSON text, even if it is incomplete. */
function toPayloadText({ read }: ProcessInput, ms: number): string {
  try {
    const given = read(ms);
    return typeof given === "string" ? given : (JSON.stringify(given) ?? "");
  } catch {
    return "";
  }
}

/**
 * The payload's host, if a denial of this event makes the agent go on. If the host can't be detected, any host with
 * such an event.
 */
async function findContinuingHost(
  text: string,
  event: string | undefined,
  world: ProcessInput,
): Promise<Host | undefined> {
  const payload = parsePayloadObject(text);
  const found = payload && (await detectHost(hostRegistry, payload, world));
  if (payload && found && "host" in found) {
    const host = await found.host.loadHost();
    return hasContinuingDenial(getCapabilityRow(host, host.getEventName(payload, event))) ? host : undefined;
  }
  const name = event ?? readEventName(text);
  const hosts = await Promise.all(hostRegistry.map((one) => one.loadHost()));
  return hosts.find(
    (host) => Object.hasOwn(host.capabilities, name) && hasContinuingDenial(getCapabilityRow(host, name)),
  );
}

function parsePayloadObject(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
}
