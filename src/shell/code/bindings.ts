import { readArguments, readValue } from "./values.ts";
import { type Arguments, type Code, isName, hasSymbol, type Value } from "./expression.ts";

/** Variable values in a single loop iteration or function call. */
export type VariableBinding = ReadonlyMap<string, Value>;

const MAX_MEMBERS = 12;
const MAX_PARAMETERS = 8;
const MAX_BINDINGS = 24;
const MAX_STEPS = 200;

/** Methods that call a function for each list item. */
const ITERATION_METHOD = /^(?:each|forEach|map|flat_map|flatMap|each_child)$/;
/** Tokens allowed between a method name and its callback's parameter name. */
const CALLBACK_OPENING_TOKENS = new Set([
  "(",
  "{",
  "|",
  "do",
  "async",
  "function",
  "fn",
  "lambda",
  "const",
  "let",
  "my",
  "var",
]);

const getName = ({ tokens }: Code, at: number): string | undefined => {
  const { symbol } = tokens[at] ?? {};
  return isName(symbol) ? symbol : undefined;
};

/** Skips the keywords and brackets before a name. */
function skipOpeningTokens({ tokens }: Code, start: number): number {
  let at = start;
  while (at < start + MAX_PARAMETERS && CALLBACK_OPENING_TOKENS.has(tokens[at]?.symbol ?? "")) at++;
  return at;
}

const bindMembers = (name: string, value: Value | undefined): VariableBinding[] =>
  value === undefined || typeof value === "string"
    ? []
    : value.slice(0, MAX_MEMBERS).map((member) => new Map([[name, member]]));

function readMembers(code: Code, at: number): Value | undefined {
  if (!hasSymbol(code, at, "(")) return readValue(code, hasSymbol(code, at, "@") ? at + 1 : at)?.value;
  code.steps = MAX_STEPS;
  return readArguments(code, at + 1, ")")?.values.flatMap((value) => value ?? []);
}

/**
 * Reads loops such as `for c in ["a"]`, `for (const c of ["a"])`, `for my $c ("a")` and `foreach (["a"] as $c)`. If the
 * loop doesn't name a variable, the loop variable is `$_`.
 */
function bindLoop(code: Code, start: number): VariableBinding[] {
  const nameIndex = skipOpeningTokens(code, start + 1);
  const name = getName(code, nameIndex);
  if (name !== undefined && (hasSymbol(code, nameIndex + 1, "in") || hasSymbol(code, nameIndex + 1, "of")))
    return bindMembers(name, readValue(code, nameIndex + 2)?.value);
  if (name !== undefined && hasSymbol(code, nameIndex + 1, "("))
    return bindMembers(name, readMembers(code, nameIndex + 1));
  if (hasSymbol(code, start + 1, "@")) return bindMembers("$_", readMembers(code, start + 1));
  if (!hasSymbol(code, start + 1, "(")) return [];
  const list = readValue(code, start + 2);
  if (list && hasSymbol(code, list.end, "as")) {
    const variableStart = hasSymbol(code, list.end + 2, "=") ? list.end + 4 : list.end + 1;
    return bindMembers(getName(code, variableStart) ?? "", list.value);
  }
  return bindMembers("$_", readMembers(code, start + 1));
}

/** Reads `["a"].forEach(c => …)`. `at` is the index of the method name. */
function bindIterations(code: Code, at: number): VariableBinding[] {
  const name = getName(code, skipOpeningTokens(code, at + 1));
  if (name === undefined) return [];
  const start = findListStart(code, at - 2);
  return start === undefined ? [] : bindMembers(name, readValue(code, start)?.value);
}

/** Finds the opening bracket of the list that ends at `end`. */
function findListStart(code: Code, end: number): number | undefined {
  if (getName(code, end) !== undefined) return end;
  if (!hasSymbol(code, end, "]")) return undefined;
  let depth = 0;
  for (let at = end; at >= 0 && at > end - MAX_STEPS; at--) {
    if (hasSymbol(code, at, "]")) depth++;
    else if (hasSymbol(code, at, "[") && --depth === 0) return at;
  }
  return undefined;
}

/** Lists each function defined in the code, with its parameter names. */
function listFunctions(code: Code): Map<string, string[]> {
  const functions = new Map<string, string[]>();
  for (let at = 0; at < code.tokens.length; at++) {
    const { symbol = "" } = code.tokens[at] ?? {};
    const isDefined = /^(?:def|function|func|fn)$/.test(symbol) && hasSymbol(code, at + 2, "(");
    const name = getName(code, isDefined ? at + 1 : at - 1);
    if (name === undefined || (!isDefined && symbol !== "=")) continue;
    const parameters = isDefined ? readParameters(code, at + 3) : readArrowParameters(code, at + 1);
    if (parameters) functions.set(name, parameters);
  }
  return functions;
}

/** Reads a function's parameters: `c => …`, `(a, b) => …`, `function (a) …`, `lambda a: …`. */
function readArrowParameters(code: Code, start: number): string[] | undefined {
  const at = hasSymbol(code, start, "async") ? start + 1 : start;
  const name = getName(code, at);
  if (name === "lambda" || name === "function")
    return readParameters(code, hasSymbol(code, at + 1, "(") ? at + 2 : at + 1);
  if (name !== undefined) return hasSymbol(code, at + 1, "=") && hasSymbol(code, at + 2, ">") ? [name] : undefined;
  return hasSymbol(code, at, "(") ? readParameters(code, at + 1) : undefined;
}

/** Reads parameter names up to the end of the parameter list. */
function readParameters(code: Code, start: number): string[] | undefined {
  const names: string[] = [];
  for (let at = start; at < start + MAX_PARAMETERS * 4; at++) {
    if (hasSymbol(code, at, ")") || code.tokens[at] === undefined) return names;
    const name = getName(code, at);
    if (name !== undefined && (at === start || hasSymbol(code, at - 1, ","))) names.push(name);
    // A colon ends the parameter list of a `lambda`.
    if (hasSymbol(code, at, ":") && !hasSymbol(code, start - 1, "(")) return names;
  }
  return undefined;
}

/** Binds function parameters to the arguments of a call. */
function bindParameters(parameters: readonly string[], { values }: Arguments): VariableBinding[] {
  const boundValues = parameters.flatMap((name, at): [string, Value][] => {
    const value = values[at];
    return value === undefined ? [] : [[name, value]];
  });
  return boundValues.length > 0 ? [new Map(boundValues)] : [];
}

/** Lists the bindings of loop variables and function parameters, one per loop iteration or call. */
export function findBindings(code: Code): VariableBinding[] {
  const functions = listFunctions(code);
  const bindings: VariableBinding[] = [];
  for (let at = 0; at < code.tokens.length && bindings.length < MAX_BINDINGS; at++) {
    const { symbol = "" } = code.tokens[at] ?? {};
    if (symbol === "for" || symbol === "foreach") bindings.push(...bindLoop(code, at));
    else if (ITERATION_METHOD.test(symbol) && hasSymbol(code, at - 1, ".")) bindings.push(...bindIterations(code, at));
    const parameters = hasSymbol(code, at + 1, "(") ? functions.get(symbol) : undefined;
    if (!parameters || /^(?:def|function|func|fn)$/.test(code.tokens[at - 1]?.symbol ?? "")) continue;
    code.steps = MAX_STEPS;
    const callArguments = readArguments(code, at + 2, ")");
    if (callArguments) bindings.push(...bindParameters(parameters, callArguments));
  }
  return bindings;
}
