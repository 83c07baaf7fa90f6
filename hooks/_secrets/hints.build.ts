import { AMBIGUOUS_NAMES, SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "./file-names.ts";
import { PROGRAM_ALIASES, type PasswordStoreRule, PASSWORD_STORES } from "./keeper-rules.ts";
import { listRequiredSubstrings, removeSuperstrings } from "./literals.ts";
import { DUMP_COMMANDS, ENVIRONMENT_SUBSTRING, SECRET_NAME } from "./printing-rules.ts";

/** Returns the substrings that a name pattern requires. If there are none, throws an error to fail the build. */
function requireSubstrings(pattern: RegExp): readonly string[] {
  const substrings = listRequiredSubstrings(pattern);
  if (!substrings) throw new Error(`${pattern.source}: the pattern requires no text that every matching name contains`);
  return substrings;
}

const joinAlternatives = (substrings: readonly string[]) =>
  substrings.map((substring) => substring.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&")).join("|");

const FILE_PATTERNS = [...SECRET_NAMES, ...SECRET_PATHS, SECRET_FOLDERS, ...AMBIGUOUS_NAMES];

/** Lowercase substrings, at least one of which occurs in any path that is secret by name, within a single segment. */
export const FILE_SUBSTRINGS = removeSuperstrings(FILE_PATTERNS.flatMap(requireSubstrings));
export const FILE_HINT = joinAlternatives(FILE_SUBSTRINGS);

/** A list of substrings is as selective as its shortest one. */
const getMinLength = (substrings: readonly string[]) => Math.min(...substrings.map(({ length }) => length));

/**
 * Returns substrings to search for, at least one of which occurs in any command that matches the rule. Returns
 * undefined if the rule doesn't require any.
 */
function listPasswordStoreSubstrings([words, option]: PasswordStoreRule): readonly string[] | undefined {
  const substringLists = [...words.split(" ").map((source) => ({ source })), ...(option ? [option] : [])].flatMap(
    // An option's value may be a separate word, so don't require it.
    (pattern) => [
      listRequiredSubstrings(pattern)?.map((substring) => substring.replace(/=.*/, "").toLowerCase()) ?? [],
    ],
  );
  return substringLists
    .filter((substrings) => substrings.length > 0 && !substrings.includes(""))
    .toSorted((first, second) => getMinLength(second) - getMinLength(first))[0];
}

/**
 * For each password store, substrings of which at least one occurs in any request for a secret. Empty if any of its
 * commands could be one.
 */
const PASSWORD_STORE_SUBSTRINGS = Object.fromEntries(
  Object.entries(PASSWORD_STORES).map(([program, rules]) => {
    const substringLists = rules.map(listPasswordStoreSubstrings);
    return [
      program,
      substringLists.every((substrings) => substrings !== undefined) ? removeSuperstrings(substringLists.flat()) : [],
    ];
  }),
);
/** The substrings for each password store, keyed by lowercase program name or alias. */
export const PASSWORD_STORE_HINTS: Readonly<Record<string, readonly string[]>> = {
  ...PASSWORD_STORE_SUBSTRINGS,
  ...Object.fromEntries(
    Object.entries(PROGRAM_ALIASES).map(([name, program]) => [name, PASSWORD_STORE_SUBSTRINGS[program] ?? []]),
  ),
};

/** Lowercase substrings, at least one of which occurs in the name of any secret variable. */
export const NAME_SUBSTRINGS = removeSuperstrings(
  requireSubstrings(SECRET_NAME).map((substring) => substring.toLowerCase()),
);

/**
 * Programs that print the environment even though "env" isn't part of their name, with the option letters that don't
 * limit the output.
 */
export const DUMP_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(DUMP_COMMANDS)
    .filter((name) => !name.includes(ENVIRONMENT_SUBSTRING))
    .map((name) => [
      name,
      [..."abcdefghijklmnopqrstuvwxyz0-"].filter((character) => DUMP_COMMANDS[name]?.test(`-${character}`)).join(""),
    ]),
);
