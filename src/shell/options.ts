/** An option that was read: `-u`, `--user`, with its value where it has one. */
export interface Option {
  name: string;
  value?: string;
  /** How many words it takes up; where it isn't known, it may be one more. */
  words: 1 | 2;
  known: boolean;
}

/** More letters than these in one word are no options. */
const MOST_LETTERS = 32;

/** The options that stand in one word (`-xvf`), read by a table as in `Wrapper.options`; only the last may have a value. */
export function optionsAt(words: readonly string[], at: number, table: string): Option[] {
  const word = words[at] as string;
  const [short = "", ...long] = table.split(" ");
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    if (equals > 0) return [{ name: word.slice(0, equals), value: word.slice(equals + 1), words: 1, known: true }];
    if (long.includes(`${word}=`)) return [{ name: word, value: words[at + 1], words: 2, known: true }];
    return [{ name: word, words: 1, known: long.includes(word) }];
  }
  const found: Option[] = [];
  for (let i = 1; i < Math.min(word.length, MOST_LETTERS); i++) {
    const letter = word[i] as string;
    const place = letter === ":" ? -1 : short.indexOf(letter);
    if (place >= 0 && short[place + 1] === ":") {
      const value = word.slice(i + 1);
      const attached = value !== "" || short[place + 2] === ":";
      found.push({ name: `-${letter}`, value: attached ? value : words[at + 1], words: attached ? 1 : 2, known: true });
      break;
    }
    found.push({ name: `-${letter}`, words: 1, known: place >= 0 });
  }
  return found;
}

/** Where the words behind options begin; a `--` ends them. */
export function behindOptions(words: readonly string[], start: number, table: string): number {
  let at = start;
  while (/^-./.test(words[at] ?? "")) {
    if (words[at] === "--") return at + 1;
    at += optionsAt(words, at, table).at(-1)?.words ?? 1;
  }
  return at;
}
