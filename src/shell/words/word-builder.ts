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
    // `"$x"y` must not become `$xy`.
    if (name !== undefined && /^\w/.test(segment.text)) dynamic = `${dynamic.slice(0, -name.length)}{${name}}`;
    name = segment.live ? /\$([A-Za-z_]\w*)$/.exec(segment.text)?.[1] : undefined;
    text += segment.text;
    dynamic += segment.live ? segment.text : escapeSpecial(segment.text);
    if (segment.live) dynamicCount++;
  }
  return dynamicCount > 0 ? { text, dynamic } : { text };
}

export interface WordBuilder {
  words: Word[];
  segments: WordSegment[];
  /** Whether a word has started. The word may be empty. */
  hasWord: boolean;
  isQuoted: boolean;
  /** Whether field splitting is disabled, as on the right-hand side of an assignment. */
  isUnsplit: boolean;
}

export const createBuilder = ({ isUnsplit = false } = {}): WordBuilder => ({
  words: [],
  segments: [],
  hasWord: false,
  isQuoted: false,
  isUnsplit,
});

/** Appends a segment. Merges it with the last segment if both are literal or both are dynamic. */
export function pushSegment(builder: WordBuilder, { text, live }: WordSegment): void {
  builder.hasWord = true;
  if (text === "") return;
  const lastSegment = builder.segments.at(-1);
  if (lastSegment?.live === live) lastSegment.text += text;
  else builder.segments.push({ text, live });
}

export function endWord(builder: WordBuilder): void {
  if (builder.hasWord) {
    const word = createWord(builder.segments);
    const mayVanish =
      !builder.isQuoted && builder.segments.length === 1 && word.dynamic !== undefined && /^[$`]/.test(word.text);
    builder.words.push(mayVanish ? { ...word, vanishing: mayVanish } : word);
  }
  builder.segments = [];
  builder.hasWord = false;
  builder.isQuoted = false;
}

/** Adds unquoted text. A backslash makes the next character literal. */
export function addUnquotedText(builder: WordBuilder, text: string): void {
  const start = !builder.hasWord;
  const tilde = start ? /^(?:[A-Za-z_]\w*=)?(~[\w.+-]*)(?=\/|:|$)/.exec(text) : null;
  let remainingText = text;
  if (tilde) {
    const tildeStart = tilde[0].length - (tilde[1] as string).length;
    pushSegment(builder, { text: text.slice(0, tildeStart), live: false });
    pushSegment(builder, { text: tilde[1] as string, live: true });
    remainingText = text.slice(tilde[0].length);
  }
  for (const [piece] of remainingText.matchAll(/\\[^]?|[*?]+|[^\\*?]+/g)) {
    if (piece.startsWith("\\")) {
      if (piece === "\\\n") continue;
      builder.isQuoted = true;
      pushSegment(builder, { text: piece.slice(1) || "\\", live: false });
    } else pushSegment(builder, { text: piece, live: !builder.isUnsplit && /^[*?]/.test(piece) });
  }
}

/** Adds values. Unquoted values are split at the IFS characters, and their wildcards expand. */
export function addValues(
  builder: WordBuilder,
  values: readonly VariableValue[],
  { quoted, all }: { quoted: boolean; all: boolean },
  scope: ShellScope,
): void {
  const separators = getFieldSeparators(scope);
  values.forEach((value, at) => {
    countSteps(scope.reader);
    if (at > 0 && (all || !quoted) && !builder.isUnsplit) endWord(builder);
    else if (at > 0)
      pushSegment(builder, {
        text: all || separators === undefined ? " " : separators.slice(0, 1),
        live: !all && separators === undefined,
      });
    if (quoted) builder.hasWord = true;
    for (const { text, live } of value) {
      countCharacters(scope.reader, text.length);
      if ((live && !isLiteral(text)) || quoted || builder.isUnsplit) pushSegment(builder, { text, live });
      else if (separators === undefined) pushSegment(builder, { text, live: true });
      else addSplit(builder, text, separators, live);
    }
  });
}

/** Whether a string contains no expansions, so that it can be split without changes. */
export const isLiteral = (text: string) => !/[$`(]/.test(text);

function addSplit(builder: WordBuilder, text: string, separators: string, isDynamic: boolean): void {
  splitFields(text, separators).forEach((piece, at) => {
    if (at % 2 === 0)
      for (const [run] of piece.matchAll(/[*?[]+|[^*?[]+/g))
        pushSegment(builder, { text: run, live: isDynamic || /^[*?[]/.test(run) });
    else {
      // Two adjacent separators that are not whitespace enclose an empty word.
      builder.hasWord ||= /[^ \t\n]/.test(piece);
      endWord(builder);
    }
  });
}
