import { mayHoldSecret } from "../../secrets/scan.ts";

/**
 * Whether one of the texts in a payload may hold a secret, at any depth: hosts send a result as a text, as an object with
 * several, as JSON in a text, or as a list of bytes.
 */
export function mayResultHoldSecret(value: unknown): boolean {
  if (typeof value === "string") return mayHoldSecret(value) || (isEscapedJson(value) && mayJsonHoldSecret(value));
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) && typeof value[0] === "number") return mayHoldSecret(Buffer.from(value).toString());
  for (const key in value) if (mayResultHoldSecret((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** Whether a text may be JSON that writes characters of its own texts in another way. */
const isEscapedJson = (text: string): boolean =>
  /^\s{0,100}[[{"]/.test(text) && (text.includes("\\u") || text.includes("\\/"));

/** Where it is JSON, its texts are what a host's adapter reads. */
function mayJsonHoldSecret(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  return value !== text && mayResultHoldSecret(value);
}
