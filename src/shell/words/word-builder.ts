import { getFieldSeparators, splitFields } from "./field-splitting.ts";
import { countCharacters, countSteps } from "../parser.ts";
import type { Word } from "./word.ts";
import type { ShellScope, WordSegment, VariableValue } from "../scope.ts";

/** Characters that a shell expands, or that mark an expansion in `dynamic`. */
const SPECIAL_CHARACTERS = /[\\$`*?[~(]/g;
const escapeSpecial = (text: string) => text.replace(SPECIAL_CHARACTERS, "\\$&");

/** Joins segments into a word. */
export function createWord(segments: VariableValue): Word {
  let text = "";
  let dynamic = "";
  let dynamicCount = 0;
  let name: string | undefined;
  for (const segment of segments) {
    // Add braces, or `"$x"y` would become `$xy`.
    if (name !== undefined && /^\w/.test(segment.text)) dynamic = `${dynamic.slice(0, -name.length)}{${name}}`;
    name = segment.isDynamic ? /\$([A-Za-z_]\w*)$/.exec(segment.text)?.[1] : undefined;
    text += segment.text;
    dynamic += segment.isDynamic ? segment.text : escapeSpecial(segment.text);
    if (segment.isDynamic) dynamicCount++;
  }
  return dynamicCount > 0 ? { text, dynamic } : { text };
}

export interface WordBuilder {
  words: Word[];
  segments: WordSegment[];
  /** Whether a word has started, even if it is still empty. */
  hasWord: boolean;
  isQuoted: boolean;
  /** Whether field splitting is off, as for the value of an assignment. */
  isSplittingDisabled: boolean;
}

export const createBuilder = ({ isSplittingDisabled = false } = {}): WordBuilder => ({
  words: [],
  segments: [],
  hasWord: false,
  isQuoted: false,
  isSplittingDisabled,
});

/** Appends a segment, merged with the last one if both are literal or both dynamic. */
export function pushSegment(builder: WordBuilder, { text, isDynamic }: WordSegment): void {
  builder.hasWord = true;
  if (text === "") return;
  const lastSegment = builder.segments.at(-1);
  if (lastSegment?.isDynamic === isDynamic) lastSegment.text += text;
  else builder.segments.push({ text, isDynamic });
}

export function endWord(builder: WordBuilder): void {
  if (builder.hasWord) {
    const word = createWord(builder.segments);
    const mayVanish =
      !builder.isQuoted && builder.segments.length === 1 && word.dynamic !== undefined && /^[$`]/.test(word.text);
    builder.words.push(mayVanish ? { ...word, mayVanish } : word);
  }
  builder.segments = [];
  builder.hasWord = false;
  builder.isQuoted = false;
}

/** Adds unquoted text, in which a backslash makes the next character literal. */
export function addUnquotedText(builder: WordBuilder, text: string): void {
  const start = !builder.hasWord;
  const tilde = start ? /^(?:[A-Za-z_]\w*=)?(~[\w.+-]*)(?=\/|:|$)/.exec(text) : null;
  let remainingText = text;
  if (tilde) {
    const tildeStart = tilde[0].length - (tilde[1] as string).length;
    pushSegment(builder, { text: text.slice(0, tildeStart), isDynamic: false });
    pushSegment(builder, { text: tilde[1] as string, isDynamic: true });
    remainingText = text.slice(tilde[0].length);
  }
  for (const [piece] of remainingText.matchAll(/\\[^]?|[*?]+|[^\\*?]+/g)) {
    if (piece.startsWith("\\")) {
      if (piece === "\\\n") continue;
      builder.isQuoted = true;
      pushSegment(builder, { text: piece.slice(1) || "\\", isDynamic: false });
    } else pushSegment(builder, { text: piece, isDynamic: !builder.isSplittingDisabled && /^[*?]/.test(piece) });
  }
}

/** Adds values. Unless quoted, they are split at the IFS characters, and wildcards in them are expanded. */
export function addValues(
  builder: WordBuilder,
  values: readonly VariableValue[],
  { isQuoted, isAllItems }: { isQuoted: boolean; isAllItems: boolean },
  scope: ShellScope,
): void {
  const separators = getFieldSeparators(scope);
  values.forEach((value, at) => {
    countSteps(scope.reader);
    if (at > 0 && (isAllItems || !isQuoted) && !builder.isSplittingDisabled) endWord(builder);
    else if (at > 0)
      pushSegment(builder, {
        text: isAllItems || separators === undefined ? " " : separators.slice(0, 1),
        isDynamic: !isAllItems && separators === undefined,
      });
    if (isQuoted) builder.hasWord = true;
    for (const { text, isDynamic } of value) {
      countCharacters(scope.reader, text.length);
      if ((isDynamic && !isLiteral(text)) || isQuoted || builder.isSplittingDisabled)
        pushSegment(builder, { text, isDynamic });
      else if (separators === undefined) pushSegment(builder, { text, isDynamic: true });
      else addSplitText(builder, text, separators, isDynamic);
    }
  });
}

/** Whether a string is free of expansions, so that it can be split as it is. */
export const isLiteral = (text: string) => !/[$`(]/.test(text);

function addSplitText(builder: WordBuilder, text: string, separators: string, isDynamic: boolean): void {
  splitFields(text, separators).forEach((piece, at) => {
    if (at % 2 === 0)
      for (const [run] of piece.matchAll(/[*?[]+|[^*?[]+/g))
        pushSegment(builder, { text: run, isDynamic: isDynamic || /^[*?[]/.test(run) });
    else {
      // Two separators in a row enclose an empty word, unless they are whitespace.
      builder.hasWord ||= /[^ \t\n]/.test(piece);
      endWord(builder);
    }
  });
}
