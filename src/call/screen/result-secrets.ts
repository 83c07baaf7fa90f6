import { mayHoldSecret } from "../../secrets/scan.ts";

/**
 * Returns whether a string at any depth of a payload may contain a secret. Hosts send results as a string, an object
 * with multiple strings, a JSON string, or a list of bytes.
 */
export function mayResultHoldSecret(value: unknown): boolean {
  if (typeof value === "string") return mayHoldSecret(value) || (isEscapedJson(value) && mayJsonHoldSecret(value));
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) && typeof value[0] === "number") return mayHoldSecret(Buffer.from(value).toString());
  for (const key in value) if (mayResultHoldSecret((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** Returns whether a string may be JSON with escaped characters. */
const isEscapedJson = (text: string): boolean =>
  /^\s{0,100}[[{"]/.test(text) && (text.includes("\\u") || text.includes("\\/"));

/** Checks the strings inside a JSON string, since a host's adapter would parse it. */
function mayJsonHoldSecret(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  return value !== text && mayResultHoldSecret(value);
}
