import { type Code, hasSymbol, isName } from "./expression.ts";
import type { CodeToken } from "./tokens.ts";

const MAX_SKIPPED_TOKENS = 60;

export const CLOSING_BRACKETS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Returns the end of an operand whose value is unknown, such as `a.b(c)[d]`. */
export function skipUnknownOperand(code: Code, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < Math.min(code.tokens.length, start + MAX_SKIPPED_TOKENS); at++) {
    const { symbol = "" } = code.tokens[at] as CodeToken;
    if (/^[([{]$/.test(symbol)) depth++;
    else if (depth > 0 && /^[)\]}]$/.test(symbol)) depth--;
    else if (
      depth === 0 &&
      (at === start ? !isName(symbol) : symbol !== "." && !(isName(symbol) && hasSymbol(code, at - 1, ".")))
    )
      return at === start ? undefined : at;
  }
  return undefined;
}

/** Finds the end of an argument that can't be evaluated. */
export function findArgumentEnd(code: Code, start: number, closingBracket: string): number | undefined {
  const expectedClosers: string[] = [];
  for (let at = start; at < code.tokens.length && code.steps-- > 0; at++) {
    const { symbol = "" } = code.tokens[at] as CodeToken;
    if (expectedClosers.length === 0 && (symbol === "," || symbol === closingBracket)) return at;
    if (CLOSING_BRACKETS[symbol] !== undefined) expectedClosers.push(CLOSING_BRACKETS[symbol]);
    else if (/^[)\]}]$/.test(symbol) && expectedClosers.pop() !== symbol) return undefined;
  }
  return undefined;
}

/** Skips a spread operator: `*a`, `...a`, `@a`. */
export function skipSpread(code: Code, at: number): number {
  if (hasSymbol(code, at, "*") || hasSymbol(code, at, "@")) return at + 1;
  return [0, 1, 2].every((offset) => hasSymbol(code, at + offset, ".")) ? at + 3 : at;
}
