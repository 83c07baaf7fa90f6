import { findExpansionEnd } from "../programs/unknown-parts.ts";

/** Maximum number of words that a brace expansion can produce. Beyond that, the word isn't expanded. */
const MAX_WORDS = 64;

/** A quoted character or string. An unclosed quote extends to the end of the text. */
const QUOTED_PART = /\\[^]?|'[^']*'?|(?:\$'(?:[^'\\]|\\[^]?)*'?)|"(?:[^"\\]|\\[^]?)*"?/y;

/**
 * Returns the offset after a quoted string, `$(…)`, `${…}` or backtick expression if there is one at `at`, and
 * otherwise after the next character.
 */
function skipQuotedPart(text: string, at: number): number {
  QUOTED_PART.lastIndex = at;
  if (QUOTED_PART.test(text)) return QUOTED_PART.lastIndex;
  const [start] = /^(?:`|\$[({])/.exec(text.slice(at, at + 2)) ?? [];
  return start === undefined ? at + 1 : findExpansionEnd(text, at + start.length, start);
}

/** Parses the brace expansion at `at`. Returns undefined if there isn't one. */
function parseBrace(text: string, at: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = at + 1;
  for (let i = at; i < text.length;) {
    const character = text[i];
    if (character === "{") depth++;
    else if ((character === "," && depth === 1) || (character === "}" && --depth === 0)) {
      parts.push(text.slice(start, i));
      start = i + 1;
      if (character === "}") break;
    }
    i = skipQuotedPart(text, i);
  }
  if (depth !== 0 || start <= at + 1) return undefined;
  const alternatives = parts.length > 1 ? parts : expandSequence(parts[0] as string);
  return alternatives && { parts: alternatives, end: start };
}

/** Expands sequences such as `1..3` and `a..c`. */
function expandSequence(text: string): string[] | undefined {
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, firstText = "", lastText = "", step = "1"] = match;
  const areLetters = /[A-Za-z]/.test(firstText);
  if (areLetters !== /[A-Za-z]/.test(lastText)) return undefined;
  const [start, to] = areLetters
    ? [firstText.charCodeAt(0), lastText.charCodeAt(0)]
    : [Number(firstText), Number(lastText)];
  const by = Math.max(1, Math.abs(Number(step))) * (start > to ? -1 : 1);
  const width = Math.max(...[firstText, lastText].map((end) => (/^-?0\d/.test(end) ? end.length : 0)));
  const items: string[] = [];
  for (let value = start; by > 0 ? value <= to : value >= to; value += by) {
    if (items.length === MAX_WORDS) return undefined;
    items.push(
      areLetters
        ? String.fromCharCode(value)
        : `${value < 0 ? "-" : ""}${String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, "0")}`,
    );
  }
  return items;
}

/** Expands the braces in a word, but keeps its quotes. Returns undefined if there are too many results. */
export function expandBraces(text: string): string[] | undefined {
  let words = [""];
  let literalStart = 0;
  for (let i = 0; i < text.length;) {
    const brace = text[i] === "{" ? parseBrace(text, i) : undefined;
    if (!brace) {
      i = skipQuotedPart(text, i);
      continue;
    }
    const prefix = text.slice(literalStart, i);
    const alternatives: string[] = [];
    for (const part of brace.parts) {
      const expandedPart = expandBraces(part);
      if (!expandedPart || words.length * (alternatives.length + expandedPart.length) > MAX_WORDS) return undefined;
      alternatives.push(...expandedPart);
    }
    words = words.flatMap((word) => alternatives.map((part) => word + prefix + part));
    i = literalStart = brace.end;
  }
  return words.map((word) => word + text.slice(literalStart));
}
