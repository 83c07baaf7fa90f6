import { AMBIGUOUS_NAMES, SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "./file-names.ts";
import { ALIASES, type KeeperRule, KEEPERS } from "./keeper-rules.ts";
import { listRequiredPieces, removeLonger } from "./literals.ts";
import { ENVIRONMENT_DUMPS, ENVIRONMENT_PIECE, SECRET_NAME } from "./printing-rules.ts";

/** Returns the substrings that a name pattern requires. Throws if the pattern requires none, so that the build fails. */
function requirePieces(pattern: RegExp): readonly string[] {
  const substrings = listRequiredPieces(pattern);
  if (!substrings) throw new Error(`${pattern.source}: the pattern requires no text that every matching name contains`);
  return substrings;
}

const joinAlternatives = (substrings: readonly string[]) =>
  substrings.map((substring) => substring.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&")).join("|");

const FILE_PATTERNS = [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS, ...AMBIGUOUS_NAMES];

/** Lowercase substrings; in every path that is known as secret by its name, a segment contains one of them. */
export const FILE_PIECES = removeLonger(FILE_PATTERNS.flatMap(requirePieces));
export const FILE_HINT = joinAlternatives(FILE_PIECES);

/** A list of substrings is as selective as its shortest one. */
const getShortestLength = (substrings: readonly string[]) => Math.min(...substrings.map(({ length }) => length));

/** Returns substrings of which every command that a rule matches contains one; undefined if the rule requires none. */
function listKeeperPieces([words, option]: KeeperRule): readonly string[] | undefined {
  const substringLists = [...words.split(" ").map((source) => ({ source })), ...(option ? [option] : [])].flatMap(
    // The value of an option may be a separate word.
    (pattern) => [listRequiredPieces(pattern)?.map((substring) => substring.replace(/=.*/, "").toLowerCase()) ?? []],
  );
  return substringLists
    .filter((substrings) => substrings.length > 0 && !substrings.includes(""))
    .toSorted((first, second) => getShortestLength(second) - getShortestLength(first))[0];
}

/** For each password store, substrings of which every secret request contains one; empty if any command may match. */
const KEEPER_PIECES = Object.fromEntries(
  Object.entries(KEEPERS).map(([program, rules]) => {
    const substringLists = rules.map(listKeeperPieces);
    return [
      program,
      substringLists.every((substrings) => substrings !== undefined) ? removeLonger(substringLists.flat()) : [],
    ];
  }),
);
/** The substrings by lowercase program name, including aliases. */
export const KEEPER_HINTS: Readonly<Record<string, readonly string[]>> = {
  ...KEEPER_PIECES,
  ...Object.fromEntries(Object.entries(ALIASES).map(([name, program]) => [name, KEEPER_PIECES[program] ?? []])),
};

/** Lowercase substrings; the name of every secret variable contains one of them. */
export const NAME_PIECES = removeLonger(requirePieces(SECRET_NAME).map((substring) => substring.toLowerCase()));

/** Programs that print the environment and have no "env" in their names, with the option letters that keep the output complete. */
export const DUMP_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(ENVIRONMENT_DUMPS)
    .filter((name) => !name.includes(ENVIRONMENT_PIECE))
    .map((name) => [
      name,
      [..."abcdefghijklmnopqrstuvwxyz0-"]
        .filter((character) => ENVIRONMENT_DUMPS[name]?.test(`-${character}`))
        .join(""),
    ]),
);
