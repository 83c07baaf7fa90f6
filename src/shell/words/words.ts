import type { Word as Source, ParameterExpansionPart, WordPart } from "unbash";
import { DEFAULT_SEPARATORS } from "./field-splitting.ts";
import { applyParameterOperator, parseParameter } from "./parameters.ts";
import { countSteps } from "../parser.ts";
import { predictSubstitution, toPrintedValue } from "./substitutions.ts";
import { isAlwaysSetVariable } from "./values.ts";
import { getItemKey, resolveReference } from "./variable-names.ts";
import type { Word } from "./word.ts";
import { type ShellScope, type VariableValue, getParameters, joinSegments, getVariableValues } from "../scope.ts";
import {
  createBuilder,
  endWord,
  pushSegment,
  createWord,
  type WordBuilder,
  addUnquotedText,
  addValues,
  isLiteral,
} from "./word-builder.ts";
import { SPECIAL_CHARACTER, listBraceAlternatives, getWordParts } from "./word-parts.ts";

/** Converts a word to a variable value. */
export const toSegments = ({ text, dynamic }: Word): VariableValue => [
  { text: dynamic ?? text, isDynamic: dynamic !== undefined },
];

/** Expands the braces, variables and quotes in a word, possibly to several words. */
export function expandWord(word: Source, scope: ShellScope): Word[] {
  if (!SPECIAL_CHARACTER.test(word.text)) {
    countSteps(scope.reader);
    return [{ text: word.text }];
  }
  const words: Word[] = [];
  for (const parts of listBraceAlternatives(word, scope)) {
    const builder = createBuilder();
    for (const part of parts) addPart(builder, part, scope);
    endWord(builder);
    countSteps(scope.reader, builder.words.length);
    for (const builtWord of builder.words) words.push(builtWord);
  }
  return words;
}

/** Evaluates the value of an assignment, without field splitting or filename expansion. */
export function evaluateWord(word: Source, scope: ShellScope): VariableValue {
  const builder = createBuilder({ isSplittingDisabled: true });
  for (const part of getWordParts(word, scope.reader)) addPart(builder, part, scope);
  return builder.segments;
}

/** Expands a word that has to stay a single word, such as a redirection target or an assignment argument. */
export function expandSingleWord(word: Source, scope: ShellScope): Word {
  const words = expandWord(word, scope);
  return words.length === 1
    ? (words[0] as Word)
    : words.length === 0
      ? { text: "" }
      : { text: word.text, dynamic: word.text };
}

/** Expands the contents of a here-document. */
export function expandDocument(parts: readonly WordPart[], scope: ShellScope): Word {
  const builder = createBuilder({ isSplittingDisabled: true });
  for (const part of parts) {
    if (part.type === "Literal") pushSegment(builder, { text: part.value, isDynamic: false });
    else addPart(builder, part, scope, true);
  }
  return createWord(builder.segments);
}

function addPart(builder: WordBuilder, part: WordPart, scope: ShellScope, isQuoted = false): void {
  switch (part.type) {
    case "Literal":
      return isQuoted
        ? pushSegment(builder, { text: part.value, isDynamic: false })
        : addUnquotedText(builder, part.text);
    case "SingleQuoted":
    case "AnsiCQuoted":
      builder.isQuoted = true;
      return pushSegment(builder, { text: part.value, isDynamic: false });
    case "DoubleQuoted":
    case "LocaleString":
      if (part.parts.length !== 1 || !isAllItems(part.parts[0] as WordPart)) builder.hasWord = true;
      builder.isQuoted = true;
      for (const child of part.parts) addPart(builder, child, scope, true);
      return;
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return pushSegment(builder, { text: part.text, isDynamic: !builder.isSplittingDisabled });
    case "ArithmeticExpansion": {
      const sum = addNumbers(part.text);
      return pushSegment(builder, { text: sum ?? part.text, isDynamic: sum === undefined });
    }
    default: {
      const values = getPartValues(part, scope, isQuoted || builder.isSplittingDisabled);
      return values
        ? addValues(builder, values, { isQuoted, isAllItems: isAllItems(part) }, scope)
        : pushSegment(builder, { text: part.text, isDynamic: true });
    }
  }
}

/** Returns an expansion's items or a substitution's output, or undefined if unknown. */
function getPartValues(part: WordPart, scope: ShellScope, isWholeWord: boolean): readonly VariableValue[] | undefined {
  if (part.type !== "CommandExpansion" && part.type !== "ProcessSubstitution")
    return getDefaultValues(part, scope) ?? getExpansionValues(part, scope);
  const output = predictSubstitution(part, scope, expandWord);
  if (output === undefined) return undefined;
  if (part.type === "CommandExpansion") return [toPrintedValue(output, { isWhole: isWholeWord })];
  scope.reader.fileTexts.set(part.text, output);
  return undefined;
}

/** Evaluates sums of numbers such as `$((1+2))`. Returns undefined for any other arithmetic. */
function addNumbers(text: string): string | undefined {
  const [, terms] = /^\$\(\(([\s\d+-]{1,40})\)\)$/.exec(text) ?? [];
  const numbers = terms?.replace(/\s/g, "");
  if (numbers === undefined || !/^[+-]?\d{1,9}(?:[+-]\d{1,9})*$/.test(numbers)) return undefined;
  return String((numbers.match(/[+-]?\d+/g) ?? []).reduce((sum, number) => sum + Number(number), 0));
}

/** Whether a part expands to all items, like `$@` and `${a[@]}`. */
const isAllItems = (part: WordPart) =>
  (part.type === "SimpleExpansion" && part.text === "$@") ||
  (part.type === "ParameterExpansion" && (part.parameter === "@" || part.index?.text === "@"));

/** Returns a parameter expansion's items, or undefined if unknown. */
function getExpansionValues(part: WordPart, scope: ShellScope): readonly VariableValue[] | undefined {
  if (part.type === "SimpleExpansion") return getNamedValues(part.text.slice(1), undefined, scope);
  if (part.type !== "ParameterExpansion" || part.prefix === "#") return undefined;
  const { index, operation } = part;
  const values =
    part.prefix === "!" ? getReferredValues(part, scope) : getNamedValues(part.parameter, index?.text, scope);
  if (!operation) return values;
  if (operation.type === "Slice" && isAllItems(part)) return values && sliceItems(values, part.text);
  if (operation.type !== "Default") return values && applyOperator(values, part.text, scope);
  // `${x:+}` is always empty.
  if (operation.operator.endsWith("+") && evaluateWord(operation.operand, scope).length === 0) return [[]];
  // An expansion with a default is known only if the variable has a value.
  const isEmptyUnset = operation.operator.startsWith(":");
  const isSet = values?.some((value) => (isEmptyUnset ? joinSegments(value) !== "" : value.length > 0));
  return !isSet ? undefined : operation.operator.endsWith("+") ? [evaluateWord(operation.operand, scope)] : values;
}

/** Returns the items that `${!x}` refers to, or the indexes in `${!a[@]}`. */
function getReferredValues(part: ParameterExpansionPart, scope: ShellScope): readonly VariableValue[] | undefined {
  const { parameter, index } = part;
  if (isAllItems(part))
    return getNamedValues(parameter, "@", scope)?.map((_, at) => [{ text: `${at}`, isDynamic: false }]);
  const name = getReferredName(parameter, scope);
  return name === undefined ? undefined : (getNamedValues(name, index?.text, scope) ?? createVariableReference(name));
}

/** Returns the name of the variable that `${!x}` refers to. */
function getReferredName(name: string, scope: ShellScope): string | undefined {
  if (name === "#") return getParameters(scope)?.length.toString();
  const [value] = getNamedValues(name, undefined, scope) ?? [];
  const text = value && joinSegments(value);
  return text !== undefined && /^\w+$/.test(text) ? text : undefined;
}

/** Returns a slice of the items: `${a[@]:1:2}`, `${@:2}`. Positional parameters are counted from 1. */
function sliceItems(values: readonly VariableValue[], source: string): readonly VariableValue[] | undefined {
  const { name = "", operand = "" } = parseParameter(source) ?? {};
  const [match, start = "0", length] = /^\s*(-?\d{1,4})\s*(?::\s*(\d{1,4})\s*)?$/.exec(operand) ?? [];
  if (match === undefined) return undefined;
  const sliceStart = Number(start);
  const startIndex = Math.max(0, sliceStart < 0 ? values.length + sliceStart : sliceStart - (name === "@" ? 1 : 0));
  return values.slice(startIndex, length === undefined ? undefined : startIndex + Number(length));
}

/** Applies an expansion operator to known values: `${x%/y}`. */
function applyOperator(
  values: readonly VariableValue[],
  source: string,
  scope: ShellScope,
): readonly VariableValue[] | undefined {
  const { operator = "", operand = "" } = parseParameter(source) ?? {};
  const results: VariableValue[] = [];
  for (const value of values) {
    const text = joinSegments(value);
    const isDynamic = value.some((segment) => segment.isDynamic);
    countSteps(scope.reader, text.length >> 2);
    if (isDynamic && !isLiteral(text) && !/^[#%]/.test(operator)) return undefined;
    const result = applyParameterOperator(text, operator, operand);
    if (result === undefined) return undefined;
    results.push([{ text: result, isDynamic }]);
  }
  return results;
}

/**
 * Returns the recorded default for `$x`, or y for `${x:-y}`, `${x:=y}` and `${x:+y}`. Returns undefined if the scope
 * doesn't apply defaults or the value of x is known. The result is marked as dynamic, since x might have a different
 * value.
 */
function getDefaultValues(part: WordPart, scope: ShellScope): readonly VariableValue[] | undefined {
  if (!scope.appliesDefaults) return undefined;
  const { defaults } = scope.reader;
  if (part.type === "SimpleExpansion") return defaults.get(part.text.slice(1));
  if (part.type !== "ParameterExpansion" || part.prefix || part.index) return undefined;
  const { parameter, operation } = part;
  if (!operation) return defaults.get(parameter);
  if (operation.type !== "Default" || !/^:?[-=+]$/.test(operation.operator) || isAlwaysSetVariable(parameter))
    return undefined;
  // `${x:+$x/}`: the alternative usually contains the variable itself.
  if (operation.operator.endsWith("+") && operation.operand.text.includes("$")) return undefined;
  if (getExpansionValues(part, scope)) return undefined;
  const knownDefault = operation.operator.endsWith("+") ? undefined : defaults.get(parameter)?.[0];
  const value = knownDefault ?? markDynamic(evaluateWord(operation.operand, scope));
  if (operation.operator.endsWith("=")) defaults.set(parameter, [value]);
  return [value];
}

const markDynamic = (value: VariableValue): VariableValue => value.map(({ text }) => ({ text, isDynamic: true }));

/** Whether a word might expand differently once defaults are applied. */
export const mayUseDefault = (source: string, { reader }: ShellScope): boolean =>
  /\$\{\w+:?[-=+]/.test(source) || (reader.defaults.size > 0 && source.includes("$"));

/** Records the value that an assignment has once defaults are applied: `D=${ROOT:-/}`. */
export function recordDefault(name: string, value: Source | undefined, scope: ShellScope): void {
  const { defaults } = scope.reader;
  defaults.delete(name);
  if (value && mayUseDefault(value.text, scope))
    defaults.set(name, [markDynamic(evaluateWord(value, { ...scope, appliesDefaults: true }))]);
}

function getNamedValues(
  variableName: string,
  index: string | undefined,
  scope: ShellScope,
): readonly VariableValue[] | undefined {
  const parameters = getParameters(scope);
  const name = resolveReference(variableName, scope);
  if (name === "@" || name === "*") return parameters;
  if (/^[1-9]\d*$/.test(name)) return parameters && [parameters[Number(name) - 1] ?? []];
  if (name === "_") return scope.lastArgument && [scope.lastArgument];
  const values = getVariableValues(scope, name) ?? getShellValue(name, scope);
  if (index !== undefined) return getIndexedValues(name, index, values, scope);
  if (values) return [values[0] ?? []];
  return name === variableName ? undefined : createVariableReference(name);
}

/** Returns the array item at an index, or all items: `${a[1]}`, `${m[key]}`, `${a[@]}`. */
function getIndexedValues(
  name: string,
  index: string,
  values: readonly VariableValue[] | null | undefined,
  scope: ShellScope,
): readonly VariableValue[] | undefined {
  const at = findIndex(index, values?.length ?? 0, scope);
  const item = at === undefined || !values?.[at] ? getVariableValues(scope, getItemKey(name, index)) : undefined;
  if (item) return item;
  if (!values) return createVariableReference(name);
  if (index === "@" || index === "*") return values;
  return at === undefined ? undefined : [values[at] ?? []];
}

/** Returns `$NAME` if every shell sets the variable that an indirect or array expansion refers to. */
const createVariableReference = (name: string): readonly VariableValue[] | undefined =>
  isAlwaysSetVariable(name) ? [[{ text: `$${name}`, isDynamic: true }]] : undefined;

/** Evaluates an array index such as `1`, `-1`, `$i`, `i` or `$((1+1))`. Returns undefined if unknown. */
function findIndex(text: string, length: number, scope: ShellScope): number | undefined {
  const [, name] = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(text) ?? [];
  const value =
    name === undefined ? (addNumbers(text) ?? text) : joinSegments(getNamedValues(name, undefined, scope)?.[0] ?? []);
  if (!/^-?\d{1,6}$/.test(value)) return undefined;
  const at = Number(value);
  return at < 0 ? length + at : at;
}

/** Returns the value that the shell itself gives a variable, unless the command line assigns it. */
function getShellValue(name: string, scope: ShellScope): readonly VariableValue[] | undefined {
  if (getVariableValues(scope, name) === null) return undefined;
  if (name === "IFS") return [[{ text: DEFAULT_SEPARATORS, isDynamic: false }]];
  const { previousFolder } = scope;
  if (name !== "OLDPWD" || previousFolder === undefined || !/^[/~]/.test(previousFolder)) return undefined;
  return [[{ text: previousFolder, isDynamic: previousFolder.startsWith("~") }]];
}
