import { runFunctionBody } from "./function-bodies.ts";
import { emitCommand } from "../emit.ts";
import { countCharacters, countSteps } from "../parser.ts";
import type { ShellScope } from "../scope.ts";
import { blocksByValue, createCommand, getLineState, tablesByValue } from "./state.ts";
import type { Expression } from "./syntax.ts";
import { callInstanceMethod, callStaticMethod, constructObject } from "./methods.ts";
import {
  applyOperator,
  castValue,
  convertEncodedBytes,
  getMemberName,
  PATH_PROPERTY,
  getItemsAt,
} from "./operators.ts";
import {
  createAssignedVariable,
  createText,
  createUnknownValue,
  getKnownText,
  joinText,
  joinTexts,
  type Segment,
  type Text,
  type Value,
} from "./text-values.ts";
import { getValue } from "./variables.ts";
import { createWord, toLiteralPathWord } from "./words.ts";

/** Evaluates an expression and reads the commands it contains. */
export function evaluateExpression(of: Expression, scope: ShellScope): Value {
  countSteps(scope.reader);
  switch (of.type) {
    case "word":
      return [readWord(of.pieces, scope)];
    case "variable":
      return DRIVE_VARIABLE.test(of.name) ? readDriveVariable(of.name, scope) : getValue(of.name, scope);
    case "splat":
      return getValue(of.name, scope);
    case "script":
      return getLineState(scope).readScript(of.body, scope, false);
    case "block": {
      runFunctionBody(of.definition, undefined, scope, { changes: {} });
      const value = [createUnknownValue("block")];
      blocksByValue.set(value, of.definition);
      return value;
    }
    case "table":
      return evaluateTable(of, scope);
    case "type":
      return [createText(of.name)];
    case "cast": {
      // The cast `[IO.StreamReader]'a.txt'` opens the file.
      const value = evaluateExpression(of.of, scope);
      return constructObject(of.name, [value], { scope, name: `[${of.name}]` }) ?? castValue(of.name, value);
    }
    case "list":
      return of.items.flatMap((item) => evaluateExpression(item, scope) ?? [createUnknownValue("item")]);
    case "unary":
      return applyUnaryOperator(of.operator, evaluateExpression(of.of, scope));
    case "binary": {
      const leftValue = evaluateExpression(of.left, scope);
      return applyOperator(of.operator, leftValue, evaluateExpression(of.right, scope));
    }
    case "index":
      return getItemsAt(evaluateExpression(of.of, scope), evaluateExpression(of.index, scope));
    case "member":
      return readMember(of, scope);
  }
}

function applyUnaryOperator(operator: string, value: Value): Value {
  if (operator === "-join") return value && [joinTexts(value, "")];
  if (operator === "-" && value?.length === 1) return [[...createText("-"), ...(value[0] as Text)]];
  return operator === "," || operator === "+" ? value : undefined;
}

/** `${C:x.txt}` returns the contents of the file. */
const DRIVE_VARIABLE = /^[A-Za-z]:/;
function readDriveVariable(name: string, scope: ShellScope): Value {
  const words = [createWord("cat"), toLiteralPathWord(createText(name.replace(/^C:(?![\\/])/i, "")))];
  emitCommand(createCommand(words, scope), { words }, scope);
  return undefined;
}

const MAX_VALUE_LENGTH = 16_384;

function readWord(pieces: Extract<Expression, { type: "word" }>["pieces"], scope: ShellScope): Text {
  const segments: Segment[] = [];
  for (const piece of pieces) {
    if (piece.type === "text") {
      if (piece.text !== "")
        segments.push({ text: piece.text, isDynamic: false, ...(piece.isBare && { isBare: true }) });
      continue;
    }
    countSteps(scope.reader);
    const value =
      piece.type === "variable"
        ? getValue(piece.name, scope)
        : getLineState(scope).readScript(piece.body, scope, false);
    const text = value && joinTexts(value, " ");
    const length = text ? joinText(text).length : 0;
    countCharacters(scope.reader, length);
    if (text && length <= MAX_VALUE_LENGTH)
      segments.push(...text.map(({ text: segmentText, isDynamic }) => ({ text: segmentText, isDynamic })));
    else
      segments.push(
        ...(piece.type === "variable" ? createAssignedVariable(piece.name) : createUnknownValue("command")),
      );
  }
  return segments;
}

type Member = Extract<Expression, { type: "member" }>;

function readMember(member: Member, scope: ShellScope): Value {
  const { of, isStatic } = member;
  const name =
    getMemberName(member.name) ?? getKnownText(evaluateExpression(member.name, scope)?.[0])?.toLowerCase() ?? "";
  if (!isStatic)
    return member.args ? callMember(member, name, scope) : readProperty(name, evaluateExpression(of, scope));
  if (!member.args && of.type === "type" && of.name.includes("+")) return name === "" ? undefined : [createText(name)];
  const owner = getKnownText(evaluateExpression(of, scope)?.[0]);
  const args = (member.args ?? []).map((arg) => evaluateExpression(arg, scope));
  const memberName = of.type === "type" ? `[${of.name}]::${name}` : name;
  return owner === undefined ? undefined : callStaticMethod(owner, name, args, { scope, name: memberName });
}

function readProperty(name: string, value: Value): Value {
  const entries = value && tablesByValue.get(value);
  const entry = entries && [...entries].find(([key]) => key.toLowerCase() === name)?.[1];
  if (entry) return entry;
  const path = name === "name" && value?.length === 1 ? getKnownText(value[0]) : undefined;
  if (path !== undefined) return [createText(path.replace(/^.*[\\/](?=.)/s, ""))];
  return PATH_PROPERTY.test(name) ? value : undefined;
}

function callMember({ of, args: argumentExpressions = [] }: Member, name: string, scope: ShellScope): Value {
  const [firstArgument] = argumentExpressions;
  if (firstArgument?.type === "block" && /^(?:foreach|where)$/.test(name)) {
    const items = evaluateExpression(of, scope);
    const bodyValue = runFunctionBody(firstArgument.definition, [], scope, {
      items: items ?? [undefined],
      changes: {},
    });
    return name === "where" ? items : bodyValue;
  }
  const args = argumentExpressions.map((arg) => evaluateExpression(arg, scope));
  const encoding = of.type === "member" && getMemberName(of.name) === "unicode" ? "utf16le" : "utf8";
  if (/^get(?:bytes|string)$/.test(name)) return convertEncodedBytes(name, args[0], encoding);
  return callInstanceMethod(name, evaluateExpression(of, scope), args, { scope, name });
}

function evaluateTable({ entries }: Extract<Expression, { type: "table" }>, scope: ShellScope): Value {
  const hashtable = new Map<string, Value>();
  for (const { key, value } of entries) {
    const name = getKnownText(evaluateExpression(key, scope)?.[0]);
    const entryValue = getLineState(scope).readScript(value, scope, false);
    if (name !== undefined) hashtable.set(name, entryValue);
  }
  const values = [...hashtable].flatMap(([key, value]) => value ?? [createUnknownValue(key)]);
  tablesByValue.set(values, hashtable);
  return values;
}
