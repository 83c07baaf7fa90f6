import { createTextFlow, followText, type TextFlow } from "./flow.ts";
import { assignVariables, createVariables, getAssignedName, UNKNOWN, type Variables } from "./variables.ts";

/** Words that begin no simple command, or change what those after them do. */
const UNREAD_COMMANDS =
  "|case|esac|select|function|coproc|eval|exec|source|.|alias|unalias|trap|pushd|popd|read|mapfile|readarray|getopts|unset|let|shift|shopt|enable|hash|[[|";

/** What a keyword has to follow, and what takes its place: `if` opens "i", `then` is right behind that. */
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

/** A line while it is read. */
export interface Reading {
  line: string;
  commands: string[][];
  words: string[];
  quoted: string[];
  text: string;
  word: string;
  /** What stands in the same word before a space or separator inside of quotes, with that. */
  before: string;
  /** Where the part of the line begins that is not in `word` yet. */
  from: number;
  /** The quote that is open, if any. */
  quote: string;
  /** Whether a quote or an escape stands in the word; an empty one is one too. */
  isQuoted: boolean;
  targets: string[];
  isTarget: boolean;
  folder: string | undefined;
  comments: string;
  /** Whether an operator still needs a command behind it. */
  isOpen: boolean;
  /** Whether a group or a keyword has just ended, so that no word may follow. */
  isClosed: boolean;
  /** The groups and keywords that are open, the last one at the end. */
  open: string;
  variables: Variables;
  /** The words of the command that are assignments so far. */
  assignments: string[];
  /** Whether the command runs only if the one before it does, or takes what that prints. */
  isConditional: boolean;
  /** How many substitutions it stands in. */
  depth: number;
  /** Whether a text in quotes holds more than plain words, so that a program that takes it for code may read more in it. */
  hasCode: boolean;
  flow: TextFlow;
}

export const createReading = (line: string, getValue: Variables["getValue"]): Reading => ({
  line,
  commands: [],
  words: [],
  quoted: [],
  text: "",
  word: "",
  before: "",
  from: 0,
  quote: "",
  isQuoted: false,
  targets: [],
  isTarget: false,
  folder: undefined,
  comments: "",
  isOpen: false,
  isClosed: false,
  open: "",
  variables: createVariables(getValue),
  assignments: [],
  isConditional: false,
  depth: 0,
  hasCode: false,
  flow: createTextFlow(),
});

/** Whether a word ends here. */
export const isEnd = (line: string, at: number): boolean => " \t\n;&|)".includes(line.charAt(at));

/** Adds the line up to here to the word; the next part begins at `from`. */
export function takePart(reading: Reading, at: number, from: number): void {
  reading.word += reading.line.slice(reading.from, at);
  reading.from = from;
}

/**
 * Ends a word.
 * @param inner the space or separator inside of quotes that the shell does not end it at.
 * @returns false if it is not sure what the word may be.
 */
export function endWord(reading: Reading, at: number, inner = ""): boolean {
  takePart(reading, at, at);
  const { word } = reading;
  if (inner !== "" && reading.before === "") {
    // The rest of its value is not known yet.
    const name = getAssignedName(word);
    if (name !== undefined) {
      if (reading.words.length === 0) return false;
      if (DECLARING_PROGRAMS.includes(`|${reading.words[0]}|`)) reading.variables.assigned.set(name, null);
    }
  }
  if (inner !== "") reading.before += word + inner;
  else if (reading.before !== "") {
    reading.quoted.push(reading.before + word);
    reading.before = "";
  }
  const isWord = word !== "" || reading.isQuoted;
  const isLiteral = reading.isQuoted;
  const isTarget = reading.isTarget;
  reading.word = "";
  reading.isQuoted = reading.isTarget = false;
  if (!isWord) return true;
  reading.text += ` ${word}`;
  // Where it turns out to be nothing.
  if (word.includes(UNKNOWN)) reading.text += ` ${word.replaceAll(UNKNOWN, "")}`;
  if (isTarget) {
    reading.targets.push(word);
    if (reading.isClosed) {
      // The file of a group is one of the line's names.
      reading.commands.push([">", word]);
      return true;
    }
  }
  if (reading.isClosed) return false;
  if (reading.words.length === 0 && inner === "") {
    if (getAssignedName(word) !== undefined) {
      reading.assignments.push(word);
      return true;
    }
    if (!isLiteral && readKeyword(reading, word)) return reading.open !== BROKEN;
  }
  reading.words.push(word);
  return true;
}

const BROKEN = "!";

/** Whether a word at the beginning of a command is a keyword. Where it can't stand there, `open` becomes `BROKEN`. */
function readKeyword(reading: Reading, word: string): boolean {
  if (word === "!" || word === "time") return true;
  const [after, next] = KEYWORDS.get(word) ?? [];
  if (after === undefined || next === undefined) return false;
  const last = reading.open.slice(-1);
  if (after !== "" && (last === "" || !after.includes(last) || reading.isOpen)) reading.open = BROKEN;
  else reading.open = (after === "" ? reading.open : reading.open.slice(0, -1)) + next;
  reading.isClosed = after !== "" && next === "";
  reading.isOpen = !reading.isClosed;
  return true;
}

/**
 * Ends a simple command at an operator, or at the end of the line.
 * @returns false if it is not read.
 */
export function endCommand(reading: Reading, written: string): boolean {
  const separator = written === "\n" ? ";" : written;
  const { words, isClosed, assignments } = reading;
  const certainty = isUnconditional(reading, separator) ? "certain" : "possible";
  reading.text += separator;
  const [program] = words;
  if (program === undefined && !isClosed && assignments.length === 0)
    // Where a command is missing, no shell can read the line, and the long way reads it in others.
    return written === "\n" || (written === "" && !reading.isOpen);
  if (!followText(reading, separator)) return false;
  reading.isClosed = false;
  reading.isOpen = reading.isConditional = CONNECTING.includes(separator);
  reading.assignments = [];
  assignVariables(reading.variables, assignments, program === undefined ? certainty : "possible");
  // A value may be the file that a variable names.
  if (assignments.length > 0) reading.commands.push(["=", ...assignments]);
  if (program === undefined) return true;
  if (program === "for") return endLoopHead(reading, separator);
  if (!isRead(words, separator)) return false;
  if (DECLARING_PROGRAMS.includes(`|${program}|`)) assignVariables(reading.variables, words, certainty);
  if (words.includes("cd")) {
    if (!isPlainMove(reading)) return false;
    reading.folder = words[1] as string;
  } else reading.commands.push(words);
  reading.words = [];
  return true;
}

/** Whether a command that ends here runs in any case, and in the shell of the line. */
const isUnconditional = ({ open, depth, isConditional }: Reading, separator: string): boolean =>
  open === "" && depth === 0 && !isConditional && separator !== "|" && separator !== "&";

const CONNECTING = ["&&", "||", "|"];
const DECLARING_PROGRAMS = "|export|declare|typeset|local|readonly|";

/** Whether a command does no more than what its words say. */
function isRead(words: readonly string[], separator: string): boolean {
  const [program = "", first = ""] = words;
  if (program === "" || program.includes("=") || program.includes(UNKNOWN)) return false;
  if (UNREAD_COMMANDS.includes(`|${program}|`)) return false;
  if (program === "set") return words.every(isShellOption);
  // Another program may take for a name what it composes.
  return program !== "printf" || !(first.startsWith("-v") || (separator === "|" && first.includes("%")));
}

/** Whether a word of `set` changes an option, and none of the arguments. */
const isShellOption = (word: string) =>
  word === "set" || word === "pipefail" || (word.length > 1 && word !== "--" && (word[0] === "-" || word[0] === "+"));

/** Whether a command is `cd x`, and the only one: what the line names is looked for in both folders. */
function isPlainMove({ words, folder }: Reading): boolean {
  const [program, to = ""] = words;
  // An option, or where the shell was before.
  return (
    program === "cd" &&
    words.length === 2 &&
    folder === undefined &&
    to !== "" &&
    !to.startsWith("-") &&
    !to.includes(UNKNOWN)
  );
}

/** Ends `for x in a b`: its items are words, too. */
function endLoopHead(reading: Reading, separator: string): boolean {
  const [, name = "", word, ...items] = reading.words;
  if (separator !== ";" || word !== "in") return false;
  reading.variables.assigned.set(name, null);
  reading.commands.push(["for", ...items]);
  reading.open += "f";
  reading.isOpen = false;
  reading.words = [];
  return true;
}
