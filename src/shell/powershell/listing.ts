import type { Word } from "../words/word.ts";
import type { Expression, FunctionBody } from "./syntax.ts";
import { getMemberName } from "./operators.ts";
import { createText, type Text, type Value } from "./texts.ts";
import { toPathWord } from "./words.ts";

/** What files a command lists, for the next one of its pipeline. */
export interface Listing {
  folders: readonly Text[];
  /** Patterns of names; all, if there is none. */
  names: readonly string[];
  isRecursive: boolean;
  kind?: "d" | "f";
  /** Only some of them are taken, by what a name does not tell. */
  isChosen: boolean;
}

export function listFindWords({ folders, names, kind, isChosen, isRecursive }: Listing): (string | Word)[] {
  const tests = names.flatMap((name, at) => [...(at > 0 ? ["-o"] : []), "-name", name]);
  return [
    "find",
    ...folders.map((text) => toPathWord(text)),
    ...["-mindepth", "1", ...(isRecursive ? [] : ["-maxdepth", "1"]), ...(kind ? ["-type", kind] : [])],
    ...(names.length > 1 ? ["(", ...tests, ")"] : tests),
    ...(isChosen ? ["-size", "+0"] : []),
  ];
}

/** A listing, and the one that it is where a variable is empty: that of the current folder. */
export function listReadings(listing: Listing): Listing[] {
  const isVariable = ([first, ...others]: Text) =>
    others.length === 0 && /^\$(?!\w*TE?MP)\w+$/i.test(first?.text ?? "");
  return listing.folders.some(isVariable) ? [listing, { ...listing, folders: [createText(".")] }] : [listing];
}

/** The names of what a listing has in its folders, as far as wildcards say it. */
export const listEntries = ({ folders, names }: Listing): Text[] =>
  folders.flatMap((folder) =>
    (names.length > 0 ? names : ["*"]).map((name): Text => [...folder, { text: `/${name}`, live: false }]),
  );

/** What stands for one of the files that are chosen of a listing, in the folder that they are in. */
export const listChosen = ({ folders, names, isRecursive }: Listing): Value =>
  isRecursive
    ? undefined
    : folders.flatMap((folder) =>
        (names.length > 0 ? names : ["*"]).map((name): Text => [
          ...folder,
          { text: `/${name.replace(/[*?]+/g, "…")}`, live: false },
        ]),
      );

/** The pattern of names that a comparison lets through; undefined if it isn't one of names. */
function toPattern(property: string, operator: string, value: string): string | undefined {
  if (/[\\/]/.test(value) || !/^-?[ci]?(?:eq|like)$/i.test(operator)) return undefined;
  if (property === "name") return value;
  if (property === "basename") return `${value}.*`;
  return property === "extension" ? `*${value}` : undefined;
}

/** The only expression of a block. */
function getExpression({ body: [statement, ...others] }: FunctionBody): Expression | undefined {
  const [element] = statement?.type === "pipeline" && others.length === 0 ? statement.elements : [];
  return element?.type === "expression" ? element.of : undefined;
}

/** A comparison that most files fit. */
const EXCLUSION = /^-?[ci]?(?:ne|not\w*)$/i;

/** Whether `Where-Object` chooses some files of many, rather than all but some, or all of a kind. */
export function choosesFiles(block: FunctionBody | undefined, switches: ReadonlySet<string>): boolean {
  if (!block) return ![...switches].some((name) => EXCLUSION.test(name));
  const expression = getExpression(block);
  if (expression?.type === "binary") return !EXCLUSION.test(expression.operator);
  if (expression?.type === "member") return getMemberName(expression.name) !== "psiscontainer";
  return expression !== undefined && expression.type !== "unary" && expression.type !== "variable";
}

/** The pattern of names that a block chooses files by, `{ $_.Name -like '*.log' }`; undefined for anything else. */
function describeBlock(block: FunctionBody): string | undefined {
  const expression = getExpression(block);
  if (expression?.type !== "binary") return undefined;
  const { left, operator, right } = expression;
  if (left.type !== "member" || left.of.type !== "variable" || !/^(?:_|psitem)$/i.test(left.of.name)) return undefined;
  const [property, value] = [getMemberName(left.name), getMemberName(right)];
  return property === undefined || value === undefined ? undefined : toPattern(property, operator, value);
}

/** The pattern of names that `Where-Object` chooses files by, in a block or as `Name -like '*.log'`. */
export function describeChoice(
  block: FunctionBody | undefined,
  [property, value]: readonly (string | undefined)[],
  switches: ReadonlySet<string>,
): string | undefined {
  if (block) return describeBlock(block);
  const operator = [...switches].find((name) => /^[ci]?(?:eq|like)$/i.test(name)) ?? "";
  return property === undefined || value === undefined ? undefined : toPattern(property.toLowerCase(), operator, value);
}
