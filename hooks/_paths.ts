import { homedir, type PathUse } from "bridge-hooks";

/** Expands a leading `~` to the home directory. */
export const expandHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir);

/** Returns the wildcards that also match unintended files: `*`, but not `opencod*`. */
export function findBroadWildcards(
  uses: readonly PathUse[],
  isIntended: (use: PathUse) => boolean,
): ReadonlySet<string> {
  const wildcards = new Set(uses.flatMap(({ wildcard, given }) => (wildcard ? [given] : [])));
  const plainUses = uses.filter((use) => !use.wildcard && wildcards.has(use.given) && !isIntended(use));
  return new Set(plainUses.map(({ given }) => given));
}
