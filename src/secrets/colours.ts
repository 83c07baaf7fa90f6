import type { MappedText } from "./quotes.ts";

const ESCAPE = "\x1b";
/** What colours a text in a terminal. */
// oxlint-disable-next-line no-control-regex
const COLOUR = /\x1b\[[0-?]{0,60}[ -/]{0,4}[@-~]/g;
/** That, titles and links, and sets of characters. */
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\x1b(?:\[[0-?]{0,60}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[()][0-9A-Z])/g;

export const hasColours = (text: string): boolean => text.includes(ESCAPE);

/** The text with a blank for each character of a colour: a word may begin behind one. */
export const blankColours = (text: string): string => text.replace(COLOUR, ({ length }) => " ".repeat(length));

/** The text without what only a terminal reads: a colour may begin within a word. */
export function removeColours(text: string): MappedText {
  const parts: string[] = [];
  // Where the parts begin, in the text that is left and in the whole.
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
  for (const { 0: sequence, index } of text.matchAll(SEQUENCE)) {
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
