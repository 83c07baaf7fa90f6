import type { Payload } from "../../protocol/host/host.ts";
import { isObject } from "../../protocol/object.ts";
import { PROBE } from "../../protocol/probe.ts";
import type { QuickInput, QuickSystem } from "../../system/quick-types.ts";

/**
 * How long the screen waits for a payload, in milliseconds. Later stages wait for the rest of the call's time limit.
 */
const READ_TIMEOUT_MS = 2_000;
const LARGE_BYTES = 1 << 16;

/**
 * Reads stdin, and parses the input if stdin has ended.
 * @param timeoutMs the call's time limit, if the entry sets one
 */
export function readQuickly(system: QuickSystem, timeoutMs = 2 * READ_TIMEOUT_MS): QuickInput {
  const input = system.readStdin(Math.min(READ_TIMEOUT_MS, timeoutMs / 2));
  if (!input.isWhole) return input;
  const text = new TextDecoder().decode(input.bytes);
  // Free a large payload's memory for use by the parsed payload.
  if (input.bytes.length > LARGE_BYTES) (input.bytes.buffer as ArrayBuffer).transfer(0);
  return { ...input, text, payload: parseQuickly(text) };
}

/** Maximum length of a payload that is parsed here. Longer payloads are parsed under a deadline. */
const MAX_PAYLOAD_LENGTH = 16 * 1024 * 1024;

/** An entry's flags. */
export interface EntryFlags {
  host?: string;
  /** The host's own event name. */
  event?: string;
  timeoutMs?: number;
}

/** Returns whether a string is a positive integer, and therefore a valid time limit. */
function isPositiveInteger(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text[at]! < "0" || text[at]! > "9") return false;
  return text.length < 10 && text[0] !== "0";
}

/** Parses an entry's flags. Returns undefined if the quick path doesn't support all of them. */
export function readEntryFlags(argv: readonly string[]): EntryFlags | undefined {
  const flags: EntryFlags = {};
  for (let at = 0; at < argv.length; at += 2) {
    const name = argv[at];
    const value = argv[at + 1] ?? "";
    if (value === "" || value.startsWith("-")) return undefined;
    if (name === "--host" && flags.host === undefined) flags.host = value;
    else if (name === "--event" && flags.event === undefined) flags.event = value;
    else if (name === "--timeout-ms" && isPositiveInteger(value)) flags.timeoutMs = Number(value);
    else if (name === "--from" && value === "plugin") continue;
    else if (name !== "--on-error" || (value !== "allow" && value !== "deny")) return undefined;
  }
  return flags;
}

/**
 * Parses a payload. Returns undefined if the payload isn't an object, comes from `doctor`, or must be parsed under a
 * deadline.
 */
export function parseQuickly(text: string): Payload | undefined {
  if (text.length > MAX_PAYLOAD_LENGTH || (text.length <= SEARCHED_LENGTH && text.includes(PROBE))) return undefined;
  try {
    const payload: unknown = JSON.parse(text);
    return isObject(payload) && (text.length <= SEARCHED_LENGTH || !hasProbe(payload, text)) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum length of text to search as a whole. In longer text, checking the parsed values is faster. */
const SEARCHED_LENGTH = 1 << 16;
const MAX_VALUES = 1_000;

/**
 * Returns whether `doctor` may have sent a payload. Its payloads contain the probe, either as a value or within a JSON
 * string. If the payload has too many values to check, its whole text is searched.
 */
function hasProbe(payload: Payload, text: string): boolean {
  const values: unknown[] = [payload];
  // The list grows during the loop.
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (typeof value === "string") {
      const mayHave = value.length <= SEARCHED_LENGTH || value.trimStart().startsWith("{");
      if (mayHave && value.includes(PROBE)) return true;
    } else if (typeof value === "object" && value !== null) {
      if (Array.isArray(value) && value.length > MAX_VALUES) return text.includes(PROBE);
      for (const key in value) if (values.push((value as Payload)[key]) > MAX_VALUES) return text.includes(PROBE);
    }
  }
  return false;
}
