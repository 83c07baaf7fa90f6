import { AMBIGUOUS_NAMES, SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "./file-names.ts";
import { ALIASES, type KeeperRule, KEEPERS } from "./keeper-rules.ts";
import { listRequiredPieces, removeLonger } from "./literals.ts";
import { ENVIRONMENT_DUMPS, ENVIRONMENT_PIECE, SECRET_NAME } from "./printing-rules.ts";

/** Returns the substrings that a name pattern requires; throws if it requires none, which fails the build. */
function requirePieces(pattern: RegExp): readonly string[] {
  const pieces = listRequiredPieces(pattern);
  if (!pieces) throw new Error(`${pattern.source}: no text is in every name that it fits`);
  return pieces;
}

const joinAlternatives = (pieces: readonly string[]) =>
  pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&")).join("|");

const FILE_PATTERNS = [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS, ...AMBIGUOUS_NAMES];

/** Lowercase substrings, one of which occurs in a segment of every secret path known by name. */
export const FILE_PIECES = removeLonger(FILE_PATTERNS.flatMap(requirePieces));
export const FILE_HINT = joinAlternatives(FILE_PIECES);

/** The shortest substring determines how selective a list is. */
const getShortestLength = (pieces: readonly string[]) => Math.min(...pieces.map(({ length }) => length));

/** Returns substrings, one of which occurs in every command that a rule matches; undefined if it requires none. */
function listKeeperPieces([words, option]: KeeperRule): readonly string[] | undefined {
  const needs = [...words.split(" ").map((source) => ({ source })), ...(option ? [option] : [])].flatMap(
    // An option's value may be a separate word.
    (pattern) => [listRequiredPieces(pattern)?.map((piece) => piece.replace(/=.*/, "").toLowerCase()) ?? []],
  );
  return needs
    .filter((pieces) => pieces.length > 0 && !pieces.includes(""))
    .toSorted((one, other) => getShortestLength(other) - getShortestLength(one))[0];
}

/** For each password store, substrings of which every secret request contains one; empty if any command may match. */
const KEEPER_PIECES = Object.fromEntries(
  Object.entries(KEEPERS).map(([program, rules]) => {
    const needs = rules.map(listKeeperPieces);
    return [program, needs.every((pieces) => pieces !== undefined) ? removeLonger(needs.flat()) : []];
  }),
);
/** The same hints by lowercase program name, including aliases. */
export const KEEPER_HINTS: Readonly<Record<string, readonly string[]>> = {
  ...KEEPER_PIECES,
  ...Object.fromEntries(Object.entries(ALIASES).map(([name, program]) => [name, KEEPER_PIECES[program] ?? []])),
};

/** Lowercase substrings, one of which occurs in every secret variable's name. */
export const NAME_PIECES = removeLonger(requirePieces(SECRET_NAME).map((piece) => piece.toLowerCase()));

/** Programs that print the environment without "env" in their names, with the option letters that keep the output complete. */
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
