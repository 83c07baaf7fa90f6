import { findLiteralParts, findQuoteEnd, opensDollarQuote } from "./quotes.ts";
import type { Secret } from "./scan.ts";
import {
  isSecretName,
  isSecretValue,
  looksRandom,
  getSecretKind,
  type NameStrength,
  rateName,
  readLiteral,
} from "./secret-names.ts";
import { type AddSecret, findInUrls, type SecretCheck } from "./url-places.ts";

const MAX_NAME_LENGTH = 80;
const MAX_VALUE_LENGTH = 1_024;
/** Maximum length of a value whose name doesn't always mean a secret. */
const MAX_WEAK_VALUE_LENGTH = 200;
const NAME_LETTER = /[\w.-]/;

/** Finds secrets by their context: after a name, in a header, or in a URL. */
export function findSecretsByContext(text: string): Secret[] {
  const secrets: Secret[] = [];
  const isLiteral = findLiteralParts(text);
  const add: AddSecret = (kind, start, end) => void (end > start && secrets.push({ kind, start, end }));
  const isSecret: SecretCheck = ({ start, end }, strength) => {
    const value = text.slice(start, end);
    return isSecretValue(isLiteral(start) ? readLiteral(value) : value, strength);
  };
  findAssignments(text, isSecret, add);
  findSchemes(text, add);
  findInUrls(text, isSecret, add);
  for (const [kind, pattern] of SECRET_PATTERNS) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const { name, value = "" } = match.groups ?? {};
      const end = pattern.lastIndex;
      const start = end - value.length;
      const strength = name === undefined ? "strong" : rateName(name);
      if (isSecret({ start, end }, strength)) add(name === undefined ? kind : getSecretKind(name), start, end);
    }
  }
  findPrintedSecrets(text, add);
  findSpaceSeparated(text, add);
  findNamedValues(text, isSecret, add);
  return secrets;
}

/** Patterns that end with a secret. Some also match the name before it. */
const SECRET_PATTERNS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  // XML and HTML elements
  ["password", /<(?<name>[\w.:-]{1,60})(?: [^<>]{0,200})?>(?<value>[^<>]{1,500})(?=<\/)/g],
  ["password", /<key>(?<name>[\w .-]{1,60})<\/key>\s{0,20}<string>(?<value>[^<>]{1,500})/g],
  // Argument lists
  ["password", /["'](?<name>-{1,2}[A-Za-z][\w-]{1,60})["']\s{0,4},\s{0,8}["'](?<value>[^"'\n]{1,300})/g],
  // Command substitutions that print a secret
  [
    "password",
    /(?<![\w.-])(?<name>[\w.-]{1,80})(?:\+?=|[ \t]{1,4})["']?(?:\$\(|`) {0,4}(?:echo|printf|print) {1,4}(?:-\w{1,3} {1,4})?(?:["']?%s(?:\\n)?["']? {1,4})?["']?(?<value>[^\s"'`()$]{1,300})/g,
  ],
  ["password", /["'](?<name>[\w.-]{1,80})["']\s{0,4}:\s{0,4}\[\s{0,8}(?<value>["'][^[\]{}]{1,500})/g],
  [
    "password",
    /["'](?<name>[A-Za-z]{1,20}-[A-Za-z-]{1,40})["']\s{0,4},\s{0,8}["'](?<value>(?=[^"'\n]{0,60}\d)[^"'\n]{4,300})/g,
  ],
  [
    "password",
    /["'](?<name>[\w.-]{1,80})["']\s{0,4}:\s{0,4}\{\s{0,8}["'][\w.-]{1,60}["']\s{0,4}:\s{0,4}["'](?<value>(?=[^"'\n]{0,60}\d)[^"'\n]{4,300})/g,
  ],
  // Telegram bot URLs
  ["token", /\/bot\d{6,12}:(?<value>[^\s"'`/?#;&|]{16,80})/g],
  // Prose
  [
    "password",
    /\b(?:password|passphrase|passcode|secret|token|api key|access key|pin) (?:is|was|=|equals) ["'`]?(?<value>(?=[^\s"'`]{0,60}[\d!#%^*+~])[^\s"'`]{4,200})/gi,
  ],
  // SQL.
  [
    "password",
    /\b(?:identified(?: with [\w"']{1,40})? by|(?:with|encrypted|user|role|set) password|password for [^\s;]{1,100})\s{1,4}(?:=\s{0,4}|to\s{1,4})?["'](?<value>[^"'\n]{1,300})/gi,
  ],
  // ~/.pgpass, and passwords written as `pass:…`
  ["password", /(?<![\w:./-])[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?<value>[^\s"'`:;|&]{1,200})/g],
  ["password", /(?<![\w:])pass:(?<value>[^\s"'`;|&]{1,200})/g],
];

const PRINTED_VALUE =
  /(?:\$\(|`) {0,4}(?:echo|printf|print) {1,4}(?:-\w{1,3} {1,4})?(?:["']?%s(?:\\n)?["']? {1,4})?["']?(?<value>[^\s"'`()$]{8,300})/g;

/** Finds random-looking strings printed for another command to use, as in `mysql -p$(echo …)`. */
function findPrintedSecrets(text: string, add: AddSecret): void {
  PRINTED_VALUE.lastIndex = 0;
  for (let match = PRINTED_VALUE.exec(text); match; match = PRINTED_VALUE.exec(text)) {
    const { value = "" } = match.groups ?? {};
    if (looksRandom(value)) add("password", PRINTED_VALUE.lastIndex - value.length, PRINTED_VALUE.lastIndex);
  }
}

const SPACE_SEPARATED = /(?<![\w.$%{/-])(?<name>[\w.-]{4,80})[ \t]{1,8}["']?(?<value>[^\s"'`=:;|&(){}[\],<>]{4,300})/g;
/** A name that is unlikely in prose. */
const TECHNICAL_NAME = /[_A-Z.]|.pass$|authtoken$/;
const PASSWORD_NAME = /^(?:password|passwd|passphrase)$/i;

/**
 * Finds values separated from their name by a space, as in ~/.netrc, Dockerfiles, `setx` and `git config`. In prose, a
 * value counts only if it looks random.
 */
function findSpaceSeparated(text: string, add: AddSecret): void {
  SPACE_SEPARATED.lastIndex = 0;
  for (let match = SPACE_SEPARATED.exec(text); match; match = SPACE_SEPARATED.exec(text)) {
    const { name = "", value = "" } = match.groups ?? {};
    const end = SPACE_SEPARATED.lastIndex;
    // This value could be the name in the next match.
    SPACE_SEPARATED.lastIndex = end - value.length;
    if (value.startsWith("-") || !isSecretName(name) || !isSecretValue(value, "strong")) continue;
    const isLikely = PASSWORD_NAME.test(name) ? /[\d!#%^*+~]|[a-z][A-Z]/.test(value) : looksRandom(value);
    if (isLikely || (TECHNICAL_NAME.test(name) && /\d/.test(value))) add(getSecretKind(name), end - value.length, end);
  }
}

const SEPARATOR = /[=:]/g;

/** Finds values after `name=`, `name:` and `"name" =>`. */
function findAssignments(text: string, isSecret: SecretCheck, add: AddSecret): void {
  SEPARATOR.lastIndex = 0;
  for (let match = SEPARATOR.exec(text); match; match = SEPARATOR.exec(text)) {
    const at = match.index;
    const name = readNameBefore(text, at);
    const strength = name === undefined ? undefined : rateName(name);
    if (name === undefined || strength === undefined) continue;
    const from = skipSeparator(text, at);
    if (/authorization$/i.test(name)) {
      addHeader(text, { at, from, name }, isSecret, add);
      continue;
    }
    if (/^(?:set-)?cookie$/i.test(name)) {
      const value = readHeader(text, { at, from, name });
      if (/=/.test(value.text)) add("cookie", value.start, value.end);
      continue;
    }
    const value = readValue(text, from, strength === "weak" ? MAX_WEAK_VALUE_LENGTH : MAX_VALUE_LENGTH);
    if (!isSecretAssignment(text, { at, from, name, strength }, value, isSecret)) continue;
    add(getSecretKind(name), value.start, value.end);
    SEPARATOR.lastIndex = Math.max(SEPARATOR.lastIndex, value.end);
  }
}

interface Assignment {
  /** Offset of the separator. `from` is where the text after the separator starts. */
  at: number;
  from: number;
  name: string;
  strength: NameStrength;
}

function isSecretAssignment(
  text: string,
  { at, from, strength }: Assignment,
  value: ValueInContext,
  isSecret: SecretCheck,
): boolean {
  const isInQuery = /[?&;]/.test(text[at - 1 - (readNameBefore(text, at) ?? "").length] ?? "");
  const isQuoted = value.start > 0 && /["'`]/.test(text[value.start - 1] as string);
  // `name: word` within a longer line is prose or a parameter type.
  const isProse = text[at] === ":" && from > at + 1 && !isQuoted && !isWholeLine(text, at, value.end);
  if (isProse && !/[\dA-Z!#%^*+~]/.test(value.text)) return false;
  return isSecret(value, strength === "weak" && isInQuery && value.text.length >= 16 ? "strong" : strength);
}

const isWholeLine = (text: string, at: number, end: number): boolean =>
  /(?:^|\n)[ \t]{0,40}(?:- )?["']?[\w.-]{1,80}["']?$/.test(text.slice(Math.max(0, at - MAX_NAME_LENGTH - 50), at)) &&
  /^[ \t]{0,8}(?:$|\n|\r|#)/.test(text.slice(end, end + 10));

/** Returns the name before a separator, such as `"db_password"`, `PGPASSWORD`, `--token` or `$env:TOKEN`. */
function readNameBefore(text: string, separator: number): string | undefined {
  let end = separator;
  if (/^\w\+=\S/.test(text.slice(separator - 2, separator + 2))) end--;
  for (let count = 0; count < 4 && /[ \t]/.test(text[end - 1] ?? ""); count++) end--;
  while (/["'`\]\\)]/.test(text[end - 1] ?? "") && separator - end < 8) end--;
  let start = end;
  while (start > 0 && end - start < MAX_NAME_LENGTH && NAME_LETTER.test(text[start - 1] as string)) start--;
  return end > start ? text.slice(start, end) : undefined;
}

function skipSeparator(text: string, at: number): number {
  let from = at + 1;
  if (/[=>]/.test(text[from] ?? "")) from++;
  for (let count = 0; count < 8 && /[ \t]/.test(text[from] ?? ""); count++) from++;
  return from;
}

interface ValueInContext {
  text: string;
  start: number;
  end: number;
}

/**
 * Reads the value at an offset. A quoted value ends at its closing quote. An unquoted value is a word, which can
 * contain quoted parts.
 */
function readValue(text: string, from: number, maxLength = MAX_VALUE_LENGTH): ValueInContext {
  let at = opensDollarQuote(text, from) ? from + 1 : from;
  const first = at;
  while (text[at] === "\\" && at - first < 4) at++;
  const escape = text.slice(first, at);
  const quote = text[at] ?? "";
  if (/["'`]/.test(quote)) {
    const end = escape === "" ? findQuoteEnd(text, at, maxLength) : findEscapedEnd(text, at, escape + quote);
    const start = at + 1;
    // If more text follows the closing quote, as in `ab''cd`, the value continues.
    if (end > start && end - start < maxLength && !/[\w"'`]/.test(text[end + 1] ?? ""))
      return { text: text.slice(start, end), start, end };
  }
  let end = first;
  const maxEnd = Math.min(text.length, first + maxLength);
  while (end < maxEnd && !/[\s;&|,)}\]<>]/.test(text[end] as string)) {
    if (text[end] === "\\") end++;
    else if (/["'`]/.test(text[end] as string)) {
      const closeAt = findQuoteEnd(text, end, maxLength);
      // A quote that closes an enclosing string ends the value.
      if (closeAt < 0 || closeAt > maxEnd || (end > first && /\s/.test(text.slice(end, closeAt)))) break;
      end = closeAt;
    }
    end++;
  }
  end = Math.min(end, text.length);
  return { text: text.slice(first, end), start: first, end };
}

function findEscapedEnd(text: string, at: number, quote: string): number {
  const index = text.slice(at + 1, at + 1 + MAX_VALUE_LENGTH).indexOf(quote);
  return index < 0 ? -1 : at + 1 + index;
}

/**
 * Reads a header value. If quoted, it ends at the closing quote; otherwise, at the first whitespace that doesn't follow
 * a comma or semicolon.
 */
function readHeader(text: string, { at, from, name }: Pick<Assignment, "at" | "from" | "name">): ValueInContext {
  const previous = text[at - name.length - 1] ?? "";
  const first = text[from] ?? "";
  const quote = /["'`]/.test(first) ? first : previous;
  const start = first === quote && first !== "" ? from + 1 : from;
  const maxEnd = Math.min(text.length, start + MAX_VALUE_LENGTH);
  let end = start;
  if (/["'`]/.test(quote) && quote !== "") while (end < maxEnd && text[end] !== quote && text[end] !== "\n") end++;
  else {
    AUTH_SCHEME.lastIndex = start;
    if (AUTH_SCHEME.test(text)) end = AUTH_SCHEME.lastIndex;
    while (
      end < maxEnd &&
      (!/[\s"'`]/.test(text[end] as string) || /[,;\\]/.test(text[end - 1] ?? "")) &&
      text[end] !== "\n"
    )
      end++;
  }
  return { text: text.slice(start, end), start, end };
}

const AUTH_SCHEME =
  /(?:Bearer|Basic|Token|Digest|Negotiate|NTLM|ApiKey|Api-Key|Key|AWS4-HMAC-SHA256|OAuth|GoogleLogin|Splunk|SSWS|Signature)(?:\\? |%20){1,4}/iy;

/** Adds the credentials in an `Authorization` header, without the scheme (such as `Bearer`). */
function addHeader(
  text: string,
  header: Pick<Assignment, "at" | "from" | "name">,
  isSecret: SecretCheck,
  add: AddSecret,
): void {
  const value = readHeader(text, header);
  AUTH_SCHEME.lastIndex = value.start;
  const start = AUTH_SCHEME.test(text) ? AUTH_SCHEME.lastIndex : value.start;
  const end = start + text.slice(start, value.end).trimEnd().length;
  if (isSecret({ start, end }, "strong")) add("authorization", start, end);
}

const AUTH_SCHEME_VALUE = /(?<![\w-])(?:Bearer|Basic)(?:\\? |%20){1,4}(?<value>[\w.~+/=-]{8,2000})/gi;

/** Finds `Bearer …` and `Basic …`, with or without a header name before them. */
function findSchemes(text: string, add: AddSecret): void {
  AUTH_SCHEME_VALUE.lastIndex = 0;
  for (let match = AUTH_SCHEME_VALUE.exec(text); match; match = AUTH_SCHEME_VALUE.exec(text)) {
    const { value = "" } = match.groups ?? {};
    if (looksRandom(value) || value.length >= 24)
      add("authorization", AUTH_SCHEME_VALUE.lastIndex - value.length, AUTH_SCHEME_VALUE.lastIndex);
  }
}

const NAMED_VALUE =
  /\b(?:name|key|header|field|variable)["']?\s{0,4}[:=]\s{0,4}["']?(?<name>[\w.-]{1,80})["']?[\s,]{1,80}["']?(?:value|val|content|default)["']?\s{0,4}[:=]\s{0,4}/gi;

/** Finds `{ name: "DB_PASSWORD", value: "…" }` in JSON, YAML and attributes. */
function findNamedValues(text: string, isSecret: SecretCheck, add: AddSecret): void {
  NAMED_VALUE.lastIndex = 0;
  for (let match = NAMED_VALUE.exec(text); match; match = NAMED_VALUE.exec(text)) {
    const { name = "" } = match.groups ?? {};
    const value = readValue(text, NAMED_VALUE.lastIndex);
    if (isSecretName(name) && isSecret(value, "strong")) add(getSecretKind(name), value.start, value.end);
  }
}
