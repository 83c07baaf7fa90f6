import { blankColors, hasColors, removeColors } from "./colors.ts";
import marks from "./marks.txt" with { type: "text" };

/** A secret found in a text. */
export interface Secret {
  /** Kind of the secret, such as "github-token", "aws-secret-key", "private-key" or "database-url". */
  kind: string;
  /** Start offset in UTF-16 code units. */
  start: number;
  /** End offset in UTF-16 code units (exclusive). */
  end: number;
}

/**
 * Minimum number of consecutive characters in a secret that are neither whitespace nor quotes. Passwords in URLs may be
 * shorter.
 */
const MIN_RUN_LENGTH = 16;

/**
 * Maximum number of markers to check. If a text contains more markers, the rules are applied without further checks.
 */
const MAX_MARKS = 50_000;

/** The start of a secret format. */
interface Form {
  /** Number of characters from the start of the literal to the end of its marker. */
  offset: number;
  literal: string;
  /** Pattern for the literal and for the characters around it that the rule specifies. Compiled on first use. */
  beginning: RegExp | string;
}

/**
 * Maximum length of a text that is scanned character by character. For such short texts, compiling the regular
 * expressions would take longer than the scan.
 */
const MAX_SCANNED_LENGTH = 1 << 13;

let finders: RegExp[] | undefined;
/**
 * For each pair of ASCII characters, the offset of the first line whose literal starts with this pair, or 0 if there is
 * no such line.
 */
let starts: Uint16Array | undefined;
/** Parsed formats by line offset. */
const formsByLine = new Map<number, Form>();
/**
 * Suffixes, each followed by the line offsets of its formats. A suffix consists of the last two characters of a literal
 * up to its marker.
 */
let ends: string | undefined;
const formsByEnd = new Map<string, readonly Form[]>();

/**
 * Returns whether a text may contain a secret. The result is wrong for about one in several hundred texts without a
 * secret. If the result is false, callers don't need to load the rules. Regular expressions do nearly all of the work
 * and process about 0.5 GB/s.
 */
export function mayHoldSecret(text: string): boolean {
  if (hasColors(text)) return mayPlainHoldSecret(blankColors(text)) || mayPlainHoldSecret(removeColors(text).text);
  return mayPlainHoldSecret(text);
}

function mayPlainHoldSecret(text: string): boolean {
  if (!hasLongRun(text) && !text.includes("://")) return false;
  if (text.length <= MAX_SCANNED_LENGTH) return hasFormAnywhere(text);
  finders ??= readFinders();
  let count = 0;
  for (const finder of finders) {
    finder.lastIndex = 0;
    while (finder.test(text)) if (++count > MAX_MARKS || hasForm(text, finder.lastIndex)) return true;
  }
  return false;
}

/** Returns whether a secret's literal may include the marker that ends at `end`. */
function hasForm(text: string, end: number): boolean {
  // Literals contain only ASCII characters, so a preceding non-ASCII character is ignored.
  const from = end > 1 && text.charCodeAt(end - 2) < 128 ? end - 2 : end - 1;
  const forms = listFormsByEnd(text.slice(from, end));
  for (let at = 0; at < forms.length; at++) {
    const form = forms[at] as Form;
    if (form.offset <= end && beginsAt(form, text, end - form.offset)) return true;
  }
  return false;
}

function hasFormAnywhere(text: string): boolean {
  starts ??= readStarts();
  let code = text.charCodeAt(0);
  for (let at = 0; at + 1 < text.length; at++) {
    const next = text.charCodeAt(at + 1);
    const line = code < 128 && next < 128 ? (starts[(code << 7) | next] as number) : 0;
    code = next;
    if (line === 0) continue;
    if (hasFormFrom(line, text, at)) return true;
  }
  return false;
}

const TAB = 9;

/**
 * Returns whether a format starts at an offset. Checks only the formats whose literals start with the same two
 * characters. These formats are on consecutive lines.
 */
function hasFormFrom(first: number, text: string, at: number): boolean {
  const [firstCode, secondCode, thirdCode] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  for (let line = first; marks.charCodeAt(line) === firstCode && marks.charCodeAt(line + 1) === secondCode;) {
    const third = marks.charCodeAt(line + 2);
    if ((third === thirdCode || third === TAB) && beginsAt(readForm(line), text, at)) return true;
    line = marks.indexOf("\n", line) + 1;
  }
  return false;
}

function beginsAt(form: Form, text: string, at: number): boolean {
  if (!text.startsWith(form.literal, at)) return false;
  if (typeof form.beginning === "string") form.beginning = new RegExp(form.beginning, "y");
  form.beginning.lastIndex = at;
  return form.beginning.test(text);
}

/**
 * Reads the regular expressions that find markers. The expressions start on the third line and end before the first
 * line that contains a tab.
 */
function readFinders(): RegExp[] {
  const expressions: RegExp[] = [];
  for (const source of marks.slice(0, marks.indexOf("\t")).split("\n").slice(2, -1))
    expressions.push(new RegExp(source, "g"));
  return expressions;
}

/** Returns the offset of the first line that contains a tab. This line contains the first format. */
const findForms = () => marks.lastIndexOf("\n", marks.indexOf("\t")) + 1;

function readStarts(): Uint16Array {
  const offsets = new Uint16Array(1 << 14);
  for (let at = findForms(); at > 0 && at < marks.length;) {
    offsets[(marks.charCodeAt(at) << 7) | marks.charCodeAt(at + 1)] ||= at;
    at = marks.indexOf("\n", at) + 1;
  }
  return offsets;
}

/**
 * Returns the formats for a suffix. Also returns formats with a shorter suffix, whose literals have fewer characters
 * before the marker.
 */
function listFormsByEnd(end: string): readonly Form[] {
  const cachedForms = formsByEnd.get(end);
  if (cachedForms) return cachedForms;
  const forms: Form[] = end === "" ? [] : [...listFormsByEnd(end.slice(1))];
  formsByEnd.set(end, forms);
  ends ??= marks.split("\n", 2)[1] as string;
  const key = ` ${end}@`;
  const at = ends.indexOf(key);
  if (at < 0) return forms;
  const from = at + key.length;
  for (const line of ends.slice(from, ends.indexOf(" ", from)).split(","))
    forms.push(readForm(findForms() + Number(line)));
  return forms;
}

/** Parses the format on the line that starts at an offset. */
function readForm(line: number): Form {
  let form = formsByLine.get(line);
  if (form) return form;
  const [literal = "", offset, beginning = ""] = marks.slice(line, marks.indexOf("\n", line)).split("\t");
  form = { offset: Number(offset), literal, beginning };
  formsByLine.set(line, form);
  return form;
}

/**
 * Returns whether a text contains a run of the minimum length. Each window is checked from its end: if the window
 * contains a break, a long enough run can only start after the last break.
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
