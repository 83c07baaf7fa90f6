/** A test, an action or an operator of `find`, with its own words behind it. */
export interface FindStep {
  /** `-name`, `-exec`, `-delete`, `(`, `!`, `-o`. */
  word: string;
  /** Where it stands among the arguments. */
  at: number;
  /** The words behind it that belong to it; of a command, all up to its end: `rm {}`. */
  values: readonly string[];
  /**
   * "name": a test of a file's name or path; "run": an action that runs a command; "write": one that writes to a file,
   * its first
   * value; "single": a test or an action without a word of its own.
   */
  kind: "operator" | "name" | "run" | "write" | "single" | "other";
}

/**
 * The arguments of `find`: where the folders stand in which it begins (none: the one it runs in), and its expression.
 */
export interface FindArguments {
  starts: readonly number[];
  steps: readonly FindStep[];
}

/** Options before the folders, of GNU's and BSD's. */
const LEADING = /^-(?:[HLPEXdsx]+|O\d+)$/;
const OPERATOR = /^(?:[()!,]|-(?:a|o|not|and|or))$/;
const NAME = /^-i?(?:name|path|wholename)$/;
const RUNS = /^-(?:exec|ok)(?:dir)?$/;
const WRITES = /^-f(?:print0?|ls|printf)$/;
/** Tests and actions without a word of their own behind them. */
const SINGLE =
  /^-(?:delete|empty|true|false|print0?|ls|prune|quit|d|depth|xdev|mount|x|follow|daystart|noleaf|(?:no)?warn|(?:no)?ignore_readdir_race|readable|writable|executable|nouser|nogroup)$/;

/**
 * Takes the arguments of `find` apart, as it does: options, folders, and from the first test or operator on the
 * expression.
 */
export function readFindArguments(args: readonly string[]): FindArguments {
  const starts: number[] = [];
  let at = 0;
  while (LEADING.test(args[at] ?? "") || args[at] === "-D") at += args[at] === "-D" ? 2 : 1;
  // BSD's `-f` is followed by a folder.
  for (; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "-f" || word === "--") continue;
    if (/^-./.test(word) || OPERATOR.test(word)) break;
    starts.push(at);
  }
  const steps: FindStep[] = [];
  while (at < args.length) {
    const word = args[at] as string;
    const kind = getStepKind(word);
    const end = kind === "run" ? findCommandEnd(args, at + 1) : at + 1 + countStepWords(word, kind, args[at + 1]);
    steps.push({ word, at, values: args.slice(at + 1, end), kind });
    // What ends a command is not a part of it.
    at = kind === "run" ? end + 1 : end;
  }
  return { starts, steps };
}

function getStepKind(word: string): FindStep["kind"] {
  if (OPERATOR.test(word)) return "operator";
  if (NAME.test(word)) return "name";
  if (RUNS.test(word)) return "run";
  if (SINGLE.test(word)) return "single";
  return WRITES.test(word) ? "write" : "other";
}

/** How many words behind one are its own. One that isn't known does not hide an action. */
function countStepWords(word: string, kind: FindStep["kind"], next = ""): number {
  if (kind === "operator" || kind === "single" || !word.startsWith("-")) return 0;
  if (kind === "other" && (RUNS.test(next) || WRITES.test(next) || next === "-delete")) return 0;
  return word === "-fprintf" ? 2 : 1;
}

/** Where the command ends that begins at a place: at a `;`, or a `+` behind `{}`. */
export function findCommandEnd(args: readonly string[], start: number): number {
  let end = start;
  while (end < args.length && args[end] !== ";" && !(args[end] === "+" && args[end - 1] === "{}")) end++;
  return end;
}

/** Whether a test at a place counts for what is left out: `! -name x`, `-name x -prune`. */
export const isExcludedTest = (steps: readonly FindStep[], at: number): boolean =>
  /^(?:!|-not)$/.test(steps[at - 1]?.word ?? "") || steps[at + 1]?.word === "-prune";
