/** Minimum length of the base64 data around a match, and how many characters to inspect on each side. */
const MIN_SURROUNDING_LENGTH = 60;
const MAX_SURROUNDING_LENGTH = 160;
/** Minimum length of a base64 line. The last line may be shorter. */
const MIN_LINE_LENGTH = 60;

const BASE64_STRING = /^[A-Za-z0-9+/=]*$/;
const BASE64_CHARACTER = /[A-Za-z0-9+/=\\\r\n]/;
const LINE_BREAKS = /\\[nr]|[\r\n]/g;
const LINE_BREAK = /\r?\n|(?:\\r)?\\n/;

/** Returns the base64 characters before or after a position, without line breaks. */
function readSurroundingBase64(text: string, from: number, step: 1 | -1): string {
  let to = from;
  for (let count = 0; count < MAX_SURROUNDING_LENGTH && BASE64_CHARACTER.test(text[to] ?? " "); count++) to += step;
  const neighbors = step > 0 ? text.slice(from, to) : text.slice(to + 1, from + 1);
  return neighbors.replaceAll(LINE_BREAKS, "");
}

/**
 * Returns whether the text contains lowercase letters, uppercase letters and digits. Paths rarely contain all three.
 */
const hasMixedCharacters = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);

/**
 * Returns whether a match starts a line of wrapped base64. Such a line is as long as the one before it and continues
 * past the match.
 */
function isWrappedLine(text: string, start: number, end: number): boolean {
  const lines = text.slice(Math.max(0, start - MAX_SURROUNDING_LENGTH), end + MAX_SURROUNDING_LENGTH).split(LINE_BREAK);
  const lineIndex = lines.findIndex((line) => line.startsWith(text.slice(start, end)));
  const [previousLine = "", line = ""] = [lines[lineIndex - 1], lines[lineIndex]];
  return (
    line.length > end - start &&
    line.length >= MIN_LINE_LENGTH &&
    previousLine.length === line.length &&
    BASE64_STRING.test(previousLine)
  );
}

/**
 * Returns whether a match is just a coincidence within base64 data, where a `+`, a `/` or a line break can look like
 * the start of a word.
 */
export function isInBase64(text: string, start: number, end: number): boolean {
  const [last = ""] = /(?:[+/\n]|\\n)$/.exec(text.slice(Math.max(0, start - 2), start)) ?? [];
  if (last === "" || !BASE64_STRING.test(text.slice(start, end))) return false;
  if (LINE_BREAK.test(last) && !isWrappedLine(text, start, end)) return false;
  const surroundings = readSurroundingBase64(text, start - 1, -1) + readSurroundingBase64(text, end, 1);
  return surroundings.length >= MIN_SURROUNDING_LENGTH && hasMixedCharacters(surroundings);
}
