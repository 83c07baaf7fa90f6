import {
  addText,
  type Scanner,
  descend,
  isBlank,
  isDash,
  isDoubleQuote,
  isHereString,
  isNewline,
  isSingleQuote,
  noteProblem,
  peek,
  readDollar,
  readDoubleQuoted,
  readEscape,
  readHereString,
  readSingleQuoted,
  skipBlanks,
} from "./scanner.ts";
import type { Argument, Expression, FunctionBody, Parameter, Piece, Script } from "./syntax.ts";

const EMPTY: Expression = { type: "word", pieces: [] };
const toWord = (text: string): Expression => ({ type: "word", pieces: [{ type: "text", text }] });

/** Binary operators by how tightly they bind, loosest first; commas bind tighter than all of them. */
const LEVELS: readonly RegExp[] = [
  /^(?:-(?:and|or|xor)|\?\?)$/,
  /^-(?:b(?:and|or|xor)|sh[lr])$/,
  /^-(?:[ci]?(?:eq|ne|gt|ge|lt|le|(?:not)?(?:like|match|contains|in)|replace|split)|is|isnot|as|join)$/,
  /^[+-]$/,
  /^[*/%]$/,
  /^-f$/,
  /^\.\.$/,
];

/** The binary operator at the scanner; empty if there is none. */
function peekOperator(scanner: Scanner): string {
  const letter = peek(scanner);
  if (letter === "?" && peek(scanner, 1) === "?" && peek(scanner, 2) !== "=") return "??";
  if (letter === "." && peek(scanner, 1) === ".") return "..";
  if ("+*/%".includes(letter) && letter !== "")
    return peek(scanner, 1) === "=" || peek(scanner, 1) === letter ? "" : letter;
  if (!isDash(letter)) return "";
  let end = scanner.at + 1;
  while (/[A-Za-z]/.test(scanner.text[end] ?? "")) end++;
  if (end > scanner.at + 1) return `-${scanner.text.slice(scanner.at + 1, end).toLowerCase()}`;
  return peek(scanner, 1) === "=" || isDash(peek(scanner, 1)) ? "" : "-";
}

/** Reads an expression. */
export const readExpression = (scanner: Scanner): Expression => descend(scanner, () => readBinary(scanner, 0));

function readBinary(scanner: Scanner, level: number): Expression {
  if (level === LEVELS.length) return readList(scanner);
  let left = readBinary(scanner, level + 1);
  for (;;) {
    skipBlanks(scanner);
    const operator = peekOperator(scanner);
    if (operator === "" || !(LEVELS[level] as RegExp).test(operator)) return left;
    scanner.at += operator.length;
    skipBlanks(scanner, true);
    left = { type: "binary", operator, left, right: readBinary(scanner, level + 1) };
  }
}

function readList(scanner: Scanner): Expression {
  const first = readUnary(scanner);
  const items = [first];
  for (;;) {
    skipBlanks(scanner);
    if (peek(scanner) !== ",") break;
    scanner.at++;
    skipBlanks(scanner, true);
    items.push(readUnary(scanner));
  }
  return items.length === 1 ? first : { type: "list", items };
}

function readUnary(scanner: Scanner): Expression {
  const operators: string[] = [];
  for (;;) {
    skipBlanks(scanner);
    const letter = peek(scanner);
    const word = isDash(letter) ? peekOperator(scanner) : "";
    if (/^-(?:not|bnot|i?split|csplit|join)$/.test(word)) {
      operators.push(word);
      scanner.at += word.length;
    } else if (letter === "!" || letter === "+" || isDash(letter) || letter === ",") {
      operators.push(letter);
      scanner.at++;
    } else if (letter === "[") {
      const name = readTypeName(scanner);
      if (peek(scanner) === ":" && peek(scanner, 1) === ":") {
        return wrapUnary(operators, readPostfix(scanner, { type: "type", name }));
      }
      skipBlanks(scanner);
      if (!startsOperand(scanner)) return wrapUnary(operators, { type: "type", name });
      operators.push(`[${name}]`);
    } else break;
    if (operators.length > 1000) {
      noteProblem(scanner, "too many operators");
      break;
    }
  }
  return wrapUnary(operators, readPostfix(scanner, readPrimary(scanner)));
}

function wrapUnary(operators: readonly string[], of: Expression): Expression {
  let found = of;
  for (const operator of operators.toReversed())
    found = operator.startsWith("[")
      ? { type: "cast", name: operator.slice(1, -1), of: found }
      : { type: "unary", operator, of: found };
  return found;
}

const startsOperand = (scanner: Scanner): boolean => /[$"'@([{\w\u2018-\u201E!+-]/.test(peek(scanner));

/** Reads `[System.IO.File]`, and attributes with what is in their parentheses. */
function readTypeName(scanner: Scanner): string {
  const from = ++scanner.at;
  for (let open = 1; ; scanner.at++) {
    const letter = peek(scanner);
    if (letter === "") {
      noteProblem(scanner, "unclosed bracket");
      return scanner.text.slice(from);
    }
    if (isSingleQuote(letter) || isDoubleQuote(letter)) {
      const end = scanner.text.indexOf(letter, scanner.at + 1);
      if (end < 0) {
        noteProblem(scanner, "unclosed quote");
        return scanner.text.slice(from, (scanner.at = scanner.text.length));
      }
      scanner.at = end;
    } else if (letter === "[") open++;
    else if (letter === "]" && --open === 0) return scanner.text.slice(from, scanner.at++).trim();
  }
}

/** Skips attributes, `[CmdletBinding()]`, if what follows them is what they may stand before. */
export function skipTypeNames(scanner: Scanner, isBefore: () => boolean): void {
  const { at, problem } = scanner;
  while (peek(scanner) === "[") {
    readTypeName(scanner);
    skipBlanks(scanner, true);
  }
  if (scanner.at === at || isBefore()) return;
  scanner.at = at;
  if (problem === undefined) delete scanner.problem;
}

/** Reads members, calls and indices behind an operand. */
function readPostfix(scanner: Scanner, operand: Expression): Expression {
  let found = operand;
  for (;;) {
    const letter = peek(scanner);
    const next = peek(scanner, 1);
    const isStatic = letter === ":" && next === ":";
    if (
      (letter === "." && /[\w"'$({]/.test(next)) ||
      isStatic ||
      (letter === "?" && next === "." && /\w/.test(peek(scanner, 2)))
    ) {
      scanner.at += letter === "." ? 1 : 2;
      const name = readMemberName(scanner);
      const args = peek(scanner) === "(" ? readCallArguments(scanner) : undefined;
      found = { type: "member", of: found, name, isStatic, ...(args && { args }) };
    } else if (letter === "[") {
      scanner.at++;
      skipBlanks(scanner, true);
      const index = readExpression(scanner);
      skipBlanks(scanner, true);
      if (peek(scanner) === "]") scanner.at++;
      else noteProblem(scanner, "unclosed bracket");
      found = { type: "index", of: found, index };
    } else if ((letter === "+" && next === "+") || (isDash(letter) && isDash(next))) scanner.at += 2;
    else return found;
  }
}

function readMemberName(scanner: Scanner): Expression {
  const letter = peek(scanner);
  if (!/\w/.test(letter)) return readPrimary(scanner);
  const from = scanner.at;
  while (/\w/.test(peek(scanner))) scanner.at++;
  return toWord(scanner.text.slice(from, scanner.at));
}

function readCallArguments(scanner: Scanner): Expression[] {
  scanner.at++;
  const args: Expression[] = [];
  for (;;) {
    skipBlanks(scanner, true);
    const letter = peek(scanner);
    if (letter === ")") break;
    if (letter === "") {
      noteProblem(scanner, "unclosed parenthesis");
      return args;
    }
    if (letter === ",") {
      scanner.at++;
      continue;
    }
    const before = scanner.at;
    const found = readExpression(scanner);
    if (found.type === "list") args.push(...found.items);
    else args.push(found);
    if (scanner.at === before) {
      noteProblem(scanner, `unexpected token '${letter}'`);
      scanner.at++;
    }
  }
  scanner.at++;
  return args;
}

/** Reads one operand. */
function readPrimary(scanner: Scanner): Expression {
  const letter = peek(scanner);
  const next = peek(scanner, 1);
  if (isSingleQuote(letter)) return readSingleQuoted(scanner);
  if (isDoubleQuote(letter)) return readDoubleQuoted(scanner);
  if (letter === "$") {
    const found = readDollar(scanner);
    if (found) return found;
    scanner.at++;
    return EMPTY;
  }
  if (isHereString(scanner)) return readHereString(scanner);
  if (letter === "(" || (letter === "@" && next === "(")) {
    scanner.at += letter === "(" ? 1 : 2;
    return { type: "script", body: descend(scanner, () => scanner.readScript(scanner, ")")) };
  }
  if (letter === "@" && next === "{") return readTable(scanner);
  if (letter === "@" && /\w/.test(next)) return readSplat(scanner);
  if (letter === "{") return { type: "block", definition: readBlock(scanner) };
  if (letter === "[") return { type: "type", name: readTypeName(scanner) };
  const from = scanner.at;
  while (/[\w\u00AA-\uFFFF]/.test(peek(scanner)) || (peek(scanner) === "." && /\d/.test(peek(scanner, 1))))
    scanner.at++;
  const text = scanner.text.slice(from, scanner.at);
  return /^\d/.test(text) ? { type: "number", text } : toWord(text);
}

function readSplat(scanner: Scanner): Expression {
  const from = ++scanner.at;
  while (/\w/.test(peek(scanner))) scanner.at++;
  return { type: "splat", name: scanner.text.slice(from, scanner.at) };
}

/** Reads `@{ key = value; … }`. */
function readTable(scanner: Scanner): Expression {
  scanner.at += 2;
  const entries: { key: Expression; value: Script }[] = [];
  return descend(scanner, () => {
    for (;;) {
      skipBlanks(scanner, true);
      const letter = peek(scanner);
      if (letter === "}" || letter === "") {
        if (letter === "") noteProblem(scanner, "unclosed brace");
        scanner.at++;
        return { type: "table", entries };
      }
      if (letter === ";") {
        scanner.at++;
        continue;
      }
      const before = scanner.at;
      const key = readPostfix(scanner, readPrimary(scanner));
      skipBlanks(scanner, true);
      if (peek(scanner) === "=") {
        scanner.at++;
        skipBlanks(scanner, true);
        entries.push({ key, value: scanner.readScript(scanner, "") });
      } else if (scanner.at === before) {
        noteProblem(scanner, `unexpected token '${letter}'`);
        scanner.at++;
      }
    }
  });
}

/** Reads `{ … }`, with the parameters that it declares. */
export function readBlock(scanner: Scanner): FunctionBody {
  scanner.at++;
  const body = descend(scanner, () => scanner.readScript(scanner, "}"));
  const parameters = body.flatMap((statement): readonly Parameter[] =>
    statement.type === "parameters" ? statement.parameters : [],
  );
  return { parameters, body };
}

/** Reads `(…)` behind `param` or a function's name. */
export function readParameters(scanner: Scanner): Parameter[] {
  scanner.at++;
  const found: Parameter[] = [];
  for (;;) {
    skipBlanks(scanner, true);
    const letter = peek(scanner);
    if (letter === ")" || letter === "") {
      if (letter === "") noteProblem(scanner, "unclosed parenthesis");
      scanner.at++;
      return found;
    }
    const before = scanner.at;
    let one = letter === "," ? EMPTY : readUnary(scanner);
    while (one.type === "cast") one = one.of;
    skipBlanks(scanner, true);
    if (one.type === "variable") found.push({ name: one.name });
    if (peek(scanner) === "=") {
      scanner.at++;
      skipBlanks(scanner, true);
      const value = descend(scanner, () => readBinary(scanner, 0));
      const last = found.at(-1);
      if (last && one.type === "variable") found[found.length - 1] = { ...last, value };
    } else if (scanner.at === before) scanner.at++;
  }
}

/** Letters that end a bare word of a command. */
const isWordEnd = (letter: string): boolean =>
  letter === "" || isBlank(letter) || isNewline(letter) || "&(){},;|<>".includes(letter);

/** Reads one word of a command, or several that commas separate. */
export function readArgument(scanner: Scanner): Argument {
  const from = scanner.at;
  const items = [readArgumentItem(scanner)];
  for (;;) {
    const before = scanner.at;
    skipBlanks(scanner);
    if (peek(scanner) !== ",") {
      scanner.at = before;
      break;
    }
    scanner.at++;
    skipBlanks(scanner, true);
    items.push(readArgumentItem(scanner));
  }
  return { items, source: scanner.text.slice(from, scanner.at) };
}

function readArgumentItem(scanner: Scanner): Expression {
  const letter = peek(scanner);
  const next = peek(scanner, 1);
  if (isHereString(scanner)) return readHereString(scanner);
  if (letter === "@" && /[({]/.test(next)) return readPostfix(scanner, readPrimary(scanner));
  if (letter === "@" && /[A-Za-z_]/.test(next)) return readSplat(scanner);
  if (letter === "(" || letter === "{") return readPostfix(scanner, readPrimary(scanner));
  if (letter === "$" && /[\w({:]/.test(next)) {
    const found = readPostfix(scanner, readPrimary(scanner));
    return isWordEnd(peek(scanner)) ? found : readBareWord(scanner, found);
  }
  if (isSingleQuote(letter) || isDoubleQuote(letter)) {
    const found = readPrimary(scanner);
    const isMember = peek(scanner) === "." && /[A-Za-z]/.test(peek(scanner, 1)) && found.type === "word";
    return isMember && /^\.\w+\(/.test(scanner.text.slice(scanner.at, scanner.at + 40))
      ? readPostfix(scanner, found)
      : found;
  }
  return readBareWord(scanner);
}

/** Reads a word with quotes and variables in it; `first` is what it begins with. */
function readBareWord(scanner: Scanner, first?: Expression): Expression {
  const pieces: Piece[] =
    first === undefined
      ? []
      : first.type === "word"
        ? [...first.pieces]
        : first.type === "variable" || first.type === "script"
          ? [first]
          : [
              {
                type: "script",
                body: [{ type: "pipeline", elements: [{ type: "expression", of: first, redirects: [] }] }],
              },
            ];
  while (!isWordEnd(peek(scanner))) {
    const letter = peek(scanner);
    if (letter === "`") {
      if (isNewline(peek(scanner, 1)) || peek(scanner, 1) === "") break;
      addText(pieces, readEscape(scanner));
    } else if (isSingleQuote(letter) || isDoubleQuote(letter)) {
      const quoted = readPrimary(scanner);
      if (quoted.type === "word") pieces.push(...quoted.pieces);
    } else {
      const found = letter === "$" ? readDollar(scanner) : undefined;
      if (found) pieces.push(found);
      else {
        // Some take other dashes for the plain one.
        addText(pieces, pieces.length === 0 && isDash(letter) ? "-" : letter, true);
        scanner.at++;
      }
    }
  }
  return { type: "word", pieces };
}
