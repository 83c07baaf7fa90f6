const QUOTE = /["'`]/g;
/** A string's contents, by quote; strings end at the end of the line. */
const STRING_BODY: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\\n]|\\.)*/y,
  "'": /(?:[^'\\\n]|\\.)*/y,
  "`": /(?:[^`\\\n]|\\.)*/y,
};

/** Yields the start and end of each string literal in code, quotes included. */
export function* findStrings(code: string): Generator<readonly [start: number, end: number]> {
  let from = 0;
  // Once a quote is unclosed, no later quote of the same kind on that line opens a string.
  const open: Record<string, number> = {};
  for (const { 0: quote, index } of code.matchAll(QUOTE)) {
    if (index < from || index < (open[quote] ?? 0)) continue;
    const inside = STRING_BODY[quote] as RegExp;
    inside.lastIndex = index + 1;
    inside.exec(code);
    const end = inside.lastIndex;
    if (code[end] === quote) yield [index, (from = end + 1)];
    else open[quote] = end;
  }
}
