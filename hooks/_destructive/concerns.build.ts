import { type Concerns, listProgramNames } from "bridge-hooks";
import { STARTUP_SUBSTRINGS } from "../_startup-places.ts";
import { TYPING_CONCERNS } from "../_typing-concerns.ts";
import { DELETING_CALLS } from "./code-deletions.ts";
import { FOREIGN_ALIASES, FOREIGN_CMDLETS } from "./foreign-names.ts";
import { IMAGE_PROGRAMS } from "./image-programs.ts";
import { OVERWRITING_PROGRAMS } from "./overwrites.ts";
import { listTokenParts } from "./pattern.ts";
import { OPT_IN_CATEGORIES, RULES_BY_CATEGORY, type RuleCategory } from "./rules.ts";

/** Lists the literal words that each operand in a pattern can be. */
const listOperandWords = (pattern: string): readonly (readonly string[])[] =>
  pattern
    .split(" ")
    .filter((token) => /^\w[\w.-]*(?:\|\w[\w.-]*)*$/.test(token))
    .map((token) => token.split("|"));

/** Returns substrings for the pattern's most selective token. Every matching command contains at least one of them. */
const listParts = (pattern: string): readonly string[] | undefined =>
  pattern
    .split(" ")
    .map((token) => listTokenParts(token) ?? [])
    .filter((parts) => parts.length > 0)
    .toSorted((first, second) => getMinLength(second) - getMinLength(first))[0];
const getMinLength = (parts: readonly string[]) => Math.min(...parts.map(({ length }) => length));

const SHORT_LENGTH = 4;

const MAX_PAIRS = 64;

/**
 * Lists the alternatives for the text required after a program's name; only the empty string if no text is required.
 */
function listRequiredStrings(pattern: string): readonly string[] {
  const [words, precedingWords] = listOperandWords(pattern).toReversed();
  const parts = listParts(pattern);
  const setSubstrings = listParts(pattern.replace(/(?<!\S)[^<\s]+(?!\S)/g, ""));
  // Use the set's substrings if they are at least as selective as the operand's words.
  if (words && setSubstrings && getMinLength(setSubstrings) >= getMinLength(words))
    return setSubstrings.map((part) => ` *${part}*`);
  // A whole word is more selective than a substring. For a word as short as `rm`, include the word before it.
  const isShort = words !== undefined && getMinLength(words) < SHORT_LENGTH;
  if (isShort && precedingWords && precedingWords.length * words.length <= MAX_PAIRS)
    return precedingWords.flatMap((precedingWord) => words.map((word) => ` ${precedingWord} ${word}`));
  if (words && !(isShort && parts && getMinLength(parts) > SHORT_LENGTH)) return words.map((word) => ` ${word}`);
  return parts?.map((part) => ` *${part}*`) ?? [""];
}

const ENABLED_CATEGORIES = (Object.keys(RULES_BY_CATEGORY) as RuleCategory[]).filter(
  (name) => !OPT_IN_CATEGORIES.includes(name),
);

/** Lists the substrings to search for. Every command that violates a default rule contains at least one of them. */
function listWords(): string[] {
  const concerns = new Set<string>();
  for (const { program = "", pattern = "" } of ENABLED_CATEGORIES.flatMap(
    (name) => RULES_BY_CATEGORY[name] as readonly RuleStrings[],
  ))
    for (const name of program.split("|").filter(Boolean))
      for (const rulePattern of [pattern].flat())
        for (const requiredText of listRequiredStrings(rulePattern))
          for (const spelling of listProgramVariants(name, requiredText, rulePattern))
            concerns.add(spelling.toLowerCase());
  return [...concerns];
}

/** Lists the spellings of a program with its required text, such as `git push`, `hub push`, and `git-push`. */
function listProgramVariants(name: string, requiredText: string, pattern: string): string[] {
  // If the name ends with a wildcard, only the part before the wildcard matters.
  if (name.endsWith("*")) return [name];
  const aliases = [`g${name}`, `zf_${name}`, "hub"].filter((alias) => listProgramNames(alias).includes(name));
  const [verbs = []] = listOperandWords(pattern);
  const remainingText = verbs.some((verb) => requiredText === ` ${verb}` || requiredText.startsWith(` ${verb} `))
    ? requiredText.replace(/^ \S+/, "")
    : requiredText;
  const launchers = verbs
    .filter((verb) => remainingText === requiredText || requiredText.startsWith(` ${verb}`))
    .map((verb) => `${name}-${verb}`)
    .filter((launcher) => listProgramNames(launcher).includes(name));
  return [
    ...[name, ...aliases].map((programName) => programName + requiredText),
    ...launchers.map((launcher) => launcher + remainingText),
  ];
}

interface RuleStrings {
  program?: string;
  pattern?: string | readonly string[];
}

/** Strings that suggest PowerShell, where an alias might stand for another program. */
const POWERSHELL_HINTS = [" -rec", " -fo", "powershell", "pwsh", "-object", "iex", "invoke-", "comobject"];
/** Aliases that matter only if the command also contains a switch or string typical of cmd.exe. */
const CMD_ALIAS_PATTERNS = [...["cmd */c*", "cmd */k*", "cmd */r*"], ...FOREIGN_ALIASES.map((name) => `${name} *cmd*`)];
const POWERSHELL_SYNTAX_MARKERS = ["]::", "$_.", "$env:", "$psitem"];

/**
 * Directories whose startup files have no extension. Elsewhere, redirecting output to a file without an extension is
 * common.
 */
const STARTUP_FOLDERS = ["/etc/ ", "/cron", "/environment.d/", "/profile.d/", "/startup/", "powershell/"];
/** Lowercase substrings of precious paths, based on `PRECIOUS_PATHS` and the files in a bare repository. */
const PRECIOUS_SUBSTRINGS = [
  "/etc/",
  "/boot/",
  "/proc/",
  ".ssh/",
  ".gnupg/",
  ".git/",
  "/head/",
  "/refs/",
  "/objects/",
  "/packed-refs/",
];

/** Substrings computed at build time. `block-destructive` only checks calls that contain at least one of them. */
export const CONCERNS: Concerns = {
  words: [
    ...listWords(),
    ...Object.keys(IMAGE_PROGRAMS),
    ...FOREIGN_CMDLETS,
    ...CMD_ALIAS_PATTERNS,
    ...TYPING_CONCERNS,
  ],
  texts: [...POWERSHELL_HINTS, ...POWERSHELL_SYNTAX_MARKERS, ...DELETING_CALLS, ...STARTUP_FOLDERS],
  outward: OVERWRITING_PROGRAMS,
  paths: [...STARTUP_SUBSTRINGS, ...PRECIOUS_SUBSTRINGS],
  narrowedBy: ["allow", "outside"],
  onlyByRules: ["Read"],
  ruleCategories: ENABLED_CATEGORIES,
};
