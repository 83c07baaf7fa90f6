/** A test, action or operator in a `find` expression, with its arguments. */
export interface FindStep {
  /** First word of the step: `-name`, `-exec`, `-delete`, `(`, `!`, `-o`. */
  word: string;
  /** Index of the step's first word in the arguments. */
  at: number;
  /** Arguments of the step. For an action that runs a command, the words of the command: `rm {}`. */
  values: readonly string[];
  /**
   * "name" tests a file's name or path, "run" runs a command, "write" writes to the file in its first argument, and
   * "single" is a test or action without arguments.
   */
  kind: "operator" | "name" | "run" | "write" | "single" | "other";
}

/**
 * Parsed arguments of `find`: the indexes of its starting directories, and its expression. Without a starting
 * directory, `find` starts in the current directory.
 */
export interface FindArguments {
  starts: readonly number[];
  steps: readonly FindStep[];
}

/** Options of GNU and BSD `find` that precede the directories. */
const OPTION_BEFORE_FOLDERS = /^-(?:[HLPEXdsx]+|O\d+)$/;
const FIND_OPERATOR = /^(?:[()!,]|-(?:a|o|not|and|or))$/;
const NAME_TEST = /^-i?(?:name|path|wholename)$/;
const RUN_ACTION = /^-(?:exec|ok)(?:dir)?$/;
const WRITE_ACTION = /^-f(?:print0?|ls|printf)$/;
/** Tests and actions that take no arguments. */
const SINGLE_WORD_STEP =
  /^-(?:delete|empty|true|false|print0?|ls|prune|quit|d|depth|xdev|mount|x|follow|daystart|noleaf|(?:no)?warn|(?:no)?ignore_readdir_race|readable|writable|executable|nouser|nogroup)$/;

/**
 * Parses the arguments of `find`: options, directories, and an expression that starts at the first test or operator.
 */
export function readFindArguments(args: readonly string[]): FindArguments {
  const startIndexes: number[] = [];
  let at = 0;
  while (OPTION_BEFORE_FOLDERS.test(args[at] ?? "") || args[at] === "-D") at += args[at] === "-D" ? 2 : 1;
  // In BSD `find`, `-f` precedes a directory.
  for (; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "-f" || word === "--") continue;
    if (/^-./.test(word) || FIND_OPERATOR.test(word)) break;
    startIndexes.push(at);
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
  return { starts: startIndexes, steps };
}

function getStepKind(word: string): FindStep["kind"] {
  if (FIND_OPERATOR.test(word)) return "operator";
  if (NAME_TEST.test(word)) return "name";
  if (RUN_ACTION.test(word)) return "run";
  if (SINGLE_WORD_STEP.test(word)) return "single";
  return WRITE_ACTION.test(word) ? "write" : "other";
}

/** Returns how many arguments a step has. An action after an unknown test doesn't count as that test's argument. */
function countStepWords(word: string, kind: FindStep["kind"], nextWord = ""): number {
  if (kind === "operator" || kind === "single" || !word.startsWith("-")) return 0;
  if (kind === "other" && (RUN_ACTION.test(nextWord) || WRITE_ACTION.test(nextWord) || nextWord === "-delete"))
    return 0;
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
