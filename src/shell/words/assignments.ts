import type { Assignment, Command as Node, Word as Source } from "unbash";
import {
  assignVariable,
  findVariable,
  joinSegments,
  type ShellScope,
  type VariableValue,
  getVariableValues,
} from "../scope.ts";
import { getItemKey, getReferenceName, resolveReference } from "./variable-names.ts";
import { expandSingleWord, expandWord, recordDefault, toSegments, evaluateWord } from "./words.ts";
import { type Word } from "./word.ts";

/** Returns the value that an assignment puts in a command's environment. */
export const readAssignedText = ({ name, value, text }: Assignment, scope: ShellScope): string =>
  value.type === "Word" ? joinSegments(evaluateWord(value, scope)) : text.slice(name.length + 1);

/** Creates a word from a `NAME=value` argument of `export` or a similar builtin. */
export function createAssignmentWord(node: Assignment, scope: ShellScope): Word {
  if (node.value.type !== "Word" || node.index) return { text: node.text, dynamic: node.text };
  const value = evaluateWord(node.value, scope);
  const text = `${node.name}${node.append ? "+" : ""}=${joinSegments(value)}`;
  return value.some(({ isDynamic }) => isDynamic) ? { text, dynamic: text } : { text };
}

export function applyAssignment({ name: variableName, value, append, index }: Assignment, scope: ShellScope): void {
  recordDefault(variableName, value.type === "Word" ? value : undefined, scope);
  const name = resolveReference(variableName, scope);
  if (value.type === "ArrayValue") for (const { text } of value.elements) applyArrayElement(name, text, scope);
  else if (index) assignVariable(scope, getItemKey(name, index.text), [evaluateWord(value, scope)]);
  const knownValues = getVariableValues(scope, name);
  // A variable from the environment can't be an array.
  const previousValues = append
    ? knownValues === undefined && value.type === "ArrayValue"
      ? []
      : (knownValues ?? undefined)
    : [];
  if (index || !previousValues) return assignVariable(scope, name, undefined);
  if (value.type === "ArrayValue")
    return assignVariable(scope, name, [...listItems(previousValues), ...expandItems(value.elements, scope)]);
  const [firstItem = [], ...otherItems] = previousValues;
  assignVariable(scope, name, [[...firstItem, ...evaluateWord(value, scope)], ...otherItems]);
}

/** Applies an array element written as `[key]=value`, if both are literal. */
function applyArrayElement(name: string, text: string, scope: ShellScope): void {
  const [, key, value] = /^\[([^\]]*)\]=(["']?)([^"'$`\\]*)\2$/.exec(text)?.toSpliced(2, 1) ?? [];
  if (key !== undefined && value !== undefined)
    assignVariable(scope, getItemKey(name, key), [[{ text: value, isDynamic: value.startsWith("~") }]]);
}

/** Lists a variable's items, or none if it doesn't have a value. */
const listItems = (values: readonly VariableValue[]) => (values.length === 1 && values[0]?.length === 0 ? [] : values);

const LOCAL_BUILTINS = ["local", "declare", "typeset"];
const DECLARATION_BUILTINS = ["export", "readonly", ...LOCAL_BUILTINS];

/**
 * Applies the assignments of `export`, `local` and similar builtins. Within a function, `local`, `declare` and
 * `typeset` make the variables local.
 */
export function applyDeclaration(program: string, args: Node["args"], scope: ShellScope): void {
  if (!DECLARATION_BUILTINS.includes(program)) return;
  // Declaring a variable without a value makes it empty, unless it is a reference or comes from the environment.
  const isLocal =
    LOCAL_BUILTINS.includes(program) && args.every(({ text }) => !text.startsWith("-") || /^-[ilru]+$/.test(text));
  const locals =
    LOCAL_BUILTINS.includes(program) && !args.some(({ text }) => /^-\w*g/.test(text)) ? scope.locals : undefined;
  const isReference = LOCAL_BUILTINS.includes(program) && args.some(({ text }) => /^-\w*n/.test(text));
  for (const arg of args) {
    const [, name, gives] = /^([A-Za-z_]\w*)(\+?=)?/.exec(arg.type === "Word" ? arg.value : `${arg.name}=`) ?? [];
    if (!name) continue;
    if (locals && !locals.has(name)) locals.set(name, findVariable(scope, name));
    if (isReference) recordReference(name, arg, scope);
    else if (arg.type === "Assignment") applyAssignment(arg, scope);
    else if (gives) assignVariable(scope, name, gives === "=" ? [readUnparsedValue(arg, scope)] : undefined);
    else if (isLocal && getVariableValues(scope, name) === undefined) assignVariable(scope, name, [[]]);
    else if (locals) assignVariable(scope, name, undefined);
  }
}

/** Records that a variable refers to another variable: `declare -n r=x`. */
function recordReference(name: string, arg: Node["args"][number], scope: ShellScope): void {
  const targetName = arg.type === "Assignment" ? readAssignedText(arg, scope) : "";
  assignVariable(
    scope,
    getReferenceName(name),
    /^\w+$/.test(targetName) ? [[{ text: targetName, isDynamic: false }]] : undefined,
  );
}

/**
 * Returns the value of a `NAME=value` argument that the parser didn't take for an assignment because the builtin is
 * quoted: `''export`.
 */
function readUnparsedValue(word: Source, scope: ShellScope): VariableValue {
  const { text, dynamic } = expandSingleWord(word, scope);
  const value = (dynamic ?? text).slice((dynamic ?? text).indexOf("=") + 1);
  return [{ text: value, isDynamic: dynamic !== undefined }];
}

const NO_VARIABLES = {};

/** Returns the variables that a command sets for later ones: `export NAME=value`. */
export function readDeclaredVariables([program, ...args]: readonly Word[]): Readonly<Record<string, string>> {
  if (!DECLARATION_BUILTINS.includes(program?.text ?? "")) return NO_VARIABLES;
  const variables: Record<string, string> = {};
  for (const { text } of args) {
    const at = text.indexOf("=");
    if (at > 0) variables[text.slice(0, at)] = text.slice(at + 1);
  }
  return variables;
}

const expandItems = (elements: readonly Source[], scope: ShellScope): VariableValue[] =>
  elements.flatMap((element) => expandWord(element, scope).map((word) => toSegments(removeElementKey(word))));

/** Removes the key from an array element written as `[key]=value`. */
function removeElementKey(word: Word): Word {
  const [key] = /^\[[^\]]*\]=/.exec(word.text) ?? [];
  if (key === undefined) return word;
  const text = word.text.slice(key.length);
  return /^~|[$`*?[]/.test(text) ? { text, dynamic: text } : { text };
}
