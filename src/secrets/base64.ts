/** Minimum length of the base64 data around a match, and maximum length inspected on each side. */
const MIN_AROUND = 60;
const MAX_ASIDE = 160;
/** Minimum length of base64 lines, except for the last one. */
const MIN_LINE = 60;

const BASE64_TEXT = /^[A-Za-z0-9+/=]*$/;
const BASE64_CHARACTER = /[A-Za-z0-9+/=\\\r\n]/;
const BREAKS = /\\[nr]|[\r\n]/g;
const LINE_BREAK = /\r?\n|(?:\\r)?\\n/;

/** Returns the base64 characters next to a position, without line breaks. */
function readAside(text: string, from: number, step: 1 | -1): string {
  let to = from;
  for (let count = 0; count < MAX_ASIDE && BASE64_CHARACTER.test(text[to] ?? " "); count++) to += step;
  const aside = step > 0 ? text.slice(from, to) : text.slice(to + 1, from + 1);
  return aside.replaceAll(BREAKS, "");
}

/** Whether a text has lowercase letters, uppercase letters and digits, as hardly any path does. */
const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);

/**
 * Whether the match starts a line of wrapped base64: a line as long as the previous one that continues after the match.
 */
function isWrappedLine(text: string, start: number, end: number): boolean {
  const lines = text.slice(Math.max(0, start - MAX_ASIDE), end + MAX_ASIDE).split(LINE_BREAK);
  const own = lines.findIndex((line) => line.startsWith(text.slice(start, end)));
  const [before = "", line = ""] = [lines[own - 1], lines[own]];
  return (
    line.length > end - start && line.length >= MIN_LINE && before.length === line.length && BASE64_TEXT.test(before)
  );
}

/**
 * Whether a match is part of a base64 file, where it occurs by chance and only a preceding `+`, `/` or line break makes
 * it look like the start of a word.
 */
export function isInBase64(text: string, start: number, end: number): boolean {
  const [last = ""] = /(?:[+/\n]|\\n)$/.exec(text.slice(Math.max(0, start - 2), start)) ?? [];
  if (last === "" || !BASE64_TEXT.test(text.slice(start, end))) return false;
  if (LINE_BREAK.test(last) && !isWrappedLine(text, start, end)) return false;
  const around = readAside(text, start - 1, -1) + readAside(text, end, 1);
  return around.length >= MIN_AROUND && isMixed(around);
}
