import { createStringFlow, trackOutput, type StringFlow } from "./output-tracking.ts";
import { assignVariables, createVariables, getAssignedName, UNKNOWN, type Variables } from "./variables.ts";

/** Words that start something other than a simple command, or that change how later words are read. */
const UNSUPPORTED_FIRST_WORDS =
  "|case|esac|select|function|coproc|eval|exec|source|.|alias|unalias|trap|pushd|popd|read|mapfile|readarray|getopts|unset|let|shift|shopt|enable|hash|[[|";

/**
 * For each keyword, the states in which it is allowed, and the state that follows. For example, `if` leads to state
 * "i", in which `then` is allowed.
 */
const KEYWORDS = new Map<string, readonly [after: string, next: string]>([
  ["if", ["", "i"]],
  ["then", ["ie", "t"]],
  ["elif", ["t", "e"]],
  ["else", ["t", "l"]],
  ["fi", ["tl", ""]],
  ["while", ["", "w"]],
  ["until", ["", "w"]],
  ["do", ["wf", "d"]],
  ["done", ["d", ""]],
  ["{", ["", "{"]],
  ["}", ["{", ""]],
]);

/** State kept while reading a command line. */
export interface ReadingState {
  line: string;
  commands: string[][];
  words: string[];
  quotedWords: string[];
  text: string;
  word: string;
  /** The current word up to and including its last quoted space or separator. Empty if there is none. */
  wordPrefix: string;
  /** Where the text not yet appended to `word` starts. */
  partStart: number;
  /** The open quote character, or empty outside quotes. */
  quote: string;
  /** Whether the current word contains a quote or an escape. If so, it is a word even when empty. */
  isQuoted: boolean;
  targets: string[];
  isTarget: boolean;
  folder: string | undefined;
  comments: string;
  /** Whether the last operator requires a command after it. */
  needsCommand: boolean;
  /** Whether a group or keyword has just ended, so that no word can follow. */
  isAfterGroup: boolean;
  /** The open groups and keywords, innermost last. */
  openGroups: string;
  variables: Variables;
  /** Assignments at the start of the current command. */
  assignments: string[];
  /** Whether the command is connected to the previous one by a conditional operator or a pipe. */
  isConditional: boolean;
  /** Nesting depth of substitutions. */
  depth: number;
  /**
   * Whether a quoted string contains more than plain words. If a program runs such a string as code, the code's words
   * may differ from the words listed here.
   */
  hasCode: boolean;
  flow: StringFlow;
}

export const createReading = (line: string, getValue: Variables["getValue"]): ReadingState => ({
  line,
  commands: [],
  words: [],
  quotedWords: [],
  text: "",
  word: "",
  wordPrefix: "",
  partStart: 0,
  quote: "",
  isQuoted: false,
  targets: [],
  isTarget: false,
  folder: undefined,
  comments: "",
  needsCommand: false,
  isAfterGroup: false,
  openGroups: "",
  variables: createVariables(getValue),
  assignments: [],
  isConditional: false,
  depth: 0,
  hasCode: false,
  flow: createStringFlow(),
});

/** Whether the character at `at` ends a word. */
export const isWordEnd = (line: string, at: number): boolean => " \t\n;&|)".includes(line.charAt(at));

/** Appends the text up to `at` to the word. The next part starts at `nextStart`. */
export function appendPart(reading: ReadingState, at: number, nextStart: number): void {
  reading.word += reading.line.slice(reading.partStart, at);
  reading.partStart = nextStart;
}

/**
 * Ends a word.
 * @param innerSeparator the quoted space or separator that ends the word here, although a shell wouldn't end it
 * @returns false if the word's meaning is uncertain
 */
export function endWord(reading: ReadingState, at: number, innerSeparator = ""): boolean {
  appendPart(reading, at, at);
  const { word } = reading;
  if (innerSeparator !== "" && reading.wordPrefix === "") {
    // The assigned value continues after the space or separator, so it isn't known yet.
    const name = getAssignedName(word);
    if (name !== undefined) {
      if (reading.words.length === 0) return false;
      if (DECLARATION_BUILTINS.includes(`|${reading.words[0]}|`)) reading.variables.assignedValues.set(name, null);
    }
  }
  if (innerSeparator !== "") reading.wordPrefix += word + innerSeparator;
  else if (reading.wordPrefix !== "") {
    reading.quotedWords.push(reading.wordPrefix + word);
    reading.wordPrefix = "";
  }
  const isWord = word !== "" || reading.isQuoted;
  const isLiteral = reading.isQuoted;
  const isTarget = reading.isTarget;
  reading.word = "";
  reading.isQuoted = reading.isTarget = false;
  if (!isWord) return true;
  reading.text += ` ${word}`;
  // The unknown part might expand to nothing.
  if (word.includes(UNKNOWN)) reading.text += ` ${word.replaceAll(UNKNOWN, "")}`;
  if (isTarget) {
    reading.targets.push(word);
    if (reading.isAfterGroup) {
      // Record the group's output file as one of the command line's words.
      reading.commands.push([">", word]);
      return true;
    }
  }
  if (reading.isAfterGroup) return false;
  if (reading.words.length === 0 && innerSeparator === "") {
    if (getAssignedName(word) !== undefined) {
      reading.assignments.push(word);
      return true;
    }
    if (!isLiteral && readKeyword(reading, word)) return reading.openGroups !== SYNTAX_ERROR_STATE;
  }
  reading.words.push(word);
  return true;
}

const SYNTAX_ERROR_STATE = "!";

/**
 * Returns whether the first word of a command is a keyword. If it isn't allowed here, sets `openGroups` to
 * `SYNTAX_ERROR_STATE`.
 */
function readKeyword(reading: ReadingState, word: string): boolean {
  if (word === "!" || word === "time") return true;
  const [allowedStates, nextState] = KEYWORDS.get(word) ?? [];
  if (allowedStates === undefined || nextState === undefined) return false;
  const currentState = reading.openGroups.slice(-1);
  if (allowedStates !== "" && (currentState === "" || !allowedStates.includes(currentState) || reading.needsCommand))
    reading.openGroups = SYNTAX_ERROR_STATE;
  else reading.openGroups = (allowedStates === "" ? reading.openGroups : reading.openGroups.slice(0, -1)) + nextState;
  reading.isAfterGroup = allowedStates !== "" && nextState === "";
  reading.needsCommand = !reading.isAfterGroup;
  return true;
}

/**
 * Ends a simple command at an operator or at the end of the command line.
 * @returns false if this reader can't handle the command
 */
export function endCommand(reading: ReadingState, operatorText: string): boolean {
  const separator = operatorText === "\n" ? ";" : operatorText;
  const { words, isAfterGroup, assignments } = reading;
  const certainty = isUnconditional(reading, separator) ? "certain" : "possible";
  reading.text += separator;
  const [program] = words;
  if (program === undefined && !isAfterGroup && assignments.length === 0)
    // In bash, a missing command is a syntax error. The full parser would then try other shells.
    return operatorText === "\n" || (operatorText === "" && !reading.needsCommand);
  if (!trackOutput(reading, separator)) return false;
  reading.isAfterGroup = false;
  reading.needsCommand = reading.isConditional = CONNECTING_OPERATORS.includes(separator);
  reading.assignments = [];
  assignVariables(reading.variables, assignments, program === undefined ? certainty : "possible");
  // A later command might use the assigned value as a file name.
  if (assignments.length > 0) reading.commands.push(["=", ...assignments]);
  if (program === undefined) return true;
  if (program === "for") return endLoopHeader(reading, separator);
  if (!isPlainCommand(words, separator)) return false;
  if (DECLARATION_BUILTINS.includes(`|${program}|`)) assignVariables(reading.variables, words, certainty);
  if (words.includes("cd")) {
    if (!isPlainCd(reading)) return false;
    reading.folder = words[1] as string;
  } else reading.commands.push(words);
  reading.words = [];
  return true;
}

/** Whether the current command is certain to run, and in the current shell. */
const isUnconditional = ({ openGroups, depth, isConditional }: ReadingState, separator: string): boolean =>
  openGroups === "" && depth === 0 && !isConditional && separator !== "|" && separator !== "&";

const CONNECTING_OPERATORS = ["&&", "||", "|"];
const DECLARATION_BUILTINS = "|export|declare|typeset|local|readonly|";

/** Whether a command's words alone show what it does. */
function isPlainCommand(words: readonly string[], separator: string): boolean {
  const [program = "", firstArgument = ""] = words;
  if (program === "" || program.includes("=") || program.includes(UNKNOWN)) return false;
  if (UNSUPPORTED_FIRST_WORDS.includes(`|${program}|`)) return false;
  if (program === "set") return words.every(isShellOption);
  // `printf -v` assigns a variable, and the next program might use the output of `printf` as a name.
  return (
    program !== "printf" || !(firstArgument.startsWith("-v") || (separator === "|" && firstArgument.includes("%")))
  );
}

/** Whether an argument of `set` changes an option rather than the positional parameters. */
const isShellOption = (word: string) =>
  word === "set" || word === "pipefail" || (word.length > 1 && word !== "--" && (word[0] === "-" || word[0] === "+"));

/**
 * Whether the command is a plain `cd x`, and the first `cd` in the command line. Only then can names be resolved: in
 * both the initial directory and the new one.
 */
function isPlainCd({ words, folder }: ReadingState): boolean {
  const [program, target = ""] = words;
  // Options and `cd -` aren't supported.
  return (
    program === "cd" &&
    words.length === 2 &&
    folder === undefined &&
    target !== "" &&
    !target.startsWith("-") &&
    !target.includes(UNKNOWN)
  );
}

/** Ends a loop header such as `for x in a b` and adds its items as words. */
function endLoopHeader(reading: ReadingState, separator: string): boolean {
  const [, name = "", word, ...items] = reading.words;
  if (separator !== ";" || word !== "in") return false;
  reading.variables.assignedValues.set(name, null);
  reading.commands.push(["for", ...items]);
  reading.openGroups += "f";
  reading.needsCommand = false;
  reading.words = [];
  return true;
}
