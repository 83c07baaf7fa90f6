import { AMBIGUOUS_NAMES, SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "./file-names.ts";
import { ALIASES, type PasswordStoreRule, PASSWORD_STORES } from "./keeper-rules.ts";
import { listRequiredSubstrings, removeSuperstrings } from "./literals.ts";
import { ENVIRONMENT_DUMPS, ENVIRONMENT_SUBSTRING, SECRET_NAME } from "./printing-rules.ts";

/** Returns the substrings that a name pattern requires. If the pattern requires none, throws an error, which fails the build. */
function requireSubstrings(pattern: RegExp): readonly string[] {
  const substrings = listRequiredSubstrings(pattern);
  if (!substrings) throw new Error(`${pattern.source}: the pattern requires no text that every matching name contains`);
  return substrings;
}

const joinAlternatives = (substrings: readonly string[]) =>
  substrings.map((substring) => substring.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&")).join("|");

const FILE_PATTERNS = [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS, ...AMBIGUOUS_NAMES];

/** Lowercase substrings. Every path that is secret by name has a segment that contains at least one of them. */
export const FILE_SUBSTRINGS = removeSuperstrings(FILE_PATTERNS.flatMap(requireSubstrings));
export const FILE_HINT = joinAlternatives(FILE_SUBSTRINGS);

/** A list of substrings is as selective as its shortest one. */
const getShortestLength = (substrings: readonly string[]) => Math.min(...substrings.map(({ length }) => length));

/**
 * Returns substrings to search for. Every command that the rule matches contains at least one of them. Returns undefined if the rule
 * requires no substring.
 */
function listPasswordStoreSubstrings([words, option]: PasswordStoreRule): readonly string[] | undefined {
  const substringLists = [...words.split(" ").map((source) => ({ source })), ...(option ? [option] : [])].flatMap(
    // The value of an option may be a separate word.
    (pattern) => [
      listRequiredSubstrings(pattern)?.map((substring) => substring.replace(/=.*/, "").toLowerCase()) ?? [],
    ],
  );
  return substringLists
    .filter((substrings) => substrings.length > 0 && !substrings.includes(""))
    .toSorted((first, second) => getShortestLength(second) - getShortestLength(first))[0];
}

/** Substrings by password store. Every secret request contains at least one of them. Empty if any command may match. */
const PASSWORD_STORE_SUBSTRINGS = Object.fromEntries(
  Object.entries(PASSWORD_STORES).map(([program, rules]) => {
    const substringLists = rules.map(listPasswordStoreSubstrings);
    return [
      program,
      substringLists.every((substrings) => substrings !== undefined) ? removeSuperstrings(substringLists.flat()) : [],
    ];
  }),
);
/** The substrings for password stores, keyed by lowercase program name or alias. */
export const PASSWORD_STORE_HINTS: Readonly<Record<string, readonly string[]>> = {
  ...PASSWORD_STORE_SUBSTRINGS,
  ...Object.fromEntries(
    Object.entries(ALIASES).map(([name, program]) => [name, PASSWORD_STORE_SUBSTRINGS[program] ?? []]),
  ),
};

/** Lowercase substrings. The name of every secret variable contains at least one of them. */
export const NAME_SUBSTRINGS = removeSuperstrings(
  requireSubstrings(SECRET_NAME).map((substring) => substring.toLowerCase()),
);

/** Programs that print the environment and have no "env" in their names, with the option letters that keep the output complete. */
export const DUMP_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(ENVIRONMENT_DUMPS)
    .filter((name) => !name.includes(ENVIRONMENT_SUBSTRING))
    .map((name) => [
      name,
      [..."abcdefghijklmnopqrstuvwxyz0-"]
        .filter((character) => ENVIRONMENT_DUMPS[name]?.test(`-${character}`))
        .join(""),
    ]),
);
