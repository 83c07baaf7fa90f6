/** Tests whether an element of a pattern matches a character. */
type CharacterTest = (letter: string) => boolean;
/** Part of a pattern between two stars: literal text, or one test per character. */
type Piece = string | readonly CharacterTest[];

/**
 * Compiles a wildcard pattern, as used by shells, `find` and rules, to a test for a whole string. `*` matches any text,
 * including "/" and newlines, `?` matches any character, `[a-z]` a character in the set, and `[!a-z]` or `[^a-z]` a
 * character outside it. A backslash makes the next character literal. Matching is case-sensitive.
 */
export function wildcardPattern(pattern: string): (text: string) => boolean {
  const [first = "", ...others] = splitPattern(pattern);
  const last = others.pop();
  return (text) => {
    if (last === undefined) return text.length === first.length && isAt(first, text, 0);
    const end = text.length - last.length;
    if (end < first.length || !isAt(first, text, 0) || !isAt(last, text, end)) return false;
    // The first occurrence of each piece leaves the most room for the following pieces.
    let at = first.length;
    for (const piece of others) {
      const found = indexOf(piece, text, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/** Escapes a string so that it matches literally. Only `*` remains a wildcard. */
export const quoteButStars = (text: string): string => text.replace(/[?[\\]/g, "\\$&");

const isAt = (piece: Piece, text: string, at: number): boolean =>
  typeof piece === "string"
    ? text.startsWith(piece, at)
    : piece.every((isOne, index) => isOne(text[at + index] as string));

function indexOf(piece: Piece, text: string, from: number): number {
  if (typeof piece === "string") return text.indexOf(piece, from);
  for (let at = from; at + piece.length <= text.length; at++) if (isAt(piece, text, at)) return at;
  return -1;
}

/** The length of a set is limited because unclosed brackets would take quadratic time. */
const TOKEN_WITH_SETS = /\\([^])|\*+|\?|\[([!^]?)(\][^\]]{0,255}|[^\]]{1,255})\]|([^])/g;
const TOKEN_WITHOUT_SETS = /\\([^])|\*+|\?|(?!)(.)(.)|([^])/g;

function splitPattern(pattern: string): Piece[] {
  // Most patterns only contain `*`, and the general expression is slow to compile.
  if (!pattern.includes("[") && !pattern.includes("?") && !pattern.includes("\\")) return pattern.split("*");
  // A set can't start after the last "]", so the text after that bracket is not searched for sets.
  const end = pattern.lastIndexOf("]") + 1;
  const signs = [
    ...pattern.slice(0, end).matchAll(TOKEN_WITH_SETS),
    ...pattern.slice(end).matchAll(TOKEN_WITHOUT_SETS),
  ];
  const pieces: (string | CharacterTest)[][] = [[]];
  for (const [all, quoted, not, set, plain] of signs) {
    if (all.startsWith("*")) pieces.push([]);
    else
      pieces
        .at(-1)
        ?.push(all === "?" ? () => true : set === undefined ? (quoted ?? plain ?? "") : createSetTest(set, not));
  }
  return pieces.map((piece) =>
    piece.every((one) => typeof one === "string")
      ? piece.join("")
      : piece.map((one): CharacterTest => (typeof one === "string" ? (letter) => letter === one : one)),
  );
}

/** Creates a test for characters in a set, or for characters outside a negated set. */
function createSetTest(set: string, not: string | undefined): CharacterTest {
  const ranges = [...set.matchAll(/([^])-([^])|([^])/g)];
  const has = (letter: string) =>
    ranges.some(([, low = "", high = "", one]) =>
      one === undefined ? low <= letter && letter <= high : one === letter,
    );
  return (letter) => has(letter) !== (not !== "");
}
