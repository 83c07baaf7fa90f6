/** A word as a program receives it. */
export interface Word {
  text: string;
  /** Set if the word is only known at run time; see `Command.dynamic`. */
  dynamic?: string;
  /** The word is one unquoted expansion, which may yield no word at all. */
  vanishing?: true;
}

export const getTexts = (words: readonly { text: string }[]): string[] => words.map(({ text }) => text);
export const joinTexts = (words: readonly { text: string }[]): string => getTexts(words).join(" ");

/** An expression for a directory at the start of a word that a variable stands for as well. */
const FOLDER_EXPRESSION = /^(?:(~)|~\+|\$\(pwd\)|`pwd`)(?=\/|$)/;

/**
 * A word as a command prints it; what is only known at run time appears as written. `~` is a home only where it is live.
 */
export const getPrintedText = ({ text, dynamic }: Word): string =>
  dynamic === undefined || !FOLDER_EXPRESSION.test(dynamic)
    ? text
    : text.replace(FOLDER_EXPRESSION, (_, home) => (home ? "$HOME" : "$PWD"));

/** A text that a command has printed and another one takes as a word. */
export const createPrintedWord = (text: string): Word => (/[$`*?[]/.test(text) ? { text, dynamic: text } : { text });

/** The words of a text that a command has printed. */
export const splitPrintedWords = (text: string): Word[] =>
  (text.match(/\$\([^()\n]*\)|[^\s\0]+/g) ?? []).map(createPrintedWord);
