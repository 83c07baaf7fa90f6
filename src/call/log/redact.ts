import { hasSecretHint } from "../../secrets/hints.ts";
import { removeQuotes } from "../../secrets/quotes.ts";
import { mayHoldSecret } from "../../secrets/scan.ts";
import { isSecretName, isSecretValue } from "../../secrets/secret-names.ts";

/** How a text is written into the log; `name` is the field that it is in. */
export type TextWriter = (text: string, name: string) => string;

/** How much of a text is written at most, in UTF-16 units, and how much further a secret may reach: the longest key. */
const MAX_LENGTH = 1 << 16;
const MAX_SECRET_LENGTH = 1 << 14;
/** A longer name of a field may be anything. */
const MAX_NAME_LENGTH = 24;
/** How much of all texts together is looked at; no line holds as much. */
const MAX_SCANNED_LENGTH = 1 << 19;

/** A word: what stands in it stands behind no name. */
const WORD = /^[\w./-]*$/;

/** Whether texts may hold a secret, by its form or by its place. */
const mayHide = ({ all, withPlaces }: ScannedTexts): boolean =>
  hasSecretHint(withPlaces) || mayHoldSecret(all) || (/["'`\\^]/.test(all) && mayHoldSecret(removeQuotes(all).text));

/**
 * Loads what replaces secrets by their kinds: `curl -H "Authorization: Bearer [github-token]"`.
 * @param values all that it will see; where they hold nothing like a secret, no rule is loaded.
 * @param most how much of a text is written.
 */
export async function loadRedactor(values: readonly unknown[], most = MAX_LENGTH): Promise<TextWriter> {
  const texts = joinTexts(values);
  // What was not looked at may hold one.
  const redactText =
    texts === undefined || mayHide(texts)
      ? (await import("../../secrets/redact-text.ts")).redactText
      : (text: string) => text.slice(0, most);
  return (text, name) =>
    text !== "" && isSecretName(name)
      ? `[${name.length > MAX_NAME_LENGTH ? "secret" : name}]`
      : redactText(text.slice(0, most + MAX_SECRET_LENGTH), Math.min(most, text.length));
}

/** Replaces the secrets in a text that leaves this process beside the answer. */
export const hideSecrets = async (text: string): Promise<string> => (await loadRedactor([text], text.length))(text, "");

/** Replaces the secrets in all texts of what a command prints. */
export async function hideSecretsIn<Printed>(value: Printed): Promise<Printed> {
  const write = await loadRedactor([value], Number.MAX_SAFE_INTEGER);
  return copyValue(value, { text: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY }, write) as Printed;
}

/** Texts that are scanned before rules are loaded, one on a line. */
interface ScannedTexts {
  all: string;
  /** Those in which something may stand behind a name: a field called `session` is no reason to load rules. */
  withPlaces: string;
}

/** All texts in values, names of fields included; undefined if they are too long. */
function joinTexts(values: readonly unknown[]): ScannedTexts | undefined {
  let all = "";
  let withPlaces = "";
  const rest = [...values];
  while (rest.length > 0 && all.length < MAX_SCANNED_LENGTH) {
    const value = rest.pop();
    if (typeof value === "string") {
      const text = `${value.slice(0, MAX_LENGTH + MAX_SECRET_LENGTH)}\n`;
      all += text;
      if (!WORD.test(value)) withPlaces += text;
    } else if (Array.isArray(value))
      for (let at = 0; at < value.length && at < MAX_SCANNED_LENGTH; at++) rest.push(value[at]);
    else if (typeof value === "object" && value !== null)
      for (const key in value) rest.push(key, (value as Record<string, unknown>)[key]);
  }
  return rest.length > 0 ? undefined : { all, withPlaces };
}

/** The shape alone: how long the text is. */
export const writeLength: TextWriter = (text) => `[${text.length} characters]`;

export const writeWhole: TextWriter = (text) => text;

/** How much of a value is written, in UTF-16 units. */
export interface ValueLimits {
  /** Of one text. */
  text: number;
  /** Of all texts together. */
  all: number;
}

const MAX_DEPTH = 32;
/** What a field counts for beside its text. */
const FIELD_COST = 8;

/** Copies a JSON value with its texts written by `write`, and names by `writeName`; what is beyond limits is marked. */
export function copyValue(value: unknown, limits: ValueLimits, write: TextWriter, writeName = write): unknown {
  let left = limits.all;
  const copyText = (text: string, name: string, by: TextWriter) => {
    const written = cutText(by(text, name), Math.max(0, Math.min(limits.text, left)), text.length);
    left -= written.length;
    return written;
  };
  const copy = (part: unknown, name: string, depth: number): unknown => {
    left -= FIELD_COST;
    if (typeof part === "string") return copyText(part, name, write);
    // A pin may be a number.
    if (typeof part === "number" && isSecretName(name)) return readNumber(part, copyText(String(part), name, write));
    if (typeof part !== "object" || part === null) return part;
    if (depth > MAX_DEPTH || left <= 0) return "[cut]";
    if (Array.isArray(part)) {
      const items: unknown[] = [];
      for (const [at, item] of part.entries()) {
        if (left <= 0) {
          items.push(`[cut: ${part.length - items.length} more]`);
          break;
        }
        items.push(copy(item, nameItem(part, at) ?? name, depth + 1));
      }
      return items;
    }
    const fields: Record<string, unknown> = {};
    for (const key in part) {
      if (left <= 0) {
        fields["[cut]"] = true;
        break;
      }
      const field = (part as Record<string, unknown>)[key];
      if (field === undefined) continue;
      const shown = copyText(key, "", writeName);
      // Assigning this key would change the object's prototype.
      fields[shown === "__proto__" ? "[__proto__]" : shown] = copy(
        field,
        nameField(part, key) ?? (isSecretName(name) ? name : key),
        depth + 1,
      );
    }
    return fields;
  };
  return copy(value, "", 0);
}

/** A number that was written as it is stays a number. */
const readNumber = (value: number, written: string): unknown => (written === String(value) ? value : written);

/** `["--password", "…"]`: the option before an item is its name, and so is the header in `["X-Api-Key", "…"]`. */
function nameItem(items: readonly unknown[], at: number): string | undefined {
  const [before, item] = [items[at - 1], items[at]];
  if (at % 2 === 1 && isHeaderPair(before, item)) return before as string;
  const isOption = typeof before === "string" && /^-{1,2}[A-Za-z][\w-]{1,60}$/.test(before);
  return isOption && typeof items[at] === "string" && !(items[at] as string).startsWith("-")
    ? before.replace(/^-{1,2}/, "")
    : undefined;
}

const isHeaderPair = (name: unknown, value: unknown): boolean =>
  typeof name === "string" && isSecretName(name) && typeof value === "string" && isSecretValue(value, "strong");

/** `{ name: "DB_PASSWORD", value: "…" }`: another field says what the value is. */
function nameField(fields: object, key: string): string | undefined {
  if (!/^(?:value|val|content|default)$/i.test(key)) return undefined;
  for (const [other, name] of Object.entries(fields).slice(0, 20))
    if (/^(?:name|key|header|field|variable|env)$/i.test(other) && typeof name === "string" && isSecretName(name))
      return name;
  return undefined;
}

/** Cuts a text to a length, and says how long it was; no surrogate pair is split. */
export function cutText(text: string, most: number, length = text.length): string {
  if (text.length <= most) return text;
  const end = most > 0 && /[\ud800-\udbff]/.test(text[most - 1] ?? "") ? most - 1 : most;
  return `${text.slice(0, end)}… [cut: ${length} characters]`;
}
