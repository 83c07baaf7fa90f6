import { hasSecretHint } from "../../secrets/hints.ts";
import { removeQuotes } from "../../secrets/quotes.ts";
import { mayHoldSecret } from "../../secrets/scan.ts";
import { isSecretName, isSecretValue } from "../../secrets/secret-names.ts";

/** Converts a string for the log. `name` is the name of the string's field. */
export type TextWriter = (text: string, name: string) => string;

/**
 * Maximum length of a string in UTF-16 code units. A secret that starts before this limit is scanned to its end, up to
 * the length of the longest key.
 */
const MAX_LENGTH = 1 << 16;
const MAX_SECRET_LENGTH = 1 << 14;
/** Maximum length of a field name in the log. Longer names may contain arbitrary text and aren't shown. */
const MAX_NAME_LENGTH = 24;
/** Maximum total length of scanned strings, in UTF-16 code units. No line contains more. */
const MAX_SCANNED_LENGTH = 1 << 19;

/** A single word. It can't contain a name followed by a secret. */
const WORD = /^[\w./-]*$/;

/** Returns whether strings may contain a secret, judged by the secret's format or the name before the secret. */
const mayContainSecret = ({ all, withPlaces }: ScannedTexts): boolean =>
  hasSecretHint(withPlaces) || mayHoldSecret(all) || (/["'`\\^]/.test(all) && mayHoldSecret(removeQuotes(all).text));

/**
 * Loads a function that replaces secrets with their kinds: `curl -H "Authorization: Bearer [github-token]"`.
 * @param values everything to redact; if nothing looks like a secret, no rules are loaded.
 * @param maxLength maximum length of a string.
 */
export async function loadRedactor(values: readonly unknown[], maxLength = MAX_LENGTH): Promise<TextWriter> {
  const texts = joinTexts(values);
  // Text that wasn't scanned may contain a secret.
  const redactText =
    texts === undefined || mayContainSecret(texts)
      ? (await import("../../secrets/redact-text.ts")).redactText
      : (text: string) => text.slice(0, maxLength);
  return (text, name) =>
    text !== "" && isSecretName(name)
      ? `[${name.length > MAX_NAME_LENGTH ? "secret" : name}]`
      : redactText(text.slice(0, maxLength + MAX_SECRET_LENGTH), Math.min(maxLength, text.length));
}

/** Replaces secrets in a string that this process writes besides the answer. */
export const hideSecrets = async (text: string): Promise<string> => (await loadRedactor([text], text.length))(text, "");

/** Replaces secrets in all strings of a command's output. */
export async function hideSecretsIn<Printed>(value: Printed): Promise<Printed> {
  const write = await loadRedactor([value], Number.MAX_SAFE_INTEGER);
  return copyValue(value, { text: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }, write) as Printed;
}

/** Strings to scan for signs of secrets before the rules are loaded, one string per line. */
interface ScannedTexts {
  all: string;
  /**
   * Strings of more than one word, in which a secret may follow a name. Field names such as `session` are single words
   * and thus no reason to load rules.
   */
  withPlaces: string;
}

/** Joins all strings in the values, including field names. Returns undefined if the strings are too long in total. */
function joinTexts(values: readonly unknown[]): ScannedTexts | undefined {
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

export const writeWhole: TextWriter = (text) => text;

/** Maximum length of a value, in UTF-16 code units. */
export interface ValueLimits {
  /** Maximum length of one string. */
  text: number;
  /** Maximum length of all strings together. */
  all: number;
}

const MAX_DEPTH = 32;
/** Number of code units that each field adds to the count, besides its text. */
const FIELD_COST = 8;

/**
 * Copies a JSON value. Converts strings with `write` and field names with `writeName`, and marks the parts that exceed
 * the limits.
 */
export function copyValue(value: unknown, limits: ValueLimits, write: TextWriter, writeName = write): unknown {
  let remainingLength = limits.all;
  const copyText = (text: string, name: string, by: TextWriter) => {
    const converted = cutText(by(text, name), Math.max(0, Math.min(limits.text, remainingLength)), text.length);
    remainingLength -= converted.length;
    return converted;
  };
  const copy = (part: unknown, name: string, depth: number): unknown => {
    remainingLength -= FIELD_COST;
    if (typeof part === "string") return copyText(part, name, write);
    // A number may be a secret, such as a PIN.
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
      // Assigning this key would change the object's prototype.
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

/** Returns a number if redaction didn't change the number's text, and the redacted text otherwise. */
const readNumber = (value: number, text: string): unknown => (text === String(value) ? value : text);

/**
 * Returns the name of a list item: in `["--password", "…"]`, the preceding option; in `["X-Api-Key", "…"]`, the
 * preceding header.
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

/**
 * Returns the name of a value in an object like `{ name: "DB_PASSWORD", value: "…" }`, where another field contains the
 * name.
 */
function findSiblingName(fields: object, key: string): string | undefined {
  if (!/^(?:value|val|content|default)$/i.test(key)) return undefined;
  for (const [other, name] of Object.entries(fields).slice(0, 20))
    if (/^(?:name|key|header|field|variable|env)$/i.test(other) && typeof name === "string" && isSecretName(name))
      return name;
  return undefined;
}

/** Truncates a string without splitting a surrogate pair, and appends the original length. */
export function cutText(text: string, maxLength: number, length = text.length): string {
  if (text.length <= maxLength) return text;
  const end = maxLength > 0 && /[\ud800-\udbff]/.test(text[maxLength - 1] ?? "") ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}… [cut: ${length} characters]`;
}
