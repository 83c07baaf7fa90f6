// This file avoids regular expressions because every call runs these tests first, and compiling a single expression
// would take longer than all the tests.

const isInitialBetween = (value: unknown, first: string, last: string) =>
  typeof value === "string" && value !== "" && value.slice(0, 1) >= first && value.slice(0, 1) <= last;

/** Whether a value starts with an uppercase letter, like an event name in PascalCase. */
export const isPascalCase = (value: unknown) => isInitialBetween(value, "A", "Z");

/** Whether a value starts with a lowercase letter, like an event name in camelCase. */
export const isCamelCase = (value: unknown) => isInitialBetween(value, "a", "z");

/** Whether a value looks like an ISO date. */
export const isIsoDate = (value: unknown) => typeof value === "string" && value.slice(4, 5) === "-";

/** Whether a path contains a part such as `/projects/`, with any platform's separators. */
export const hasPathPart = (path: unknown, part: string) =>
  typeof path === "string" && (path.includes(part) || path.includes(part.replaceAll("/", "\\")));
