import { blankColors, hasColors, removeColors } from "./colors.ts";
import marks from "./marks.txt" with { type: "text" };

/** A secret found in some text. */
export interface Secret {
  /** Kind of the secret, such as "github-token", "aws-secret-key", "private-key" or "database-url". */
  kind: string;
  /** Start offset in UTF-16 code units. */
  start: number;
  /** End offset in UTF-16 code units (exclusive). */
  end: number;
}

/**
 * Every secret contains a run of at least this many characters other than whitespace and quotes. Only passwords in URLs
 * can be shorter.
 */
const MIN_RUN_LENGTH = 16;

/** Maximum number of markers to check. Text with more is assumed to contain a secret. */
const MAX_MARKERS = 50_000;

/** How a secret format begins, which is all that this quick check looks for. */
interface SecretPrefix {
  /** Number of characters from the start of the literal to the end of its marker. */
  offset: number;
  literal: string;
  /** Pattern for the literal and the characters the rule requires around it. Compiled on first use. */
  beginning: RegExp | string;
}

/**
 * Maximum length of text to scan character by character. Up to this length, the scan is faster than compiling the
 * regular expressions.
 */
const MAX_SCANNED_LENGTH = 1 << 13;

let finderPatterns: RegExp[] | undefined;
/**
 * For each pair of ASCII characters, the offset of the first line with a literal that starts with that pair, or 0 if
 * there is none.
 */
let starts: Uint16Array | undefined;
/** Parsed formats by line offset. */
const prefixesByLine = new Map<number, SecretPrefix>();
/**
 * All suffixes, each followed by the line offsets of its formats. A suffix is the last two characters of a literal up
 * to and including its marker.
 */
let ends: string | undefined;
const prefixesByEnd = new Map<string, readonly SecretPrefix[]>();

/**
 * Returns whether the text might contain a secret. If not, callers don't need to load the rules. About one in several
 * hundred texts without a secret is a false positive. Regular expressions do nearly all of the work, at about 0.5 GB/s.
 */
export function mayHoldSecret(text: string): boolean {
  if (hasColors(text)) return mayPlainHoldSecret(blankColors(text)) || mayPlainHoldSecret(removeColors(text).text);
  return mayPlainHoldSecret(text);
}

function mayPlainHoldSecret(text: string): boolean {
  if (!hasLongRun(text) && !text.includes("://")) return false;
  if (text.length <= MAX_SCANNED_LENGTH) return hasSecretPrefixAnywhere(text);
  finderPatterns ??= readFinders();
  let count = 0;
  for (const finder of finderPatterns) {
    finder.lastIndex = 0;
    while (finder.test(text)) if (++count > MAX_MARKERS || hasSecretPrefix(text, finder.lastIndex)) return true;
  }
  return false;
}

/** Returns whether the marker that ends at `end` is part of a secret's literal. */
function hasSecretPrefix(text: string, end: number): boolean {
  // Literals are pure ASCII, so ignore a non-ASCII character before the marker.
  const from = end > 1 && text.charCodeAt(end - 2) < 128 ? end - 2 : end - 1;
  const forms = listPrefixesByEnd(text.slice(from, end));
  for (let at = 0; at < forms.length; at++) {
    const form = forms[at] as SecretPrefix;
    if (form.offset <= end && startsAt(form, text, end - form.offset)) return true;
  }
  return false;
}

function hasSecretPrefixAnywhere(text: string): boolean {
  starts ??= readStartTable();
  let code = text.charCodeAt(0);
  for (let at = 0; at + 1 < text.length; at++) {
    const next = text.charCodeAt(at + 1);
    const line = code < 128 && next < 128 ? (starts[(code << 7) | next] as number) : 0;
    code = next;
    if (line === 0) continue;
    if (hasSecretPrefixFrom(line, text, at)) return true;
  }
  return false;
}

const TAB_CODE = 9;

/**
 * Returns whether a format starts at an offset. Checks only the formats that share their first two characters, which
 * are on consecutive lines starting at `first`.
 */
function hasSecretPrefixFrom(first: number, text: string, at: number): boolean {
  const [firstCode, secondCode, thirdCode] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  for (let line = first; marks.charCodeAt(line) === firstCode && marks.charCodeAt(line + 1) === secondCode;) {
    const third = marks.charCodeAt(line + 2);
    if ((third === thirdCode || third === TAB_CODE) && startsAt(readSecretPrefix(line), text, at)) return true;
    line = marks.indexOf("\n", line) + 1;
  }
  return false;
}

function startsAt(form: SecretPrefix, text: string, at: number): boolean {
  if (!text.startsWith(form.literal, at)) return false;
  if (typeof form.beginning === "string") form.beginning = new RegExp(form.beginning, "y");
  form.beginning.lastIndex = at;
  return form.beginning.test(text);
}

/** Reads the regular expressions that find markers: the lines from the third one up to the first line with a tab. */
function readFinders(): RegExp[] {
  const expressions: RegExp[] = [];
  for (const source of marks.slice(0, marks.indexOf("\t")).split("\n").slice(2, -1))
    expressions.push(new RegExp(source, "g"));
  return expressions;
}

/** Returns the offset of the first line with a tab, which contains the first format. */
const findSecretPrefixes = () => marks.lastIndexOf("\n", marks.indexOf("\t")) + 1;

function readStartTable(): Uint16Array {
  const offsets = new Uint16Array(1 << 14);
  for (let at = findSecretPrefixes(); at > 0 && at < marks.length;) {
    offsets[(marks.charCodeAt(at) << 7) | marks.charCodeAt(at + 1)] ||= at;
    at = marks.indexOf("\n", at) + 1;
  }
  return offsets;
}

/**
 * Returns the formats for a suffix, and those for its last character alone, since some literals have only one character
 * up to their marker.
 */
function listPrefixesByEnd(end: string): readonly SecretPrefix[] {
  const cachedForms = prefixesByEnd.get(end);
  if (cachedForms) return cachedForms;
  const forms: SecretPrefix[] = end === "" ? [] : [...listPrefixesByEnd(end.slice(1))];
  prefixesByEnd.set(end, forms);
  ends ??= marks.split("\n", 2)[1] as string;
  const key = ` ${end}@`;
  const at = ends.indexOf(key);
  if (at < 0) return forms;
  const from = at + key.length;
  for (const line of ends.slice(from, ends.indexOf(" ", from)).split(","))
    forms.push(readSecretPrefix(findSecretPrefixes() + Number(line)));
  return forms;
}

/** Parses the format on the line that starts at an offset. */
function readSecretPrefix(line: number): SecretPrefix {
  let form = prefixesByLine.get(line);
  if (form) return form;
  const [literal = "", offset, beginning = ""] = marks.slice(line, marks.indexOf("\n", line)).split("\t");
  form = { offset: Number(offset), literal, beginning };
  prefixesByLine.set(line, form);
  return form;
}

/**
 * Returns whether the text contains a run of the minimum length. Checks each window from its end: if it contains
 * whitespace or a quote, the next window starts after the last one.
 */
export function hasLongRun(text: string): boolean {
  for (let from = 0; from + MIN_RUN_LENGTH <= text.length;) {
    let at = from + MIN_RUN_LENGTH - 1;
    while (at >= from && isInRun(text.charCodeAt(at))) at--;
    if (at < from) return true;
    from = at + 1;
  }
  return false;
}

/** Returns whether a character is neither whitespace nor a quote. */
const isInRun = (code: number): boolean => code > 32 && code !== 34 && code !== 39 && code !== 96;
