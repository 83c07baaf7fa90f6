/** Tests a character against one element of a pattern. */
type CharacterTest = (character: string) => boolean;
/** The part of a pattern between two stars: literal text, or a test for each character. */
type PatternPiece = string | readonly CharacterTest[];

/**
 * Compiles a wildcard pattern, as used by shells, `find` and rules, to a test for a whole string. `*` matches any text,
 * including "/" and newlines. `?` matches any character, `[a-z]` any character in the set, and `[!a-z]` or `[^a-z]` any
 * character outside it. A backslash makes the next character literal. Matching is case-sensitive.
 */
export function wildcardPattern(pattern: string): (text: string) => boolean {
  const [firstPiece = "", ...middlePieces] = splitPattern(pattern);
  const lastPiece = middlePieces.pop();
  return (text) => {
    if (lastPiece === undefined) return text.length === firstPiece.length && matchesPieceAt(firstPiece, text, 0);
    const end = text.length - lastPiece.length;
    if (end < firstPiece.length || !matchesPieceAt(firstPiece, text, 0) || !matchesPieceAt(lastPiece, text, end))
      return false;
    // Match each piece as early as possible, to leave the most room for later pieces.
    let at = firstPiece.length;
    for (const piece of middlePieces) {
      const matchStart = findPieceIndex(piece, text, at);
      if (matchStart < 0 || matchStart + piece.length > end) return false;
      at = matchStart + piece.length;
    }
    return true;
  };
}

/** Escapes a string so that every character other than `*` matches literally. */
export const escapeAllButStars = (text: string): string => text.replace(/[?[\\]/g, "\\$&");

const matchesPieceAt = (piece: PatternPiece, text: string, at: number): boolean =>
  typeof piece === "string"
    ? text.startsWith(piece, at)
    : piece.every((isMatch, index) => isMatch(text[at + index] as string));

function findPieceIndex(piece: PatternPiece, text: string, start: number): number {
  if (typeof piece === "string") return text.indexOf(piece, start);
  for (let at = start; at + piece.length <= text.length; at++) if (matchesPieceAt(piece, text, at)) return at;
  return -1;
}

/** The length of a set is limited: looking for the end of unclosed brackets would otherwise take quadratic time. */
const PATTERN_TOKEN_WITH_SETS = /\\([^])|\*+|\?|\[([!^]?)(\][^\]]{0,255}|[^\]]{1,255})\]|([^])/g;
const PATTERN_TOKEN_WITHOUT_SETS = /\\([^])|\*+|\?|(?!)(.)(.)|([^])/g;

function splitPattern(pattern: string): PatternPiece[] {
  // Most patterns contain no wildcard other than `*`, and the general expression is slow to compile.
  if (!pattern.includes("[") && !pattern.includes("?") && !pattern.includes("\\")) return pattern.split("*");
  // After the last "]", there can't be any sets.
  const end = pattern.lastIndexOf("]") + 1;
  const tokens = [
    ...pattern.slice(0, end).matchAll(PATTERN_TOKEN_WITH_SETS),
    ...pattern.slice(end).matchAll(PATTERN_TOKEN_WITHOUT_SETS),
  ];
  const pieces: (string | CharacterTest)[][] = [[]];
  for (const [match, quotedCharacter, negation, set, character] of tokens) {
    if (match.startsWith("*")) pieces.push([]);
    else
      pieces
        .at(-1)
        ?.push(
          match === "?"
            ? () => true
            : set === undefined
              ? (quotedCharacter ?? character ?? "")
              : createSetTest(set, negation),
        );
  }
  return pieces.map((piece) =>
    piece.every((element) => typeof element === "string")
      ? piece.join("")
      : piece.map((element): CharacterTest => (typeof element === "string" ? (letter) => letter === element : element)),
  );
}

/** Creates a test for the characters in a set or, if it is negated, outside it. */
function createSetTest(set: string, negation: string | undefined): CharacterTest {
  const ranges = [...set.matchAll(/([^])-([^])|([^])/g)];
  const isInSet = (character: string) =>
    ranges.some(([, low = "", high = "", single]) =>
      single === undefined ? low <= character && character <= high : single === character,
    );
  return (character) => isInSet(character) !== (negation !== "");
}
