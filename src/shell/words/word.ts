/** A word as a program receives it. */
export interface Word {
  text: string;
  /** Set if the word is unknown until run time; see `Command.dynamic`. */
  dynamic?: string;
  /** Whether the word is a single unquoted expansion, which may expand to zero words. */
  mayVanish?: true;
}

export const getTexts = (words: readonly { text: string }[]): string[] => words.map(({ text }) => text);
export const joinTexts = (words: readonly { text: string }[]): string => getTexts(words).join(" ");

/** Directory expression at the start of a word. Such an expression can be replaced by a variable. */
const FOLDER_EXPRESSION = /^(?:(~)|~\+|\$\(pwd\)|`pwd`)(?=\/|$)/;

/**
 * Returns a word as a command prints it. Parts that are unknown until run time appear as written. An unquoted `~`
 * becomes `$HOME`.
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
