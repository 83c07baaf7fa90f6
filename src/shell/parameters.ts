import { wildcardPattern } from "./wildcard.ts";

/** A variable as `${…}` writes it. */
export interface ParameterExpansion {
  name: string;
  /** `${#x}` is the length of its value, `${!x}` the variable that its value names. */
  prefix?: string;
  operator?: string;
  /** What stands after the operator, as written. */
  operand?: string;
}

const PARAMETER = /^\$\{([!#]?)(\w+|[@*#?$!-])(\[[^\]]*\])?(?:(:?[-=?+]|##?|%%?|\/[/#%]?|\^\^?|,,?|:|@)([^]*))?\}$/;

/** Reads `${name}`, `${name:-default}` and the like; undefined for another text. */
export function parseParameter(text: string): ParameterExpansion | undefined {
  const [, prefix = "", name, index, operator, operand] = PARAMETER.exec(text) ?? [];
  if (name === undefined) return undefined;
  return {
    name: name + (index ?? ""),
    ...(prefix !== "" && { prefix }),
    ...(operator !== undefined && { operator, operand: operand ?? "" }),
  };
}

/** A longer value, or a longer pattern, is not looked into: each place in it costs a match. */
const LONGEST = 256;

/** The value of `${x%y}`, `${x/y/z}` and the like, of the value of x; undefined if unknown. */
export function applyParameterOperator(value: string, operator: string, given: string): string | undefined {
  if (/^:?[-=?]$/.test(operator)) return value === "" ? undefined : value;
  if (value.length > LONGEST || given.length > LONGEST || /[$`]/.test(given)) return undefined;
  const operand = given.replace(/^(["'])(.*)\1$/s, "$2");
  if (/["']/.test(operand)) return undefined;
  switch (operator) {
    case "+":
    case ":+":
      return operand;
    case "#":
    case "##":
      return value.slice(findPrefixLength(value, operand, operator === "##") ?? 0);
    case "%":
    case "%%":
      return trimEnd(value, operand, operator === "%%");
    case "/":
    case "//":
    case "/#":
    case "/%":
      return replacePattern(value, operator, operand);
    case "^":
    case ",":
      return operand === "" ? changeCase(value.slice(0, 1), operator) + value.slice(1) : undefined;
    case "^^":
    case ",,":
      return operand === "" ? changeCase(value, operator) : undefined;
    case ":":
      return sliceValue(value, operand);
    default:
      return undefined;
  }
}

const changeCase = (text: string, operator: string) =>
  operator.startsWith("^") ? text.toUpperCase() : text.toLowerCase();

/** The length of the start of a text that fits a pattern: the shortest, or the longest. */
function findPrefixLength(text: string, pattern: string, isLongest: boolean): number | undefined {
  const fits = wildcardPattern(pattern);
  const lengths = Array.from({ length: text.length + 1 }, (_, at) => (isLongest ? text.length - at : at));
  return lengths.find((length) => fits(text.slice(0, length)));
}

function trimEnd(text: string, pattern: string, isLongest: boolean): string {
  const fits = wildcardPattern(pattern);
  const starts = Array.from({ length: text.length + 1 }, (_, at) => (isLongest ? at : text.length - at));
  const start = starts.find((at) => fits(text.slice(at)));
  return start === undefined ? text : text.slice(0, start);
}

/** `${x/y/z}`, `${x//y/z}`, `${x/#y/z}`, `${x/%y/z}`; a pattern with wildcards is not replaced. */
function replacePattern(value: string, operator: string, operand: string): string | undefined {
  const [, pattern = "", replacement = ""] = /^((?:\\[^]|[^\\/])*)(?:\/([^]*))?$/.exec(operand) ?? [];
  if (pattern === "" || /[*?[]/.test(pattern)) return undefined;
  const wanted = pattern.replace(/\\([^])/g, "$1");
  switch (operator) {
    case "/#":
      return value.startsWith(wanted) ? replacement + value.slice(wanted.length) : value;
    case "/%":
      return value.endsWith(wanted) ? value.slice(0, -wanted.length) + replacement : value;
    case "//":
      return value.replaceAll(wanted, () => replacement);
    default:
      return value.replace(wanted, () => replacement);
  }
}

/** `${x:1}`, `${x:1:3}`, `${x: -3}` */
function sliceValue(value: string, operand: string): string | undefined {
  const [found, start = "0", length] = /^\s*(-?\d{1,6})\s*(?::\s*(-?\d{1,6})\s*)?$/.exec(operand) ?? [];
  if (found === undefined) return undefined;
  const rest = value.slice(Number(start));
  return length === undefined ? rest : rest.slice(0, Number(length));
}
