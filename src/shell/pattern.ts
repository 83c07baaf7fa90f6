import type { Command } from "./command.ts";
import { getProgramName } from "./programs/index.ts";
import { quoteButStars, wildcardPattern } from "./wildcard.ts";

/**
 * What the parentheses of `Bash(…)` mean, as users of permission rules know it: a test of one simple command.
 *
 * `*` is any text, spaces included, at any place: `git * main`, `* install`, `npm run test:*`. A space before the last `*`
 * makes it the end of a word: `git push *` is `git push` and `git push origin`, not `git pushx`; `git push*` is all three. A
 * `:*` at the end is the same as ` *`. Without a `*` it is the whole command. Letters count as they are.
 *
 * The command is its words with one space between them, quotes taken off, without redirections and without `NAME=value`
 * before it. It is tested as it is written and without what only runs it: `sudo -u me /usr/bin/git push` fits `git push`,
 * `sudo *` and `/usr/bin/git push` alike. Options count where they stand: `git -C x push` fits `git * push`, not `git push`.
 */
export function argumentPattern(text: string): (command: Command) => boolean {
  const pattern = text.trim().replace(/:\*$/, " *");
  if (pattern === "" || pattern === "*" || pattern === " *") return () => true;
  const bare = pattern.endsWith(" *") ? [pattern.slice(0, -2)] : [];
  const tests = [pattern, ...bare].map((one) => wildcardPattern(quoteButStars(one)));
  return (command) => listSpellings(command).some((spelling) => tests.some((fits) => fits(spelling)));
}

/** The texts that a command may be meant by. */
function listSpellings({ program, args, words }: Command): string[] {
  const [first = "", ...rest] = words;
  const behind = words.length > args.length ? words.slice(words.length - args.length - 1) : [];
  const texts = [words, [getProgramName(first), ...rest], [program, ...args], behind].map((spelling) =>
    spelling.join(" "),
  );
  return [...new Set(texts)].filter((spelling) => spelling !== "");
}

/**
 * The literal pieces of such a pattern in small letters, for `mentions`: a line with none of these needs no closer look.
 * None where the pattern says nothing that could be looked for.
 */
export function patternWords(text: string): string[] {
  const [longest = ""] = text
    .replace(/:\*$/, "")
    .split(/[*\s]+/)
    .sort((a, b) => b.length - a.length);
  return longest === "" ? [] : [longest.toLowerCase()];
}
