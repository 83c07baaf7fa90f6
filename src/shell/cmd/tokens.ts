import { getVariableValues, type ShellScope } from "../scope.ts";
import { createAssigned, createUnknown, getEnvironmentText, type Segment, type Text } from "../powershell/values.ts";

/** A piece of a word, or a variable that stands for one. */
interface Piece extends Segment {
  variable?: string;
  /** It is written as `!X!`. */
  isDelayed?: true;
}

/** A word of a cmd line, an operator between commands, a bracket, or a redirection. */
export type Token = { /** Where it starts in the line. */ from: number } & (
  | {
      type: "word";
      pieces: readonly Piece[];
      /** The same with its quotes. */ quoted: readonly Piece[];
      raw: string;
      isQuoted: boolean;
    }
  | { type: "operator"; text: "&" | "&&" | "||" | "|" | "\n" | "(" | ")" }
  | { type: "redirect"; operator: string }
);

/** Letters that separate words, besides blanks. */
const isSeparator = (letter: string) =>
  letter === " " || letter === "\t" || letter === "," || letter === ";" || letter === "=";

function addText(pieces: Piece[], text: string): void {
  const last = pieces.at(-1);
  if (last && !last.live) last.text += text;
  else pieces.push({ text, live: false });
}

/**
 * Splits a cmd line into tokens: `^` takes the next letter as it is, double quotes keep words together, `%X%` and `!X!`
 * are variables.
 */
export function splitTokens(line: string): Token[] {
  const tokens: Token[] = [];
  let segments: Piece[] | undefined;
  let quoted: Piece[] = [];
  let from = 0;
  let isQuoted = false;
  let hasQuotes = false;
  const add = (text: string) => {
    addText((segments ??= []), text);
    addText(quoted, text);
  };
  const end = (at: number) => {
    if (segments)
      tokens.push({ type: "word", from, pieces: segments, quoted, raw: line.slice(from, at), isQuoted: hasQuotes });
    segments = undefined;
    quoted = [];
    hasQuotes = false;
  };
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] as string;
    if (segments === undefined) from = at;
    if (letter === "%" || letter === "!") {
      const found = readVariable(line, at);
      if (found) {
        const piece: Piece = { text: "", live: true, variable: found.name, ...(letter === "!" && { isDelayed: true }) };
        (segments ??= []).push(piece);
        quoted.push(piece);
        at = found.end;
        continue;
      }
    }
    if (letter === '"') {
      isQuoted = !isQuoted;
      hasQuotes = true;
      segments ??= [];
      addText(quoted, letter);
    } else if (letter === "\n") {
      end(at);
      isQuoted = false;
      tokens.push({ type: "operator", from: at, text: "\n" });
    } else if (isQuoted) add(letter);
    else if (letter === "^") {
      // A caret at the end of a row joins it to the next.
      if (line[at + 1] === "\r") at++;
      at++;
      if (line[at] !== "\n") add(line[at] ?? "");
    } else if (letter === "\r") end(at);
    else if (isSeparator(letter)) {
      // Of `/c:x=y` and `a=b` the rest belongs to the word.
      if (letter === "=" && segments) add(letter);
      else end(at);
    } else if (letter === "&" || letter === "|") {
      end(at);
      const isDouble = line[at + 1] === letter;
      tokens.push({ type: "operator", from: at, text: (isDouble ? letter + letter : letter) as "&" });
      if (isDouble) at++;
    } else if (letter === "(" || (letter === ")" && segments === undefined)) {
      if (segments && letter === "(") add(letter);
      else tokens.push({ type: "operator", from: at, text: letter });
    } else if (letter === ")") {
      end(at);
      tokens.push({ type: "operator", from: at, text: ")" });
    } else if (letter === ">" || letter === "<") {
      const stream = segments && /^\d$/.test(line.slice(from, at)) ? line[from] : "";
      if (stream) {
        segments = undefined;
        quoted = [];
      } else end(at);
      const start = at;
      let operator = letter;
      if (line[at + 1] === ">") {
        operator += ">";
        at++;
      }
      const copied = line[at + 1] === "&" && /\d/.test(line[at + 2] ?? "") ? `&${line[at + 2]}` : "";
      at += copied.length;
      tokens.push({ type: "redirect", from: start, operator: `${stream}${operator}${copied}` });
    } else add(letter);
  }
  end(line.length);
  return tokens;
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

/** The value of a variable; of a part of one (`%X:~0,3%`), only where it is from. */
function expandVariable(name: string, scope: ShellScope): Text {
  if (name.startsWith("%")) {
    const values = getVariableValues(scope, name);
    const letter = name.slice(1);
    return values?.[0] ?? (/[a-z]/i.test(letter) ? createAssigned(letter) : createUnknown(letter.replace("*", "args")));
  }
  const [variable = ""] = name.split(":", 1);
  if (variable !== name) return [{ text: `\${${variable.replace(/\W/g, "")}:0:1}`, live: true }];
  return /^cd$/i.test(variable) ? [{ text: "$PWD", live: true }] : getEnvironmentText(variable, scope);
}
