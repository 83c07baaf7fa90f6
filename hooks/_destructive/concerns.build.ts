import { type Concerns, listProgramNames } from "bridge-hooks";
import { STARTUP_PIECES } from "../_startup-places.ts";
import { TYPING_CONCERNS } from "../_typing-concerns.ts";
import { DELETING_CALLS } from "./code-deletions.ts";
import { FOREIGN_ALIASES, FOREIGN_CMDLETS } from "./foreign-names.ts";
import { IMAGE_PROGRAMS } from "./image-programs.ts";
import { OVERWRITING_PROGRAMS } from "./overwrites.ts";
import { listTokenParts } from "./pattern.ts";
import { OPT_IN_CATEGORIES, RULES, type RuleCategory } from "./rules.ts";

/** Lists the plain words of each operand in a pattern. */
const listOperandWords = (pattern: string): readonly (readonly string[])[] =>
  pattern
    .split(" ")
    .filter((token) => /^\w[\w.-]*(?:\|\w[\w.-]*)*$/.test(token))
    .map((token) => token.split("|"));

/** Returns substrings, one of which occurs in every match; they come from the pattern's most selective token. */
const listParts = (pattern: string): readonly string[] | undefined =>
  pattern
    .split(" ")
    .map((token) => listTokenParts(token) ?? [])
    .filter((parts) => parts.length > 0)
    .toSorted((one, other) => getShortestLength(other) - getShortestLength(one))[0];
const getShortestLength = (parts: readonly string[]) => Math.min(...parts.map(({ length }) => length));

const SHORT = 4;

const MAX_PAIRS = 64;

/** Returns the text that must follow a program's name to match a pattern; the empty string if nothing is required. */
function listNeeds(pattern: string): readonly string[] {
  const [words, before] = listOperandWords(pattern).toReversed();
  const parts = listParts(pattern);
  const named = listParts(pattern.replace(/(?<!\S)[^<\s]+(?!\S)/g, ""));
  // A placeholder's words are at least as selective as the operand.
  if (words && named && getShortestLength(named) >= getShortestLength(words)) return named.map((part) => ` *${part}*`);
  // A whole word is more selective than a substring, unless it is as short as `rm`; then the preceding word is included.
  const isShort = words !== undefined && getShortestLength(words) < SHORT;
  if (isShort && before && before.length * words.length <= MAX_PAIRS)
    return before.flatMap((one) => words.map((word) => ` ${one} ${word}`));
  if (words && !(isShort && parts && getShortestLength(parts) > SHORT)) return words.map((word) => ` ${word}`);
  return parts?.map((part) => ` *${part}*`) ?? [""];
}

const USUAL_CATEGORIES = (Object.keys(RULES) as RuleCategory[]).filter((name) => !OPT_IN_CATEGORIES.includes(name));

/** Lists the text that a command must contain to break a rule that is on by default. */
function listWords(): string[] {
  const found = new Set<string>();
  for (const { program = "", pattern = "" } of USUAL_CATEGORIES.flatMap((name) => RULES[name] as readonly RuleText[]))
    for (const name of program.split("|").filter(Boolean))
      for (const one of [pattern].flat())
        for (const need of listNeeds(one))
          for (const spelling of listSpellings(name, need, one)) found.add(spelling.toLowerCase());
  return [...found];
}

/** Lists the spellings of a program with its required text: `git push`, `hub push`, and `git-push`. */
function listSpellings(name: string, need: string, pattern: string): string[] {
  // A wildcard name needs only its prefix.
  if (name.endsWith("*")) return [name];
  const others = [`g${name}`, `zf_${name}`, "hub"].filter((other) => listProgramNames(other).includes(name));
  const [verbs = []] = listOperandWords(pattern);
  const rest = verbs.some((verb) => need === ` ${verb}` || need.startsWith(` ${verb} `))
    ? need.replace(/^ \S+/, "")
    : need;
  const launchers = verbs
    .filter((verb) => rest === need || need.startsWith(` ${verb}`))
    .map((verb) => `${name}-${verb}`)
    .filter((launcher) => listProgramNames(launcher).includes(name));
  return [...[name, ...others].map((one) => one + need), ...launchers.map((launcher) => launcher + rest)];
}

interface RuleText {
  program?: string;
  pattern?: string | readonly string[];
}

/** Signs that another shell, with other program aliases, may run the command. */
const FOREIGN_SIGNS = [" -rec", " -fo", "powershell", "pwsh", "-object", "iex", "invoke-", "comobject"];
/** Aliases that count only together with a sign of cmd.exe or a switch. */
const CMD_WORDS = [...["cmd */c*", "cmd */k*", "cmd */r*"], ...FOREIGN_ALIASES.map((name) => `${name} *cmd*`)];
const POWERSHELL_SIGNS = ["]::", "$_.", "$env:", "$psitem"];

/** Directories with startup files without an extension; elsewhere, redirecting to a file without one is ordinary. */
const STARTUP_FOLDERS = ["/etc/ ", "/cron", "/environment.d/", "/profile.d/", "/startup/", "powershell/"];
/** Lowercase substrings of precious paths: `PRECIOUS_PATHS`, and the files of a bare repository. */
const PRECIOUS_PIECES = [
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

/** Calls that contain none of this text are skipped by `block-destructive`; computed at build time. */
export const CONCERNS: Concerns = {
  words: [...listWords(), ...Object.keys(IMAGE_PROGRAMS), ...FOREIGN_CMDLETS, ...CMD_WORDS, ...TYPING_CONCERNS],
  texts: [...FOREIGN_SIGNS, ...POWERSHELL_SIGNS, ...DELETING_CALLS, ...STARTUP_FOLDERS],
  outward: OVERWRITING_PROGRAMS,
  paths: [...STARTUP_PIECES, ...PRECIOUS_PIECES],
  narrowedBy: ["allow", "outside"],
  onlyByRules: ["Read"],
  ruleCategories: USUAL_CATEGORIES,
};
