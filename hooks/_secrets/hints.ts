import { realPath } from "bridge-hooks";
import { expandHome } from "../_paths.ts";
import { resolve } from "node:path";
import {
  hasForeignExpansions,
  hasHiddenWords,
  hasListedNames,
  mayCallForeignShell,
  toPlainLine,
} from "../_plain-line.ts";
import { FILE_PIECES, KEEPER_HINTS, KEEPER_NAMES, PRINT_HINTS } from "./hints.build.ts";

const PROGRAM_SUFFIX = /\.(?:exe|com|cmd|bat|ps1)$/;

/** Whether a line without quotes, in small letters, mentions a keeper of secrets, and what it is asked for them with. */
function mayAskKeeper(plain: string): boolean {
  const mentioned = new Set<string>();
  const mention = (name: string) => void (KEEPER_NAMES.includes(`|${name}|`) && mentioned.add(name));
  for (const word of new Set(plain.split(/[^\w.-]+/))) {
    mention(word.includes(".") ? word.replace(PROGRAM_SUFFIX, "") : word);
    if (!word.startsWith("-")) continue;
    // A variable's default, `${X:-gh}`, and options with a value, `su -lc'gh auth token'`.
    for (let at = 1; at <= MAX_GLUED_LETTERS; at++) mention(word.slice(at));
  }
  for (const name of mentioned) {
    const pieces = KEEPER_HINTS[name];
    if (pieces && (pieces.length === 0 || pieces.some((piece) => plain.includes(piece)))) return true;
  }
  return false;
}

/** Letters of a cluster of options, with the dash. */
const MAX_GLUED_LETTERS = 9;

/** The expressions of hints, made when a line has one of their pieces: that takes longer than to look for all of those. */
const printExpressions = new Map<string, RegExp>();

function findsPrinting(source: string, plain: string): boolean {
  let expression = printExpressions.get(source);
  if (!expression) printExpressions.set(source, (expression = new RegExp(source)));
  return expression.test(plain);
}

/** Whether a line without quotes, in small letters, may show variables of the environment. */
const mayPrint = (plain: string): boolean =>
  PRINT_HINTS.some(
    ({ source, pieces }) => pieces.some((piece) => plain.includes(piece)) && findsPrinting(source, plain),
  ) ||
  (plain.includes("ps") && /(?:^|[^\w.-]|-c|:-)ps(?:\.exe)?(?![\w.-])/.test(plain));

/**
 * A name that a variable or another command is a part of, `g$X`, `${X}h`, `$X$Y`, `g$(echo h)`, `g%X%`, `X+=h`, or
 * that an expression of PowerShell makes, `& ('g' + 'h')`: what it is, only a reading says.
 */
const COMPOSED_NAME =
  /[\w.-]\$[{(]?\w|\$\{\w[^{}$]*\}[\w$-]|\$\w+\$|\$\{\w+\/|[)`][\w$-]|(?:\$\(|`)\s*printf|\w[%!]\w+[%!]|[%!]\w+[%!]\w|[%!]\w+:[~\w]|\w\+=|&\s*\(|\biex\b|invoke-expression|\]::/;

/** What every such name has in it: to compile the expression takes longer than to look for that. */
const COMPOSED_PIECES = ["$", "`", ")", "%", "!", "+=", "(", "iex", "invoke-expression", "]::"];
const hasComposedName = (plain: string): boolean =>
  COMPOSED_PIECES.some((piece) => plain.includes(piece)) && COMPOSED_NAME.test(plain);

/**
 * A line in small letters, without quotes and backslashes; and with them where they may end a word: `'set' x`, `\\n` in
 * a text for printf, and `bin\\gh` on Windows.
 */
function toReadableLine(line: string): string {
  const readings = [toPlainLine(line)];
  if (/['"]/.test(line)) readings.push(line.toLowerCase());
  if (line.includes("\\"))
    for (const escape of [/\\/g, /\\[a-z]/g]) readings.push(toPlainLine(line.replace(escape, " ")));
  return readings.join("\n");
}

/** Where the shell puts a name together: wildcards, lists in braces, and escapes. */
const HIDDEN_NAME = /[*?]|\[[^\s[]|\{[^{}\s,.]*[,.]|[\w.][`^]\w/;
/** What makes a name of others: code that joins strings, and commands that read what filters print. */
const MADE_NAME =
  /["'`]\s?[+.~%,]?\s?["'`([\w$]|chr|fromCharCode|join|implode|(?:\$\(|`|xargs|parallel|read|mapfile|<\()/;
const MAX_WORDS = 200;
const MAX_FOLDERS = 8;

/** The words of a line, without reading it. */
export const splitWords = (line: string): string[] => line.split(/[\s;&|<>()'"`=:@,]+/);

/** A word with quoted parts or escapes. */
const QUOTED_WORD = /(?:\\.|"[^"]*"|'[^']*'|[^\s;&|<>()'"`\\])+/gs;

/** Words that are split although the shell reads them as one: `"my notes.txt"`, `my\ notes.txt`. */
const listQuotedWords = (line: string): string[] =>
  /["'\\]/.test(line) ? (line.match(QUOTED_WORD) ?? []).filter((word) => /["'\\]/.test(word)) : [];

/** Whether a link is on the way to one of a line's words, taken as a path; at a glance, without reading the line. */
function hasLinks(line: string, cwd: string): boolean {
  const words = splitWords(line);
  const quoted = listQuotedWords(line);
  if (words.length + quoted.length > MAX_WORDS) return true;
  const start = realPath(cwd) ?? cwd;
  // A `cd` may fail: names are looked for in each folder.
  const folders = [start];
  const isLink = (name: string) =>
    folders.some((folder) => {
      const path = resolve(folder, expandHome(name));
      return (realPath(path) ?? path) !== path;
    });
  for (const [at, word] of words.entries()) {
    if (word === "" || word.startsWith("-")) continue;
    if (isLink(word)) return true;
    if (/^(?:cd|pushd)$/.test(words[at - 1] ?? "")) {
      if (folders.length > MAX_FOLDERS) return true;
      folders.push(resolve(folders.at(-1) as string, expandHome(word)));
    }
  }
  return quoted.some((word) => isLink(word.replace(/\\(.)|["']/gs, "$1")));
}

/** Whether a line needs a closer look. Most don't, and the parser is not even loaded. */
export function mayConcernSecrets(line: string, cwd: string, deny: readonly string[], shell?: string): boolean {
  const isForeign = shell === "powershell" || shell === "cmd" || mayCallForeignShell(line);
  if (isForeign && hasForeignExpansions(line)) return true;
  const plain = toReadableLine(line);
  return (
    deny.some((glob) => plain.includes(findLongestLiteral(glob))) ||
    FILE_PIECES.some((piece) => plain.includes(piece)) ||
    plain.includes("commit") ||
    mayAskKeeper(plain) ||
    mayPrint(plain) ||
    HIDDEN_NAME.test(line) ||
    hasListedNames(line) ||
    hasHiddenWords(line) ||
    hasHiddenWords(plain) ||
    MADE_NAME.test(line) ||
    hasComposedName(plain) ||
    hasLinks(line, cwd)
  );
}

/** What stands in every name that a glob fits: the longest piece of its last part without wildcards. */
function findLongestLiteral(glob: string): string {
  const name = glob.slice(glob.lastIndexOf("/") + 1).toLowerCase();
  return /[{!\\[]/.test(name) ? "" : (name.split(/[*?]+/).sort((a, b) => b.length - a.length)[0] ?? "");
}
