// No regular expressions here: a call runs these before anything else, and compiling one costs more than the rest.

const isInitialBetween = (word: unknown, first: string, last: string) =>
  typeof word === "string" && word !== "" && word.slice(0, 1) >= first && word.slice(0, 1) <= last;

/** A word that begins like an event in PascalCase. */
export const isPascalCase = (word: unknown) => isInitialBetween(word, "A", "Z");

/** A word that begins like an event in camelCase. */
export const isCamelCase = (word: unknown) => isInitialBetween(word, "a", "z");

/** An ISO date, as far as a look tells. */
export const isIsoDate = (value: unknown) => typeof value === "string" && value.slice(4, 5) === "-";

/** A path with such a part, e.g. `/projects/`, on any platform. */
export const hasPathPart = (path: unknown, part: string) =>
  typeof path === "string" && (path.includes(part) || path.includes(part.replaceAll("/", "\\")));
