import { homedir, type PathUse } from "bridge-hooks";

/** A path that begins with `~`, from the home folder. */
export const expandHome = (path: string): string => path.replace(/^~(?=\/|$)/, homedir);

/** The words with wildcards that fit files which are not meant, beside those that may be: `*`, but not `opencod*`. */
export function findBroadWildcards(uses: readonly PathUse[], isMeant: (use: PathUse) => boolean): ReadonlySet<string> {
  const wildcards = new Set(uses.flatMap(({ wildcard, given }) => (wildcard ? [given] : [])));
  const others = uses.filter((use) => !use.wildcard && wildcards.has(use.given) && !isMeant(use));
  return new Set(others.map(({ given }) => given));
}
