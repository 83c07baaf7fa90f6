import { hasSecretHint } from "../../secrets/hints.ts";
import { removeQuotes } from "../../secrets/quotes.ts";
import { mayHoldSecret } from "../../secrets/scan.ts";
import { isSecretName, isSecretValue } from "../../secrets/secret-names.ts";

/** Converts a string for the log. `name` is the name of the field that contains it. */
export type TextWriter = (text: string, name: string) => string;

/**
 * Maximum length of a string, in UTF-16 code units. A secret that starts before the limit is scanned to its end, up to
 * the length of the longest key.
 */
const MAX_LENGTH = 1 << 16;
const MAX_SECRET_LENGTH = 1 << 14;
/** Maximum length of a field name in the log. A longer name isn't shown because it could be arbitrary text. */
const MAX_NAME_LENGTH = 24;
/** Maximum total length of scanned strings, in UTF-16 code units. Log lines never contain more. */
const MAX_SCANNED_LENGTH = 1 << 19;

/** A single word can't contain a name followed by a secret. */
const WORD = /^[\w./-]*$/;

/** Returns whether strings may contain a secret, going by its format or the name before it. */
const mayContainSecret = ({ all, withPlaces }: ScannedStrings): boolean =>
  hasSecretHint(withPlaces) || mayHoldSecret(all) || (/["'`\\^]/.test(all) && mayHoldSecret(removeQuotes(all).text));

/**
 * Loads a function that replaces secrets with their kind, as in `curl -H "Authorization: Bearer [github-token]"`.
 * @param values everything to redact; the rules are loaded only if something looks like a secret
 * @param maxLength maximum length of a string
 */
export async function loadRedactor(values: readonly unknown[], maxLength = MAX_LENGTH): Promise<TextWriter> {
  const texts = joinStrings(values);
  // If the strings were too long to scan, they may contain a secret.
  const redactText =
    texts === undefined || mayContainSecret(texts)
      ? (await import("../../secrets/redact-text.ts")).redactText
      : (text: string) => text.slice(0, maxLength);
  return (text, name) =>
    text !== "" && isSecretName(name)
      ? `[${name.length > MAX_NAME_LENGTH ? "secret" : name}]`
      : redactText(text.slice(0, maxLength + MAX_SECRET_LENGTH), Math.min(maxLength, text.length));
}

/** Replaces secrets in a string that this process writes in addition to the answer. */
export const hideSecrets = async (text: string): Promise<string> => (await loadRedactor([text], text.length))(text, "");

/** Replaces secrets in all strings of a command's output. */
export async function hideSecretsIn<Printed>(value: Printed): Promise<Printed> {
  const write = await loadRedactor([value], Number.MAX_SAFE_INTEGER);
  return copyValue(value, { text: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }, write) as Printed;
}

/** Strings to check for signs of secrets before loading the rules, one per line. */
interface ScannedStrings {
  all: string;
  /**
   * Strings with more than one word, in which a secret may follow a name. A field name such as `session` is a single
   * word and therefore no reason to load the rules.
   */
  withPlaces: string;
}

/**
 * Joins all strings in the values, including field names. Returns undefined if their total length exceeds the limit.
 */
function joinStrings(values: readonly unknown[]): ScannedStrings | undefined {
  let allText = "";
  let withPlaces = "";
  const queue = [...values];
  while (queue.length > 0 && allText.length < MAX_SCANNED_LENGTH) {
    const value = queue.pop();
    if (typeof value === "string") {
      const text = `${value.slice(0, MAX_LENGTH + MAX_SECRET_LENGTH)}\n`;
      allText += text;
      if (!WORD.test(value)) withPlaces += text;
    } else if (Array.isArray(value))
      for (let at = 0; at < value.length && at < MAX_SCANNED_LENGTH; at++) queue.push(value[at]);
    else if (typeof value === "object" && value !== null)
      for (const key in value) queue.push(key, (value as Record<string, unknown>)[key]);
  }
  return queue.length > 0 ? undefined : { all: allText, withPlaces };
}

/** Writes only the string's length. */
export const writeLength: TextWriter = (text) => `[${text.length} characters]`;

export const writeUnchanged: TextWriter = (text) => text;

/** Maximum length of a value, in UTF-16 code units. */
export interface ValueLimits {
  /** Maximum length of a single string. */
  text: number;
  /** Maximum total length of all strings. */
  all: number;
}

const MAX_DEPTH = 32;
/** Number of code units that each field counts for, in addition to its text. */
const FIELD_COST = 8;

/**
 * Copies a JSON value. Converts strings with `write` and field names with `writeName`, and marks what exceeds the
 * limits.
 */
export function copyValue(value: unknown, limits: ValueLimits, write: TextWriter, writeName = write): unknown {
  let remainingLength = limits.all;
  const copyText = (text: string, name: string, by: TextWriter) => {
    const converted = truncateString(by(text, name), Math.max(0, Math.min(limits.text, remainingLength)), text.length);
    remainingLength -= converted.length;
    return converted;
  };
  const copy = (part: unknown, name: string, depth: number): unknown => {
    remainingLength -= FIELD_COST;
    if (typeof part === "string") return copyText(part, name, write);
    // A number can be a secret, such as a PIN.
    if (typeof part === "number" && isSecretName(name)) return readNumber(part, copyText(String(part), name, write));
    if (typeof part !== "object" || part === null) return part;
    if (depth > MAX_DEPTH || remainingLength <= 0) return "[cut]";
    if (Array.isArray(part)) {
      const items: unknown[] = [];
      for (const [at, item] of part.entries()) {
        if (remainingLength <= 0) {
          items.push(`[cut: ${part.length - items.length} more]`);
          break;
        }
        items.push(copy(item, findPrecedingName(part, at) ?? name, depth + 1));
      }
      return items;
    }
    const fields: Record<string, unknown> = {};
    for (const key in part) {
      if (remainingLength <= 0) {
        fields["[cut]"] = true;
        break;
      }
      const field = (part as Record<string, unknown>)[key];
      if (field === undefined) continue;
      const copiedKey = copyText(key, "", writeName);
      // Assigning to `__proto__` would change the object's prototype.
      fields[copiedKey === "__proto__" ? "[__proto__]" : copiedKey] = copy(
        field,
        findSiblingName(part, key) ?? (isSecretName(name) ? name : key),
        depth + 1,
      );
    }
    return fields;
  };
  return copy(value, "", 0);
}

/** Returns the number itself unless redaction changed its text; otherwise, returns the redacted text. */
const readNumber = (value: number, text: string): unknown => (text === String(value) ? value : text);

/**
 * Returns the name that precedes a list item, such as the option in `["--password", "…"]` or the header in
 * `["X-Api-Key", "…"]`.
 */
function findPrecedingName(items: readonly unknown[], at: number): string | undefined {
  const [before, item] = [items[at - 1], items[at]];
  if (at % 2 === 1 && isHeaderPair(before, item)) return before as string;
  const isOption = typeof before === "string" && /^-{1,2}[A-Za-z][\w-]{1,60}$/.test(before);
  return isOption && typeof items[at] === "string" && !(items[at] as string).startsWith("-")
    ? before.replace(/^-{1,2}/, "")
    : undefined;
}

const isHeaderPair = (name: unknown, value: unknown): boolean =>
  typeof name === "string" && isSecretName(name) && typeof value === "string" && isSecretValue(value, "strong");

/** Returns a value's name if another field contains it, as in `{ name: "DB_PASSWORD", value: "…" }`. */
function findSiblingName(fields: object, key: string): string | undefined {
  if (!/^(?:value|val|content|default)$/i.test(key)) return undefined;
  for (const [other, name] of Object.entries(fields).slice(0, 20))
    if (/^(?:name|key|header|field|variable|env)$/i.test(other) && typeof name === "string" && isSecretName(name))
      return name;
  return undefined;
}

/** Truncates a string without splitting surrogate pairs, and appends the original length. */
export function truncateString(text: string, maxLength: number, length = text.length): string {
  if (text.length <= maxLength) return text;
  const end = maxLength > 0 && /[\ud800-\udbff]/.test(text[maxLength - 1] ?? "") ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}… [cut: ${length} characters]`;
}
