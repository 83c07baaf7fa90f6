import { getVariableValues, joinSegments, type ShellScope } from "../scope.ts";

/** The field separators of a shell that has not been told of others. */
export const BLANKS = " \t\n";
/** Above this many characters, IFS is not treated as a list of separators. */
const MOST_MARKS = 64;
const BLANK_SEPARATOR = /([ \t\n]+)/;

/** The field separators (IFS); undefined if unknown. */
export function getFieldSeparators(scope: ShellScope): string | undefined {
  const values = getVariableValues(scope, "IFS");
  if (values === undefined) return BLANKS;
  const value = values?.[0] ?? [];
  const marks = joinSegments(value);
  return values === null || value.some(({ live }) => live) || marks.length > MOST_MARKS ? undefined : marks;
}

/** Consecutive blanks, and blanks around another separator, count as one separator. */
function createSeparatorPattern(marks: string): RegExp {
  const blanks = [...BLANKS].filter((mark) => marks.includes(mark)).join("");
  const others = RegExp.escape(marks.replace(/[ \t\n]/g, ""));
  return others === ""
    ? new RegExp(`([${blanks}]+)`)
    : new RegExp(`([${blanks}]*[${others}][${blanks}]*|[${blanks}]+)`);
}

/** Splits a text at separators; the result alternates between fields and separators. */
export const splitFields = (text: string, marks: string): string[] =>
  text.split(marks === BLANKS ? BLANK_SEPARATOR : createSeparatorPattern(marks));
