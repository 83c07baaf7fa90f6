/** Joins words as choices, such as `observe, warn or enforce`. */
export const joinChoices = (words: readonly string[]): string => words.join(", ").replace(/, (?=[^,]*$)/, " or ");

const TYPE_NAMES: Readonly<Record<string, string>> = {
  Array: "a list",
  Object: "an object",
  boolean: "true or false",
  number: "a number",
  string: "a string",
};

const formatType = (type: string): string => TYPE_NAMES[type] ?? type;

/** Rewrites valibot's message about a value of the wrong type in the words of bridge-hooks' own messages. */
export function describeWrongType(message: string): string {
  const [, expected, received] = /^Invalid type: Expected (.+) but received (.+)$/s.exec(message) ?? [];
  if (expected === undefined || received === undefined) return message;
  const types = expected.replace(/^\((.*)\)$/s, "$1").split(" | ");
  return `must be ${joinChoices(types.map(formatType))}, not ${formatType(received)}`;
}
