const UNSEEN = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const SHORT: Readonly<Record<string, string>> = { "\t": "\\t", "\r": "\\r" };

/** A text as a terminal may show it: what would colour it, move to elsewhere, or turn its direction round is spelled out. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (letter) => SHORT[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

const graphemes = new Intl.Segmenter();

/** A line in pieces of at most so many columns: nothing is added or left out. */
export function pieces(line: string, width: number): string[] {
  if (Bun.stringWidth(line) <= width) return [line];
  const found: string[] = [];
  let piece = "";
  let used = 0;
  for (const { segment } of graphemes.segment(line)) {
    const wide = Bun.stringWidth(segment);
    if (used + wide > width) {
      found.push(piece);
      [piece, used] = ["", 0];
    }
    piece += segment;
    used += wide;
  }
  return [...found, piece];
}

/** A text in lines of at most so many columns, broken between words where that is possible. */
export function filled(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ").flatMap((one) => pieces(one, width))) {
      if (line !== "" && Bun.stringWidth(line) + 1 + Bun.stringWidth(word) > width) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}

/** The beginning of a text, on one line of at most so many columns. */
export function shortened(text: string, width: number): string {
  const line = visible(text.replaceAll("\n", "⏎"));
  return Bun.stringWidth(line) <= width ? line : `${pieces(line, width - 1)[0]}…`;
}

/** A text with spaces behind it, up to so many columns. */
export const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** Lines behind a label: the first beside it, the others below. */
export const labelled = (label: string, lines: readonly string[], width: number): string[] =>
  lines.map((line, at) => `${padded(at === 0 ? label : "", width)}${line}`.trimEnd());
