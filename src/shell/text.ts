/** A text as one word of a shell. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What a sticky expression matches at a place of a text. */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** A text without a sign at its end, however often it stands there; an expression would take quadratic time. */
export function stripEnd(text: string, sign: string, least = 0): string {
  let end = text.length;
  while (end > least && text[end - 1] === sign) end--;
  return text.slice(0, end);
}
