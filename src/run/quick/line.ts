/** A shell line that consists of plain words. */
export interface PlainLine {
  /** In lower case, without quotes and redirections, and with comments. */
  text: string;
  /** Its simple commands as lists of words; a part of a quoted text may be taken for one. */
  commands: readonly (readonly string[])[];
  /** The folder that the line changes to first, as it is written. */
  folder?: string;
  /** The files that redirections write to, as they are written; each is also a word of its command. */
  targets: readonly string[];
  /** Words with blanks or separators inside of quotes; their parts are words of the commands, too. */
  quoted: readonly string[];
}

/** Words that begin no simple command, or change what those after them do. */
const UNREAD_COMMANDS =
  "|if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|time|coproc|eval|exec|source|.|alias|trap|pushd|popd|";
/** Programs that make words of others. */
const UNREAD_PROGRAMS = ["base64", "xxd"];
const MAX_LENGTH = 4096;

const TAB = 9;
const NEWLINE = 10;
const BLANK = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const DOLLAR = 36;
const AMPERSAND = 38;
const SINGLE_QUOTE = 39;
const COLON = 58;
const SEMICOLON = 59;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const BAR = 124;

/**
 * Reads a line of plain words, quotes, `&&`, `||`, `;`, `|`, redirections to a file without quotes, to `/dev/null` or
 * another stream, comments, and `echo` with `$?`. Whatever else is in it, it is not read: undefined. Without regular
 * expressions, each of which takes longer to compile than all of this.
 */
export function readPlainLine(line: string): PlainLine | undefined {
  if (line.length > MAX_LENGTH) return undefined;
  const commands: string[][] = [];
  let words: string[] = [];
  const quoted: string[] = [];
  let text = "";
  let word = "";
  /** What stands in the same word before a blank or separator inside of quotes, with that. */
  let before = "";
  let folder: string | undefined;
  const targets: string[] = [];
  let isTarget = false;
  let quote = 0;
  let from = 0;
  /** Whether a quote stands in the word; an empty one is one too. */
  let isQuoted = false;
  /** Whether the command has the last exit code among its words. */
  let hasStatus = false;
  let comments = "";
  /** Whether an operator still needs a command behind it. */
  let isOpen = false;
  const endWord = (at: number, inner = "") => {
    word += line.slice(from, at);
    if (inner !== "") before += word + inner;
    else if (before !== "") {
      quoted.push(before + word);
      before = "";
    }
    if (word !== "" || isQuoted) {
      words.push(word);
      text += ` ${word}`;
      if (isTarget) targets.push(word);
    }
    word = "";
    isQuoted = isTarget = false;
  };
  const endCommand = (written: string): boolean => {
    const separator = written === "\n" ? ";" : written;
    text += separator;
    const [program] = words;
    // Where a command is missing, no shell can read the line, and the long way reads it in others.
    if (program === undefined) return written === "\n" || (written === "" && !isOpen);
    isOpen = separator === "&&" || separator === "||" || separator === "|";
    if (program === "" || UNREAD_COMMANDS.includes(`|${program}|`) || program.includes("=")) return false;
    // Only for what prints it, and not to a program that may take it for a name.
    if (hasStatus && (program !== "echo" || separator === "|")) return false;
    hasStatus = false;
    if (words.includes("cd")) {
      // Only as in `cd x && …`.
      if (program !== "cd" || words.length !== 2 || commands.length > 0 || folder !== undefined) return false;
      if (targets.length > 0) return false;
      if (separator !== ";" && separator !== "&&") return false;
      // An option, or where the shell was before.
      if (words[1]?.startsWith("-")) return false;
      folder = words[1];
    } else commands.push(words);
    words = [];
    return true;
  };
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    // A letter or digit, or one of `, - . / : @ = _ +`. The engine compiles what is called often, hence no function.
    if (code >= 97 && code <= 122) continue;
    if ((code >= 44 && code <= 58) || (code >= 64 && code <= 90) || code === 95 || code === 61 || code === 43) continue;
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      if (isTarget || (quote !== 0 && quote !== code)) return undefined;
      quote = quote === 0 ? code : 0;
      word += line.slice(from, at);
      from = at + 1;
      isQuoted = true;
    } else if (code === BLANK || code === TAB) {
      // A text in quotes is taken for several words.
      endWord(at, quote === 0 ? "" : line.slice(at, at + 1));
      from = at + 1;
      if (quote !== 0) isQuoted = true;
    } else if (code === SEMICOLON || code === AMPERSAND || code === BAR || code === NEWLINE) {
      const isDouble = line.charCodeAt(at + 1) === code && (code === AMPERSAND || code === BAR);
      const written = line.slice(at, at + (isDouble ? 2 : 1));
      endWord(at, quote === 0 ? "" : written);
      if (quote !== 0 ? !endQuotedPart() : !endCommand(written)) return undefined;
      if (isDouble) at++;
      from = at + 1;
    } else if (code === GREATER) {
      if (quote !== 0) return undefined;
      // A digit before it belongs to it.
      if (at === from + 1 && word === "" && !isQuoted && isStream(line.charCodeAt(from))) from = at;
      else if (at > from || word !== "" || isQuoted) return undefined;
      let end = findRedirectionEnd(line, at);
      if (end === undefined) {
        end = findTarget(line, at);
        if (end === undefined || words.length === 0) return undefined;
        isTarget = true;
      }
      at = end - 1;
      from = end;
    } else if (code === DOLLAR && quote !== SINGLE_QUOTE && isStatus(line, at)) {
      hasStatus = true;
      at++;
    } else if (code === HASH && quote === 0 && at === from && word === "" && !isQuoted) {
      // A comment, up to the end of its line.
      const end = line.indexOf("\n", at);
      from = end < 0 ? line.length : end;
      comments += ` ${line.slice(at, from)}`;
      at = from - 1;
    } else return undefined;
  }
  if (quote !== 0) return undefined;
  endWord(line.length);
  if (!endCommand("")) return undefined;
  // Hooks may look for what stands in them, too.
  if (comments !== "") text += comments.replaceAll('"', "").replaceAll("'", "");
  text = text.toLowerCase();
  for (const name of UNREAD_PROGRAMS) if (text.includes(name)) return undefined;
  for (const list of commands) for (const one of list) if (one.length === 2 && one.startsWith("/")) return undefined;
  return { text, commands, targets, quoted, ...(folder !== undefined && { folder }) };

  /** At a separator inside quotes the text is split too, which only makes more commands. */
  function endQuotedPart(): boolean {
    return words.length === 0 || (words.includes("cd") ? false : endCommand(" "));
  }
}

/** Where the name of the file begins that is written to by the `>` here; undefined unless it begins with a plain character. */
function findTarget(line: string, at: number): number | undefined {
  let start = at + 1;
  if (line.charCodeAt(start) === GREATER) start++;
  if (line.charCodeAt(start) === BLANK) start++;
  const code = line.charCodeAt(start);
  const isPlain =
    (code >= 97 && code <= 122) || (code >= 46 && code <= 57) || (code >= 65 && code <= 90) || code === 95;
  return isPlain ? start : undefined;
}

/** Whether a `$?` stands there with no letter beside it: that would make a name of both. */
function isStatus(line: string, at: number): boolean {
  if (line.charCodeAt(at + 1) !== QUESTION) return false;
  const before = line.charCodeAt(at - 1);
  const after = at + 2 < line.length ? line.charCodeAt(at + 2) : BLANK;
  return (isEdge(before) || before === EQUALS || before === COLON) && (isEdge(after) || isSeparator(after));
}

const isEdge = (code: number) => code === BLANK || code === TAB || code === DOUBLE_QUOTE;
const isSeparator = (code: number) => code === SEMICOLON || code === AMPERSAND || code === BAR || code === NEWLINE;

const isStream = (code: number) => code >= 48 && code <= 50;

/** Where a redirection to nowhere, or to another stream, ends that has its `>` here; undefined for any other. */
function findRedirectionEnd(line: string, at: number): number | undefined {
  let end = at + 1;
  if (line.charCodeAt(end) === GREATER) end++;
  if (line.charCodeAt(end) === AMPERSAND && isStream(line.charCodeAt(end + 1))) end += 2;
  else {
    if (line.charCodeAt(end) === BLANK) end++;
    if (!line.startsWith("/dev/null", end)) return undefined;
    end += "/dev/null".length;
  }
  const next = end < line.length ? line.charCodeAt(end) : BLANK;
  return next === BLANK || isSeparator(next) ? end : undefined;
}
