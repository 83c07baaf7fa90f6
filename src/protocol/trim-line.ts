const BLANK_CHARACTER = /[\s\x85]/;

/**
 * Trims a line the way hosts do when they apply patches: U+0085 counts as whitespace. Runs in linear time, because each
 * outer character is read once and the first inner character ends the loop.
 */
export function trimLine(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && BLANK_CHARACTER.test(line[start] as string)) start++;
  while (end > start && BLANK_CHARACTER.test(line[end - 1] as string)) end--;
  return line.slice(start, end);
}
