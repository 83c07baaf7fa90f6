import type { CommandExpansionPart, ProcessSubstitutionPart, Word as Source, WordPart } from "unbash";
import { expandBraces } from "./braces.ts";
import { marksOf, split } from "./marks.ts";
import { printed } from "./output.ts";
import { charge, parse, step, substituted } from "./reader.ts";
import type { Word } from "./word.ts";
import { type Reader, type Scope, type Segment, type Value, valuesOf } from "./scope.ts";

/** Characters that a shell expands, or that stand for that in `dynamic`. */
const SPECIAL = /[\\$`*?[~(]/g;
/** What makes a word more than its text. */
const SPELLED = /[\\'"$`~*?[{(]/;
const escaped = (text: string) => text.replace(SPECIAL, "\\$&");

/** A word made of segments. */
function wordOf(segments: Value): Word {
  let text = "";
  let dynamic = "";
  let live = 0;
  for (const segment of segments) {
    text += segment.text;
    dynamic += segment.live ? segment.text : escaped(segment.text);
    if (segment.live) live++;
  }
  return live > 0 ? { text, dynamic } : { text };
}

/** A word as what a variable may hold. */
export const segments = ({ text, dynamic }: Word): Value => [{ text: dynamic ?? text, live: dynamic !== undefined }];

/** The words that one word of the line becomes: braces, variables, quotes. */
export function expand(word: Source, scope: Scope): Word[] {
  if (!SPELLED.test(word.text)) {
    step(scope.reader);
    return [{ text: word.text }];
  }
  const found: Word[] = [];
  for (const parts of alternatives(word, scope)) {
    const builder = newBuilder();
    for (const part of parts) addPart(builder, part, scope);
    endWord(builder);
    step(scope.reader, builder.words.length);
    for (const one of builder.words) found.push(one);
  }
  return found;
}

/** The value of an assignment: one word, neither split nor matched against files. */
export function valueOf(word: Source, scope: Scope): Value {
  const builder = newBuilder(true);
  for (const part of partsOf(word, scope.reader)) addPart(builder, part, scope);
  return builder.segments;
}

/** A word that isn't split: the target of a redirection, an assignment among the arguments. */
export function single(word: Source, scope: Scope): Word {
  const words = expand(word, scope);
  return words.length === 1
    ? (words[0] as Word)
    : words.length === 0
      ? { text: "" }
      : { text: word.text, dynamic: word.text };
}

/** The parts of a here-document that a shell fills in. */
export function documentText(parts: readonly WordPart[], scope: Scope): Word {
  const builder = newBuilder(true);
  for (const part of parts) {
    if (part.type === "Literal") push(builder, part.value, false);
    else addPart(builder, part, scope, true);
  }
  return wordOf(builder.segments);
}

/** Words that are longer have their parts guessed before the parser takes them apart. */
const LONG = 1000;

function partsOf(word: Source, reader: Reader): readonly WordPart[] {
  if (word.text.length > LONG) step(reader, (word.text.match(/[\\'"$`*?[{]/g)?.length ?? 0) >> 2);
  const parts = word.parts ?? [{ type: "Literal", text: word.text, value: word.value, pos: word.pos, end: word.end }];
  step(reader, word.parts ? 2 + parts.length : 1);
  return parts;
}

/** The parts of each word that braces make of one. */
function alternatives(word: Source, scope: Scope): (readonly WordPart[])[] {
  const parts = partsOf(word, scope.reader);
  if (!parts.some(({ type }) => type === "BraceExpansion")) return [parts];
  const texts = expandBraces(word.text);
  if (!texts) return [parts];
  return texts.map((text) => {
    if (!SPELLED.test(text)) return [{ type: "Literal", text, value: text, pos: 0, end: text.length }];
    const command = parse(`: ${text}`, scope.reader).commands[0]?.command;
    const argument = command?.type === "Command" ? command.args[0] : undefined;
    return argument?.type === "Word" ? partsOf(argument, scope.reader) : [];
  });
}

interface Builder {
  words: Word[];
  segments: Segment[];
  /** Whether there is a word, be it empty. */
  open: boolean;
  quoted: boolean;
  /** No splitting: the right side of an assignment. */
  whole: boolean;
}

const newBuilder = (whole = false): Builder => ({ words: [], segments: [], open: false, quoted: false, whole });

function push(builder: Builder, text: string, live: boolean): void {
  builder.open = true;
  if (text === "") return;
  const last = builder.segments.at(-1);
  if (last?.live === live) last.text += text;
  else builder.segments.push({ text, live });
}

function endWord(builder: Builder): void {
  if (builder.open) {
    const word = wordOf(builder.segments);
    const vanishing =
      !builder.quoted && builder.segments.length === 1 && word.dynamic !== undefined && /^[$`]/.test(word.text);
    builder.words.push(vanishing ? { ...word, vanishing } : word);
  }
  builder.segments = [];
  builder.open = false;
  builder.quoted = false;
}

function addPart(builder: Builder, part: WordPart, scope: Scope, quoted = false): void {
  switch (part.type) {
    case "Literal":
      if (quoted) push(builder, part.value, false);
      else addBare(builder, part.text);
      return;
    case "SingleQuoted":
    case "AnsiCQuoted":
      builder.quoted = true;
      return push(builder, part.value, false);
    case "DoubleQuoted":
    case "LocaleString":
      if (part.parts.length !== 1 || !isAll(part.parts[0] as WordPart)) builder.open = true;
      builder.quoted = true;
      for (const child of part.parts) addPart(builder, child, scope, true);
      return;
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return push(builder, part.text, !builder.whole);
    case "ArithmeticExpansion":
      return push(builder, part.text, true);
    case "ProcessSubstitution": {
      const output = outputOf(part, scope);
      if (output !== undefined) scope.reader.printed.set(part.text, output);
      return push(builder, part.text, true);
    }
    case "CommandExpansion": {
      const output = outputOf(part, scope);
      return output === undefined
        ? push(builder, part.text, true)
        : addValues(builder, [[{ text: withoutNewlines(output), live: false }]], quoted, scope);
    }
    case "SimpleExpansion":
    case "ParameterExpansion": {
      const values = variable(part, scope);
      return values ? addValues(builder, values, quoted, scope, isAll(part)) : push(builder, part.text, true);
    }
  }
}

/** Text without quotes: a backslash takes the next letter as it is. */
function addBare(builder: Builder, text: string): void {
  const start = !builder.open;
  const tilde = start ? /^(?:[A-Za-z_]\w*=)?(~[\w.+-]*)(?=\/|:|$)/.exec(text) : null;
  let rest = text;
  if (tilde) {
    const before = tilde[0].length - (tilde[1] as string).length;
    push(builder, text.slice(0, before), false);
    push(builder, tilde[1] as string, true);
    rest = text.slice(tilde[0].length);
  }
  for (const [piece] of rest.matchAll(/\\[^]?|[*?]+|[^\\*?]+/g)) {
    if (piece.startsWith("\\")) {
      if (piece === "\\\n") continue;
      builder.quoted = true;
      push(builder, piece.slice(1) || "\\", false);
    } else push(builder, piece, !builder.whole && /^[*?]/.test(piece));
  }
}

/** Whether a part stands for all items: `$@`, `${a[@]}`. */
const isAll = (part: WordPart) =>
  (part.type === "SimpleExpansion" && part.text === "$@") ||
  (part.type === "ParameterExpansion" && (part.parameter === "@" || part.index?.text === "@"));

/** What a variable stands for here: its items, or nothing where that isn't known. */
function variable(part: WordPart, scope: Scope): readonly Value[] | undefined {
  if (part.type === "SimpleExpansion") return named(part.text.slice(1), undefined, scope);
  if (part.type !== "ParameterExpansion" || part.prefix) return undefined;
  const { parameter, index, operation } = part;
  const values = named(parameter, index?.text, scope);
  if (!operation) return values;
  // With a default, only a value that is there decides.
  const kept =
    operation.type === "Default" && !operation.operator.endsWith("+") && values?.some((value) => value.length > 0);
  return kept ? values : undefined;
}

function named(name: string, index: string | undefined, scope: Scope): readonly Value[] | undefined {
  const { parameters } = scope;
  if (name === "@" || name === "*") return parameters;
  if (/^[1-9]\d*$/.test(name)) return parameters && [parameters[Number(name) - 1] ?? []];
  if (name === "_") return scope.last && [scope.last];
  const values = valuesOf(scope, name);
  if (!values) return undefined;
  if (index === "@" || index === "*") return values;
  if (index !== undefined && !/^\d+$/.test(index)) return undefined;
  return [values[Number(index ?? 0)] ?? []];
}

/** Fills in values: unquoted they are split at blanks, or at what IFS says, and wildcards in them are alive. */
function addValues(builder: Builder, values: readonly Value[], quoted: boolean, scope: Scope, all = false): void {
  const marks = marksOf(scope);
  values.forEach((value, at) => {
    step(scope.reader);
    if (at > 0 && (all || !quoted) && !builder.whole) endWord(builder);
    else if (at > 0) push(builder, all || marks === undefined ? " " : marks.slice(0, 1), !all && marks === undefined);
    if (quoted) builder.open = true;
    for (const { text, live } of value) {
      charge(scope.reader, text.length);
      if (live || quoted || builder.whole) push(builder, text, live);
      else if (marks === undefined) push(builder, text, true);
      else addSplit(builder, text, marks);
    }
  });
}

function addSplit(builder: Builder, text: string, marks: string): void {
  split(text, marks).forEach((piece, at) => {
    if (at % 2 === 0) for (const [run] of piece.matchAll(/[*?[]+|[^*?[]+/g)) push(builder, run, /^[*?[]/.test(run));
    else {
      // Between two marks that are no blanks there is an empty word.
      builder.open ||= /[^ \t\n]/.test(piece);
      endWord(builder);
    }
  });
}

function withoutNewlines(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return text.slice(0, end);
}

/** What `$(echo x)` surely becomes: a single command that only prints text which is known. */
function outputOf(part: CommandExpansionPart | ProcessSubstitutionPart, scope: Scope): string | undefined {
  if (!/^(?:[$<]\(|`)\s*(?:echo|printf|which|command\s+-v)\s/.test(part.text)) return undefined;
  const [statement, ...others] = substituted(part.text, part.script, scope.reader);
  const command = others.length === 0 ? statement?.command : undefined;
  if (command?.type !== "Command" || command.prefix.length > 0 || command.redirects.length > 0) return undefined;
  const args = command.args.flatMap((word) =>
    word.type === "Word" ? expand(word, scope) : [{ text: word.text, dynamic: word.text }],
  );
  return args.some(({ dynamic }) => dynamic !== undefined)
    ? undefined
    : printed(command.name?.text ?? "", args, undefined);
}
