/** A random generator that gives the same sequence in every run. */
export type Random = () => number;

/** Uses mulberry32, which is small and good enough for choosing words. */
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

/** Hashes a string. Used as a seed, so that one list's choices don't depend on what another list contains. */
export const hashText = (text: string): number =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0, 2166136261);

/** Words, keyed by slot name. A word may itself contain slots and choices. */
export type Vocabulary = Readonly<Record<string, readonly string[]>>;

/** Matches a slot, or a choice that contains no other choice. */
const INNERMOST = /‹([^‹›]*)›|«([A-Za-z0-9-]+)»/;
/** Separates the alternatives in a choice. A bar followed by a space is a shell pipe. */
const SEPARATOR = /\|(?! )/;
/** Placeholder for a literal bar while choices are expanded. */
const BAR = "\u{e000}";

const splitChoice = (choice: string) => choice.replaceAll("\\|", BAR).split(SEPARATOR);

/**
 * Fills in a template: `«file»` stands for a word from the vocabulary, `‹-q|--quiet|›` for one of several alternatives
 * (here including an empty one), and `
 * ` for a newline. These characters don't occur in shell commands, so a template reads like the command itself. In a
 * choice, `\|` is a literal bar, and so is a bar before a space: `‹| head|| wc -l|›` is a pipe to either program, or no
 * pipe.
 *
 * @throws Error if the vocabulary lacks a slot.
 */
export function fillTemplate(template: string, vocabulary: Vocabulary, random: Random): string {
  let line = template;
  for (let match = INNERMOST.exec(line); match !== null; match = INNERMOST.exec(line)) {
    const [whole, choice, slot] = match;
    const words = slot === undefined ? splitChoice(choice as string) : vocabulary[slot];
    if (words === undefined) throw new Error(`the vocabulary has no slot "${slot}", in: ${template}`);
    line = line.slice(0, match.index) + pick(words, random) + line.slice(match.index + whole.length);
  }
  // Empty choices leave extra spaces between words.
  return line
    .replaceAll("⏎", "\n")
    .replaceAll(BAR, "|")
    .replace(/(?<=\S) {2,}(?=\S)/g, " ")
    .replace(/ +(?=\n|$)/g, "");
}

/** Reads a file's templates, one per line, skipping blank lines and those that start with `##`. */
export const readTemplates = (text: string): string[] =>
  text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("##"));

/** How many duplicates in a row mean that a template is exhausted. */
const MAX_REPEATS = 30;

/** Generates distinct commands from a template, up to a maximum number. */
export function expandTemplate(template: string, vocabulary: Vocabulary, most: number, random: Random): string[] {
  const lines = new Set<string>();
  for (let repeats = 0; lines.size < most && repeats < MAX_REPEATS;) {
    const size = lines.size;
    lines.add(fillTemplate(template, vocabulary, random));
    repeats = lines.size === size ? repeats + 1 : 0;
  }
  return [...lines];
}
