/** Whether a pattern's element matches a character. */
type Letter = (letter: string) => boolean;
/** The part between two stars: plain text, or a test for each character. */
type Piece = string | readonly Letter[];

/**
 * Compiles a wildcard pattern, as in shells, `find` and rules, to a test of a whole text. `*` matches any text, "/" and
 * line ends included, `?` any character, `[a-z]` one of these, `[!a-z]` and `[^a-z]` any other; a backslash makes the
 * next character literal. Matching is case-sensitive.
 */
export function wildcardPattern(pattern: string): (text: string) => boolean {
  const [first = "", ...others] = piecesOf(pattern);
  const last = others.pop();
  return (text) => {
    if (last === undefined) return text.length === first.length && isAt(first, text, 0);
    const end = text.length - last.length;
    if (end < first.length || !isAt(first, text, 0) || !isAt(last, text, end)) return false;
    // Take the first occurrence of each piece: it leaves most room for the rest.
    let at = first.length;
    for (const piece of others) {
      const found = indexOf(piece, text, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/** Quotes a text as a pattern that matches only that text; `*` stays a wildcard. */
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

/** A longer set is read as its letters, so that brackets that nothing closes take no longer. */
const WITH_SETS = /\\([^])|\*+|\?|\[([!^]?)(\][^\]]{0,255}|[^\]]{1,255})\]|([^])/g;
const WITHOUT = /\\([^])|\*+|\?|(?!)(.)(.)|([^])/g;

function piecesOf(pattern: string): Piece[] {
  // Most have no other sign, and what splits them by those takes long to compile.
  if (!pattern.includes("[") && !pattern.includes("?") && !pattern.includes("\\")) return pattern.split("*");
  // No set starts after the last "]", so don't search for an end there.
  const end = pattern.lastIndexOf("]") + 1;
  const signs = [...pattern.slice(0, end).matchAll(WITH_SETS), ...pattern.slice(end).matchAll(WITHOUT)];
  const pieces: (string | Letter)[][] = [[]];
  for (const [all, quoted, not, set, plain] of signs) {
    if (all.startsWith("*")) pieces.push([]);
    else pieces.at(-1)?.push(all === "?" ? () => true : set === undefined ? (quoted ?? plain ?? "") : oneOf(set, not));
  }
  return pieces.map((piece) =>
    piece.every((one) => typeof one === "string")
      ? piece.join("")
      : piece.map((one): Letter => (typeof one === "string" ? (letter) => letter === one : one)),
  );
}

/** A test for a character in a set, or, if negated, outside it. */
function oneOf(set: string, not: string | undefined): Letter {
  const ranges = [...set.matchAll(/([^])-([^])|([^])/g)];
  const has = (letter: string) =>
    ranges.some(([, low = "", high = "", one]) =>
      one === undefined ? low <= letter && letter <= high : one === letter,
    );
  return (letter) => has(letter) !== (not !== "");
}
