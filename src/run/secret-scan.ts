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

let finders: RegExp[] | undefined;
let forms: Form[] | undefined;

/**
 * Whether a text may hold a secret: of texts that hold none, that is one in some hundreds. The rules need not be loaded
 * for the others. The engine does all of the work, at about half a gigabyte a second.
 */
export function mayHoldSecret(text: string): boolean {
  if (!hasLongRun(text) && !text.includes("://")) return false;
  finders ??= readLines((fields) => fields.length === 1).map(([source = ""]) => new RegExp(source, "g"));
  let count = 0;
  for (const finder of finders) {
    finder.lastIndex = 0;
    while (finder.test(text)) if (++count > MAX_MARKS || hasForm(text, finder.lastIndex)) return true;
  }
  return false;
}

/** Whether a secret may begin around the end of a mark. */
function hasForm(text: string, end: number): boolean {
  forms ??= readLines((fields) => fields.length > 1).map(([offset, piece = "", beginning = ""]) => ({
    offset: Number(offset),
    piece,
    beginning,
  }));
  for (const form of forms) {
    const at = end - form.offset;
    if (at < 0 || !text.startsWith(form.piece, at)) continue;
    if (typeof form.beginning === "string") form.beginning = new RegExp(form.beginning, "y");
    form.beginning.lastIndex = at;
    if (form.beginning.test(text)) return true;
  }
  return false;
}

const readLines = (isWanted: (fields: readonly string[]) => boolean): string[][] =>
  marks
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))
    .filter(isWanted);

function hasLongRun(text: string): boolean {
  let length = 0;
  for (let at = 0; at < text.length && length < MIN_RUN_LENGTH; at++) {
    const code = text.charCodeAt(at);
    length = code <= 32 || code === 34 || code === 39 || code === 96 ? 0 : length + 1;
  }
  return length === MIN_RUN_LENGTH;
}
