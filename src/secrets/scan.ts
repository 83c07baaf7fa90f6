import { blankColours, hasColours, removeColours } from "./colours.ts";
import marks from "./marks.txt" with { type: "text" };

/** A secret in a text. */
export interface Secret {
  /** What it is for: "github-token", "aws-secret-key", "private-key", "database-url", … */
  kind: string;
  /** Where it begins, in UTF-16 units of the text. */
  start: number;
  /** Where it ends: behind its last unit. */
  end: number;
}

/** Every secret has so many characters in a row that are not blank and not quotes, but for passwords in URLs. */
const MIN_RUN_LENGTH = 16;

/** More marks than that are looked at the rules' way. */
const MAX_MARKS = 50_000;

/** How a form of secrets begins. */
interface Form {
  /** How far before the end of a mark its literal piece stands. */
  offset: number;
  piece: string;
  /** The piece with what surrounds it, as far as the rule's pattern says; made when it is needed. */
  beginning: RegExp | string;
}

/** In texts of at most this length each character is looked at: to compile what finds marks takes longer. */
const SHORT_LENGTH = 1 << 13;

let finders: RegExp[] | undefined;
/** Where the first line of those is whose pieces begin with two ASCII characters; 0 for none. */
let starts: Uint16Array | undefined;
/** The forms by where their lines begin: read where a text has the piece, or its end. */
const formsByLine = new Map<number, Form>();
/** The last two characters of pieces up to marks, and where the lines of such forms are. */
let ends: string | undefined;
const formsByEnd = new Map<string, readonly Form[]>();

/**
 * Whether a text may hold a secret: of texts that hold none, that is one in some hundreds. The rules need not be loaded
 * for the others. The engine does nearly all of the work, at about half a gigabyte a second.
 */
export function mayHoldSecret(text: string): boolean {
  if (hasColours(text)) return mayPlainHoldSecret(blankColours(text)) || mayPlainHoldSecret(removeColours(text).text);
  return mayPlainHoldSecret(text);
}

function mayPlainHoldSecret(text: string): boolean {
  if (!hasLongRun(text) && !text.includes("://")) return false;
  if (text.length <= SHORT_LENGTH) return hasFormAnywhere(text);
  finders ??= readFinders();
  let count = 0;
  for (const finder of finders) {
    finder.lastIndex = 0;
    while (finder.test(text)) if (++count > MAX_MARKS || hasForm(text, finder.lastIndex)) return true;
  }
  return false;
}

/** Whether a secret may begin around the end of a mark. */
function hasForm(text: string, end: number): boolean {
  // Pieces are ASCII, so another character before the last one is ignored.
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

/** Whether one of the forms begins there whose lines follow one another: their pieces begin with the same two characters. */
function hasFormFrom(first: number, text: string, at: number): boolean {
  const [one, two, three] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  for (let line = first; marks.charCodeAt(line) === one && marks.charCodeAt(line + 1) === two;) {
    const wanted = marks.charCodeAt(line + 2);
    if ((wanted === three || wanted === TAB) && beginsAt(readForm(line), text, at)) return true;
    line = marks.indexOf("\n", line) + 1;
  }
  return false;
}

function beginsAt(form: Form, text: string, at: number): boolean {
  if (!text.startsWith(form.piece, at)) return false;
  if (typeof form.beginning === "string") form.beginning = new RegExp(form.beginning, "y");
  form.beginning.lastIndex = at;
  return form.beginning.test(text);
}

/** The expressions that find marks: the lines without fields, below the first two. */
function readFinders(): RegExp[] {
  const found: RegExp[] = [];
  for (const source of marks.slice(0, marks.indexOf("\t")).split("\n").slice(2, -1))
    found.push(new RegExp(source, "g"));
  return found;
}

/** Where the lines of forms begin: those with fields. */
const findForms = () => marks.lastIndexOf("\n", marks.indexOf("\t")) + 1;

function readStarts(): Uint16Array {
  const found = new Uint16Array(1 << 14);
  for (let at = findForms(); at > 0 && at < marks.length;) {
    found[(marks.charCodeAt(at) << 7) | marks.charCodeAt(at + 1)] ||= at;
    at = marks.indexOf("\n", at) + 1;
  }
  return found;
}

/** Those of fewer characters, too: of forms that have no more up to a mark. */
function listFormsByEnd(end: string): readonly Form[] {
  const known = formsByEnd.get(end);
  if (known) return known;
  const found: Form[] = end === "" ? [] : [...listFormsByEnd(end.slice(1))];
  formsByEnd.set(end, found);
  ends ??= marks.split("\n", 2)[1] as string;
  const key = ` ${end}@`;
  const at = ends.indexOf(key);
  if (at < 0) return found;
  const from = at + key.length;
  for (const line of ends.slice(from, ends.indexOf(" ", from)).split(","))
    found.push(readForm(findForms() + Number(line)));
  return found;
}

/** The form in the line that begins there. */
function readForm(line: number): Form {
  let form = formsByLine.get(line);
  if (form) return form;
  const [piece = "", offset, beginning = ""] = marks.slice(line, marks.indexOf("\n", line)).split("\t");
  form = { offset: Number(offset), piece, beginning };
  formsByLine.set(line, form);
  return form;
}

/**
 * Whether a text has so many characters in a row. Each stretch is read from its end: where a run is broken there, no long
 * one begins before that.
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

/** Neither a blank nor a quote. */
const isInRun = (code: number): boolean => code > 32 && code !== 34 && code !== 39 && code !== 96;
