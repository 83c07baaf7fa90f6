import type { Word } from "../words/word.ts";
import { isKnown, joinText, type Text } from "./text-values.ts";

export const createWord = (text: string): Word => ({ text });
export const createWords = (words: readonly (string | Word)[]): Word[] =>
  words.map((word) => (typeof word === "string" ? createWord(word) : word));
/** Converts `C:` to the root directory of the drive. */
export const toDriveRoot = (word: Word): Word => (/^[A-Za-z]:$/.test(word.text) ? createWord(`${word.text}/`) : word);

const escapeCharacters = (text: string, specialCharacters: RegExp) => text.replace(specialCharacters, "\\$&");

/** Converts text to a word that is not a path. Only dynamic segments expand. */
export function toPlainWord(text: Text): Word {
  const plainText = joinText(text);
  if (isKnown(text)) return { text: plainText };
  return {
    text: plainText,
    dynamic: text
      .map((segment) => (segment.isDynamic ? segment.text : escapeCharacters(segment.text, /[\\$`*?[~(]/g)))
      .join(""),
  };
}

/**
 * Converts text to a program argument, in which unquoted wildcards and `~` expand. A "\" after a variable becomes a
 * slash.
 */
export function toProgramWord(text: Text): Word {
  const plainText = joinText(text);
  const [firstSegment] = text;
  const isHome = firstSegment?.isBare === true && /^~(?=$|[\\/])/.test(plainText);
  if (
    !isHome &&
    text.every(({ isDynamic, isBare, text: segmentText }) => !isDynamic && !(isBare && /[*?[]/.test(segmentText)))
  )
    return { text: plainText };
  const hasVariable = isHome || text.some(({ isDynamic }) => isDynamic);
  const dynamic = text.map(({ isDynamic, isBare, text: segmentText }, at) => {
    if (isDynamic) return segmentText;
    const withSlashes = hasVariable ? segmentText.replaceAll("\\", "/") : segmentText;
    const escapedText = escapeCharacters(withSlashes, isBare ? /[\\$`(]/g : /[\\$`*?[~(]/g);
    return isBare && (at > 0 || !isHome) && segmentText.startsWith("~") ? `\\${escapedText}` : escapedText;
  });
  return { text: plainText, dynamic: dynamic.join("") };
}

/** Prefix of a local path: a provider name or `\\?\`. */
const PATH_PREFIX = /^(?:[\w.]+\/)?FileSystem::|^\/\/[?.]\/(?=[A-Za-z]:)/i;
/** Administrative share of a local drive: `\\localhost\C$`. */
const DRIVE_SHARE = /^\/\/(?:\?\/UNC\/)?(?:localhost|127\.0\.0\.1|::1|\.|\$COMPUTERNAME)\/([A-Za-z])\\?\$(?=\/|$)/i;
/** The user's home directory: `C:\Users\$env:USERNAME`. */
const HOME_FOLDER = /^C:\/Users\/\$USERNAME(?=\/|$)/i;
const toLocalPath = (path: string) =>
  path
    .replace(PATH_PREFIX, "")
    .replace(DRIVE_SHARE, "$1:")
    .replace(HOME_FOLDER, () => "$HOME");

/** Converts text to a cmdlet's path argument. Wildcards expand even inside quotes. */
export const toPathWord = (text: Text): Word => buildPathWord(text, false);

/** Converts text to a path in which wildcards are literal. */
export const toLiteralPathWord = (text: Text): Word => buildPathWord(text, true);

function buildPathWord(text: Text, isLiteral: boolean): Word {
  // `$env:HOMEDRIVE$env:HOMEPATH` is the home directory.
  const parts = text.filter(
    ({ text: segmentText, isDynamic }, at) => isDynamic || !/^C:$/i.test(segmentText) || text[at + 1]?.text !== "$HOME",
  );
  const toSlashes = (path: string) => path.replaceAll("\\", "/");
  const plainPath = toLocalPath(
    parts.map(({ text: segmentText, isDynamic }) => (isDynamic ? segmentText : toSlashes(segmentText))).join(""),
  );
  const isHome = /^~(?=$|\/)/.test(plainPath);
  const hasWildcards = !isLiteral && /[*?[]/.test(plainPath);
  if (isKnown(parts) && !isHome && !hasWildcards) return { text: plainPath };
  const dynamic = toLocalPath(
    parts
      .map(({ text: segmentText, isDynamic }) =>
        isDynamic ? segmentText : escapeCharacters(toSlashes(segmentText), isLiteral ? /[$`*?[(]/g : /[$`(]/g),
      )
      .join(""),
  );
  return { text: plainPath, dynamic: isHome || !dynamic.startsWith("~") ? dynamic : `\\${dynamic}` };
}

/** Wildcards at the start of a path segment. Only the first few get a variant with a leading dot. */
const LEADING_WILDCARDS = /(?<![^/])[*?]/g;
const MAX_LEADING_WILDCARDS = 3;

/**
 * Lists all variants of a path: each segment that starts with a wildcard occurs both with and without a leading dot.
 */
function listDotted(path: string): string[] {
  let paths = [path];
  for (const { index } of [...path.matchAll(LEADING_WILDCARDS)].slice(0, MAX_LEADING_WILDCARDS).toReversed())
    paths = paths.flatMap((dottedPath) => [
      dottedPath,
      `${dottedPath.slice(0, index)}.${dottedPath[index] === "*" ? "*" : ""}${dottedPath.slice(index + 1)}`,
    ]);
  return paths;
}

/**
 * Converts a path to POSIX words. Unlike Windows wildcards, POSIX wildcards don't match a leading dot, so words for
 * dotted names are added.
 */
export function toPathWords(text: Text): Word[] {
  const word = toPathWord(text);
  const { dynamic } = word;
  if (dynamic === undefined || !/[*?]/.test(dynamic)) return [word];
  const texts = listDotted(word.text);
  return listDotted(dynamic).map((dottedPath, at) => ({ text: texts[at] ?? dottedPath, dynamic: dottedPath }));
}
