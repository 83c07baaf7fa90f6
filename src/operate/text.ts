const INVISIBLE_CHARACTERS = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\t": "\\t", "\r": "\\r" };

/** Escapes control characters that change colors, the output position or the text direction in a terminal. */
export const escapeInvisible = (text: string): string =>
  text.replace(
    INVISIBLE_CHARACTERS,
    (letter) => SHORT_ESCAPES[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Escapes control characters and newlines, so that text from a model or a directory name can't start a new line. */
export const escapeLine = (text: string): string => escapeInvisible(text.replaceAll("\n", "⏎"));

/** Applies `escapeLine` to all strings in a report before it is laid out. */
export const escapeStrings = <T>(value: T): T =>
  (typeof value === "string"
    ? escapeLine(value)
    : Array.isArray(value)
      ? value.map(escapeStrings)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [escapeLine(key), escapeStrings(one)]))
        : value) as T;

/** Formats JSON for safe output on a terminal. Control characters become JSON escape sequences. */
export const formatJson = (value: unknown, indent = 2): string => escapeInvisible(JSON.stringify(value, null, indent));

const graphemeSegmenter = new Intl.Segmenter();

/** Returns the part of a line that fits the width, but always at least one character. Color codes take up no width. */
export function truncateToWidth(line: string, width: number): string {
  let end = 0;
  let usedWidth = 0;
  let isColor = false;
  // A character may consist of many code units but takes up at most two columns.
  for (const { segment } of graphemeSegmenter.segment(line.slice(0, width * 8))) {
    isColor ||= segment === "\u001b";
    if (!isColor) usedWidth += Bun.stringWidth(segment);
    if (usedWidth > width && end > 0) break;
    end += segment.length;
    if (segment === "m") isColor = false;
  }
  return line.slice(0, end);
}

/** Shortens a string to one line of at most `width` columns. */
export function truncateLine(text: string, width: number): string {
  const line = escapeLine(text);
  return Bun.stringWidth(line) <= width ? line : `${truncateToWidth(line, width - 1)}…`;
}

export const formatNumber = (value: number): string => value.toLocaleString("en");

/** Formats a count and its noun, such as `1 line` or `2,000 lines`. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;
