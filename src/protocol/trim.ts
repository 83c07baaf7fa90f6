const BLANK = /[\s\x85]/;

/**
 * A line without the blanks around it, as the hosts that apply patches trim it: U+0085 is a blank there. Each blank is looked at once,
 * those inside of the line not at all.
 */
export function trimLine(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && BLANK.test(line[start] as string)) start++;
  while (end > start && BLANK.test(line[end - 1] as string)) end--;
  return line.slice(start, end);
}
