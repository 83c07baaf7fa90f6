import type { Word } from "../words/word.ts";
import type { Expression, FunctionBody } from "./syntax.ts";
import { getMemberName } from "./operators.ts";
import { createText, type Text, type Value } from "./text-values.ts";
import { toPathWord } from "./words.ts";

/** Files that a command passes to the next command in the pipeline. */
export interface FileListing {
  folders: readonly Text[];
  /** Name patterns. An empty list matches all names. */
  names: readonly string[];
  isRecursive: boolean;
  kind?: "d" | "f";
  /** Whether the files were filtered by a property other than the name. */
  isFiltered: boolean;
}

export function listFindWords({ folders, names, kind, isFiltered, isRecursive }: FileListing): (string | Word)[] {
  const tests = names.flatMap((name, at) => [...(at > 0 ? ["-o"] : []), "-name", name]);
  return [
    "find",
    ...folders.map((text) => toPathWord(text)),
    ...["-mindepth", "1", ...(isRecursive ? [] : ["-maxdepth", "1"]), ...(kind ? ["-type", kind] : [])],
    ...(names.length > 1 ? ["(", ...tests, ")"] : tests),
    ...(isFiltered ? ["-size", "+0"] : []),
  ];
}

/**
 * Returns a listing. If a directory is a variable, also returns a listing of the current directory, in case the
 * variable is empty.
 */
export function listListingVariants(listing: FileListing): FileListing[] {
  const isVariable = ([firstSegment, ...otherSegments]: Text) =>
    otherSegments.length === 0 && /^\$(?!\w*TE?MP)\w+$/i.test(firstSegment?.text ?? "");
  return listing.folders.some(isVariable) ? [listing, { ...listing, folders: [createText(".")] }] : [listing];
}

/** Returns the entries of a listing: each directory combined with each name pattern. */
export const listEntries = ({ folders, names }: FileListing): Text[] =>
  folders.flatMap((folder) =>
    (names.length > 0 ? names : ["*"]).map((name): Text => [...folder, { text: `/${name}`, isDynamic: false }]),
  );

/** Returns placeholders for the selected files in each directory of a listing. Undefined for a recursive listing. */
export const listSelectedFiles = ({ folders, names, isRecursive }: FileListing): Value =>
  isRecursive
    ? undefined
    : folders.flatMap((folder) =>
        (names.length > 0 ? names : ["*"]).map((name): Text => [
          ...folder,
          { text: `/${name.replace(/[*?]+/g, "…")}`, isDynamic: false },
        ]),
      );

/** Returns the name pattern used in a comparison. Undefined if the comparison isn't about names. */
function toPattern(property: string, operator: string, value: string): string | undefined {
  if (/[\\/]/.test(value) || !/^-?[ci]?(?:eq|like)$/i.test(operator)) return undefined;
  if (property === "name") return value;
  if (property === "basename") return `${value}.*`;
  return property === "extension" ? `*${value}` : undefined;
}

/** Returns the expression in a block that consists of a single expression. */
function getExpression({ body: [statement, ...otherStatements] }: FunctionBody): Expression | undefined {
  const [element] = statement?.type === "pipeline" && otherStatements.length === 0 ? statement.elements : [];
  return element?.type === "expression" ? element.of : undefined;
}

/** Comparison operators that usually match most files. */
const NEGATED_OPERATOR = /^-?[ci]?(?:ne|not\w*)$/i;

/** Whether `Where-Object` selects only a few files rather than most files or all files of one kind. */
export function selectsFewFiles(block: FunctionBody | undefined, switches: ReadonlySet<string>): boolean {
  if (!block) return ![...switches].some((name) => NEGATED_OPERATOR.test(name));
  const expression = getExpression(block);
  if (expression?.type === "binary") return !NEGATED_OPERATOR.test(expression.operator);
  if (expression?.type === "member") return getMemberName(expression.name) !== "psiscontainer";
  return expression !== undefined && expression.type !== "unary" && expression.type !== "variable";
}

/** Returns the name pattern used in a block, such as `{ $_.Name -like '*.log' }`. Undefined for other blocks. */
function describeBlock(block: FunctionBody): string | undefined {
  const expression = getExpression(block);
  if (expression?.type !== "binary") return undefined;
  const { left, operator, right } = expression;
  if (left.type !== "member" || left.of.type !== "variable" || !/^(?:_|psitem)$/i.test(left.of.name)) return undefined;
  const [property, value] = [getMemberName(left.name), getMemberName(right)];
  return property === undefined || value === undefined ? undefined : toPattern(property, operator, value);
}

/** Returns the name pattern of `Where-Object`, given as a block or as parameters such as `Name -like '*.log'`. */
export function describeFilter(
  block: FunctionBody | undefined,
  [property, value]: readonly (string | undefined)[],
  switches: ReadonlySet<string>,
): string | undefined {
  if (block) return describeBlock(block);
  const operator = [...switches].find((name) => /^[ci]?(?:eq|like)$/i.test(name)) ?? "";
  return property === undefined || value === undefined ? undefined : toPattern(property.toLowerCase(), operator, value);
}
