import type { Payload } from "../../protocol/host/host.ts";
import { isObject } from "../../protocol/object.ts";
import { PROBE } from "../../protocol/probe.ts";
import type { QuickInput, QuickSystem } from "../../system/quick-types.ts";

/** How long this look waits for a payload; the next stages wait for the rest of the call's time. */
const READ_MS = 2_000;
const LARGE_BYTES = 1 << 16;

/**
 * Reads stdin, and parses it if it has ended.
 * @param timeoutMs the call's time, if its entry has a limit.
 */
export function readQuickly(system: QuickSystem, timeoutMs = 2 * READ_MS): QuickInput {
  const input = system.readStdin(Math.min(READ_MS, timeoutMs / 2));
  if (!input.isWhole) return input;
  const text = new TextDecoder().decode(input.bytes);
  // The memory of a large payload serves for what it is parsed to.
  if (input.bytes.length > LARGE_BYTES) (input.bytes.buffer as ArrayBuffer).transfer(0);
  return { ...input, text, payload: parseQuickly(text) };
}

/** Longer payloads are parsed where a deadline can end that. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** What an entry's flags say of a call. */
export interface EntryFlags {
  host?: string;
  /** The host's own event. */
  event?: string;
  timeoutMs?: number;
}

/** Whether a text is a whole number above 0, as a limit is given. */
function isCount(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text[at]! < "0" || text[at]! > "9") return false;
  return text.length < 10 && text[0] !== "0";
}

/** The flags of an entry that the quick path knows; undefined for any others. */
export function readEntryFlags(argv: readonly string[]): EntryFlags | undefined {
  const found: EntryFlags = {};
  for (let at = 0; at < argv.length; at += 2) {
    const name = argv[at];
    const value = argv[at + 1] ?? "";
    if (value === "" || value.startsWith("-")) return undefined;
    if (name === "--host" && found.host === undefined) found.host = value;
    else if (name === "--event" && found.event === undefined) found.event = value;
    else if (name === "--timeout-ms" && isCount(value)) found.timeoutMs = Number(value);
    else if (name === "--from" && value === "plugin") continue;
    else if (name !== "--on-error" || (value !== "allow" && value !== "deny")) return undefined;
  }
  return found;
}

/** The payload in a text; undefined if it has to be read with a deadline, is not an object, or comes from `doctor`. */
export function parseQuickly(text: string): Payload | undefined {
  if (text.length > MAX_LENGTH || (text.length <= SEARCHED_LENGTH && text.includes(PROBE))) return undefined;
  try {
    const payload: unknown = JSON.parse(text);
    return isObject(payload) && (text.length <= SEARCHED_LENGTH || !hasProbe(payload, text)) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** To search a longer text takes longer than to look at its values. */
const SEARCHED_LENGTH = 1 << 16;
const MAX_VALUES = 1_000;

/**
 * Whether `doctor` may have sent a payload: one of the values is the probe, or the text of an object that may have it. Where
 * there are many, all of the payload's text is searched.
 */
function hasProbe(payload: Payload, text: string): boolean {
  const values: unknown[] = [payload];
  // It grows on the way.
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
