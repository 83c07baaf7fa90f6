// This file contains no regular expressions. Every call runs these tests first, and compiling an expression would take
// longer than all tests together.

const isInitialBetween = (word: unknown, first: string, last: string) =>
  typeof word === "string" && word !== "" && word.slice(0, 1) >= first && word.slice(0, 1) <= last;

/** Whether a value starts like an event name in PascalCase. */
export const isPascalCase = (word: unknown) => isInitialBetween(word, "A", "Z");

/** Whether a value starts like an event name in camelCase. */
export const isCamelCase = (word: unknown) => isInitialBetween(word, "a", "z");

/** Whether a value looks like an ISO date. */
export const isIsoDate = (value: unknown) => typeof value === "string" && value.slice(4, 5) === "-";

/** Whether a path contains a part such as `/projects/`, with any platform's separators. */
export const hasPathPart = (path: unknown, part: string) =>
  typeof path === "string" && (path.includes(part) || path.includes(part.replaceAll("/", "\\")));
