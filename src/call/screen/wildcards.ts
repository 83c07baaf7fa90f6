import { wildcardPattern } from "../../shell/words/wildcard.ts";

/** Wildcards that match every name. */
const ANY_NAME = "|*|**|.*|";
const WILDCARD_CHARACTERS = ["*", "?", "["];

/**
 * Returns whether a word with wildcards may match one of the names when a program looks up files by pattern, as in
 * `find -name '.e*'`. Ignores case, as some programs do.
 */
export function mayMatchName(words: readonly string[], names: readonly string[]): boolean {
  for (const word of words) {
    const isList = word.includes("{") && word.includes(",");
    if (!isList && !WILDCARD_CHARACTERS.some((sign) => word.includes(sign))) continue;
    const pattern = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
    if (ANY_NAME.includes(`|${pattern}|`)) continue;
    // A named character class could match any letter.
    if (pattern.includes("[:")) return true;
    const isMatch = wildcardPattern(isList ? expandBraceList(pattern) : pattern);
    if (names.some(isMatch)) return true;
  }
  return false;
}

/** Replaces a list such as `{a,b}` with a wildcard. If it contains spaces or quotes, it is code instead. */
function expandBraceList(pattern: string): string {
  const [start, end] = [pattern.indexOf("{"), pattern.lastIndexOf("}")];
  const alternatives = pattern.slice(start + 1, end);
  if (end < start || !alternatives.includes(",") || [" ", '"', "'"].some((sign) => alternatives.includes(sign)))
    return pattern;
  return `${pattern.slice(0, start)}*${pattern.slice(end + 1)}`;
}
