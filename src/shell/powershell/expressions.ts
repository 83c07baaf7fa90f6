import type { Argument, Expression, FunctionBody, Parameter, WordPart, Script } from "./syntax.ts";
import {
  readNested,
  matchesAt,
  recordProblem,
  peek,
  readItems,
  readScript,
  type Scanner,
  skipBlanks,
  skipNewlines,
  takeMatch,
} from "./scanner.ts";
import {
  appendCharacter,
  addText,
  DASH_CHARACTER,
  DOUBLE_QUOTE,
  HERE_STRING,
  readDollar,
  readDoubleQuoted,
  readHereString,
  readSingleQuoted,
  readSubscript,
  SINGLE_QUOTE,
  toWord,
} from "./strings.ts";

/** Binary operators by precedence, lowest first. A comma binds more tightly than any of these operators. */
const PRECEDENCE_LEVELS: readonly RegExp[] = [
  /^(?:-(?:b?(?:and|or|xor)|sh[lr])|\?\?)$/,
  /^-(?:[ci]?(?:eq|ne|gt|ge|lt|le|(?:not)?(?:like|match|contains|in)|replace|split)|is|isnot|as|join)$/,
  /^[+-]$/,
  /^[*/%]$/,
  /^-f$/,
  /^\.\.$/,
];

const BINARY_OPERATOR =
  /\?\?(?!=)|\.\.|\+(?![=+])|\*(?![=*])|[/%](?!=)|[-\u2013-\u2015](?:[A-Za-z]+|(?![=\u2013-\u2015-]))/y;

/**
 * Consumes a binary operator. Returns the operator in lowercase with a plain dash, or an empty string if no operator
 * follows.
 */
const takeOperator = (scanner: Scanner): string =>
  takeMatch(scanner, BINARY_OPERATOR)
    .toLowerCase()
    .replace(/^[\u2013-\u2015]/, "-");

export const readExpression = (scanner: Scanner): Expression => readNested(scanner, () => readBinary(scanner, 0));

function readBinary(scanner: Scanner, level: number): Expression {
  const items = readCommaSeparated(scanner, readUnary);
  let leftOperand: Expression = items.length === 1 ? (items[0] as Expression) : { type: "list", items };
  for (;;) {
    skipBlanks(scanner);
    const { at } = scanner;
    const operator = takeOperator(scanner);
    const operatorLevel = PRECEDENCE_LEVELS.findIndex((pattern) => pattern.test(operator));
    if (operatorLevel < level) {
      scanner.at = at;
      return leftOperand;
    }
    skipNewlines(scanner);
    leftOperand = { type: "binary", operator, left: leftOperand, right: readBinary(scanner, operatorLevel + 1) };
  }
}

function readCommaSeparated<T>(scanner: Scanner, readItem: (scanner: Scanner) => T): T[] {
  const items = [readItem(scanner)];
  for (;;) {
    const { at } = scanner;
    skipBlanks(scanner);
    if (peek(scanner) !== ",") {
      scanner.at = at;
      return items;
    }
    scanner.at++;
    skipNewlines(scanner);
    items.push(readItem(scanner));
  }
}

const UNARY_OPERATOR = /[-\u2013-\u2015](?:not|bnot|i?split|csplit|join)(?![A-Za-z])|[!+,\u2013-\u2015-]/iy;

function readUnary(scanner: Scanner): Expression {
  const operators: string[] = [];
  const wrap = (of: Expression) =>
    operators.reduceRight<Expression>(
      (operand, operator) =>
        operator.startsWith("[")
          ? { type: "cast", name: operator.slice(1), of: operand }
          : { type: "unary", operator, of: operand },
      of,
    );
  for (;;) {
    skipBlanks(scanner);
    const operator = takeMatch(scanner, UNARY_OPERATOR);
    if (operator !== "") operators.push(operator.toLowerCase().replace(/^[\u2013-\u2015]/, "-"));
    else if (peek(scanner) !== "[") return wrap(readPostfix(scanner, readPrimary(scanner)));
    else {
      const name = readTypeName(scanner);
      if (matchesAt(scanner, /::/y)) return wrap(readPostfix(scanner, { type: "type", name }));
      skipBlanks(scanner);
      // An attribute such as `[CmdletBinding()]` precedes a declaration.
      if (!matchesAt(scanner, /(?!param\b)[$"'@([{\w\u2018-\u201E!+-]/iy)) return wrap({ type: "type", name });
      operators.push(`[${name}`);
    }
    if (operators.length > 1000) {
      recordProblem(scanner, "too many operators");
      return wrap(toWord(""));
    }
  }
}

const TYPE_TOKEN = /[^[\]'"\u2018-\u201E]+|['\u2018-\u201B][^'\u2018-\u201B]*['\u2018-\u201B]|"[^"]*"|[[\]]/y;

/** Reads a type such as `[System.IO.File]`, or an attribute with its parentheses. */
function readTypeName(scanner: Scanner): string {
  const nameStart = ++scanner.at;
  for (let openBrackets = 1; openBrackets > 0;) {
    const piece = takeMatch(scanner, TYPE_TOKEN);
    if (piece === "[") openBrackets++;
    else if (piece === "]") openBrackets--;
    else if (piece === "") {
      recordProblem(scanner, "unclosed bracket");
      return scanner.text.slice(nameStart, (scanner.at = scanner.text.length));
    }
  }
  return scanner.text.slice(nameStart, scanner.at - 1).trim();
}

function readPostfix(scanner: Scanner, operand: Expression): Expression {
  let of = operand;
  for (;;) {
    const operator = takeMatch(scanner, /\.(?=[\w"'$({])|::|\?\.(?=\w)|\[|\+\+|[-\u2013-\u2015]{2}/y);
    if (operator === "") return of;
    if (operator === "[") {
      skipNewlines(scanner);
      const index = readExpression(scanner);
      skipNewlines(scanner);
      if (takeMatch(scanner, /\]/y) === "") recordProblem(scanner, "unclosed bracket");
      of = { type: "index", of, index };
    } else if (/[.:]$/.test(operator)) {
      const word = takeMatch(scanner, /\w+/y);
      const name = word === "" ? readPrimary(scanner) : toWord(word);
      const args = takeMatch(scanner, /\(/y) === "" ? undefined : readCallArguments(scanner);
      of = { type: "member", of, name, isStatic: operator === "::", ...(args && { args }) };
    }
  }
}

function readCallArguments(scanner: Scanner): Expression[] {
  const args: Expression[] = [];
  readItems(scanner, ")", ",", () => {
    const expression = readExpression(scanner);
    args.push(...(expression.type === "list" ? expression.items : [expression]));
  });
  return args;
}

function readPrimary(scanner: Scanner): Expression {
  const character = peek(scanner);
  if (matchesAt(scanner, SINGLE_QUOTE)) return readSingleQuoted(scanner);
  if (matchesAt(scanner, DOUBLE_QUOTE)) return readDoubleQuoted(scanner);
  if (character === "$") {
    const expansion = readDollar(scanner);
    scanner.at += expansion ? 0 : 1;
    return expansion ?? toWord("");
  }
  if (matchesAt(scanner, HERE_STRING)) return readHereString(scanner);
  if (takeMatch(scanner, /@?\(/y) !== "") return readSubscript(scanner);
  if (takeMatch(scanner, /@\{/y) !== "") return parseTable(scanner);
  if (takeMatch(scanner, /@(?=\w)/y) !== "") return { type: "splat", name: takeMatch(scanner, /\w+/y) };
  if (character === "{") return { type: "block", definition: readBlock(scanner) };
  if (character === "[") return { type: "type", name: readTypeName(scanner) };
  return toWord(takeMatch(scanner, /(?:[\w\u00AA-\uFFFF]|\.(?=\d))+/y));
}

function parseTable(scanner: Scanner): Expression {
  const entries: { key: Expression; value: Script }[] = [];
  const readEntry = () => {
    const key = readPostfix(scanner, readPrimary(scanner));
    skipNewlines(scanner);
    if (takeMatch(scanner, /=/y) === "") return;
    skipNewlines(scanner);
    entries.push({ key, value: matchesAt(scanner, /[;}]/y) ? [] : [scanner.readStatement(scanner)] });
  };
  readNested(scanner, () => readItems(scanner, "}", ";", readEntry));
  return { type: "table", entries };
}

/** Reads a block `{ … }` and its parameter declarations. */
export function readBlock(scanner: Scanner): FunctionBody {
  scanner.at++;
  const body = readNested(scanner, () => readScript(scanner, "}"));
  const parameters = body.flatMap((statement): readonly Parameter[] =>
    statement.type === "parameters" ? statement.parameters : [],
  );
  return { parameters, body };
}

/** Reads a parameter list after `param` or a function name. */
export function readParameters(scanner: Scanner): Parameter[] {
  scanner.at++;
  const parameters: Parameter[] = [];
  readItems(scanner, ")", ",", () => {
    let expression = readUnary(scanner);
    while (expression.type === "cast") expression = expression.of;
    skipNewlines(scanner);
    const hasValue = takeMatch(scanner, /=/y) !== "";
    if (hasValue) skipNewlines(scanner);
    const value = hasValue ? readNested(scanner, () => readBinary(scanner, 0)) : undefined;
    if (expression.type === "variable")
      parameters.push({ name: expression.name, ...(value && { value: toScript(value) }) });
  });
  return parameters;
}

/** Reads a command argument, which may be a comma-separated list. */
export function readArgument(scanner: Scanner): Argument {
  const start = scanner.at;
  const items = readCommaSeparated(scanner, readArgumentItem);
  return { items, source: scanner.text.slice(start, scanner.at) };
}

const BAREWORD_END = /[ \t\f\v\u00A0\r\n&(){},;|<>]|$/y;

function readArgumentItem(scanner: Scanner): Expression {
  if (matchesAt(scanner, HERE_STRING)) return readHereString(scanner);
  if (matchesAt(scanner, /@[A-Za-z_]/y)) return readPrimary(scanner);
  if (matchesAt(scanner, /@?[({]/y)) return readPostfix(scanner, readPrimary(scanner));
  if (matchesAt(scanner, /\$[\w({:]/y)) {
    const expression = readPostfix(scanner, readPrimary(scanner));
    return matchesAt(scanner, BAREWORD_END) ? expression : readBareWord(scanner, toPieces(expression));
  }
  if (!matchesAt(scanner, SINGLE_QUOTE) && !matchesAt(scanner, DOUBLE_QUOTE)) return readBareWord(scanner, []);
  const found = readPrimary(scanner);
  return matchesAt(scanner, /\.[A-Za-z]\w{0,40}\(/y) ? readPostfix(scanner, found) : found;
}

function toPieces(of: Expression): WordPart[] {
  if (of.type === "word") return [...of.pieces];
  if (of.type === "variable" || of.type === "script") return [of];
  return [{ type: "script", body: toScript(of) }];
}

const toScript = (of: Expression): Script => [
  { type: "pipeline", elements: [{ type: "expression", of, redirects: [] }] },
];

function readBareWord(scanner: Scanner, pieces: WordPart[]): Expression {
  while (!matchesAt(scanner, BAREWORD_END) && !matchesAt(scanner, /`(?:[\r\n]|$)/y)) {
    if (matchesAt(scanner, SINGLE_QUOTE) || matchesAt(scanner, DOUBLE_QUOTE))
      pieces.push(...toPieces(readPrimary(scanner)));
    else if (pieces.length > 0 || takeMatch(scanner, DASH_CHARACTER) === "")
      appendCharacter(scanner, pieces, { isBare: true });
    // A typographic dash is equivalent to a plain dash.
    else addText(pieces, "-", { isBare: true });
  }
  return { type: "word", pieces };
}
