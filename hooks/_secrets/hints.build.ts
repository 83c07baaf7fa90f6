import { SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "./file-names.ts";
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

const FILE_PATTERNS = [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS];

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

/** Their names: `|gh|aws|`. */
export const KEEPER_NAMES = `|${Object.keys(KEEPER_HINTS).join("|")}|`;

/** One of these is in the name of every variable that holds a secret, in small letters. */
export const NAME_PIECES = removeLonger(requirePieces(SECRET_NAME).map((piece) => piece.toLowerCase()));
/** What takes the place of such a variable, in the words of each shell; `set X` shows those that begin so in cmd.exe. */
const VARIABLE_HINT = `(?:\\$\\{?(?:env:)?|[%!]|\\bset\\s+)\\w*?(?:${joinAlternatives(NAME_PIECES)})`;

/** Programs that show the environment without the word for it, with the letters of options with which they still show all. */
export const DUMP_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(ENVIRONMENT_DUMPS)
    .filter((name) => !name.includes(ENVIRONMENT_PIECE))
    .map((name) => [
      name,
      [..."abcdefghijklmnopqrstuvwxyz0-"].filter((letter) => ENVIRONMENT_DUMPS[name]?.test(`-${letter}`)).join(""),
    ]),
);
/** What may show variables of the environment, in small letters and without quotes. */
interface PrintHint {
  /** An expression that finds it. */
  source: string;
  /** One of these stands in whatever it finds. */
  pieces: readonly string[];
}

/** Such a program, unless an operand or another option follows. */
const DUMP_HINTS = [...Map.groupBy(Object.keys(DUMP_LETTERS), (name) => DUMP_LETTERS[name] as string)].map(
  ([letters, names]): PrintHint => ({
    source: `(?:^|[^\\w.$-]|-c|:-)(?:${names.join("|")})(?:\\.(?:exe|com|cmd|bat))?(?![\\w.=-])(?![ \\t]+(?:[a-z_./~+]|-[^${letters}\\s]))`,
    pieces: names,
  }),
);

/** One of these is in every line that shows variables of the environment. */
export const PRINT_HINTS: readonly PrintHint[] = [
  ...DUMP_HINTS,
  { source: VARIABLE_HINT, pieces: NAME_PIECES },
  // Neither `venv` nor `dotenv` nor `NODE_ENV=x` nor `--env x`.
  { source: `(?<!v|dot|--|[a-z0-9]_)${ENVIRONMENT_PIECE}`, pieces: [ENVIRONMENT_PIECE] },
  {
    source: "\\$\\{!|(?:declare|typeset|local)\\s+-\\w*n",
    pieces: ["${!", "declare", "typeset", "local"],
  },
  { source: "(?:powershell|pwsh)(?:\\.exe)?\\s[^\\n]{0,300}[-/]e", pieces: ["powershell", "pwsh"] },
];
