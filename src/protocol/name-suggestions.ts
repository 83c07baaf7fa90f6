/** The name that was most likely meant: of those that differ in few letters, the nearest; or one that begins with the other. */
export function findNearestName(given: string, names: readonly string[]): string | undefined {
  const wanted = given.toLowerCase();
  let best: string | undefined;
  let least = (wanted.length <= 3 ? 1 : Math.ceil(wanted.length / 3)) + 1;
  for (const name of names) {
    const known = name.toLowerCase();
    const begins = wanted.length >= 3 && (known.startsWith(wanted) || wanted.startsWith(known));
    const far = begins ? 1 : computeEditDistance(wanted, known);
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

/** `; did you mean x?`, or nothing where no name is near. */
export const suggestName = (given: string, names: readonly string[]): string => hintOf(findNearestName(given, names));

/** The same for a name that was found already. */
export const hintOf = (near: string | undefined): string => (near === undefined ? "" : `; did you mean ${near}?`);

/** The name that this one is a slip of: one letter is another, too many or too few, or two have changed places. Another case is none. */
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

/** How many letters have to be put in, taken out, or changed. */
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
