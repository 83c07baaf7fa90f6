/** A source of numbers that look like chance and are the same in every run. */
export type Random = () => number;

/** Mulberry32: small, and good enough to choose words. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = <T>(values: readonly T[], random: Random): T => values[Math.floor(random() * values.length)] as T;

/** A number for a text, so that one list's choices don't change with what stands in another. */
export const hashText = (text: string): number =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0, 2166136261);

/** Words by the name of their slot; they may have slots and choices themselves. */
export type Vocabulary = Readonly<Record<string, readonly string[]>>;

/** A choice without another one in it, or a slot. */
const INNERMOST = /‹([^‹›]*)›|«([A-Za-z0-9-]+)»/;
/** What stands between the words of a choice: a bar with a blank behind it is a pipe of the line. */
const SEPARATOR = /\|(?! )/;
/** A bar of the line, while choices are made. */
const BAR = "\u{e000}";

const splitChoice = (choice: string) => choice.replaceAll("\\|", BAR).split(SEPARATOR);

/**
 * A template filled in: `«file»` is a word of the vocabulary, `‹-q|--quiet|›` one of several, none included, and `⏎` a new line.
 * Signs that no shell line has are used, so that a template can be read as the line that it is. In a choice, `\|` is a bar of the
 * line itself, and so is one before a blank: `‹| head|| wc -l|›` is a pipe to either, or none.
 * @throws Error where the vocabulary has no such slot.
 */
export function fillTemplate(template: string, vocabulary: Vocabulary, random: Random): string {
  let line = template;
  for (let match = INNERMOST.exec(line); match !== null; match = INNERMOST.exec(line)) {
    const [whole, choice, slot] = match;
    const words = slot === undefined ? splitChoice(choice as string) : vocabulary[slot];
    if (words === undefined) throw new Error(`the vocabulary has no slot "${slot}", in: ${template}`);
    line = line.slice(0, match.index) + pick(words, random) + line.slice(match.index + whole.length);
  }
  // What an empty choice leaves between two words.
  return line
    .replaceAll("⏎", "\n")
    .replaceAll(BAR, "|")
    .replace(/(?<=\S) {2,}(?=\S)/g, " ")
    .replace(/ +(?=\n|$)/g, "");
}

/** The templates of a file: one a line, without blank lines and those that begin with `##`. */
export const readTemplates = (text: string): string[] =>
  text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("##"));

/** How often in a row a template may give a line that is known, before it is taken to have no more. */
const MAX_REPEATS = 30;

/** Distinct lines of a template, as many as it has, up to a number. */
export function expandTemplate(template: string, vocabulary: Vocabulary, most: number, random: Random): string[] {
  const lines = new Set<string>();
  for (let repeats = 0; lines.size < most && repeats < MAX_REPEATS;) {
    const size = lines.size;
    lines.add(fillTemplate(template, vocabulary, random));
    repeats = lines.size === size ? repeats + 1 : 0;
  }
  return [...lines];
}
