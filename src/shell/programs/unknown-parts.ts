/** Part of a word: literal text, a wildcard, an expansion, or the `/` between path segments. */
interface NamePart {
  kind: "literal" | "wildcard" | "expansion" | "step";
  text: string;
}

/**
 * Returns the end of the `$…`, `` `…` ``, `<(…)` or `@(…)` that starts at `at`. Returns `at` if no expansion starts
 * there.
 */
export function skipExpansion(text: string, at: number): number {
  const character = text[at];
  if (character === "`") return findExpansionEnd(text, at + 1, character);
  const nextCharacter = text[at + 1];
  // Ignore quotes: an apostrophe in a shell comment could hide a name after it.
  if (nextCharacter === "(" && character !== undefined && "$<>@?*+!".includes(character))
    return findExpansionEnd(text, at + 2, "$(", "");
  if (character !== "$" || nextCharacter === undefined) return at;
  if (nextCharacter === "{") return findExpansionEnd(text, at + 2, "${");
  if (/[@*#?$!0-9-]/.test(nextCharacter)) return at + 2;
  let end = at + 1;
  while (end < text.length && /\w/.test(text[end] as string)) end++;
  return end > at + 1 ? end : at;
}

/** Returns the end of `${…}`, `$(…)`, `<(…)` or a backtick string. `contentStart` is the offset after the opening delimiter. */
export function findExpansionEnd(word: string, contentStart: number, start: string, quotes = "'\""): number {
  const [openingBracket, closingBracket] = start === "`" ? ["", "`"] : start === "${" ? ["{", "}"] : ["(", ")"];
  let depth = 1;
  let quote = "";
  for (let at = contentStart; at < word.length; at++) {
    const character = word[at] as string;
    if (character === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === closingBracket && --depth === 0) return at + 1;
    else if (character === openingBracket) depth++;
    else if (closingBracket === ")" && quotes.includes(character)) quote = character;
  }
  return word.length;
}

/** Splits a word in the format of `Command.dynamic` into known and unknown parts. */
export function* scanUnknownParts(word: string): Generator<NamePart> {
  // A character set can't start after the last "]".
  const lastSet = word.lastIndexOf("]");
  for (let at = 0; at < word.length;) {
    const character = word[at] as string;
    const end = skipExpansion(word, at);
    if (end > at) {
      yield { kind: "expansion", text: word.slice(at, end) };
      at = end;
    } else if (character === "\\") {
      const quotedCharacter = word[at + 1] ?? "\\";
      yield { kind: quotedCharacter === "\\" || quotedCharacter === "/" ? "step" : "literal", text: quotedCharacter };
      at += 2;
    } else if (character === "/") {
      yield { kind: "step", text: character };
      at++;
    } else if (character === "*" || character === "?" || (character === "[" && at + 2 <= lastSet)) {
      let partEnd = character === "[" ? word.indexOf("]", at + 2) + 1 : at + 1;
      while (character !== "[" && (word[partEnd] === "*" || word[partEnd] === "?") && word[partEnd + 1] !== "(")
        partEnd++;
      yield { kind: "wildcard", text: word.slice(at, partEnd) };
      at = partEnd;
    } else {
      let until = at + 1;
      while (until < word.length && !/[$`<>@?*+!\\/[]/.test(word[until] as string)) until++;
      yield { kind: "literal", text: word.slice(at, until) };
      at = until;
    }
  }
}
