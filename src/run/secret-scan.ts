import marks from "./secret-marks.txt" with { type: "text" };

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
const MAX_MARKS = 1_000;

/** How a form of secrets begins. */
interface Form {
  /** How far before the end of a mark its literal piece stands. */
  offset: number;
  piece: string;
  /** The piece with what surrounds it, as far as the rule's pattern says; made when it is needed. */
  beginning: RegExp | string;
}

/** In texts of at most this length each character is looked at: to compile what finds marks takes longer. */
const SHORT_LENGTH = 1 << 14;

let finders: RegExp[] | undefined;
let forms: Form[] | undefined;
/** The forms by the first two characters of their pieces: for each two of ASCII the number of a list; the first is empty. */
let starts: { numbers: Uint16Array; lists: Form[][] } | undefined;

/**
 * Whether a text may hold a secret: of texts that hold none, that is one in some hundreds. The rules need not be loaded
 * for the others. The engine does all of the work, at about half a gigabyte a second.
 */
export function mayHoldSecret(text: string): boolean {
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
  forms ??= readForms();
  for (const form of forms) {
    const at = end - form.offset;
    if (at >= 0 && beginsAt(form, text, at)) return true;
  }
  return false;
}

function hasFormAnywhere(text: string): boolean {
  const { numbers, lists } = (starts ??= listStarts((forms ??= readForms())));
  let code = text.charCodeAt(0);
  for (let at = 0; at + 1 < text.length; at++) {
    const next = text.charCodeAt(at + 1);
    const number = code < 128 && next < 128 ? (numbers[(code << 7) | next] as number) : 0;
    code = next;
    if (number === 0) continue;
    for (const form of lists[number] as Form[]) if (beginsAt(form, text, at)) return true;
  }
  return false;
}

function beginsAt(form: Form, text: string, at: number): boolean {
  if (!text.startsWith(form.piece, at)) return false;
  if (typeof form.beginning === "string") form.beginning = new RegExp(form.beginning, "y");
  form.beginning.lastIndex = at;
  return form.beginning.test(text);
}

function listStarts(all: readonly Form[]): NonNullable<typeof starts> {
  const numbers = new Uint16Array(1 << 14);
  const lists: Form[][] = [[]];
  for (const form of all) {
    const two = (form.piece.charCodeAt(0) << 7) | form.piece.charCodeAt(1);
    numbers[two] ||= lists.push([]) - 1;
    lists[numbers[two] as number]?.push(form);
  }
  return { numbers, lists };
}

/** The expressions that find marks: the lines without fields, below the first. */
const readFinders = () =>
  marks
    .trim()
    .split("\n")
    .slice(1)
    .filter((line) => !line.includes("\t"))
    .map((source) => new RegExp(source, "g"));

function readForms(): Form[] {
  const found: Form[] = [];
  for (const line of marks.split("\n")) {
    const first = line.indexOf("\t");
    if (first < 0) continue;
    const second = line.indexOf("\t", first + 1);
    const [offset, piece] = [Number(line.slice(0, first)), line.slice(first + 1, second)];
    found.push({ offset, piece, beginning: line.slice(second + 1) });
  }
  return found;
}

function hasLongRun(text: string): boolean {
  let length = 0;
  for (let at = 0; at < text.length && length < MIN_RUN_LENGTH; at++) {
    const code = text.charCodeAt(at);
    length = code <= 32 || code === 34 || code === 39 || code === 96 ? 0 : length + 1;
  }
  return length === MIN_RUN_LENGTH;
}
