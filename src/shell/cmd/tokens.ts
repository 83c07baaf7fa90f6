import { getVariableValues, type ShellScope } from "../scope.ts";
import { takeMatch } from "../powershell/scanner.ts";
import {
  createAssignedVariable,
  createDynamicText,
  createText,
  createUnknownValue,
  getKnownText,
  type Segment,
  type Text,
} from "../powershell/text-values.ts";
import { getEnvironmentText } from "../powershell/variables.ts";

/** Part of a word: literal text or a variable. */
export interface CmdWordPiece extends Segment {
  variable?: string;
  /** Whether the variable uses delayed expansion: `!X!`. */
  isDelayed?: boolean;
}

/** A cmd.exe token: a word, an operator, a parenthesis or a redirection. */
export type Token =
  /** `raw` is the word including its quotes. */
  | { type: "word"; pieces: readonly CmdWordPiece[]; raw: string; isQuoted: boolean }
  | { type: "operator"; text: string }
  | { type: "redirect"; operator: string };

interface TokenSplitter {
  text: string;
  at: number;
  tokens: Token[];
  word?: { start: number; pieces: CmdWordPiece[]; isQuoted: boolean };
  isInQuotes: boolean;
}

/** Returns the current word, or starts a new word at offset `start`. */
const getWord = (splitter: TokenSplitter, start: number): NonNullable<TokenSplitter["word"]> =>
  (splitter.word ??= { start, pieces: [], isQuoted: false });

/** Ends the current word and adds the operator after it. */
function endWord(splitter: TokenSplitter, operator = ""): void {
  const { word, text, at, tokens } = splitter;
  if (word) {
    const { start, ...found } = word;
    tokens.push({ type: "word", ...found, raw: text.slice(start, at - operator.length) });
  }
  delete splitter.word;
  if (operator !== "") tokens.push({ type: "operator", text: operator });
}

const WHITESPACE = /[ \t,;\r]+/y;
const UNQUOTED_TEXT = /\^(?:\r?[^]|$)|[^"%!\n^ \t,;\r&|()<>=]+|[^]/y;

/**
 * Splits a cmd.exe command line into tokens. `^` escapes the next character, double quotes keep words together, and
 * `%X%` and `!X!` are variables.
 */
export function splitTokens(text: string): Token[] {
  const splitter: TokenSplitter = { text, at: 0, tokens: [], isInQuotes: false };
  while (splitter.at < text.length) {
    if (readVariable(splitter)) continue;
    const { at, isInQuotes } = splitter;
    if (takeMatch(splitter, /"/y) !== "") {
      splitter.isInQuotes = !isInQuotes;
      appendText(splitter, '"', at).isQuoted = true;
    } else if (takeMatch(splitter, /\n/y) !== "") {
      splitter.isInQuotes = false;
      endWord(splitter, "\n");
    } else if (isInQuotes) appendText(splitter, takeMatch(splitter, /[^"%!\n]+|[^]/y), at);
    else readUnquoted(splitter);
  }
  endWord(splitter);
  return splitter.tokens;
}

function appendText(splitter: TokenSplitter, text: string, start: number): NonNullable<TokenSplitter["word"]> {
  const word = getWord(splitter, start);
  const lastPiece = word.pieces.at(-1);
  if (lastPiece && !lastPiece.isDynamic) lastPiece.text += text;
  else word.pieces.push({ text, isDynamic: false });
  return word;
}

/** Reads unquoted text up to the next special character. */
function readUnquoted(splitter: TokenSplitter): void {
  const { at, word, tokens } = splitter;
  const redirect = takeMatch(splitter, word ? /[<>]>?(?:&\d)?/y : /\d?[<>]>?(?:&\d)?/y);
  if (redirect !== "") {
    splitter.at = at;
    endWord(splitter);
    splitter.at = at + redirect.length;
    tokens.push({ type: "redirect", operator: redirect });
    return;
  }
  const operator = takeMatch(splitter, word ? /&&?|\|\|?|\)/y : /&&?|\|\|?|[()]/y);
  if (operator !== "") return endWord(splitter, operator);
  if (word ? isBlank(splitter) : takeMatch(splitter, /[ \t,;\r=]+/y) !== "") {
    endWord(splitter);
    takeMatch(splitter, WHITESPACE);
    return;
  }
  const text = takeMatch(splitter, UNQUOTED_TEXT);
  // A caret at the end of a line is a line continuation.
  if (!/^\^\r?\n$/.test(text)) appendText(splitter, text.replace(/^\^\r?/, ""), at);
}

const isBlank = ({ text, at }: TokenSplitter): boolean => " \t,;\r".includes(text[at] ?? "x");

const MAX_NAME_LENGTH = 128;

/** Reads a variable: `%NAME%`, `!NAME!`, `%~dp0`, `%1`, `%%i`. Argument and loop variable names get a "%" prefix. */
function readVariable(splitter: TokenSplitter): boolean {
  const { text, at } = splitter;
  if (text[at] !== "%" && text[at] !== "!") return false;
  const piece = text.slice(at, at + MAX_NAME_LENGTH);
  const [match, percentName, delayedName, argumentNumber, loopLetter] =
    /^%([A-Za-z_][\w().-]*(?::[^%\n&|<>"]*)?)%|^!([A-Za-z_]\w*(?::[^!\n]*)?)!|^%%?~?[a-z]{0,8}?(?:([\d*])|([A-Za-z])(?!\w))/.exec(
      piece,
    ) ?? [];
  if (match === undefined) return false;
  const variable = percentName ?? delayedName ?? `%${argumentNumber ?? loopLetter}`;
  getWord(splitter, at).pieces.push({ text: "", isDynamic: true, variable, isDelayed: delayedName !== undefined });
  splitter.at += match.length;
  return true;
}

/** Returns the text of a word after variable expansion. */
export const expandPieces = (pieces: readonly CmdWordPiece[], scope: ShellScope, { keepsDelayed = false } = {}): Text =>
  pieces.flatMap((piece): Text => {
    if (piece.variable === undefined) return [piece];
    if (keepsDelayed && piece.isDelayed) return createText(`!${piece.variable}!`);
    return expandVariable(piece.variable, scope);
  });

/** Expands a variable, with an optional modifier: `%X:~0,3%`, `%X:a=b%`. */
function expandVariable(name: string, scope: ShellScope): Text {
  if (name.startsWith("%")) {
    const values = getVariableValues(scope, name);
    const loopVariable = name.slice(1);
    return (
      values?.[0] ??
      (/[a-z]/i.test(loopVariable)
        ? createAssignedVariable(loopVariable)
        : createUnknownValue(loopVariable.replace("*", "args")))
    );
  }
  const [variable = ""] = name.split(":", 1);
  const value = /^cd$/i.test(variable) ? createDynamicText("$PWD") : getEnvironmentText(variable, scope);
  if (variable === name) return value;
  const part = modifyValue(getKnownText(value), name.slice(variable.length + 1));
  return part === undefined ? createDynamicText(`\${${variable.replace(/\W/g, "")}:0:1}`) : createText(part);
}

const MAX_MODIFIED_LENGTH = 1_000;

/** Applies a modifier such as `~0,3` or `old=new` to a known value. Returns undefined if the result is unknown. */
function modifyValue(text: string | undefined, change: string): string | undefined {
  if (text === undefined || text.length > MAX_MODIFIED_LENGTH) return undefined;
  const [, start, length] = /^~(-?\d{1,4})(?:,(-?\d{1,4}))?$/.exec(change) ?? [];
  if (start !== undefined) return text.slice(Number(start)).slice(0, length === undefined ? undefined : Number(length));
  const [, old, replacement = ""] = /^([^*=][^=]*)=(.*)$/s.exec(change) ?? [];
  if (old === undefined) return undefined;
  const lowerPattern = old.toLowerCase();
  let result = "";
  let unchangedStart = 0;
  for (
    let at = 0;
    (at = text.toLowerCase().indexOf(lowerPattern, unchangedStart)) >= 0;
    unchangedStart = at + old.length
  )
    result += text.slice(unchangedStart, at) + replacement;
  return result + text.slice(unchangedStart);
}
