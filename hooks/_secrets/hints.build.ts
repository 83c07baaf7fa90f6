import { AMBIGUOUS_NAMES, SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "./file-names.ts";
import { ALIASES, type KeeperRule, KEEPERS } from "./keeper-rules.ts";
import { listRequiredPieces, removeLonger } from "./literals.ts";
import { ENVIRONMENT_DUMPS, ENVIRONMENT_PIECE, SECRET_NAME } from "./printing-rules.ts";

/** What a pattern of a name needs; the build fails for one that needs nothing. */
function requirePieces(pattern: RegExp): readonly string[] {
  const pieces = listRequiredPieces(pattern);
  if (!pieces) throw new Error(`${pattern.source}: no text is in every name that it fits`);
  return pieces;
}

const joinAlternatives = (pieces: readonly string[]) =>
  pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&")).join("|");

const FILE_PATTERNS = [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS, ...AMBIGUOUS_NAMES];

/** One of these stands in a step of every path of a file of secrets that is known by its name, in small letters. */
export const FILE_PIECES = removeLonger(FILE_PATTERNS.flatMap(requirePieces));
export const FILE_HINT = joinAlternatives(FILE_PIECES);

/** The shortest of some pieces says how much they tell together. */
const getShortest = (pieces: readonly string[]) => Math.min(...pieces.map(({ length }) => length));

/** Pieces of which one is in every line that asks a keeper for what a rule is about; undefined if it needs none. */
function listKeeperPieces([words, option]: KeeperRule): readonly string[] | undefined {
  const needs = [...words.split(" ").map((source) => ({ source })), ...(option ? [option] : [])].flatMap(
    // The value of an option may be a word of its own.
    (pattern) => [listRequiredPieces(pattern)?.map((piece) => piece.replace(/=.*/, "").toLowerCase()) ?? []],
  );
  return needs
    .filter((pieces) => pieces.length > 0 && !pieces.includes(""))
    .toSorted((one, other) => getShortest(other) - getShortest(one))[0];
}

/** For a keeper of secrets, pieces of which one is in every line that asks it for them; none: each line may. */
const KEEPER_PIECES = Object.fromEntries(
  Object.entries(KEEPERS).map(([program, rules]) => {
    const needs = rules.map(listKeeperPieces);
    return [program, needs.every((pieces) => pieces !== undefined) ? removeLonger(needs.flat()) : []];
  }),
);
/** The same by the names of the programs, in small letters. */
export const KEEPER_HINTS: Readonly<Record<string, readonly string[]>> = {
  ...KEEPER_PIECES,
  ...Object.fromEntries(Object.entries(ALIASES).map(([name, program]) => [name, KEEPER_PIECES[program] ?? []])),
};

/** One of these is in the name of every variable that holds a secret, in small letters. */
export const NAME_PIECES = removeLonger(requirePieces(SECRET_NAME).map((piece) => piece.toLowerCase()));

/** Programs that show the environment without the word for it, with the letters of options with which they still show all. */
export const DUMP_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(ENVIRONMENT_DUMPS)
    .filter((name) => !name.includes(ENVIRONMENT_PIECE))
    .map((name) => [
      name,
      [..."abcdefghijklmnopqrstuvwxyz0-"].filter((letter) => ENVIRONMENT_DUMPS[name]?.test(`-${letter}`)).join(""),
    ]),
);
