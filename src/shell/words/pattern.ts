import type { Command } from "../command.ts";
import { getProgramName } from "../programs/names.ts";
import { escapeAllButStars, wildcardPattern } from "./wildcard.ts";

/**
 * Compiles the pattern in the parentheses of `Bash(…)` to a test for one simple command. The syntax is that of the
 * hosts' permission rules. `*` matches any text, including spaces, in any position: `git * main`, `* install`,
 * `npm run test:*`. A space before a trailing `*` ends the word: `git push *` matches `git push` and `git push origin`
 * but not `git pushx`, whereas `git push*` matches all three. A trailing `:*` means the same as ` *`. A pattern without
 * `*` must match the whole command. Matching is case-sensitive.
 *
 * The command is compared as words joined by single spaces, without quotes, redirections and leading `NAME=value`
 * assignments. It is compared both as written and without wrappers: `sudo -u me /usr/bin/git push` matches `git push`,
 * `sudo *` and `/usr/bin/git push`. Options keep their position: `git -C x push` matches `git * push` but not
 * `git push`.
 */
export function argumentPattern(text: string): (command: Command) => boolean {
  const pattern = text.trim().replace(/:\*$/, " *");
  if (pattern === "" || pattern === "*" || pattern === " *") return () => true;
  const patternWithoutArguments = pattern.endsWith(" *") ? [pattern.slice(0, -2)] : [];
  const tests = [pattern, ...patternWithoutArguments].map((patternText) =>
    wildcardPattern(escapeAllButStars(patternText)),
  );
  return (command) => listProgramNames(command).some((spelling) => tests.some((matches) => matches(spelling)));
}

/**
 * Lists the strings to compare with a pattern: the command as written, without its wrappers, and without the program's
 * directory.
 */
function listProgramNames({ program, args, words }: Command): string[] {
  const [programWord = "", ...argumentWords] = words;
  const wrappedWords = words.length > args.length ? words.slice(words.length - args.length - 1) : [];
  const texts = [words, [getProgramName(programWord), ...argumentWords], [program, ...args], wrappedWords].map(
    (spelling) => spelling.join(" "),
  );
  return [...new Set(texts)].filter((spelling) => spelling !== "");
}

/**
 * Returns a pattern's longest literal word in lowercase, for use with `mentions`: a command line without that word
 * can't match. Empty if the pattern doesn't contain a literal word.
 */
export function patternWords(text: string): string[] {
  const [longest = ""] = text
    .replace(/:\*$/, "")
    .split(/[*\s]+/)
    .sort((a, b) => b.length - a.length);
  return longest === "" ? [] : [longest.toLowerCase()];
}
