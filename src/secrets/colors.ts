import type { MappedString } from "./quotes.ts";

const ESCAPE_CHARACTER = "\x1b";
/** A terminal color sequence. */
// oxlint-disable-next-line no-control-regex
const COLOR_SEQUENCE = /\x1b\[[0-?]{0,60}[ -/]{0,4}[@-~]/g;
/** Any terminal sequence, including titles, links and character sets. */
// oxlint-disable-next-line no-control-regex
const TERMINAL_SEQUENCE = /\x1b(?:\[[0-?]{0,60}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[()][0-9A-Z])/g;

export const hasColors = (text: string): boolean => text.includes(ESCAPE_CHARACTER);

/** Replaces each character of a color sequence with a space, in case a word starts right after it. */
export const blankColors = (text: string): string => text.replace(COLOR_SEQUENCE, ({ length }) => " ".repeat(length));

/** Removes terminal sequences entirely, in case the color changes in the middle of a word. */
export function removeColors(text: string): MappedString {
  const parts: string[] = [];
  // Start offset of each part in the cleaned text (`starts`) and in the original text (`origins`).
  const starts: number[] = [];
  const origins: number[] = [];
  let length = 0;
  let from = 0;
  const addPart = (to: number) => {
    if (to === from) return;
    parts.push(text.slice(from, to));
    starts.push(length);
    origins.push(from);
    length += to - from;
  };
  for (const { 0: sequence, index } of text.matchAll(TERMINAL_SEQUENCE)) {
    addPart(index);
    from = index + sequence.length;
  }
  addPart(text.length);
  const locate = (at: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return (origins[low] ?? 0) + at - (starts[low] ?? 0);
  };
  return { text: parts.join(""), locate };
}
