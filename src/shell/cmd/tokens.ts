import { getVariableValues, type ShellScope } from "../scope.ts";
import { createAssigned, createUnknown, getEnvironmentText, type Segment, type Text } from "../powershell/values.ts";

/** A piece of a word, or a variable that stands for one. */
interface Piece extends Segment {
  variable?: string;
  /** It is written as `!X!`. */
  isDelayed?: true;
}

/** A word of a cmd line, an operator between commands, a bracket, or a redirection. */
export type Token =
  /** `quoted`: with its quotes. */
  | { type: "word"; pieces: readonly Piece[]; quoted: readonly Piece[]; raw: string; isQuoted: boolean }
  | { type: "operator"; text: "&" | "&&" | "||" | "|" | "\n" | "(" | ")" }
  | { type: "redirect"; operator: string };

/** A line that is being split. */
interface Splitter {
  line: string;
  at: number;
  tokens: Token[];
  /** The word that is being read, with and without its quotes. */
  word?: { from: number; pieces: Piece[]; quoted: Piece[]; isQuoted: boolean };
  /** An odd number of quotes has been read. */
  isOpen: boolean;
}

function addText(pieces: Piece[], text: string): void {
  const last = pieces.at(-1);
  if (last && !last.live) last.text += text;
  else pieces.push({ text, live: false });
}

function getWord(splitter: Splitter): NonNullable<Splitter["word"]> {
  splitter.word ??= { from: splitter.at, pieces: [], quoted: [], isQuoted: false };
  return splitter.word;
}

/** Adds letters to the word that is being read. */
function addLetters(splitter: Splitter, text: string): void {
  const { pieces, quoted } = getWord(splitter);
  addText(pieces, text);
  addText(quoted, text);
}

function endWord(splitter: Splitter): void {
  const { word, line, at, tokens } = splitter;
  if (word) {
    const { from, ...found } = word;
    tokens.push({ type: "word", ...found, raw: line.slice(from, at) });
  }
  delete splitter.word;
}

/**
 * Splits a cmd line into tokens: `^` takes the next letter as it is, double quotes keep words together, `%X%` and `!X!`
 * are variables.
 */
export function splitTokens(line: string): Token[] {
  const splitter: Splitter = { line, at: 0, tokens: [], isOpen: false };
  for (; splitter.at < line.length; splitter.at++) {
    const letter = line[splitter.at] as string;
    if ((letter === "%" || letter === "!") && takeVariable(splitter)) continue;
    if (letter === '"') {
      splitter.isOpen = !splitter.isOpen;
      const word = getWord(splitter);
      word.isQuoted = true;
      addText(word.quoted, letter);
    } else if (letter === "\n") {
      splitter.isOpen = false;
      addOperator(splitter, "\n");
    } else if (splitter.isOpen) addLetters(splitter, letter);
    else takeUnquoted(splitter, letter);
  }
  endWord(splitter);
  return splitter.tokens;
}

function addOperator(splitter: Splitter, text: Extract<Token, { type: "operator" }>["text"]): void {
  endWord(splitter);
  splitter.tokens.push({ type: "operator", text });
}

function takeVariable(splitter: Splitter): boolean {
  const found = readVariable(splitter.line, splitter.at);
  if (!found) return false;
  const isDelayed = splitter.line[splitter.at] === "!";
  const piece: Piece = { text: "", live: true, variable: found.name, ...(isDelayed && { isDelayed }) };
  const { pieces, quoted } = getWord(splitter);
  pieces.push(piece);
  quoted.push(piece);
  splitter.at = found.end;
  return true;
}

/** Takes a letter outside of quotes, with those that belong to it. */
function takeUnquoted(splitter: Splitter, letter: string): void {
  const { line, word } = splitter;
  if (letter === "^") {
    const from = splitter.at;
    // A caret at the end of a row joins it to the next.
    splitter.at += line[splitter.at + 1] === "\r" ? 2 : 1;
    if (line[splitter.at] === "\n") return;
    addLetters(splitter, line[splitter.at] ?? "");
    if (!word && splitter.word) splitter.word.from = from;
  } else if (" \t,;\r".includes(letter) || (letter === "=" && !word)) endWord(splitter);
  else if (letter === "&" || letter === "|") {
    const isDouble = line[splitter.at + 1] === letter;
    addOperator(splitter, (isDouble ? letter + letter : letter) as "&");
    if (isDouble) splitter.at++;
  } else if (letter === ")" || (letter === "(" && !word)) addOperator(splitter, letter);
  else if (letter === ">" || letter === "<") takeRedirect(splitter, letter);
  // Of `/c:x=y` and `a=b` the rest belongs to the word.
  else addLetters(splitter, letter);
}

function takeRedirect(splitter: Splitter, letter: string): void {
  const { line, at, word, tokens } = splitter;
  const stream = word && /^\d$/.test(line.slice(word.from, at)) ? line[word.from] : "";
  if (stream) delete splitter.word;
  else endWord(splitter);
  const mark = line[at + 1] === ">" ? `${letter}>` : letter;
  const copied = /^&\d/.exec(line.slice(at + mark.length, at + mark.length + 2))?.[0] ?? "";
  tokens.push({ type: "redirect", operator: `${stream}${mark}${copied}` });
  splitter.at += mark.length + copied.length - 1;
}

const MAX_NAME_LENGTH = 128;

/** Finds `%NAME%`, `!NAME!`, `%~dp0`, `%1`, `%%i` at a place; the letter of a loop's variable begins with "%". */
function readVariable(line: string, at: number): { name: string; end: number } | undefined {
  const piece = line.slice(at + 1, at + MAX_NAME_LENGTH);
  if (line[at] === "!") {
    const [, name] = /^([A-Za-z_]\w*(?::[^!\n]*)?)!/.exec(piece) ?? [];
    return name === undefined ? undefined : { name, end: at + name.length + 1 };
  }
  const [, name] = /^([A-Za-z_][\w().-]*(?::[^%\n&|<>"]*)?)%/.exec(piece) ?? [];
  if (name !== undefined) return { name, end: at + name.length + 1 };
  const [found, digit, letter] = /^%?~?[a-z]{0,8}?(?:([\d*])|([A-Za-z])(?!\w))/.exec(piece) ?? [];
  return found === undefined ? undefined : { name: `%${digit ?? letter}`, end: at + found.length };
}

/** The text of a word, with what its variables hold where it stands. */
export const expandPieces = (pieces: readonly Piece[], scope: ShellScope, keepsDelayed = false): Text =>
  pieces.flatMap((piece): Text => {
    if (piece.variable === undefined) return [piece];
    if (keepsDelayed && piece.isDelayed) return [{ text: `!${piece.variable}!`, live: false }];
    return expandVariable(piece.variable, scope);
  });

/** The value of a variable, or a part of it: `%X:~0,3%`, `%X:a=b%`. */
function expandVariable(name: string, scope: ShellScope): Text {
  if (name.startsWith("%")) {
    const values = getVariableValues(scope, name);
    const letter = name.slice(1);
    return values?.[0] ?? (/[a-z]/i.test(letter) ? createAssigned(letter) : createUnknown(letter.replace("*", "args")));
  }
  const [variable = ""] = name.split(":", 1);
  const part =
    variable === name ? undefined : cutValue(getEnvironmentText(variable, scope), name.slice(variable.length + 1));
  if (part !== undefined) return [{ text: part, live: false }];
  if (variable !== name) return [{ text: `\${${variable.replace(/\W/g, "")}:0:1}`, live: true }];
  return /^cd$/i.test(variable) ? [{ text: "$PWD", live: true }] : getEnvironmentText(variable, scope);
}

/** A longer value is not changed. */
const MAX_CHANGED = 1_000;

/** A part of a value that is known, as `~0,3` or `old=new` says; undefined if it isn't certain. */
function cutValue(value: Text, change: string): string | undefined {
  if (value.some(({ live }) => live)) return undefined;
  const text = value.map((segment) => segment.text).join("");
  if (text.length > MAX_CHANGED) return undefined;
  const [, start, length] = /^~(-?\d{1,4})(?:,(-?\d{1,4}))?$/.exec(change) ?? [];
  if (start !== undefined) {
    const rest = text.slice(Number(start));
    return length === undefined ? rest : rest.slice(0, Number(length));
  }
  const equals = change.indexOf("=");
  const old = change.slice(0, equals);
  if (equals < 1 || old.startsWith("*")) return undefined;
  let changed = "";
  let from = 0;
  for (let at = 0; (at = text.toLowerCase().indexOf(old.toLowerCase(), from)) >= 0; from = at + old.length)
    changed += text.slice(from, at) + change.slice(equals + 1);
  return changed + text.slice(from);
}
