import { getVariableValues, joinSegments, type ShellScope } from "../scope.ts";

/** Default field separators of a shell. */
export const DEFAULT_SEPARATORS = " \t\n";
/** Maximum length of IFS. A longer value counts as unknown. */
const MAX_SEPARATORS = 64;
const BLANK_SEPARATOR = /([ \t\n]+)/;

/** Returns the field separators (IFS). Undefined if unknown. */
export function getFieldSeparators(scope: ShellScope): string | undefined {
  const values = getVariableValues(scope, "IFS");
  if (values === undefined) return DEFAULT_SEPARATORS;
  const value = values?.[0] ?? [];
  const marks = joinSegments(value);
  return values === null || value.some(({ live }) => live) || marks.length > MAX_SEPARATORS ? undefined : marks;
}

/**
 * Creates a separator pattern. Consecutive whitespace, and whitespace around another separator, count as a single
 * separator.
 */
function createSeparatorPattern(marks: string): RegExp {
  const blanks = [...DEFAULT_SEPARATORS].filter((mark) => marks.includes(mark)).join("");
  const others = RegExp.escape(marks.replace(/[ \t\n]/g, ""));
  return others === ""
    ? new RegExp(`([${blanks}]+)`)
    : new RegExp(`([${blanks}]*[${others}][${blanks}]*|[${blanks}]+)`);
}

/** Splits a string at separators. The result alternates between fields and separators. */
export const splitFields = (text: string, marks: string): string[] =>
  text.split(marks === DEFAULT_SEPARATORS ? BLANK_SEPARATOR : createSeparatorPattern(marks));
