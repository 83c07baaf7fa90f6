import { hasContinuingDenial } from "../../protocol/capability.ts";
import {
  type HostAnswer,
  type Host,
  type Payload,
  getCapabilityRow,
  type ProcessInput,
} from "../../protocol/host/host.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { hasProbeMarker, isInvalidProbe } from "../../protocol/probe.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { detectHost } from "./detect.ts";
import type { AnyOptions } from "../options.ts";
import { readEventName } from "../read.ts";

/**
 * Builds the answer when `--host` names an unknown host. Since the expected format is unknown, the call is denied with
 * the exit code that every host treats as a denial. It isn't denied if the entry sets `--on-error allow` or if a denial
 * would make the agent continue, as on Stop.
 * @param ms time limit for reading the payload, in milliseconds
 */
export async function refuseUnknownHost(
  { host = "", event, onError }: AnyOptions,
  runtime: ProcessInput,
  ms: number,
): Promise<{ answer: HostAnswer; isProbe: boolean }> {
  const knownIds = hostRegistry.map(({ id }) => id);
  const stderr = `bridge-hooks: unknown host "${host}"${suggestName(host, knownIds) || `; known: ${knownIds.join(", ")}`}`;
  const text = toPayloadText(runtime, ms);
  const isProbe = isInvalidProbe(text) || hasProbeMarker(parsePayloadObject(text));
  const sender = await detectSender(text, event, runtime);
  const allowingHost = onError === "allow" ? sender?.host : await findContinuingHost(text, event, sender);
  const answer =
    allowingHost || onError === "allow"
      ? { stdout: allowingHost?.neutralOutput ?? "", stderr, exit_code: allowingHost?.failureExitCode ?? 1 }
      : { stdout: "", stderr, exit_code: 2 };
  return { answer, isProbe };
}

/** Returns the payload as JSON text, which may be incomplete. */
function toPayloadText({ read }: ProcessInput, ms: number): string {
  try {
    const input = read(ms);
    return typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  } catch {
    return "";
  }
}

/** Detects a payload's host and returns it along with the event's name. */
async function detectSender(
  text: string,
  event: string | undefined,
  runtime: ProcessInput,
): Promise<{ host: Host; native_event: string } | undefined> {
  const payload = parsePayloadObject(text);
  const detection = payload && (await detectHost(hostRegistry, payload, runtime));
  if (!payload || !detection || !("host" in detection)) return undefined;
  const host = await detection.host.loadHost();
  return { host, native_event: host.getEventName(payload, event) };
}

/**
 * Finds the payload's host if denying this event makes its agent continue. If the host can't be detected, finds any
 * host for which that is true.
 */
async function findContinuingHost(
  text: string,
  event: string | undefined,
  sender: Awaited<ReturnType<typeof detectSender>>,
): Promise<Host | undefined> {
  if (sender) return hasContinuingDenial(getCapabilityRow(sender.host, sender.native_event)) ? sender.host : undefined;
  const name = event ?? readEventName(text);
  const hosts = await Promise.all(hostRegistry.map((entry) => entry.loadHost()));
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
