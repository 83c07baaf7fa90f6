import { createNameTable } from "./name-table.ts";
import { wildcardPattern } from "./wildcard.ts";

/** A parsed parameter expansion, such as `${x:-y}`. */
export interface ParameterExpansion {
  name: string;
  /**
   * `#` expands to the length of the value (`${#x}`). `!` expands to the value of the variable that x names (`${!x}`).
   */
  prefix?: string;
  operator?: string;
  /** Text after the operator, as written. */
  operand?: string;
}

const PARAMETER_EXPANSION =
  /^\$\{([!#]?)(\w+|[@*#?$!-])(\[[^\]]*\])?(?:(:?[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|:|@)([^]*))?\}$/;

/** Parses `${name}`, `${name:-default}` and similar expansions. Returns undefined for anything else. */
export function parseParameter(text: string): ParameterExpansion | undefined {
  const [, prefix = "", name, index, operator, operand] = PARAMETER_EXPANSION.exec(text) ?? [];
  if (name === undefined) return undefined;
  return {
    name: name + (index ?? ""),
    ...(prefix !== "" && { prefix }),
    ...(operator !== undefined && { operator, operand: operand ?? "" }),
  };
}

/** Maximum length of values and patterns, since trying a match at every position of a longer value takes too long. */
const MAX_LENGTH = 256;

type Operator = (value: string, operand: string, operator: string) => string | undefined;

const OPERATORS = createNameTable<Operator>({
  "+ :+": (_, operand) => operand,
  "# ## % %%": trimPattern,
  "/ // /# /%": replacePattern,
  "^ , ^^ ,,": changeCase,
  ":": sliceValue,
});

/**
 * Applies an expansion operator to a variable's value: `${x%y}`, `${x/y/z}`. Returns undefined if the result is
 * unknown.
 */
export function applyParameterOperator(value: string, operator: string, operandText: string): string | undefined {
  if (/^:?[-=?]$/.test(operator)) return value === "" ? undefined : value;
  if (value.length > MAX_LENGTH || operandText.length > MAX_LENGTH || /[$`]/.test(operandText)) return undefined;
  const operand = operandText.replace(/^(["'])(.*)\1$/s, "$2");
  return /["']/.test(operand) ? undefined : OPERATORS.get(operator)?.(value, operand, operator);
}

/** Changes the case of the first letter (`${x^}`) or of all letters (`${x^^}`). */
function changeCase(value: string, operand: string, operator: string): string | undefined {
  if (operand !== "") return undefined;
  const end = operator.length === 1 ? 1 : value.length;
  const start = value.slice(0, end);
  return (operator.startsWith("^") ? start.toUpperCase() : start.toLowerCase()) + value.slice(end);
}

/**
 * Removes a pattern's shortest match from the start (`${x#y}`) or end (`${x%y}`) of the value. `##` and `%%` remove the
 * longest match.
 */
function trimPattern(value: string, pattern: string, operator: string): string {
  const matches = wildcardPattern(pattern);
  const isStart = operator.startsWith("#");
  // At the end of a value, a longer match starts earlier.
  const isAscending = isStart === (operator.length === 1);
  const places = Array.from({ length: value.length + 1 }, (_, at) => (isAscending ? at : value.length - at));
  const end = places.find((at) => matches(isStart ? value.slice(0, at) : value.slice(at)));
  return end === undefined ? value : isStart ? value.slice(end) : value.slice(0, end);
}

/** Handles `${x/y/z}`, `${x//y/z}`, `${x/#y/z}` and `${x/%y/z}`. Patterns with wildcards aren't supported. */
function replacePattern(value: string, operand: string, operator: string): string | undefined {
  const [, pattern = "", replacement = ""] = /^((?:\\[^]|[^\\/])*)(?:\/([^]*))?$/.exec(operand) ?? [];
  if (pattern === "" || /[*?[]/.test(pattern)) return undefined;
  const searchText = pattern.replace(/\\([^])/g, "$1");
  if (operator === "//") return value.replaceAll(searchText, () => replacement);
  const at = operator === "/%" ? value.length - searchText.length : operator === "/#" ? 0 : value.indexOf(searchText);
  if (at < 0 || !value.startsWith(searchText, at)) return value;
  return value.slice(0, at) + replacement + value.slice(at + searchText.length);
}

/** Handles `${x:1}`, `${x:1:3}` and `${x: -3}`. */
function sliceValue(value: string, operand: string): string | undefined {
  const [match, start = "0", length] = /^\s*(-?\d{1,6})\s*(?::\s*(-?\d{1,6})\s*)?$/.exec(operand) ?? [];
  if (match === undefined) return undefined;
  const remainder = value.slice(Number(start));
  return length === undefined ? remainder : remainder.slice(0, Number(length));
}
