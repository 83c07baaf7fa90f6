import { removeWordPrefix, type FileUse, type WordPiece } from "./operands.ts";
import { lookUpProgram } from "../programs/index.ts";
import type { Program } from "../programs/program.ts";

/** Lists the files in the arguments of a program that needs its own parser. */
export type FileUseReader = (words: readonly WordPiece[]) => FileUse[];

export const getProgram = (program: string) => lookUpProgram(program) as Program;
export const getTextAt = (words: readonly WordPiece[], at: number) => words[at]?.text ?? "";

/** Returns an option's value if the value is in the same word as the option. */
export const getJoinedValue = (word: WordPiece, shortOption: string, longOption: string): WordPiece | undefined =>
  word.text.startsWith(`${longOption}=`)
    ? removeWordPrefix(word, longOption.length + 1)
    : word.text.length > 2 && word.text.startsWith(shortOption)
      ? removeWordPrefix(word, 2)
      : undefined;
