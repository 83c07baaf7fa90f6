/** A test, action or operator of `find`, with its arguments. */
export interface FindStep {
  /** The word itself: `-name`, `-exec`, `-delete`, `(`, `!`, `-o`. */
  word: string;
  /** The word's index in the arguments. */
  at: number;
  /** The arguments of the step; for an action that runs a command, the command: `rm {}`. */
  values: readonly string[];
  /**
   * "name": a test of a file's name or path; "run": an action that runs a command; "write": an action that writes to
   * the file in its first argument; "single": a test or action without arguments.
   */
  kind: "operator" | "name" | "run" | "write" | "single" | "other";
}

/**
 * The parsed arguments of `find`: the indexes of its starting directories (empty for the current one), and its
 * expression.
 */
export interface FindArguments {
  starts: readonly number[];
  steps: readonly FindStep[];
}

/** Options of GNU and BSD `find` before the directories. */
const LEADING = /^-(?:[HLPEXdsx]+|O\d+)$/;
const OPERATOR = /^(?:[()!,]|-(?:a|o|not|and|or))$/;
const NAME = /^-i?(?:name|path|wholename)$/;
const RUNS = /^-(?:exec|ok)(?:dir)?$/;
const WRITES = /^-f(?:print0?|ls|printf)$/;
/** Tests and actions without arguments. */
const SINGLE =
  /^-(?:delete|empty|true|false|print0?|ls|prune|quit|d|depth|xdev|mount|x|follow|daystart|noleaf|(?:no)?warn|(?:no)?ignore_readdir_race|readable|writable|executable|nouser|nogroup)$/;

/**
 * Parses the arguments of `find`: options, directories, and the expression that starts at the first test or operator.
 */
export function readFindArguments(args: readonly string[]): FindArguments {
  const starts: number[] = [];
  let at = 0;
  while (LEADING.test(args[at] ?? "") || args[at] === "-D") at += args[at] === "-D" ? 2 : 1;
  // In BSD, `-f` precedes a directory.
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
    // The terminator is not part of the command.
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

/** Returns the number of arguments of a step. An action after an unknown test is not its argument. */
function countStepWords(word: string, kind: FindStep["kind"], next = ""): number {
  if (kind === "operator" || kind === "single" || !word.startsWith("-")) return 0;
  if (kind === "other" && (RUNS.test(next) || WRITES.test(next) || next === "-delete")) return 0;
  return word === "-fprintf" ? 2 : 1;
}

/** Finds the end of a command: a `;`, or a `+` after `{}`. */
export function findCommandEnd(args: readonly string[], start: number): number {
  let end = start;
  while (end < args.length && args[end] !== ";" && !(args[end] === "+" && args[end - 1] === "{}")) end++;
  return end;
}

/** Whether a test excludes files: `! -name x`, `-name x -prune`. */
export const isExcludedTest = (steps: readonly FindStep[], at: number): boolean =>
  /^(?:!|-not)$/.test(steps[at - 1]?.word ?? "") || steps[at + 1]?.word === "-prune";
