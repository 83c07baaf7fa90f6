import { wildcardPattern } from "../../shell/words/wildcard.ts";

/** Wildcards that every name fits. */
const ANY_NAME = "|*|**|.*|";
const SIGNS = ["*", "?", "["];

/**
 * Whether a word with wildcards may stand for one of the names, where a program finds files by it: `find -name '.e*'`. In
 * lower case, as some search.
 */
export function mayStandForOne(words: readonly string[], names: readonly string[]): boolean {
  for (const word of words) {
    const isList = word.includes("{") && word.includes(",");
    if (!isList && !SIGNS.some((sign) => word.includes(sign))) continue;
    const pattern = word.slice(word.lastIndexOf("/") + 1).toLowerCase();
    if (ANY_NAME.includes(`|${pattern}|`)) continue;
    // Classes by name fit any letter.
    if (pattern.includes("[:")) return true;
    const isMatch = wildcardPattern(isList ? openList(pattern) : pattern);
    if (names.some(isMatch)) return true;
  }
  return false;
}

/** A pattern whose list, `{a,b}`, fits any text; one with spaces or quotes in it is code. */
function openList(pattern: string): string {
  const [start, end] = [pattern.indexOf("{"), pattern.lastIndexOf("}")];
  const inside = pattern.slice(start + 1, end);
  if (end < start || !inside.includes(",") || [" ", '"', "'"].some((sign) => inside.includes(sign))) return pattern;
  return `${pattern.slice(0, start)}*${pattern.slice(end + 1)}`;
}
