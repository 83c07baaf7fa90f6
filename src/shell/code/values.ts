import { HOME_EXPRESSION, HOME_PLACEHOLDER, type CodeToken, tokenizeCode, decodeEscapes } from "./tokens.ts";
import { CLOSING_BRACKETS, findArgumentEnd, skipSpread, skipUnknownOperand } from "./skip-tokens.ts";
import { callFunction, callMethod, joinPath } from "./functions.ts";
import {
  type Arguments,
  type Code,
  type Expression,
  type Value,
  isName,
  hasSymbol,
  followsOperand,
  findMatchEnd,
  isMember,
} from "./expression.ts";

/** Placeholder for a part of a command that is unknown until the code runs. */
const UNKNOWN = "unknown";
/** Operators that concatenate strings. */
export const CONCATENATION_OPERATORS: ReadonlySet<string> = new Set(["+", ".", "~", "&"]);
const MAX_JOINED_LENGTH = 2_000;
const MAX_LIST_ITEMS = 100;
const MAX_STEPS = 300;
const MAX_DEPTH = 8;
/** Maximum number of tokens inside index brackets. */
const MAX_INDEX_TOKENS = 6;
const INTERPOLATION = /\$ENV\{["']?HOME["']?\}|[$#]?\{\s*([^{}]{1,100})\}|([$@][A-Za-z_]\w{0,40})/g;
const FUNCTION_CALL = /(?:[A-Za-z_$][\w$]{0,30}(?:\.|::|->)){0,3}([A-Za-z_]\w{0,30})\s{0,3}(?=\()/y;
const ARGUMENTS_EXPRESSION = /(?:sys|process|Bun)\.argv\b|Deno\.args\b|[@$]?ARGV\b|\$argv\b/y;
const STDIN_EXPRESSION =
  /sys\.stdin\.read(?:line)?\(\)|sys\.stdin\b(?!\.)|input\(\)|(?:\$?STDIN|\$stdin|ARGF)\.(?:read|gets)\b|gets\b|<(?:STDIN)?>|open\(0\)\.read\(\)|(?:\w{1,20}|require\(["'](?:node:)?fs["']\))\.readFileSync\((?:0|["']\/dev\/stdin["'])[^()]{0,40}\)|file_get_contents\(["']php:\/\/stdin["']\)|stream_get_contents\(STDIN\)|io\.read\([^()]{0,9}\)/y;
const SHIFT_EXPRESSION = /shift\b\s{0,3}(?:\(\s{0,3}(?:@ARGV\s{0,3})?\)|@ARGV\b)?/y;

/** Replaces the interpolated expressions in a string with their values: `f"a{b}"`, `"a$b"`, `"a#{b}"`. */
function interpolateString(code: Code, at: number): Expression {
  const cachedExpression = code.filledStrings.get(at);
  if (cachedExpression) return cachedExpression;
  const { text = "", quote, start } = code.tokens[at] as CodeToken;
  const isInterpolated = quote === "`" || /f/i.test(code.source.slice(start, start + 2).split(quote ?? "", 1)[0] ?? "");
  let isComputed = false;
  let isPartial = false;
  const value = text.replace(INTERPOLATION, (match, expression?: string, name?: string) => {
    const isExpression = expression !== undefined && (isInterpolated || /^(?:#|\{\$)/.test(match));
    const innerCode = isExpression ? expression.trim() : (name ?? (expression === undefined ? match : ""));
    const innerValue = innerCode === "" ? undefined : evaluateInterpolation(code, innerCode);
    if (innerValue === undefined) isPartial ||= isExpression;
    else isComputed = true;
    return innerValue ?? match;
  });
  const filledString = {
    value: decodeEscapes(value),
    end: at + 1,
    isComputed: isComputed || decodeEscapes(text) !== text,
    isPartial,
  };
  code.filledStrings.set(at, filledString);
  return filledString;
}

function evaluateInterpolation(code: Code, innerCode: string): string | undefined {
  const text = innerCode.startsWith("@") ? innerCode.slice(1) : innerCode;
  const tokens = tokenizeCode(text);
  const expression = readExpression({ ...code, source: text, tokens, filledStrings: new Map() }, 0);
  if (!expression || expression.isPartial || expression.end < tokens.length) return undefined;
  return typeof expression.value === "string" ? expression.value : expression.value.join(" ");
}

/** Reads a comma-separated list in brackets. `start` is the token after the opening bracket. */
export function readArguments(code: Code, start: number, closingBracket: string): Arguments | undefined {
  if (code.depth >= MAX_DEPTH) return undefined;
  code.depth++;
  const result = readMembers(code, start, closingBracket);
  code.depth--;
  return result;
}

function readMembers(code: Code, start: number, closingBracket: string): Arguments | undefined {
  const result: Arguments = { values: [], end: start, isComputed: false };
  while (result.end < code.tokens.length && result.values.length <= MAX_LIST_ITEMS && code.steps-- > 0) {
    if (hasSymbol(code, result.end, closingBracket)) return { ...result, end: result.end + 1 };
    if (hasSymbol(code, result.end, ",")) result.end++;
    else if (!addArgument(code, result, closingBracket)) return undefined;
  }
  return undefined;
}

/** Reads one argument. Returns false if the end of the argument wasn't found. */
function addArgument(code: Code, result: Arguments, closingBracket: string): boolean {
  const isNamed =
    isName(code.tokens[result.end]?.symbol) &&
    hasSymbol(code, result.end + 1, "=") &&
    !hasSymbol(code, result.end + 2, "=");
  const at = isNamed ? result.end + 2 : result.end;
  const valueStart = skipSpread(code, at);
  const expression = readExpression(code, valueStart);
  const completeExpression =
    expression && (hasSymbol(code, expression.end, ",") || hasSymbol(code, expression.end, closingBracket))
      ? expression
      : undefined;
  const end = completeExpression?.end ?? findArgumentEnd(code, at, closingBracket);
  if (end === undefined) return false;
  if (completeExpression && valueStart > at && typeof completeExpression.value !== "string")
    result.values.push(...completeExpression.value);
  else result.values.push(completeExpression?.value);
  result.isComputed ||=
    !completeExpression ||
    completeExpression.isComputed === true ||
    valueStart > at ||
    typeof completeExpression.value !== "string";
  result.end = end;
  return true;
}

/** Reads a list or a parenthesized expression: `["a", "b"]`, `("a", "b")`, `("a")`. */
function readBracketed(code: Code, at: number): Expression | undefined {
  const { symbol = "" } = code.tokens[at] as CodeToken;
  if ((symbol !== "[" && symbol !== "(") || followsOperand(code, at)) return undefined;
  const members = readArguments(code, at + 1, CLOSING_BRACKETS[symbol] as string);
  if (!members || members.values.length === 0 || members.values.every((value) => value === undefined)) return undefined;
  const { values, end, isComputed } = members;
  const isGroup = symbol === "(" && values.length === 1 && !hasSymbol(code, end - 2, ",");
  if (isGroup) return { value: values[0] as Value, end, isComputed: true };
  return { value: values.flatMap((value) => value ?? UNKNOWN), end, isComputed, isPartial: values.includes(undefined) };
}

/** Reads an expression that refers to the program's arguments or stdin. */
function readInput(code: Code, at: number): Expression | undefined {
  const { args, stdin, isAwk } = code.input;
  const { symbol = "" } = code.tokens[at] as CodeToken;
  if (args && /arg|ARGV|@|^sys$|^process$|^Bun$|^Deno$/.test(symbol)) {
    const end = findMatchEnd(code, at, ARGUMENTS_EXPRESSION);
    const hasProgram = isAwk === true || /^(?:sys|process|Bun|\$argv)$/.test(symbol);
    if (end !== undefined) return { value: hasProgram ? ["-", ...args] : args, end, isComputed: true };
  }
  if (args?.[0] !== undefined && symbol === "shift" && !isMember(code, at)) {
    const end = findMatchEnd(code, at, SHIFT_EXPRESSION);
    if (end !== undefined) return { value: args[0], end, isComputed: true };
  }
  const end = stdin === undefined ? undefined : findMatchEnd(code, at, STDIN_EXPRESSION);
  if (end === undefined || stdin === undefined) return undefined;
  return { value: hasSymbol(code, end - 1, "stdin") ? stdin.split("\n") : stdin, end, isComputed: true };
}

function readCall(code: Code, at: number): Expression | undefined {
  const openingBracket = findMatchEnd(code, at, FUNCTION_CALL);
  if (openingBracket === undefined || isMember(code, at)) return undefined;
  const name = code.source.slice(code.tokens[at]?.start, code.tokens[openingBracket - 1]?.end);
  const result = callFunction(name, () => readArguments(code, openingBracket + 1, ")"));
  return result && { isComputed: true, ...result };
}

/** Reads the start of an operand: a string, a list, a variable, or a call to a known function. */
function readOperandStart(code: Code, at: number): Expression | undefined {
  const token = code.tokens[at];
  if (!token) return undefined;
  const { text, symbol = "" } = token;
  if (text !== undefined)
    return token.isInterpolated
      ? interpolateString(code, at)
      : { value: text, end: at + 1, isComputed: !token.isPlain };
  if (!isName(symbol)) {
    if (symbol === "@" && hasSymbol(code, at + 1, "ARGV")) return readInput(code, at);
    return readBracketed(code, at) ?? (symbol === "<" ? readInput(code, at) : undefined);
  }
  const home = isMember(code, at) ? undefined : findMatchEnd(code, at, HOME_EXPRESSION);
  if (home !== undefined) return { value: HOME_PLACEHOLDER, end: home, isComputed: true, isPath: true };
  const value =
    code.names.get(symbol) ?? (hasSymbol(code, at + 1, "[") ? code.names.get(symbol.replace("$", "")) : undefined);
  if (value !== undefined && !hasSymbol(code, at + 1, "("))
    return { value, end: at + 1, isComputed: true, isPath: code.paths.has(symbol) };
  return readInput(code, at) ?? readCall(code, at);
}

/** Reads an index expression: `a[1]`, `a[1:]`, `"abc"[::-1]`. */
function readIndexExpression(code: Code, { value, end }: Expression): Expression | undefined {
  if (!hasSymbol(code, end, "[") || (code.tokens[end]?.isFirst ?? true)) return undefined;
  let closingBracket = end + 1;
  while (
    closingBracket <= end + MAX_INDEX_TOKENS &&
    closingBracket < code.tokens.length &&
    !hasSymbol(code, closingBracket, "]")
  )
    closingBracket++;
  const index = code.source.slice(code.tokens[end]?.end, code.tokens[closingBracket]?.start).replace(/\s/g, "");
  const at = { end: closingBracket + 1, isComputed: true };
  if (index === "::-1")
    return { value: typeof value === "string" ? [...value].toReversed().join("") : value.toReversed(), ...at };
  const [, indexText = "", isRange] = /^(-?\d{0,4})(:|\.\.-1)?$/.exec(index) ?? [];
  if (isRange !== undefined) return { value: value.slice(Number(indexText)), ...at };
  const item = indexText === "" || typeof value === "string" ? undefined : value.at(Number(indexText));
  return item === undefined ? undefined : { value: item, ...at };
}

/** Evaluates a format expression: `"%s%s" % ("a", "b")`. */
function evaluateFormat(code: Code, { value, end }: Expression): Expression | undefined {
  if (!hasSymbol(code, end, "%") || typeof value !== "string") return undefined;
  const operand = readOperand(code, end + 1);
  if (!operand) return undefined;
  const texts = [operand.value].flat();
  const text = value.replace(/%s/g, () => texts.shift() ?? "");
  return { value: text, end: operand.end, isComputed: true, ...(operand.isPartial && { isPartial: true }) };
}

/** Evaluates a method call such as `.split()` or `.join("")`. */
function readMethodCall(code: Code, expression: Expression): Expression | undefined {
  const { symbol: name = "" } = code.tokens[expression.end + 1] ?? {};
  if (!hasSymbol(code, expression.end, ".") || !isName(name)) return undefined;
  const isCall = hasSymbol(code, expression.end + 2, "(");
  const result = callMethod(expression.value, name, () =>
    isCall
      ? readArguments(code, expression.end + 3, ")")
      : { values: [""], end: expression.end + 2, isComputed: false },
  );
  return result && { ...expression, isComputed: true, ...result };
}

function appendPath(code: Code, expression: Expression): Expression | undefined {
  if (!expression.isPath || typeof expression.value !== "string" || !hasSymbol(code, expression.end, "/"))
    return undefined;
  const operand = readOperandStart(code, expression.end + 1);
  if (typeof operand?.value !== "string") return undefined;
  return { ...expression, value: joinPath([expression.value, operand.value]), end: operand.end, isComputed: true };
}

function readOperand(code: Code, at: number): Expression | undefined {
  if (code.steps-- <= 0) return undefined;
  let expression = readOperandStart(code, at);
  for (let extendedExpression = expression; expression && extendedExpression && code.steps-- > 0;) {
    extendedExpression =
      readMethodCall(code, expression) ??
      readIndexExpression(code, expression) ??
      appendPath(code, expression) ??
      evaluateFormat(code, expression);
    expression = extendedExpression ?? expression;
  }
  return expression;
}

/** Reads the next operand of a string concatenation. */
function readNext(code: Code, { end, value }: Expression): Expression | undefined {
  const { symbol = "", text, isFirst } = code.tokens[end] ?? {};
  if (CONCATENATION_OPERATORS.has(symbol)) {
    // Lua's concatenation operator has two dots.
    const at = end + (symbol === "." && hasSymbol(code, end + 1, ".") ? 2 : 1);
    const operand = readOperand(code, at);
    if (operand || (symbol !== "+" && !code.tokens[at]?.symbol?.startsWith("$"))) return operand;
    const unknownEnd = skipUnknownOperand(code, at);
    return unknownEnd === undefined ? undefined : { value: UNKNOWN, end: unknownEnd, isPartial: true };
  }
  const isAdjacentOperand = text !== undefined || (isName(symbol) && !isFirst && !hasSymbol(code, end + 1, "="));
  return isAdjacentOperand && typeof value === "string" ? readOperand(code, end) : undefined;
}

/** Reads a concatenation: `"a" + "b"`, `"a" . $b`, `"a" "b"`, `["a"] + ["b"]`. */
export function readExpression(code: Code, start: number): Expression | undefined {
  let expression = readOperand(code, start);
  while (expression && expression.value.length <= MAX_JOINED_LENGTH) {
    const extendedExpression = readNext(code, expression);
    if (!extendedExpression) break;
    const { value } = expression;
    const isText = typeof value === "string" && typeof extendedExpression.value === "string";
    if (!isText && (typeof value === "string" || typeof extendedExpression.value === "string")) break;
    expression = {
      value: isText
        ? `${value as string}${extendedExpression.value as string}`
        : [...value, ...extendedExpression.value],
      end: extendedExpression.end,
      isComputed: true,
      isPartial: expression.isPartial === true || extendedExpression.isPartial === true,
    };
  }
  return expression;
}

/** Reads the expression at a token, within the step limit for a single expression. */
export function readValue(code: Code, at: number): Expression | undefined {
  const stepLimit = Math.min(MAX_STEPS, code.budget);
  code.steps = stepLimit;
  const expression = readExpression(code, at);
  code.budget -= stepLimit - code.steps;
  return expression;
}
