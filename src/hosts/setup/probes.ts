import type { Capabilities } from "../../protocol/capability.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { isObject, toObject } from "../../protocol/object.ts";

/** What the recorded payloads of a host are read with. */
export interface ProbeSource {
  /** A recorded payload for each native event. */
  samples: Readonly<Record<string, Payload>>;
  capabilities: Capabilities;
  decodePayload: Host["decodePayload"];
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The text that hooks judge a call by: a shell command, a file, an argument of an MCP tool, or a prompt. */
function findSubject(event: AnyEvent): { text?: string; harmless?: string } {
  if (!("input" in event)) return { text: "prompt" in event ? event.prompt : undefined };
  const { command, file_path, prompt, arguments: given } = event.input as Payload;
  if (isText(command)) return { text: command, harmless: "true" };
  return { text: [file_path, prompt, ...Object.values(toObject(given))].find(isText) };
}

/** Replaces a text wherever it stands in a payload, also in JSON that is sent as a string. */
function replaceText(value: unknown, text: string, by: string): unknown {
  if (value === text) return by;
  if (Array.isArray(value)) return value.map((item) => replaceText(item, text, by));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceText(item, text, by)]));
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.stringify(replaceText(JSON.parse(value), text, by));
  } catch {
    return value;
  }
}

/**
 * Returns the payload recorded for an event, with the call's subject replaced. The default subject of a shell call is a
 * command that does nothing.
 */
export function getPayloadAbout(
  { samples, capabilities, decodePayload }: ProbeSource,
  native_event: string,
  subject?: string,
): Payload | undefined {
  const recorded = Object.hasOwn(samples, native_event) ? samples[native_event] : undefined;
  const row = recorded && capabilities[native_event]?.(recorded);
  if (!recorded || !row) return recorded;
  const { text, harmless } = findSubject(decodePayload(structuredClone(recorded), native_event, row).event);
  const by = subject ?? harmless;
  return text === undefined || by === undefined ? recorded : (replaceText(recorded, text, by) as Payload);
}
