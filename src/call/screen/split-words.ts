/** Splits a plain command into words made of letters, digits, `_`, `.` and `-`. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    const isPart =
      (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 95;
    if (isPart) continue;
    if (at > start) words.push(text.slice(start, at));
    start = at + 1;
  }
  return words;
}

/**
 * Lists the programs that a word may run: the word itself, the name before a file extension, `mkfs.` for `mkfs.ext4`,
 * the name before a version (`git` in `git-2.40`), and the text after option letters (`sh` in `-csh`).
 */
export function listProgramNames(word: string): string[] {
  const names = [word];
  if (word.charCodeAt(0) === DASH_CODE && word.charCodeAt(1) !== DASH_CODE)
    for (let at = 2; at < word.length && at <= MAX_OPTION_LETTERS; at++) names.push(word.slice(at));
  for (let at = 0, { length } = names; at < length; at++) {
    const name = names[at] as string;
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      names.push(name.slice(0, dot + 1));
      if (PROGRAM_ENDINGS.includes(`${name.slice(dot)}|`)) names.push(name.slice(0, dot));
    }
    const end = findVersion(name);
    if (end < name.length) names.push(name.slice(0, end));
  }
  return names;
}

/** Returns the offset of the version at the end of a name, including the dash that precedes it. */
function findVersion(name: string): number {
  let end = name.length;
  for (; end > 0; end--) {
    const code = name.charCodeAt(end - 1);
    if (code !== 46 && (code < 48 || code > 57)) break;
  }
  if (end === 0 || name.endsWith(".")) return name.length;
  return end < name.length && name.charCodeAt(end - 1) === DASH_CODE ? end - 1 : end;
}
export const DASH_CODE = 45;
/** Maximum number of option letters before a value in the same word. */
const MAX_OPTION_LETTERS = 32;
const PROGRAM_ENDINGS = ".exe|.com|.cmd|.bat|.ps1|";
