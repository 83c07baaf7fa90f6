import type { Word as Source, ParameterExpansionPart, WordPart } from "unbash";
import { expandBraces } from "./braces.ts";
import { BLANKS, getFieldSeparators, splitFields } from "./field-splitting.ts";
import { applyParameterOperator, parseParameter } from "./parameters.ts";
import { countCharacters, parseScript, countSteps } from "./parser.ts";
import { predictSubstitution, toPrintedValue } from "./substitutions.ts";
import { isAlwaysSet } from "./values.ts";
import { getItemName, resolveReference } from "./variable-names.ts";
import type { Word } from "./word.ts";
import {
  type ShellReader,
  type ShellScope,
  type WordSegment,
  type VariableValue,
  getParameters,
  joinSegments,
  getVariableValues,
} from "./scope.ts";

/** Characters that a shell expands, or that mark an expansion in `dynamic`. */
const SPECIAL = /[\\$`*?[~(]/g;
/** Characters that give a word more meaning than its text. */
const SPELLED = /[\\'"$`~*?[{(]/;
const escapeSpecial = (text: string) => text.replace(SPECIAL, "\\$&");

/** Joins segments to a word. */
function createWord(segments: VariableValue): Word {
  let text = "";
  let dynamic = "";
  let live = 0;
  let name: string | undefined;
  for (const segment of segments) {
    // `"$x"y` is not `$xy`.
    if (name !== undefined && /^\w/.test(segment.text)) dynamic = `${dynamic.slice(0, -name.length)}{${name}}`;
    name = segment.live ? /\$([A-Za-z_]\w*)$/.exec(segment.text)?.[1] : undefined;
    text += segment.text;
    dynamic += segment.live ? segment.text : escapeSpecial(segment.text);
    if (segment.live) live++;
  }
  return live > 0 ? { text, dynamic } : { text };
}

/** Turns a word into the value of a variable. */
export const toSegments = ({ text, dynamic }: Word): VariableValue => [
  { text: dynamic ?? text, live: dynamic !== undefined },
];

/** Expands one word of the line, with braces, variables and quotes, to the words that it becomes. */
export function expandWord(word: Source, scope: ShellScope): Word[] {
  if (!SPELLED.test(word.text)) {
    countSteps(scope.reader);
    return [{ text: word.text }];
  }
  const found: Word[] = [];
  for (const parts of listBraceAlternatives(word, scope)) {
    const builder = createBuilder();
    for (const part of parts) addPart(builder, part, scope);
    endWord(builder);
    countSteps(scope.reader, builder.words.length);
    for (const one of builder.words) found.push(one);
  }
  return found;
}

/** Evaluates the value of an assignment: one word, without field splitting or file name expansion. */
export function evaluateWord(word: Source, scope: ShellScope): VariableValue {
  const builder = createBuilder(true);
  for (const part of getWordParts(word, scope.reader)) addPart(builder, part, scope);
  return builder.segments;
}

/** Expands a word without field splitting: the target of a redirection, an assignment among the arguments. */
export function expandSingleWord(word: Source, scope: ShellScope): Word {
  const words = expandWord(word, scope);
  return words.length === 1
    ? (words[0] as Word)
    : words.length === 0
      ? { text: "" }
      : { text: word.text, dynamic: word.text };
}

/** Expands the text of a here-document. */
export function expandDocument(parts: readonly WordPart[], scope: ShellScope): Word {
  const builder = createBuilder(true);
  for (const part of parts) {
    if (part.type === "Literal") pushText(builder, part.value, false);
    else addPart(builder, part, scope, true);
  }
  return createWord(builder.segments);
}

/** A longer word counts steps for its special characters before the parser splits it into parts. */
const LONG = 1000;

function getWordParts(word: Source, reader: ShellReader): readonly WordPart[] {
  if (word.text.length > LONG) countSteps(reader, (word.text.match(/[\\'"$`*?[{]/g)?.length ?? 0) >> 2);
  const parts = word.parts ?? [{ type: "Literal", text: word.text, value: word.value, pos: word.pos, end: word.end }];
  countSteps(reader, word.parts ? 2 + parts.length : 1);
  return parts;
}

/** The parts of each word that braces make of one. */
function listBraceAlternatives(word: Source, scope: ShellScope): (readonly WordPart[])[] {
  const parts = getWordParts(word, scope.reader);
  if (!parts.some(({ type }) => type === "BraceExpansion")) return [parts];
  const texts = expandBraces(word.text);
  if (!texts) return [parts];
  return texts.map((text) => {
    if (!SPELLED.test(text)) return [{ type: "Literal", text, value: text, pos: 0, end: text.length }];
    const command = parseScript(`: ${text}`, scope.reader).commands[0]?.command;
    const argument = command?.type === "Command" ? command.args[0] : undefined;
    return argument?.type === "Word" ? getWordParts(argument, scope.reader) : [];
  });
}

interface WordBuilder {
  words: Word[];
  segments: WordSegment[];
  /** Whether there is a word, even an empty one. */
  hasWord: boolean;
  isQuoted: boolean;
  /** No field splitting: the right-hand side of an assignment. */
  isUnsplit: boolean;
}

const createBuilder = (whole = false): WordBuilder => ({
  words: [],
  segments: [],
  hasWord: false,
  isQuoted: false,
  isUnsplit: whole,
});

function pushText(builder: WordBuilder, text: string, live: boolean): void {
  builder.hasWord = true;
  if (text === "") return;
  const last = builder.segments.at(-1);
  if (last?.live === live) last.text += text;
  else builder.segments.push({ text, live });
}

function endWord(builder: WordBuilder): void {
  if (builder.hasWord) {
    const word = createWord(builder.segments);
    const vanishing =
      !builder.isQuoted && builder.segments.length === 1 && word.dynamic !== undefined && /^[$`]/.test(word.text);
    builder.words.push(vanishing ? { ...word, vanishing } : word);
  }
  builder.segments = [];
  builder.hasWord = false;
  builder.isQuoted = false;
}

function addPart(builder: WordBuilder, part: WordPart, scope: ShellScope, quoted = false): void {
  switch (part.type) {
    case "Literal":
      return quoted ? pushText(builder, part.value, false) : addBare(builder, part.text);
    case "SingleQuoted":
    case "AnsiCQuoted":
      builder.isQuoted = true;
      return pushText(builder, part.value, false);
    case "DoubleQuoted":
    case "LocaleString":
      if (part.parts.length !== 1 || !isAllItems(part.parts[0] as WordPart)) builder.hasWord = true;
      builder.isQuoted = true;
      for (const child of part.parts) addPart(builder, child, scope, true);
      return;
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return pushText(builder, part.text, !builder.isUnsplit);
    case "ArithmeticExpansion": {
      const sum = addNumbers(part.text);
      return pushText(builder, sum ?? part.text, sum === undefined);
    }
    default: {
      const values = getPartValues(part, scope, quoted || builder.isUnsplit);
      return values
        ? addValues(builder, values, { quoted, all: isAllItems(part) }, scope)
        : pushText(builder, part.text, true);
    }
  }
}

/** The items that an expansion stands for, or what a substitution prints; undefined if unknown. */
function getPartValues(part: WordPart, scope: ShellScope, isWhole: boolean): readonly VariableValue[] | undefined {
  if (part.type !== "CommandExpansion" && part.type !== "ProcessSubstitution")
    return getDefaultValues(part, scope) ?? getExpansionValues(part, scope);
  const output = predictSubstitution(part, scope, expandWord);
  if (output === undefined) return undefined;
  if (part.type === "CommandExpansion") return [toPrintedValue(output, { isWhole })];
  scope.reader.fileTexts.set(part.text, output);
  return undefined;
}

/** The value of `$((1+2))`; undefined if there is more in it than numbers to add. */
function addNumbers(text: string): string | undefined {
  const [, terms] = /^\$\(\(([\s\d+-]{1,40})\)\)$/.exec(text) ?? [];
  const numbers = terms?.replace(/\s/g, "");
  if (numbers === undefined || !/^[+-]?\d{1,9}(?:[+-]\d{1,9})*$/.test(numbers)) return undefined;
  return String((numbers.match(/[+-]?\d+/g) ?? []).reduce((sum, number) => sum + Number(number), 0));
}

/** Adds unquoted text: a backslash makes the next character literal. */
function addBare(builder: WordBuilder, text: string): void {
  const start = !builder.hasWord;
  const tilde = start ? /^(?:[A-Za-z_]\w*=)?(~[\w.+-]*)(?=\/|:|$)/.exec(text) : null;
  let rest = text;
  if (tilde) {
    const before = tilde[0].length - (tilde[1] as string).length;
    pushText(builder, text.slice(0, before), false);
    pushText(builder, tilde[1] as string, true);
    rest = text.slice(tilde[0].length);
  }
  for (const [piece] of rest.matchAll(/\\[^]?|[*?]+|[^\\*?]+/g)) {
    if (piece.startsWith("\\")) {
      if (piece === "\\\n") continue;
      builder.isQuoted = true;
      pushText(builder, piece.slice(1) || "\\", false);
    } else pushText(builder, piece, !builder.isUnsplit && /^[*?]/.test(piece));
  }
}

/** Whether a part stands for all items: `$@`, `${a[@]}`. */
const isAllItems = (part: WordPart) =>
  (part.type === "SimpleExpansion" && part.text === "$@") ||
  (part.type === "ParameterExpansion" && (part.parameter === "@" || part.index?.text === "@"));

/** The items that an expansion stands for here; undefined if unknown. */
function getExpansionValues(part: WordPart, scope: ShellScope): readonly VariableValue[] | undefined {
  if (part.type === "SimpleExpansion") return getNamedValues(part.text.slice(1), undefined, scope);
  if (part.type !== "ParameterExpansion" || part.prefix === "#") return undefined;
  const { index, operation } = part;
  const values =
    part.prefix === "!" ? getReferredValues(part, scope) : getNamedValues(part.parameter, index?.text, scope);
  if (!operation) return values;
  if (operation.type === "Slice" && isAllItems(part)) return values && sliceItems(values, part.text);
  if (operation.type !== "Default") return values && applyOperator(values, part.text, scope);
  // `${x:+}` is nothing in any case.
  if (operation.operator.endsWith("+") && evaluateWord(operation.operand, scope).length === 0) return [[]];
  // An expansion with a default is only known if the variable has a value.
  const isEmptyUnset = operation.operator.startsWith(":");
  const isSet = values?.some((value) => (isEmptyUnset ? joinSegments(value) !== "" : value.length > 0));
  return !isSet ? undefined : operation.operator.endsWith("+") ? [evaluateWord(operation.operand, scope)] : values;
}

/** The items of the variable that another one names, `${!x}`, and the indexes of a list, `${!a[@]}`. */
function getReferredValues(part: ParameterExpansionPart, scope: ShellScope): readonly VariableValue[] | undefined {
  const { parameter, index } = part;
  if (isAllItems(part)) return getNamedValues(parameter, "@", scope)?.map((_, at) => [{ text: `${at}`, live: false }]);
  const name = getReferredName(parameter, scope);
  return name === undefined ? undefined : (getNamedValues(name, index?.text, scope) ?? getOwnValue(name));
}

/** The variable that `${!x}` means. */
function getReferredName(name: string, scope: ShellScope): string | undefined {
  if (name === "#") return getParameters(scope)?.length.toString();
  const [value] = getNamedValues(name, undefined, scope) ?? [];
  const text = value && joinSegments(value);
  return text !== undefined && /^\w+$/.test(text) ? text : undefined;
}

/** `${a[@]:1:2}`, `${@:2}`: the first positional parameter has the number 1. */
function sliceItems(values: readonly VariableValue[], source: string): readonly VariableValue[] | undefined {
  const { name = "", operand = "" } = parseParameter(source) ?? {};
  const [found, start = "0", length] = /^\s*(-?\d{1,4})\s*(?::\s*(\d{1,4})\s*)?$/.exec(operand) ?? [];
  if (found === undefined) return undefined;
  const first = Number(start);
  const from = Math.max(0, first < 0 ? values.length + first : first - (name === "@" ? 1 : 0));
  return values.slice(from, length === undefined ? undefined : from + Number(length));
}

/** What an operator makes of values that are known: `${x%/y}`. */
function applyOperator(
  values: readonly VariableValue[],
  source: string,
  scope: ShellScope,
): readonly VariableValue[] | undefined {
  const { operator = "", operand = "" } = parseParameter(source) ?? {};
  const found: VariableValue[] = [];
  for (const value of values) {
    const text = joinSegments(value);
    const live = value.some((segment) => segment.live);
    countSteps(scope.reader, text.length >> 2);
    if (live && !isLiteral(text) && !/^[#%]/.test(operator)) return undefined;
    const made = applyParameterOperator(text, operator, operand);
    if (made === undefined) return undefined;
    found.push([{ text: made, live }]);
  }
  return found;
}

/**
 * In a scope that takes defaults: what `${x:-y}`, `${x:=y}` and `${x:+y}` become where x has no value that is known, and
 * `$x` behind them. All of it is live, since x may have another value.
 */
function getDefaultValues(part: WordPart, scope: ShellScope): readonly VariableValue[] | undefined {
  if (!scope.takesDefaults) return undefined;
  const { defaults } = scope.reader;
  if (part.type === "SimpleExpansion") return defaults.get(part.text.slice(1));
  if (part.type !== "ParameterExpansion" || part.prefix || part.index) return undefined;
  const { parameter, operation } = part;
  if (!operation) return defaults.get(parameter);
  if (operation.type !== "Default" || !/^:?[-=+]$/.test(operation.operator) || isAlwaysSet(parameter)) return undefined;
  // What stands in for a variable that is set mostly contains it: `${x:+$x/}`.
  if (operation.operator.endsWith("+") && operation.operand.text.includes("$")) return undefined;
  if (getExpansionValues(part, scope)) return undefined;
  const known = operation.operator.endsWith("+") ? undefined : defaults.get(parameter)?.[0];
  const value = known ?? markLive(evaluateWord(operation.operand, scope));
  if (operation.operator.endsWith("=")) defaults.set(parameter, [value]);
  return [value];
}

const markLive = (value: VariableValue): VariableValue => value.map(({ text }) => ({ text, live: true }));

/** Whether a word may be another one in a scope that takes defaults. */
export const mayTakeDefault = (source: string, { reader }: ShellScope): boolean =>
  /\$\{\w+:?[-=+]/.test(source) || (reader.defaults.size > 0 && source.includes("$"));

/** Notes what an assignment gives where defaults are taken: `D=${ROOT:-/}`. */
export function noteDefault(name: string, value: Source | undefined, scope: ShellScope): void {
  const { defaults } = scope.reader;
  defaults.delete(name);
  if (value && mayTakeDefault(value.text, scope))
    defaults.set(name, [markLive(evaluateWord(value, { ...scope, takesDefaults: true }))]);
}

function getNamedValues(
  given: string,
  index: string | undefined,
  scope: ShellScope,
): readonly VariableValue[] | undefined {
  const parameters = getParameters(scope);
  const name = resolveReference(given, scope);
  if (name === "@" || name === "*") return parameters;
  if (/^[1-9]\d*$/.test(name)) return parameters && [parameters[Number(name) - 1] ?? []];
  if (name === "_") return scope.last && [scope.last];
  const values = getVariableValues(scope, name) ?? getShellValue(name, scope);
  if (index !== undefined) return getIndexedValues(name, index, values, scope);
  if (values) return [values[0] ?? []];
  return name === given ? undefined : getOwnValue(name);
}

/** The items of a list at an index, or all of them: `${a[1]}`, `${m[key]}`, `${a[@]}`. */
function getIndexedValues(
  name: string,
  index: string,
  values: readonly VariableValue[] | null | undefined,
  scope: ShellScope,
): readonly VariableValue[] | undefined {
  const at = findIndex(index, values?.length ?? 0, scope);
  const item = at === undefined || !values?.[at] ? getVariableValues(scope, getItemName(name, index)) : undefined;
  if (item) return item;
  if (!values) return getOwnValue(name);
  if (index === "@" || index === "*") return values;
  return at === undefined ? undefined : [values[at] ?? []];
}

/** A variable that every shell sets, where it is meant by another name, or as a list. */
const getOwnValue = (name: string): readonly VariableValue[] | undefined =>
  isAlwaysSet(name) ? [[{ text: `$${name}`, live: true }]] : undefined;

/** The index of an item: `1`, `-1`, `$i`, `i`, `$((1+1))`; undefined if unknown. */
function findIndex(text: string, length: number, scope: ShellScope): number | undefined {
  const [, name] = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(text) ?? [];
  const value =
    name === undefined ? (addNumbers(text) ?? text) : joinSegments(getNamedValues(name, undefined, scope)?.[0] ?? []);
  if (!/^-?\d{1,6}$/.test(value)) return undefined;
  const at = Number(value);
  return at < 0 ? length + at : at;
}

/** The value that a shell gives a variable itself, unless the line does. */
function getShellValue(name: string, scope: ShellScope): readonly VariableValue[] | undefined {
  if (getVariableValues(scope, name) === null) return undefined;
  if (name === "IFS") return [[{ text: BLANKS, live: false }]];
  const { previous } = scope;
  if (name !== "OLDPWD" || previous === undefined || !/^[/~]/.test(previous)) return undefined;
  return [[{ text: previous, live: previous.startsWith("~") }]];
}

/** Adds values. Unquoted, they are split at blanks or IFS, and wildcards in them are expanded. */
function addValues(
  builder: WordBuilder,
  values: readonly VariableValue[],
  { quoted, all }: { quoted: boolean; all: boolean },
  scope: ShellScope,
): void {
  const marks = getFieldSeparators(scope);
  values.forEach((value, at) => {
    countSteps(scope.reader);
    if (at > 0 && (all || !quoted) && !builder.isUnsplit) endWord(builder);
    else if (at > 0)
      pushText(builder, all || marks === undefined ? " " : marks.slice(0, 1), !all && marks === undefined);
    if (quoted) builder.hasWord = true;
    for (const { text, live } of value) {
      countCharacters(scope.reader, text.length);
      if ((live && !isLiteral(text)) || quoted || builder.isUnsplit) pushText(builder, text, live);
      else if (marks === undefined) pushText(builder, text, true);
      else addSplit(builder, text, marks, live);
    }
  });
}

/** Whether nothing in a text is for the shell to run: it may be split as it is. */
const isLiteral = (text: string) => !/[$`(]/.test(text);

function addSplit(builder: WordBuilder, text: string, marks: string, live: boolean): void {
  splitFields(text, marks).forEach((piece, at) => {
    if (at % 2 === 0)
      for (const [run] of piece.matchAll(/[*?[]+|[^*?[]+/g)) pushText(builder, run, live || /^[*?[]/.test(run));
    else {
      // Between two non-blank separators there is an empty word.
      builder.hasWord ||= /[^ \t\n]/.test(piece);
      endWord(builder);
    }
  });
}
