import type { Capabilities } from "../../protocol/capability.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import type { Host } from "../../protocol/host/host.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { isObject, toObject } from "../../protocol/object.ts";

/** The parts of a host that are needed to decode its recorded payloads. */
export interface ProbeSource {
  /** One recorded payload per native event. */
  samples: Readonly<Record<string, Payload>>;
  capabilities: Capabilities;
  decodePayload: Host["decodePayload"];
}

const isNonEmptyString = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Finds the string that hooks check on an event: a shell command, a file path, an MCP argument or a prompt. */
function findSubject(event: AnyEvent): { text?: string; harmless?: string } {
  if (!("input" in event)) return { text: "prompt" in event ? event.prompt : undefined };
  const { command, file_path, prompt, arguments: mcpArguments } = event.input as Payload;
  if (isNonEmptyString(command)) return { text: command, harmless: "true" };
  return { text: [file_path, prompt, ...Object.values(toObject(mcpArguments))].find(isNonEmptyString) };
}

/** Replaces every occurrence of a string value in a payload, including occurrences inside JSON strings. */
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
 * Returns the payload recorded for an event, with the string that hooks check replaced. By default, a shell command is
 * replaced by `true`, which does nothing.
 */
export function findPayloadAbout(
  { samples, capabilities, decodePayload }: ProbeSource,
  native_event: string,
  subject?: string,
): Payload | undefined {
  const recording = Object.hasOwn(samples, native_event) ? samples[native_event] : undefined;
  const row = recording && capabilities[native_event]?.(recording);
  if (!recording || !row) return recording;
  const { text, harmless } = findSubject(decodePayload(structuredClone(recording), native_event, row).event);
  const by = subject ?? harmless;
  return text === undefined || by === undefined ? recording : (replaceText(recording, text, by) as Payload);
}
