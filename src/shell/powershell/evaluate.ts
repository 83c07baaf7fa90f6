import { emitCommand } from "../emit.ts";
import { countCharacters, countSteps } from "../parser.ts";
import { createInnerScope, type ShellScope } from "../scope.ts";
import type { Word } from "../word.ts";
import { callInstanceMethod, callStaticMethod, type MethodContext } from "./methods.ts";
import { applyOperator, castValue, decodeBytes, getMemberName, takeItems } from "./operators.ts";
import { emitProgram } from "./programs.ts";
import { assignEnvironment, createCommand, getEngine, getState } from "./state.ts";
import type { Expression } from "./syntax.ts";
import {
  createText,
  createUnknown,
  getEnvironmentText,
  getKnownText,
  getValue,
  getVariableKey,
  joinText,
  joinTexts,
  type Segment,
  type Text,
  type Value,
} from "./values.ts";

/** What evaluates the arguments of commands. */
export const ARGUMENT_READER = {
  evaluate: (expression: Expression, scope: ShellScope) => evaluate(expression, scope),
  getTable: (name: string, scope: ShellScope) => getState(scope).tables.get(getVariableKey(name)),
};

/** The value of an expression; what it runs is read. */
export function evaluate(of: Expression, scope: ShellScope): Value {
  countSteps(scope.reader);
  switch (of.type) {
    case "word":
      return [readWord(of.pieces, scope)];
    case "number":
      return [createText(of.text)];
    case "variable":
    case "splat":
      return getValue(of.name, scope);
    case "script":
      return getEngine(scope).readScript(of.body, scope, false);
    case "block":
      getEngine(scope).runDefinition(of.definition, undefined, createInnerScope(scope), scope);
      return undefined;
    case "table":
      readTable(of, scope);
      return undefined;
    case "type":
      return undefined;
    case "cast":
      return castValue(of.name, evaluate(of.of, scope));
    case "list":
      return of.items.flatMap((item) => evaluate(item, scope) ?? [createUnknown("item")]);
    case "unary": {
      const value = evaluate(of.of, scope);
      if (of.operator === "-join") return value && [joinTexts(value, "")];
      if (of.operator === "-" && value?.length === 1) return [[{ text: "-", live: false }, ...(value[0] as Text)]];
      return of.operator === "," || of.operator === "+" ? value : undefined;
    }
    case "binary": {
      const left = evaluate(of.left, scope);
      return applyOperator(of.operator, left, evaluate(of.right, scope));
    }
    case "index":
      return takeItems(evaluate(of.of, scope), evaluate(of.index, scope));
    case "member":
      return readMember(of, scope);
  }
}

/** Longer values are not put in. */
const MAX_VALUE_LENGTH = 16_384;

/** The text of a word with what it expands. */
function readWord(pieces: Extract<Expression, { type: "word" }>["pieces"], scope: ShellScope): Text {
  const found: Segment[] = [];
  for (const piece of pieces) {
    if (piece.type === "text") {
      if (piece.text !== "") found.push({ text: piece.text, live: false, ...(piece.isBare && { isBare: true }) });
      continue;
    }
    countSteps(scope.reader);
    const value =
      piece.type === "variable" ? getValue(piece.name, scope) : getEngine(scope).readScript(piece.body, scope, false);
    const text = value && joinTexts(value, " ");
    const length = text ? joinText(text).length : 0;
    countCharacters(scope.reader, length);
    if (text && length <= MAX_VALUE_LENGTH) found.push(...text.map(({ text: one, live }) => ({ text: one, live })));
    else found.push(...createUnknown(piece.type === "variable" ? piece.name : "command"));
  }
  return found;
}

/** Properties of a file that are its path. */
const PATH_PROPERTY = /^(?:fullname|pspath|path|providerpath|directoryname|value|source|definition|name)$/;

function readMember(of: Extract<Expression, { type: "member" }>, scope: ShellScope): Value {
  const name = getMemberName(of.name);
  if (name === undefined) evaluate(of.name, scope);
  const args = (of.args ?? []).map((arg) => evaluate(arg, scope));
  const context = createMethodContext(scope, of);
  if (of.isStatic && of.of.type === "type") return callStaticMethod(of.of.name, name ?? "", args, context);
  const value = evaluate(of.of, scope);
  if (of.args) return callInstanceMethod(name ?? "", value, args, context) ?? decodeMember(of, name, args);
  if (name === "name" && value?.length === 1 && getKnownText(value[0]) !== undefined)
    return [createText(joinText(value[0] as Text).replace(/^.*[\\/](?=.)/s, ""))];
  return PATH_PROPERTY.test(name ?? "") ? value : undefined;
}

/** `[Text.Encoding]::Unicode.GetString(…)` */
function decodeMember(
  { of }: Extract<Expression, { type: "member" }>,
  name: string | undefined,
  [bytes]: readonly Value[],
): Value {
  const text = getKnownText(bytes?.[0]);
  if (name !== "getstring" || text === undefined) return undefined;
  const encoding = of.type === "member" ? getMemberName(of.name) : "";
  return [createText(decodeBytes(text, encoding === "unicode"))];
}

/** What methods may add to the result. */
const createMethodContext = (
  scope: ShellScope,
  { of, name }: Extract<Expression, { type: "member" }>,
): MethodContext => {
  const type = of.type === "type" ? `[${of.name}]::` : "";
  const given: Word[] = [{ text: `${type}${getMemberName(name) ?? ""}` }];
  return {
    emit: (words, stdin) =>
      emitCommand(createCommand(words, scope), [...given, ...words.slice(1)], [], {}, scope, stdin),
    runWords: (words) => emitProgram(words, words, [], createInnerScope(scope), undefined),
    runText: (text) => getEngine(scope).readPowerShell(text, scope),
    runCmd: (text) => scope.reader.readForeign("cmd", text, createInnerScope(scope)),
    getVariable: (variable) => getEnvironmentText(variable, scope),
    assign: (variable, text) => assignEnvironment({ [variable.toUpperCase()]: text }, scope),
  };
};

/** The values of a table by their keys. */
export function readTable(
  { entries }: Extract<Expression, { type: "table" }>,
  scope: ShellScope,
): ReadonlyMap<string, Value> {
  const found = new Map<string, Value>();
  for (const { key, value } of entries) {
    const name = getKnownText(evaluate(key, scope)?.[0]);
    const given = getEngine(scope).readScript(value, scope, false);
    if (name !== undefined) found.set(name, given);
  }
  return found;
}
