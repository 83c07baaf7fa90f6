import type { PlainLine } from "../../shell/screen/line.ts";
import { UNKNOWN } from "../../shell/screen/variables.ts";

/** Maximum number of names in a command. Commands with more names get a full parse. */
export const MAX_NAMES = 128;

/** Characters that may separate a file name from the rest of a word. */
const DELIMITERS = "=@:,";

/**
 * Lists what may be file names in a command's words: the words themselves, the value after an option's letters
 * (`-nosorted.txt`), and all parts between delimiters (`--mount=src=a,dst=b`, `a.txt:/data`).
 */
export function listNames({ commands, folder, quotedWords }: PlainLine): string[] {
  const names: string[] = [];
  if (folder !== undefined) addName(names, folder);
  for (const words of commands)
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as string;
      // The shell doesn't look for programs in the current directory.
      if (at > 0 || word.includes("/")) addNames(names, word);
    }
  for (const word of quotedWords) addNames(names, word);
  return names;
}

function addName(names: string[], word: string): void {
  // If part of a name is known only to the shell, use the directory that contains it.
  const unknownAt = word.indexOf(UNKNOWN);
  const name = unknownAt < 0 ? word : word.slice(0, word.lastIndexOf("/", unknownAt) + 1);
  if (name !== "" && names.length <= MAX_NAMES && !names.includes(name)) names.push(name);
}

function addNames(names: string[], word: string): void {
  const offsets: number[] = [];
  if (!word.startsWith("-")) offsets.push(0);
  // The word starts with option letters, and a value may follow any of them.
  else for (let at = 2; at < word.length && isLetterOrDigit(word.charCodeAt(at - 1)); at++) offsets.push(at);
  for (let at = 0; at <= word.length; at++) {
    if (at < word.length && !DELIMITERS.includes(word.charAt(at))) continue;
    for (const start of offsets) addName(names, word.slice(start, at));
    offsets.push(at + 1);
  }
}

const isLetterOrDigit = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
