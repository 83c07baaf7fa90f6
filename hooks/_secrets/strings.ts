const QUOTE = /["'`]/g;
/** The inside of a string, by its quote: it ends with its row. */
const STRING_BODY: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\\n]|\\.)*/y,
  "'": /(?:[^'\\\n]|\\.)*/y,
  "`": /(?:[^`\\\n]|\\.)*/y,
};

/** Where each string in code begins, and where it ends, quotes included. */
export function* findStrings(code: string): Generator<readonly [start: number, end: number]> {
  let from = 0;
  // A quote that nothing closes has none behind it in its row that begins a string.
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
