import { type VariableBinding, findBindings } from "./bindings.ts";
import { HOME_PLACEHOLDER, tokenizeCode } from "./tokens.ts";
import { skipSpread } from "./skip-tokens.ts";
import { CONCATENATION_OPERATORS, readArguments, readValue } from "./values.ts";
import { type Code, type CodeInput, type Expression, isName, hasSymbol, type Value } from "./expression.ts";

const MAX_LENGTH = 20_000;
const MAX_STRINGS = 200;
const MAX_STRING_LENGTH = 300;
const MAX_VALUES = 100;
/**
 * Maximum number of passes over the code with different bindings. `MAX_TOKENS_READ` limits the total number of tokens.
 */
const MAX_CODE_VERSIONS = 24;
const MAX_TOKENS_READ = 60_000;
/** Maximum number of steps per pass. This allows several steps per token even for the longest code. */
const MAX_STEPS = 200_000;

/** Code with its constant expressions replaced by strings, and a list of those strings. */
interface FoldedCode {
  text: string;
  builtStrings: readonly string[];
}

/** Code whose constant expressions are still being replaced. */
interface FoldState {
  code: Code;
  text: string;
  /** Offset of the first source character that hasn't been copied to `text`. */
  copiedEnd: number;
  builtStrings: string[];
}

/** Quotes a string for the language of the code. Awk only has double quotes. */
const quoteString = (text: string, { input }: Code) =>
  input.isAwk ? `"${text.replace(/["\\\n]/g, "\\$&")}"` : `'${text.replace(/["'`\\\n]/g, "\\$&")}'`;

/** Whether an expression is the entire right-hand side of an assignment. */
function isCompleteValue({ tokens }: Code, { end }: Expression): boolean {
  const { symbol, isFirst } = tokens[end] ?? {};
  return symbol === undefined
    ? tokens[end] === undefined
    : isFirst === true || /^(?:[;,)\]}:]|as|do|of|in|for)$/.test(symbol);
}

/** Records a variable assignment. `+=` appends to the previous value. */
function recordAssignment(code: Code, at: number, expression: Expression | undefined): Value | undefined {
  if (!hasSymbol(code, at - 1, "=") || /^[=>~]$/.test(code.tokens[at]?.symbol ?? "")) return undefined;
  const isAppended = CONCATENATION_OPERATORS.has(code.tokens[at - 2]?.symbol ?? "");
  const targetEnd = isAppended ? at - 3 : at - 2;
  const hasTypeAnnotation = hasSymbol(code, targetEnd - 1, ":");
  const name = code.tokens[hasTypeAnnotation ? targetEnd - 2 : targetEnd]?.symbol ?? "";
  if (!isName(name)) return undefined;
  const assignedExpression = expression && isCompleteValue(code, expression) ? expression : undefined;
  if (!isAppended) return void recordName(code, name, assignedExpression?.value, assignedExpression?.isPath);
  const combinedValue = appendValue(code.names.get(name), assignedExpression?.value);
  recordName(code, name, combinedValue);
  return combinedValue;
}

function recordName(code: Code, name: string, value: Value | undefined, isPath = false): void {
  if (value === undefined) code.names.delete(name);
  else code.names.set(name, value);
  if (isPath) code.paths.add(name);
  else code.paths.delete(name);
  code.filledStrings.clear();
}

function appendValue(previous: Value | undefined, value: Value | undefined): Value | undefined {
  if (previous === undefined || value === undefined) return undefined;
  if (typeof previous === "string") return typeof value === "string" ? previous + value : undefined;
  return [...previous, ...[value].flat()].slice(0, MAX_VALUES);
}

const APPEND_METHOD = /^(?:append|push|extend|add|insert|concat)$/;

/** Returns the list that a call appends to: `a` in `a.append("x")`, `@a` in `push @a, "x"`. */
function getAppendedName(code: Code, at: number): string | undefined {
  const getSign = (index: number) => code.tokens[index]?.symbol ?? "";
  if (hasSymbol(code, at + 1, ".") && hasSymbol(code, at + 3, "(") && APPEND_METHOD.test(getSign(at + 2)))
    return getSign(at);
  const isPush = hasSymbol(code, at, "push") && hasSymbol(code, at + 1, "@") && hasSymbol(code, at + 3, ",");
  return isPush ? getSign(at + 2) : undefined;
}

function appendListMembers(code: Code, at: number): void {
  const name = getAppendedName(code, at);
  const list = name === undefined ? undefined : code.names.get(name);
  if (name === undefined || list === undefined || typeof list === "string") return;
  code.steps = MAX_VALUES;
  const appendedArguments = readArguments(code, at + 4, hasSymbol(code, at + 3, "(") ? ")" : ";");
  const values = appendedArguments?.values.flatMap((value) => value ?? []) ?? [];
  recordName(code, name, [...list, ...values].slice(0, MAX_VALUES));
}

/** Replaces an expression in the source code. */
function replaceSource(fold: FoldState, start: number, end: number, text: string): void {
  const { code } = fold;
  const { tokens, source } = code;
  fold.text += source.slice(fold.copiedEnd, tokens[start]?.start ?? source.length) + text;
  fold.copiedEnd = tokens[end - 1]?.end ?? source.length;
}

/** Formats the value of an expression as a literal in the same language. */
function formatExpression({ code }: FoldState, at: number, expression: Expression, isSpread: boolean): string {
  const { value, end, isPath } = expression;
  if (typeof value !== "string") {
    const members = value.map((text) => quoteString(text, code)).join(",");
    return isSpread ? members : `[${members}]`;
  }
  if (code.input.keepsBackticks && end === at + 1 && code.tokens[at]?.quote === "`")
    return `\`${value.replaceAll("`", "")}\``;
  return isPath && hasSymbol(code, end, ".") ? `Path(${quoteString(value, code)})` : quoteString(value, code);
}

/** Skips the name of a keyword argument whose value is the command: `args=["rm"]`, `{args: ["rm"]}`. */
function skipArgumentName(fold: FoldState, at: number): number {
  const { code } = fold;
  const isOption = hasSymbol(code, at, "{") && hasSymbol(code, at + 1, "args") && hasSymbol(code, at + 2, ":");
  const isKeyword = hasSymbol(code, at - 1, "(") && hasSymbol(code, at, "args") && hasSymbol(code, at + 1, "=");
  if (!isOption && !isKeyword) return at;
  const valueStart = at + (isOption ? 3 : 2);
  replaceSource(fold, at, valueStart, "");
  return valueStart;
}

/** Reads the expression at token `at` and replaces it if it's constant. Returns the index of the next token. */
function foldExpression(fold: FoldState, at: number): number {
  const { code } = fold;
  const start =
    code.tokens[at]?.symbol === "*" || code.tokens[at]?.symbol === "@" || hasSymbol(code, at, ".")
      ? skipSpread(code, at)
      : at;
  const isSpread =
    start > at &&
    (hasSymbol(code, at, "@") || (!isName(code.tokens[at - 1]?.symbol) && code.tokens[at - 1]?.text === undefined));
  const expression = readValue(code, isSpread ? start : at);
  const appendedValue = recordAssignment(code, at, expression);
  if (!expression || (isSpread && typeof expression.value === "string")) return at + 1;
  if (expression.isComputed) {
    const value = appendedValue ?? expression.value;
    if (!expression.isPartial) fold.builtStrings.push(...[value].flat());
    replaceSource(fold, at, expression.end, formatExpression(fold, at, { ...expression, value }, isSpread));
  }
  return expression.end;
}

function foldWithBinding(code: Code): FoldedCode {
  const fold: FoldState = { code, text: "", copiedEnd: 0, builtStrings: [] };
  const { tokens, source } = code;
  for (let at = 0; at < tokens.length;) {
    const start = skipArgumentName(fold, at);
    appendListMembers(code, start);
    const isTarget = isName(tokens[start]?.symbol) && isAssigned(code, start + 1);
    at = isTarget ? start + 1 : foldExpression(fold, start);
  }
  return { text: fold.text + source.slice(fold.copiedEnd), builtStrings: fold.builtStrings };
}

/** Whether an assignment operator starts at token `at`. */
function isAssigned(code: Code, at: number): boolean {
  const equals = CONCATENATION_OPERATORS.has(code.tokens[at]?.symbol ?? "") ? at + 1 : at;
  return hasSymbol(code, equals, "=") && !/^[=>~]$/.test(code.tokens[equals + 1]?.symbol ?? "");
}

/** Reads the code without bindings, then once for each binding of parameters and loop variables. */
function foldAllBindings(text: string, input: CodeInput): FoldedCode[] {
  if (text.length > MAX_LENGTH) return [];
  const source = text.replaceAll(HOME_PLACEHOLDER, "");
  const tokens = tokenizeCode(source);
  const readings: VariableBinding[] = [new Map()];
  const seenBindings = new Set<string>();
  const foldedCodes: FoldedCode[] = [];
  const maxReadings = Math.min(MAX_CODE_VERSIONS, 1 + Math.floor(MAX_TOKENS_READ / (tokens.length + 1)));
  for (let at = 0; at < readings.length && foldedCodes.length < maxReadings; at++) {
    const currentBinding = readings[at] as VariableBinding;
    const names = new Map<string, Value>([...Object.entries(input.names ?? {}), ...currentBinding]);
    const code: Code = {
      source,
      tokens,
      names,
      paths: new Set(),
      filledStrings: new Map(),
      input,
      steps: 0,
      budget: MAX_STEPS,
      depth: 0,
    };
    foldedCodes.push(foldWithBinding(code));
    // A binding uses a variable's final value, even if the code uses the variable before assigning it.
    for (const binding of findBindings(code)) {
      const key = JSON.stringify([...binding]);
      if (seenBindings.has(key) || readings.length >= MAX_CODE_VERSIONS) continue;
      seenBindings.add(key);
      readings.push(new Map([...currentBinding, ...binding]));
    }
  }
  return foldedCodes;
}

/**
 * Returns the code with constant expressions evaluated: `f = "x"; run("rm " + f)` becomes `f = "x"; run("rm x")`. If a
 * parameter or loop variable has multiple possible values, returns one version per value. Omits versions identical to
 * the source.
 */
export function foldConstants(source: string, input: CodeInput = {}): readonly string[] {
  return [...new Set(foldAllBindings(source, input).map(({ text }) => text))].filter((text) => text !== source);
}

/**
 * Lists strings that the code builds from constants but doesn't contain literally: `".e" + "nv"`, `".e"."nv"`,
 * `["a", "b"].join("")`, `chr(46) + "env"`.
 */
export function listJoinedStrings(text: string): readonly string[] {
  const strings = foldAllBindings(text, { isAwk: true }).flatMap((foldedCode) => foldedCode.builtStrings);
  return [...new Set(strings.map((text) => text.replaceAll(HOME_PLACEHOLDER, "~")))]
    .filter((text) => text.length <= MAX_STRING_LENGTH)
    .slice(0, MAX_STRINGS);
}
