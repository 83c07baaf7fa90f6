const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";
const SYLLABLES = 3;

const pick = (alphabet: string, value: number) => alphabet[value % alphabet.length] ?? "";

/** Creates a random word that is easy to read and type, such as `tokamu`. */
export function createWord(): string {
  const values = crypto.getRandomValues(new Uint32Array(2 * SYLLABLES));
  return [...values].map((value, at) => pick(at % 2 === 0 ? CONSONANTS : VOWELS, value)).join("");
}
