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
  const letter = text[at];
  if (letter === "`") return findExpansionEnd(text, at + 1, letter);
  const next = text[at + 1];
  // Quotes are ignored so that an apostrophe in a shell comment can't hide a name after it.
  if (next === "(" && letter !== undefined && "$<>@?*+!".includes(letter))
    return findExpansionEnd(text, at + 2, "$(", "");
  if (letter !== "$" || next === undefined) return at;
  if (next === "{") return findExpansionEnd(text, at + 2, "${");
  if (/[@*#?$!0-9-]/.test(next)) return at + 2;
  let end = at + 1;
  while (end < text.length && /\w/.test(text[end] as string)) end++;
  return end > at + 1 ? end : at;
}

/** Returns the end of `${…}`, `$(…)`, `<(…)` or a backtick string. `from` is the offset after the opening delimiter. */
export function findExpansionEnd(word: string, from: number, start: string, quotes = "'\""): number {
  const [open, close] = start === "`" ? ["", "`"] : start === "${" ? ["{", "}"] : ["(", ")"];
  let depth = 1;
  let quote = "";
  for (let at = from; at < word.length; at++) {
    const letter = word[at] as string;
    if (letter === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === close && --depth === 0) return at + 1;
    else if (letter === open) depth++;
    else if (close === ")" && quotes.includes(letter)) quote = letter;
  }
  return word.length;
}

/** Splits a word in the format of `Command.dynamic` into known and unknown parts. */
export function* scanUnknownParts(word: string): Generator<NamePart> {
  // A character set can't start after the last "]".
  const lastSet = word.lastIndexOf("]");
  for (let at = 0; at < word.length;) {
    const letter = word[at] as string;
    const end = skipExpansion(word, at);
    if (end > at) {
      yield { kind: "expansion", text: word.slice(at, end) };
      at = end;
    } else if (letter === "\\") {
      const quoted = word[at + 1] ?? "\\";
      yield { kind: quoted === "\\" || quoted === "/" ? "step" : "literal", text: quoted };
      at += 2;
    } else if (letter === "/") {
      yield { kind: "step", text: letter };
      at++;
    } else if (letter === "*" || letter === "?" || (letter === "[" && at + 2 <= lastSet)) {
      let until = letter === "[" ? word.indexOf("]", at + 2) + 1 : at + 1;
      while (letter !== "[" && (word[until] === "*" || word[until] === "?") && word[until + 1] !== "(") until++;
      yield { kind: "wildcard", text: word.slice(at, until) };
      at = until;
    } else {
      let until = at + 1;
      while (until < word.length && !/[$`<>@?*+!\\/[]/.test(word[until] as string)) until++;
      yield { kind: "literal", text: word.slice(at, until) };
      at = until;
    }
  }
}
