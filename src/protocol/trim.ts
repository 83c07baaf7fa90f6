const BLANK = /[\s\x85]/;

/**
 * Trims a line like the hosts that apply patches: U+0085 counts as whitespace. Takes linear time: each outer character
 * is read once, inner ones never.
 */
export function trimLine(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && BLANK.test(line[start] as string)) start++;
  while (end > start && BLANK.test(line[end - 1] as string)) end--;
  return line.slice(start, end);
}
