const QUOTE = /["'`]/g;
/** Patterns for a string's contents, keyed by quote. Strings don't extend past the end of the line. */
const STRING_BODY: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\\n]|\\.)*/y,
  "'": /(?:[^'\\\n]|\\.)*/y,
  "`": /(?:[^`\\\n]|\\.)*/y,
};

/** Yields the start and end of each string literal in code, including the quotes. */
export function* findStrings(code: string): Generator<readonly [start: number, end: number]> {
  let from = 0;
  // If a quote is unclosed, later quotes of that kind on the same line don't open a string either.
  const openQuotes: Record<string, number> = {};
  for (const { 0: quote, index } of code.matchAll(QUOTE)) {
    if (index < from || index < (openQuotes[quote] ?? 0)) continue;
    const bodyPattern = STRING_BODY[quote] as RegExp;
    bodyPattern.lastIndex = index + 1;
    bodyPattern.exec(code);
    const end = bodyPattern.lastIndex;
    if (code[end] === quote) yield [index, (from = end + 1)];
    else openQuotes[quote] = end;
  }
}
