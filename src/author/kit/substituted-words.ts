import { readFindArguments } from "../../shell/programs/find-arguments.ts";
import { resolve } from "../../system/paths.ts";
import type { InspectedCommand } from "./inspected-command.ts";
import { expandWord } from "./word-path.ts";

/** Returns the word that a command substitution prints: `./x` for `$(readlink -f ./x)`. */
export function findPrintedWord(dynamic = ""): string | undefined {
  if (!dynamic.startsWith("$(") || !dynamic.endsWith(")") || /[|;&`]/.test(dynamic)) return undefined;
  const words = dynamic.slice(2, -1).trim().split(/\s+/);
  return words.length > 1 && PRINTING_PROGRAMS.includes(words[0] as string) ? words.at(-1) : undefined;
}
const PRINTING_PROGRAMS = "ls readlink realpath which command".split(" ");

/** Matches a word that the shell replaces with the results of `find`. */
export const FIND_SUBSTITUTION = /^\$\(\s*find\s/;

/**
 * Returns the directories that `find` searches and the names it searches for. If `find` combines conditions, the list
 * of names is empty, meaning any name.
 */
export function readFinder(finder: InspectedCommand | undefined, folder: string): [starts: string[], names: string[]] {
  if (!finder) return [[folder], []];
  const { args, dynamic } = finder;
  const startFolders = readFindArguments(args).starts.map((at) => {
    const text = args[at] as string;
    return resolve(folder, expandWord(text, dynamic?.[at], folder)?.text ?? text);
  });
  const hasCombinedTests = args.some((word) => /^(?:!|,|-o|-or|-not)$/.test(word));
  const names = hasCombinedTests ? [] : args.filter((_, at) => /^-i?name$/.test(args[at - 1] ?? ""));
  return [startFolders.length > 0 ? startFolders : [folder], names];
}
