import type { Word } from "./word.ts";

/** What a program runs of what it is given: a text for a shell, or words that are a command. */
export type NestedRun = ({ text: string } | { words: readonly Word[] }) & {
  /** The text was taken out of another language: what a shell says against it means nothing. */
  foreign?: true;
  remote?: true;
};

/** One word is a text, several are a command. */
export const createNestedRun = (words: readonly Word[]): NestedRun =>
  words.length === 1 ? { text: joinWords(words) } : { words };

export const joinWords = (words: readonly Word[]) => words.map(({ text }) => text).join(" ");
