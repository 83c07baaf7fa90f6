import type { Payload } from "../protocol/host/host.ts";
import { omitNulls } from "../protocol/object.ts";
import { describeError } from "../system/errors.ts";
import type { OpenedCall } from "./context.ts";

/** Maximum length of payloads that are parsed before the deadline is armed, in characters. */
const SMALL_PAYLOAD_LENGTH = 1 << 14;

/** A call whose input has been read. */
export interface ReadCall extends OpenedCall {
  /** The host's input, either parsed or as a string. */
  rawInput: unknown;
  /** Whether parsing the input may take long. */
  isLarge: boolean;
}

/** A call with a JSON object as its input. */
export interface ParsedCall extends ReadCall {
  /** The object as the host sent it. */
  raw: Payload;
  /** The object without null fields. */
  payload: Payload;
}

/** Returns how long to wait for a payload, in milliseconds. If the host is busy, it may need all of the call's time. */
export const getInputMs = ({ timeoutMs }: OpenedCall): number => timeoutMs;

/**
 * Reads the input.
 * @throws Error if no payload arrives in time, and CallError if hooks can't run
 */
export function readInput(call: OpenedCall): ReadCall {
  const { runtime } = call;
  const rawInput = runtime.read(getInputMs(call));
  if (runtime.problem !== undefined) throw new CallError(runtime.problem, rawInput);
  return { ...call, rawInput, isLarge: typeof rawInput === "string" && rawInput.length > SMALL_PAYLOAD_LENGTH };
}

/**
 * Parses the input.
 * @throws CallError if the input isn't a JSON object
 */
export function parseInput(call: ReadCall): ParsedCall {
  const raw = call.runtime.payload ?? parsePayload(call.rawInput);
  return { ...call, raw, payload: omitNulls(raw) };
}

/** Error for a call that can't be judged. Includes the event's name if the input has one. */
export class CallError extends Error {
  readonly native_event: string;

  /** @param rawInput the input from stdin */
  constructor(message: string, rawInput: unknown) {
    super(message);
    this.native_event = typeof rawInput === "string" ? readEventName(rawInput) : "";
  }
}

const EVENT_NAME = /"hook_event_name"\s*:\s*"(\w{1,64})"/;

/** Finds the event's name in text that may not be valid JSON. Returns an empty string if there is none. */
export const readEventName = (text: string): string => EVENT_NAME.exec(text.slice(0, 65_536))?.[1] ?? "";

function parsePayload(rawInput: unknown): Payload {
  const payload = typeof rawInput === "string" ? parseText(rawInput) : rawInput;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw new CallError("stdin is JSON, but not an object; a host must send one JSON object", undefined);
  }
  return payload as Payload;
}

function parseText(text: string): unknown {
  if (text.trim() === "") throw new CallError("stdin is empty; a host must send one JSON object", undefined);
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    throw new CallError(`stdin is not valid JSON (${describeError(error)}); a host must send one JSON object`, text);
  }
}
