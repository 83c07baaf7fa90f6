/** A word as a program receives it. */
export interface Word {
  text: string;
  /** Set if the word is only known at run time; see `Command.dynamic`. */
  dynamic?: string;
  /** The word is a single unquoted expansion, which may expand to no word at all. */
  vanishing?: true;
}

export const getTexts = (words: readonly { text: string }[]): string[] => words.map(({ text }) => text);
export const joinTexts = (words: readonly { text: string }[]): string => getTexts(words).join(" ");

/** A leading directory expression that can be replaced by a variable. */
const FOLDER_EXPRESSION = /^(?:(~)|~\+|\$\(pwd\)|`pwd`)(?=\/|$)/;

/**
 * Returns a word as a command prints it. Parts that are only known at run time appear as written; an unquoted `~`
 * becomes `$HOME`.
 */
export const getPrintedText = ({ text, dynamic }: Word): string =>
  dynamic === undefined || !FOLDER_EXPRESSION.test(dynamic)
    ? text
    : text.replace(FOLDER_EXPRESSION, (_, home) => (home ? "$HOME" : "$PWD"));

/** Creates a word from printed output. */
export const createPrintedWord = (text: string): Word => (/[$`*?[]/.test(text) ? { text, dynamic: text } : { text });

/** Splits printed output into words. */
export const splitPrintedWords = (text: string): Word[] =>
  (text.match(/\$\([^()\n]*\)|[^\s\0]+/g) ?? []).map(createPrintedWord);
