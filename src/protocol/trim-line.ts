const BLANK = /[\s\x85]/;

/**
 * Trims a line as hosts that apply patches do: U+0085 counts as whitespace. Runs in linear time, because the function
 * reads each outer character once and stops at the first inner character.
 */
export function trimLine(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && BLANK.test(line[start] as string)) start++;
  while (end > start && BLANK.test(line[end - 1] as string)) end--;
  return line.slice(start, end);
}
