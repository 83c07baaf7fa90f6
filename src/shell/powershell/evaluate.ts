import { emitCommand } from "../emit.ts";
import { countCharacters, countSteps } from "../parser.ts";
import { assignVariable, createInnerScope, type ShellScope } from "../scope.ts";
import type { Word } from "../word.ts";
import { callInstanceMethod, callStaticMethod, constructObject, type MethodContext } from "./methods.ts";
import { applyOperator, castValue, decodeBytes, encodeBytes, getMemberName, takeItems } from "./operators.ts";
import { emitProgram } from "./programs.ts";
import { assignEnvironment, createCommand, getEngine, getState } from "./state.ts";
import type { Expression, FunctionBody } from "./syntax.ts";
import {
  createAssigned,
  createText,
  createUnknown,
  getEnvironmentText,
  getKnownText,
  getValue,
  getVariableKey,
  joinText,
  joinTexts,
  PATH_PROPERTY,
  type Segment,
  type Text,
  toPathWord,
  type Value,
} from "./values.ts";

/** The value of an expression; what it runs is read. */
export function evaluate(of: Expression, scope: ShellScope): Value {
  countSteps(scope.reader);
  switch (of.type) {
    case "word":
      return [readWord(of.pieces, scope)];
    case "variable":
      return DRIVE_VARIABLE.test(of.name) ? readDriveVariable(of.name, scope) : getValue(of.name, scope);
    case "splat":
      return getValue(of.name, scope);
    case "script":
      return getEngine(scope).readScript(of.body, scope, false);
    case "block":
      getEngine(scope).runDefinition(of.definition, undefined, createInnerScope(scope), scope);
      return undefined;
    case "table":
      return [...readTable(of, scope)].flatMap(([key, value]) => value ?? [createUnknown(key)]);
    case "type":
      return [createText(of.name)];
    case "cast":
      return readCast(of, scope);
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

/** `[int]'1'`; `[IO.StreamReader]'a.txt'` opens the file. */
function readCast({ name, of }: Extract<Expression, { type: "cast" }>, scope: ShellScope): Value {
  const value = evaluate(of, scope);
  return constructObject(name, [value], createMethodContext(scope, `[${name}]`)) ?? castValue(name, value);
}

/** `${C:x.txt}` is what the file holds. */
const DRIVE_VARIABLE = /^[A-Za-z]:/;
function readDriveVariable(name: string, scope: ShellScope): Value {
  const words = [{ text: "cat" }, toPathWord(createText(name.replace(/^C:(?![\\/])/i, "")), true)];
  emitCommand(createCommand(words, scope), words, [], {}, scope);
  return undefined;
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
    else found.push(...(piece.type === "variable" ? createAssigned(piece.name) : createUnknown("command")));
  }
  return found;
}

function readMember(of: Extract<Expression, { type: "member" }>, scope: ShellScope): Value {
  const name = getMemberName(of.name) ?? getKnownText(evaluate(of.name, scope)?.[0])?.toLowerCase();
  const [first] = of.args ?? [];
  if (first?.type === "block" && (name === "foreach" || name === "where"))
    return runForEach(first.definition, evaluate(of.of, scope), name, scope);
  const args = (of.args ?? []).map((arg) => evaluate(arg, scope));
  const type = of.of.type === "type" ? `[${of.of.name}]::` : "";
  const context = createMethodContext(scope, `${type}${name ?? ""}`);
  if (of.isStatic && of.of.type === "type" && !of.args && of.of.name.includes("+"))
    return name === undefined ? undefined : [createText(name)];
  if (of.isStatic) {
    const owner = getKnownText(evaluate(of.of, scope)?.[0]);
    if (owner !== undefined) return callStaticMethod(owner, name ?? "", args, context);
  }
  const table = of.of.type === "variable" ? getState(scope).tables.get(getVariableKey(of.of.name)) : undefined;
  const entry = of.args || name === undefined ? undefined : findEntry(table, name);
  if (entry) return entry;
  const value = evaluate(of.of, scope);
  if (of.args) return callInstanceMethod(name ?? "", value, args, context) ?? decodeMember(of, name, args);
  if (name === "name" && value?.length === 1 && getKnownText(value[0]) !== undefined)
    return [createText(joinText(value[0] as Text).replace(/^.*[\\/](?=.)/s, ""))];
  return PATH_PROPERTY.test(name ?? "") ? value : undefined;
}

/** The value that a table has for a key, whatever its case. */
const findEntry = (table: ReadonlyMap<string, Value> | undefined, name: string): Value =>
  table && [...table].find(([key]) => key.toLowerCase() === name)?.[1];

/** `(…).ForEach({ … })`, `(…).Where({ … })` */
function runForEach(definition: FunctionBody, items: Value, name: "foreach" | "where", scope: ShellScope): Value {
  const found = (items && items.length <= MAX_ITEMS ? items : [undefined]).map((item) => {
    const at = createInnerScope(scope);
    for (const key of ["_", "psitem"]) assignVariable(at, key, item && [item]);
    return getEngine(scope).runDefinition(definition, [], at, scope);
  });
  if (name === "where") return items;
  return found.includes(undefined) ? undefined : (found as Text[][]).flat();
}

/** A block runs for each of so many items; for more of them once. */
const MAX_ITEMS = 16;

/** `[Text.Encoding]::Unicode.GetString(…)`, and `GetBytes` */
function decodeMember(
  { of }: Extract<Expression, { type: "member" }>,
  name: string | undefined,
  [bytes]: readonly Value[],
): Value {
  const text = getKnownText(bytes?.[0]);
  const isWide = of.type === "member" && getMemberName(of.name) === "unicode";
  if (name === "getbytes") return text === undefined ? bytes : [createText(encodeBytes(text, isWide))];
  return name !== "getstring" || text === undefined ? undefined : [createText(decodeBytes(text, isWide))];
}

/** What methods may add to the result. */
export const createMethodContext = (scope: ShellScope, name: string): MethodContext => {
  const given: Word[] = [{ text: name }];
  return {
    emit: (words, stdin) =>
      emitCommand(createCommand(words, scope), [...given, ...words.slice(1)], [], {}, scope, stdin),
    runWords: (words) => emitProgram(words, words, [], createInnerScope(scope), undefined),
    runText: (text) => getEngine(scope).readPowerShell(text, scope),
    runCmd: (text) => scope.reader.readForeign("cmd", text, createInnerScope(scope)),
    expand: (text) => getEngine(scope).expandText(text, scope),
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
