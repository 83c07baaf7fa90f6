/** The maximum edit distance of a suggestion: about a third of the name's characters, but no more than 3. */
const computeMaxDistance = (name: string) => Math.min(3, Math.max(1, Math.round(name.length / 3)));

/**
 * Returns the name that was probably intended: one within a small edit distance, one that starts with the given name,
 * or one that the given name starts with. If several names qualify, the nearest wins.
 */
export function findNearestName(givenName: string, names: readonly string[]): string | undefined {
  const lowerName = givenName.toLowerCase();
  let bestName: string | undefined;
  let leastDistance = computeMaxDistance(lowerName) + 1;
  let leastEdits = Infinity;
  for (const name of names) {
    const candidate = name.toLowerCase();
    const isPrefix = lowerName.length >= 3 && (candidate.startsWith(lowerName) || lowerName.startsWith(candidate));
    const edits = computeEditDistance(lowerName, candidate);
    const distance = isPrefix ? Math.min(1, edits) : edits;
    if (distance < leastDistance || (distance === leastDistance && bestName !== undefined && edits < leastEdits))
      [bestName, leastDistance, leastEdits] = [name, distance, edits];
  }
  return bestName;
}

/** Returns `; did you mean x?`, or an empty string if no name is similar. */
export const suggestName = (givenName: string, names: readonly string[]): string =>
  formatHint(findNearestName(givenName, names));

export const formatHint = (suggestion: string | undefined): string =>
  suggestion === undefined ? "" : `; did you mean ${suggestion}?`;

/**
 * Returns the name that `givenName` misspells by one wrong, extra or missing character, or by two adjacent characters in
 * the wrong order. A difference in case isn't a misspelling.
 */
export function findMisspelledName(givenName: string, names: readonly string[]): string | undefined {
  const lowerName = givenName.toLowerCase();
  if (givenName.length < 3 || names.some((name) => name.toLowerCase() === lowerName)) return undefined;
  return names.find((name) => computeEditDistance(lowerName, name.toLowerCase()) === 1);
}

/** Returns the minimum number of characters to insert, delete or replace, or of adjacent pairs to swap. */
function computeEditDistance(a: string, b: string): number {
  let previousRow: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const nextRow = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? (previousRow[j - 2] as number) + 1 : Infinity;
      nextRow.push(Math.min(substitution, (row[j] as number) + 1, (nextRow[j - 1] as number) + 1, swap));
    }
    [previousRow, row] = [row, nextRow];
  }
  return row.at(-1) as number;
}
