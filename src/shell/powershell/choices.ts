import type { Expression, FunctionBody } from "./syntax.ts";

const getWord = (of: Expression): string | undefined =>
  of.type === "word" && of.pieces.every(({ type }) => type === "text")
    ? of.pieces.map((piece) => (piece.type === "text" ? piece.text : "")).join("")
    : undefined;

/** The property of an item that an expression reads: `$_.Name`. */
function getProperty(of: Expression): string | undefined {
  if (of.type !== "member" || of.args || of.of.type !== "variable" || !/^(?:_|psitem)$/i.test(of.of.name))
    return undefined;
  return getWord(of.name)?.toLowerCase();
}

/** The pattern of names that a comparison lets through; undefined if it isn't one of names. */
function toPattern(property: string, operator: string, value: string): string | undefined {
  if (/[\\/]/.test(value)) return undefined;
  const isEqual = /^-[ci]?eq$/.test(operator);
  if (!isEqual && !/^-[ci]?like$/.test(operator)) return undefined;
  if (property === "name") return value;
  if (property === "basename") return `${value}.*`;
  return property === "extension" ? `*${value}` : undefined;
}

/**
 * The pattern of names that `Where-Object` chooses files by, `{ $_.Name -like '*.log' }` or `Name -like '*.log'`;
 * undefined for anything else.
 */
export function describeChoice(
  block: FunctionBody | undefined,
  properties: readonly string[],
  values: readonly string[],
  switches: ReadonlySet<string>,
): string | undefined {
  if (!block) {
    const operator = [...switches].find((name) => /^[ci]?(?:eq|like)$/i.test(name)) ?? "";
    return properties[0] === undefined || values[0] === undefined
      ? undefined
      : toPattern(properties[0].toLowerCase(), `-${operator.toLowerCase()}`, values[0]);
  }
  const [statement, ...others] = block.body;
  if (statement?.type !== "pipeline" || others.length > 0 || statement.elements.length !== 1) return undefined;
  const [element] = statement.elements;
  if (element?.type !== "expression" || element.of.type !== "binary") return undefined;
  const { left, operator, right } = element.of;
  const [property, value] = [getProperty(left), getWord(right)];
  return property === undefined || value === undefined ? undefined : toPattern(property, operator, value);
}
