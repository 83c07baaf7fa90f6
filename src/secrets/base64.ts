/** The fewest characters around a part of a file in base64, and the most that are looked at on each side. */
const MIN_AROUND = 60;
const MAX_ASIDE = 160;
/** Lines of base64 are at least so long, but for the last one. */
const MIN_LINE = 60;

const LETTERS = /^[A-Za-z0-9+/=]*$/;
const SIGN = /[A-Za-z0-9+/=\\\r\n]/;
const BREAKS = /\\[nr]|[\r\n]/g;
const LINE_BREAK = /\r?\n|(?:\\r)?\\n/;

/** What stands there up to a character that base64 does not have, without the ends of its lines. */
function readAside(text: string, from: number, step: 1 | -1): string {
  let to = from;
  for (let count = 0; count < MAX_ASIDE && SIGN.test(text[to] ?? " "); count++) to += step;
  const aside = step > 0 ? text.slice(from, to) : text.slice(to + 1, from + 1);
  return aside.replaceAll(BREAKS, "");
}

/** Whether a text has what hardly any path has: letters of both cases, and digits. */
const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);

/** Whether a line begins there that continues one of the same length, and goes on behind the part. */
function isWrappedLine(text: string, start: number, end: number): boolean {
  const lines = text.slice(Math.max(0, start - MAX_ASIDE), end + MAX_ASIDE).split(LINE_BREAK);
  const own = lines.findIndex((line) => line.startsWith(text.slice(start, end)));
  const [before = "", line = ""] = [lines[own - 1], lines[own]];
  return line.length > end - start && line.length >= MIN_LINE && before.length === line.length && LETTERS.test(before);
}

/**
 * Whether a part of a text stands in a file in base64: there any letters come together by chance, and only `+`, `/` or
 * the end of a line makes them look like a word.
 */
export function isInBase64(text: string, start: number, end: number): boolean {
  const [last = ""] = /(?:[+/\n]|\\n)$/.exec(text.slice(Math.max(0, start - 2), start)) ?? [];
  if (last === "" || !LETTERS.test(text.slice(start, end))) return false;
  if (LINE_BREAK.test(last) && !isWrappedLine(text, start, end)) return false;
  const around = readAside(text, start - 1, -1) + readAside(text, end, 1);
  return around.length >= MIN_AROUND && isMixed(around);
}
