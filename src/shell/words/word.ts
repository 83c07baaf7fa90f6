/** A word as a program receives it. */
export interface Word {
  text: string;
  /** How the shell would read the word, if part of it is unknown until run time; see `Command.dynamic`. */
  dynamic?: string;
  /** Whether the word is a single unquoted expansion, which might expand to no word at all. */
  mayVanish?: true;
}

export const getTexts = (words: readonly { text: string }[]): string[] => words.map(({ text }) => text);
export const joinTexts = (words: readonly { text: string }[]): string => getTexts(words).join(" ");

/** A directory expression at the start of a word, for which there is an equivalent variable. */
const FOLDER_EXPRESSION = /^(?:(~)|~\+|\$\(pwd\)|`pwd`)(?=\/|$)/;

/**
 * Returns a word as a command would print it. Parts that are unknown until run time stay as written, but an unquoted
 * `~` becomes `$HOME`.
 */
export const getPrintedText = ({ text, dynamic }: Word): string =>
  dynamic === undefined || !FOLDER_EXPRESSION.test(dynamic)
    ? text
    : text.replace(FOLDER_EXPRESSION, (_, home) => (home ? "$HOME" : "$PWD"));

/** Creates a word from a command's output. */
export const createPrintedWord = (text: string): Word => (/[$`*?[]/.test(text) ? { text, dynamic: text } : { text });

/** Splits a command's output into words. */
export const splitPrintedWords = (text: string): Word[] =>
  (text.match(/\$\([^()\n]*\)|[^\s\0]+/g) ?? []).map(createPrintedWord);
