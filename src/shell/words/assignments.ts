import type { Assignment, Command as Node, Word as Source } from "unbash";
import {
  assignVariable,
  findVariable,
  joinSegments,
  type ShellScope,
  type VariableValue,
  getVariableValues,
} from "../scope.ts";
import { getItemName, getReferenceName, resolveReference } from "./variable-names.ts";
import { expandSingleWord, expandWord, noteDefault, toSegments, evaluateWord } from "./words.ts";
import { type Word } from "./word.ts";

/** The text that an assignment puts into a command's environment. */
export const readAssignedText = ({ name, value, text }: Assignment, scope: ShellScope): string =>
  value.type === "Word" ? joinSegments(evaluateWord(value, scope)) : text.slice(name.length + 1);

/** The word for a `NAME=value` argument, as `export` and similar builtins take it. */
export function createAssignmentWord(node: Assignment, scope: ShellScope): Word {
  if (node.value.type !== "Word" || node.index) return { text: node.text, dynamic: node.text };
  const value = evaluateWord(node.value, scope);
  const text = `${node.name}${node.append ? "+" : ""}=${joinSegments(value)}`;
  return value.some(({ live }) => live) ? { text, dynamic: text } : { text };
}

/** Applies an assignment to its variable. */
export function applyAssignment({ name: given, value, append, index }: Assignment, scope: ShellScope): void {
  noteDefault(given, value.type === "Word" ? value : undefined, scope);
  const name = resolveReference(given, scope);
  if (value.type === "ArrayValue") for (const { text } of value.elements) applyItem(name, text, scope);
  else if (index) assignVariable(scope, getItemName(name, index.text), [evaluateWord(value, scope)]);
  const known = getVariableValues(scope, name);
  // The environment has no arrays.
  const before = append ? (known === undefined && value.type === "ArrayValue" ? [] : (known ?? undefined)) : [];
  if (index || !before) return assignVariable(scope, name, undefined);
  if (value.type === "ArrayValue")
    return assignVariable(scope, name, [...listItems(before), ...expandItems(value.elements, scope)]);
  const [first = [], ...others] = before;
  assignVariable(scope, name, [[...first, ...evaluateWord(value, scope)], ...others]);
}

/** Applies `[key]=value` of an array, where both are plain. */
function applyItem(name: string, text: string, scope: ShellScope): void {
  const [, key, value] = /^\[([^\]]*)\]=(["']?)([^"'$`\\]*)\2$/.exec(text)?.toSpliced(2, 1) ?? [];
  if (key !== undefined && value !== undefined)
    assignVariable(scope, getItemName(name, key), [[{ text: value, live: value.startsWith("~") }]]);
}

/** The items of a variable: none where it has not been given a value. */
const listItems = (values: readonly VariableValue[]) => (values.length === 1 && values[0]?.length === 0 ? [] : values);

const LOCAL = ["local", "declare", "typeset"];
const DECLARING = ["export", "readonly", ...LOCAL];

/** Applies the assignments of `export`, `local` and similar builtins, and marks names as local to a function. */
export function applyDeclaration(program: string, args: Node["args"], scope: ShellScope): void {
  if (!DECLARING.includes(program)) return;
  // Without a value it has none yet, unless it is another one's name, or the environment's.
  const isLocal = LOCAL.includes(program) && args.every(({ text }) => !text.startsWith("-") || /^-[ilru]+$/.test(text));
  const locals = LOCAL.includes(program) && !args.some(({ text }) => /^-\w*g/.test(text)) ? scope.locals : undefined;
  const isReference = LOCAL.includes(program) && args.some(({ text }) => /^-\w*n/.test(text));
  for (const arg of args) {
    const [, name, gives] = /^([A-Za-z_]\w*)(\+?=)?/.exec(arg.type === "Word" ? arg.value : `${arg.name}=`) ?? [];
    if (!name) continue;
    if (locals && !locals.has(name)) locals.set(name, findVariable(scope, name));
    if (isReference) noteReference(name, arg, scope);
    else if (arg.type === "Assignment") applyAssignment(arg, scope);
    else if (gives) assignVariable(scope, name, gives === "=" ? [readGivenValue(arg, scope)] : undefined);
    else if (isLocal && getVariableValues(scope, name) === undefined) assignVariable(scope, name, [[]]);
    else if (locals) assignVariable(scope, name, undefined);
  }
}

/** Notes that a variable stands for another one: `declare -n r=x`. */
function noteReference(name: string, arg: Node["args"][number], scope: ShellScope): void {
  const to = arg.type === "Assignment" ? readAssignedText(arg, scope) : "";
  assignVariable(scope, getReferenceName(name), /^\w+$/.test(to) ? [[{ text: to, live: false }]] : undefined);
}

/** The value in a word `NAME=value` of a builtin that is written so that the parser takes it for a program: `''export`. */
function readGivenValue(word: Source, scope: ShellScope): VariableValue {
  const { text, dynamic } = expandSingleWord(word, scope);
  const value = (dynamic ?? text).slice((dynamic ?? text).indexOf("=") + 1);
  return [{ text: value, live: dynamic !== undefined }];
}

const NONE = {};

/** The variables that a command sets for those after it: `export NAME=value`. */
export function readDeclaredVariables([program, ...args]: readonly Word[]): Readonly<Record<string, string>> {
  if (!DECLARING.includes(program?.text ?? "")) return NONE;
  const found: Record<string, string> = {};
  for (const { text } of args) {
    const at = text.indexOf("=");
    if (at > 0) found[text.slice(0, at)] = text.slice(at + 1);
  }
  return found;
}

const expandItems = (elements: readonly Source[], scope: ShellScope): VariableValue[] =>
  elements.flatMap((element) => expandWord(element, scope).map((word) => toSegments(dropKey(word))));

/** The value of an item that is written with its key: `[key]=value`. */
function dropKey(word: Word): Word {
  const [key] = /^\[[^\]]*\]=/.exec(word.text) ?? [];
  if (key === undefined) return word;
  const text = word.text.slice(key.length);
  return /^~|[$`*?[]/.test(text) ? { text, dynamic: text } : { text };
}
