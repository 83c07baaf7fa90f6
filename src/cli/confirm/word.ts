const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";
const SYLLABLE_COUNT = 3;

const pickLetter = (alphabet: string, value: number) => alphabet[value % alphabet.length] ?? "";

/** Creates a random word that is easy to read and type, such as `tokamu`. */
export function createWord(): string {
  const values = crypto.getRandomValues(new Uint32Array(2 * SYLLABLE_COUNT));
  return [...values].map((value, at) => pickLetter(at % 2 === 0 ? CONSONANTS : VOWELS, value)).join("");
}
