import { getVariableValues, joinSegments, type ShellScope } from "../scope.ts";

/** The default value of IFS. */
export const DEFAULT_SEPARATORS = " \t\n";
/** Maximum length of IFS. A longer value is treated as unknown. */
const MAX_SEPARATORS_LENGTH = 64;
const BLANK_SEPARATOR = /([ \t\n]+)/;

/** Returns the field separators (IFS), or undefined if unknown. */
export function getFieldSeparators(scope: ShellScope): string | undefined {
  const values = getVariableValues(scope, "IFS");
  if (values === undefined) return DEFAULT_SEPARATORS;
  const value = values?.[0] ?? [];
  const separators = joinSegments(value);
  return values === null || value.some(({ isDynamic }) => isDynamic) || separators.length > MAX_SEPARATORS_LENGTH
    ? undefined
    : separators;
}

/**
 * Creates a pattern for one separator: either a run of whitespace, or another separator character with any whitespace
 * around it.
 */
function createSeparatorPattern(separators: string): RegExp {
  const whitespace = [...DEFAULT_SEPARATORS].filter((separator) => separators.includes(separator)).join("");
  const otherSeparators = RegExp.escape(separators.replace(/[ \t\n]/g, ""));
  return otherSeparators === ""
    ? new RegExp(`([${whitespace}]+)`)
    : new RegExp(`([${whitespace}]*[${otherSeparators}][${whitespace}]*|[${whitespace}]+)`);
}

/** Splits a string at separators. In the result, fields and separators alternate. */
export const splitFields = (text: string, separators: string): string[] =>
  text.split(separators === DEFAULT_SEPARATORS ? BLANK_SEPARATOR : createSeparatorPattern(separators));
