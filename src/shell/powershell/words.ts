import type { Word } from "../words/word.ts";
import { isKnown, joinText, type Text } from "./texts.ts";

export const createWord = (text: string): Word => ({ text });
export const createWords = (words: readonly (string | Word)[]): Word[] =>
  words.map((word) => (typeof word === "string" ? createWord(word) : word));
/** Converts `C:` to the root directory of the drive. */
export const toDriveRoot = (word: Word): Word => (/^[A-Za-z]:$/.test(word.text) ? createWord(`${word.text}/`) : word);

const escapeLetters = (text: string, letters: RegExp) => text.replace(letters, "\\$&");

/** Converts text to a word that is not a path. Only dynamic segments expand. */
export function toPlainWord(text: Text): Word {
  const plain = joinText(text);
  if (isKnown(text)) return { text: plain };
  return {
    text: plain,
    dynamic: text.map((one) => (one.live ? one.text : escapeLetters(one.text, /[\\$`*?[~(]/g))).join(""),
  };
}

/** Converts text to a program argument. Unquoted wildcards and `~` expand. A "\" after a variable becomes a slash. */
export function toProgramWord(text: Text): Word {
  const plain = joinText(text);
  const [first] = text;
  const isHome = first?.isBare === true && /^~(?=$|[\\/])/.test(plain);
  if (!isHome && text.every(({ live, isBare, text: one }) => !live && !(isBare && /[*?[]/.test(one))))
    return { text: plain };
  const hasVariable = isHome || text.some(({ live }) => live);
  const dynamic = text.map(({ live, isBare, text: one }, at) => {
    if (live) return one;
    const slashed = hasVariable ? one.replaceAll("\\", "/") : one;
    const escaped = escapeLetters(slashed, isBare ? /[\\$`(]/g : /[\\$`*?[~(]/g);
    return isBare && (at > 0 || !isHome) && one.startsWith("~") ? `\\${escaped}` : escaped;
  });
  return { text: plain, dynamic: dynamic.join("") };
}

/** Prefix of a local path: a provider name or `\\?\`. */
const PATH_PREFIX = /^(?:[\w.]+\/)?FileSystem::|^\/\/[?.]\/(?=[A-Za-z]:)/i;
/** Administrative share of a local drive: `\\localhost\C$`. */
const DRIVE_SHARE = /^\/\/(?:\?\/UNC\/)?(?:localhost|127\.0\.0\.1|::1|\.|\$COMPUTERNAME)\/([A-Za-z])\\?\$(?=\/|$)/i;
/** The user's home directory: `C:\Users\$env:USERNAME`. */
const OWN_FOLDER = /^C:\/Users\/\$USERNAME(?=\/|$)/i;
const toLocalPath = (path: string) =>
  path
    .replace(PATH_PREFIX, "")
    .replace(DRIVE_SHARE, "$1:")
    .replace(OWN_FOLDER, () => "$HOME");

/** Converts text to a cmdlet's path argument. Wildcards expand even inside quotes. */
export const toPathWord = (text: Text): Word => buildPathWord(text, false);

/** Converts text to a path in which wildcards are literal. */
export const toLiteralPathWord = (text: Text): Word => buildPathWord(text, true);

function buildPathWord(text: Text, isLiteral: boolean): Word {
  // `$env:HOMEDRIVE$env:HOMEPATH` is the home directory.
  const parts = text.filter(({ text: one, live }, at) => live || !/^C:$/i.test(one) || text[at + 1]?.text !== "$HOME");
  const slashed = (one: string) => one.replaceAll("\\", "/");
  const plain = toLocalPath(parts.map(({ text: one, live }) => (live ? one : slashed(one))).join(""));
  const isHome = /^~(?=$|\/)/.test(plain);
  const hasWildcards = !isLiteral && /[*?[]/.test(plain);
  if (isKnown(parts) && !isHome && !hasWildcards) return { text: plain };
  const dynamic = toLocalPath(
    parts
      .map(({ text: one, live }) => (live ? one : escapeLetters(slashed(one), isLiteral ? /[$`*?[(]/g : /[$`(]/g)))
      .join(""),
  );
  return { text: plain, dynamic: isHome || !dynamic.startsWith("~") ? dynamic : `\\${dynamic}` };
}

/** Path segments that start with a wildcard. Only the first few are expanded to dotted names. */
const WILD_NAMES = /(?<![^/])[*?]/g;
const MAX_WILD_NAMES = 3;

/** Lists the path with and without a leading dot in each of these segments, in every combination. */
function listDotted(path: string): string[] {
  let found = [path];
  for (const { index } of [...path.matchAll(WILD_NAMES)].slice(0, MAX_WILD_NAMES).toReversed())
    found = found.flatMap((one) => [
      one,
      `${one.slice(0, index)}.${one[index] === "*" ? "*" : ""}${one.slice(index + 1)}`,
    ]);
  return found;
}

/**
 * Converts a path to POSIX words. Windows wildcards match a leading dot but POSIX wildcards don't, so the words for
 * dotted names are added.
 */
export function toPathWords(text: Text): Word[] {
  const word = toPathWord(text);
  const { dynamic } = word;
  if (dynamic === undefined || !/[*?]/.test(dynamic)) return [word];
  const texts = listDotted(word.text);
  return listDotted(dynamic).map((one, at) => ({ text: texts[at] ?? one, dynamic: one }));
}
