import { createNameTable } from "./name-table.ts";
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

type Operator = (value: string, operand: string, operator: string) => string | undefined;

const OPERATORS = createNameTable<Operator>({
  "+ :+": (_, operand) => operand,
  "# ## % %%": trimPattern,
  "/ // /# /%": replacePattern,
  "^ , ^^ ,,": changeCase,
  ":": sliceValue,
});

/** The value of `${x%y}`, `${x/y/z}` and the like, of the value of x; undefined if unknown. */
export function applyParameterOperator(value: string, operator: string, given: string): string | undefined {
  if (/^:?[-=?]$/.test(operator)) return value === "" ? undefined : value;
  if (value.length > LONGEST || given.length > LONGEST || /[$`]/.test(given)) return undefined;
  const operand = given.replace(/^(["'])(.*)\1$/s, "$2");
  return /["']/.test(operand) ? undefined : OPERATORS.get(operator)?.(value, operand, operator);
}

/** `${x^}` changes the first letter, `${x^^}` all of them. */
function changeCase(value: string, operand: string, operator: string): string | undefined {
  if (operand !== "") return undefined;
  const end = operator.length === 1 ? 1 : value.length;
  const start = value.slice(0, end);
  return (operator.startsWith("^") ? start.toUpperCase() : start.toLowerCase()) + value.slice(end);
}

/** `${x#y}` and `${x%y}` take the shortest start or end away that fits a pattern, doubled operators the longest. */
function trimPattern(value: string, pattern: string, operator: string): string {
  const fits = wildcardPattern(pattern);
  const isStart = operator.startsWith("#");
  // A longer end begins further to the front.
  const isAscending = isStart === (operator.length === 1);
  const places = Array.from({ length: value.length + 1 }, (_, at) => (isAscending ? at : value.length - at));
  const end = places.find((at) => fits(isStart ? value.slice(0, at) : value.slice(at)));
  return end === undefined ? value : isStart ? value.slice(end) : value.slice(0, end);
}

/** `${x/y/z}`, `${x//y/z}`, `${x/#y/z}`, `${x/%y/z}`; a pattern with wildcards is not replaced. */
function replacePattern(value: string, operand: string, operator: string): string | undefined {
  const [, pattern = "", replacement = ""] = /^((?:\\[^]|[^\\/])*)(?:\/([^]*))?$/.exec(operand) ?? [];
  if (pattern === "" || /[*?[]/.test(pattern)) return undefined;
  const wanted = pattern.replace(/\\([^])/g, "$1");
  if (operator === "//") return value.replaceAll(wanted, () => replacement);
  const at = operator === "/%" ? value.length - wanted.length : operator === "/#" ? 0 : value.indexOf(wanted);
  if (at < 0 || !value.startsWith(wanted, at)) return value;
  return value.slice(0, at) + replacement + value.slice(at + wanted.length);
}

/** `${x:1}`, `${x:1:3}`, `${x: -3}` */
function sliceValue(value: string, operand: string): string | undefined {
  const [found, start = "0", length] = /^\s*(-?\d{1,6})\s*(?::\s*(-?\d{1,6})\s*)?$/.exec(operand) ?? [];
  if (found === undefined) return undefined;
  const rest = value.slice(Number(start));
  return length === undefined ? rest : rest.slice(0, Number(length));
}
