import type { Payload } from "../protocol/host/host.ts";
import { describeError } from "../system/errors.ts";

/** A call that can't be judged, with its event's name if the text contains it. */
export class CallError extends Error {
  readonly native_event: string;

  /** @param given the input from stdin. */
  constructor(message: string, given: unknown) {
    super(message);
    this.native_event = typeof given === "string" ? readEventName(given) : "";
  }
}

const EVENT_NAME = /"hook_event_name"\s*:\s*"(\w{1,64})"/;

/** Finds the event's name in text that may not be valid JSON; empty if there is none. */
export const readEventName = (text: string): string => EVENT_NAME.exec(text.slice(0, 65_536))?.[1] ?? "";

/** @throws CallError when stdin is not a JSON object. */
export function parsePayload(given: unknown): Payload {
  const payload = typeof given === "string" ? parseText(given) : given;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw new CallError("stdin is JSON, but not an object; a host sends one JSON object there", undefined);
  }
  return payload as Payload;
}

function parseText(text: string): unknown {
  if (text.trim() === "") throw new CallError("stdin is empty; a host sends one JSON object there", undefined);
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    throw new CallError(`stdin is not valid JSON (${describeError(error)}); a host sends one JSON object there`, text);
  }
}
