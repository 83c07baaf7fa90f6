/**
 * Returns the probable intended name: a name within a small edit distance, or a name that is a prefix of the given name
 * or vice versa. If several names qualify, the nearest wins.
 */
export function findNearestName(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  let best: string | undefined;
  let least = (wanted.length <= 3 ? 1 : Math.ceil(wanted.length / 3)) + 1;
  let leastEdits = Infinity;
  for (const name of names) {
    const known = name.toLowerCase();
    const begins = wanted.length >= 3 && (known.startsWith(wanted) || wanted.startsWith(known));
    const edits = computeEditDistance(wanted, known);
    const far = begins ? Math.min(1, edits) : edits;
    if (far < least || (far === least && best !== undefined && edits < leastEdits))
      [best, least, leastEdits] = [name, far, edits];
  }
  return best;
}

/** Returns `; did you mean x?`, or an empty string if no name is close. */
export const suggestName = (given: string, names: readonly string[]): string =>
  formatHint(findNearestName(given, names));

/** Formats the hint for a suggestion. */
export const formatHint = (near: string | undefined): string => (near === undefined ? "" : `; did you mean ${near}?`);

/**
 * Returns the name that `given` misspells by one wrong, extra or missing character, or by two swapped ones. A
 * difference in case isn't a typo.
 */
export function findMisspelledName(given: string, names: readonly string[]): string | undefined {
  const letters = (text: string) => [...text].sort().join("");
  const wanted = given.toLowerCase();
  if (given.length < 3 || names.some((name) => name.toLowerCase() === wanted)) return undefined;
  return names.find((name) => {
    const known = name.toLowerCase();
    const far = computeEditDistance(wanted, known);
    return far === 1 || (far === 2 && letters(wanted) === letters(known));
  });
}

/** Returns the number of characters to insert, delete or replace. */
function computeEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
