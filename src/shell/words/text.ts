/** Matches a sticky pattern at an offset. */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** Removes all trailing occurrences of a character. A regular expression would take quadratic time. */
export function trimTrailing(text: string, character: string, minLength = 0): string {
  let end = text.length;
  while (end > minLength && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** Removes escaping backslashes. */
export const removeBackslashes = (text: string): string => text.replace(/\\([^])/g, "$1");
