import { type Concerns, listProgramNames } from "bridge-hooks";
import { STARTUP_PIECES } from "../_startup-places.ts";
import { TYPING_CONCERNS } from "../_typing-concerns.ts";
import { DELETING_CALLS } from "./code-deletions.ts";
import { FOREIGN_ALIASES, FOREIGN_CMDLETS } from "./foreign-names.ts";
import { IMAGE_PROGRAMS } from "./image-programs.ts";
import { OVERWRITING_PROGRAMS } from "./overwrites.ts";
import { listTokenParts } from "./pattern.ts";
import { OPT_IN_CATEGORIES, RULES, type RuleCategory } from "./rules.ts";

/** The plain words of a pattern's operands, for each of its tokens. */
const listOperandWords = (pattern: string): readonly (readonly string[])[] =>
  pattern
    .split(" ")
    .filter((token) => /^\w[\w.-]*(?:\|\w[\w.-]*)*$/.test(token))
    .map((token) => token.split("|"));

/** Parts of which a line that fits has one: those of the token of a pattern whose shortest part is the longest. */
const listParts = (pattern: string): readonly string[] | undefined =>
  pattern
    .split(" ")
    .map((token) => listTokenParts(token) ?? [])
    .filter((parts) => parts.length > 0)
    .toSorted((one, other) => getShortest(other) - getShortest(one))[0];
const getShortest = (parts: readonly string[]) => Math.min(...parts.map(({ length }) => length));

const SHORT = 4;

const MAX_PAIRS = 64;

/** What a program has to be mentioned with to break a rule with this pattern; the program alone if nothing is sure. */
function listNeeds(pattern: string): readonly string[] {
  const [words, before] = listOperandWords(pattern).toReversed();
  const parts = listParts(pattern);
  const named = listParts(pattern.replace(/(?<!\S)[^<\s]+(?!\S)/g, ""));
  // What a set asks for says more than a shorter word.
  if (words && named && getShortest(named) >= getShortest(words)) return named.map((part) => ` *${part}*`);
  // A whole word says more than a part, unless it is a short one, `rm`: then the word before it counts as well.
  const isShort = words !== undefined && getShortest(words) < SHORT;
  if (isShort && before && before.length * words.length <= MAX_PAIRS)
    return before.flatMap((one) => words.map((word) => ` ${one} ${word}`));
  if (words && !(isShort && parts && getShortest(parts) > SHORT)) return words.map((word) => ` ${word}`);
  return parts?.map((part) => ` *${part}*`) ?? [""];
}

const USUAL_CATEGORIES = (Object.keys(RULES) as RuleCategory[]).filter((name) => !OPT_IN_CATEGORIES.includes(name));

/** What a line has to mention to break one of the rules that are on unless the settings say otherwise. */
function listWords(): string[] {
  const found = new Set<string>();
  for (const { program = "", pattern = "" } of USUAL_CATEGORIES.flatMap((name) => RULES[name] as readonly RuleText[]))
    for (const name of program.split("|").filter(Boolean))
      for (const one of [pattern].flat())
        for (const need of listNeeds(one))
          for (const spelling of listSpellings(name, need, one)) found.add(spelling.toLowerCase());
  return [...found];
}

/** The words by which a program is mentioned with a need of `listNeeds`: `git push`, `hub push` and `git-push`. */
function listSpellings(name: string, need: string, pattern: string): string[] {
  // Of names that only begin so, the beginning is enough.
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

/** Signs that another shell than bash may run the line, in which other names stand for programs. */
const FOREIGN_SIGNS = [" -rec", " -fo", "powershell", "pwsh", "-object", "iex", "invoke-", "comobject"];
/** Signs that count only with one of these names in the line, or with a switch. */
const CMD_WORDS = [...["cmd */c*", "cmd */k*", "cmd */r*"], ...FOREIGN_ALIASES.map((name) => `${name} *cmd*`)];
const POWERSHELL_SIGNS = ["]::", "$_.", "$env:", "$psitem"];

/** Folders whose files have an ending: a redirection in one is ordinary otherwise. */
const STARTUP_FOLDERS = ["/etc/ ", "/cron", "/environment.d/", "/profile.d/", "/startup/", "powershell/"];
/** Parts of the paths of precious files, in lower case: `PRECIOUS_PATHS` and those of a bare repository. */
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

/** What a call has to mention to concern `block-destructive`; the build computes it. */
export const CONCERNS: Concerns = {
  words: [...listWords(), ...Object.keys(IMAGE_PROGRAMS), ...FOREIGN_CMDLETS, ...CMD_WORDS, ...TYPING_CONCERNS],
  texts: [...FOREIGN_SIGNS, ...POWERSHELL_SIGNS, ...DELETING_CALLS, ...STARTUP_FOLDERS],
  outward: OVERWRITING_PROGRAMS,
  paths: [...STARTUP_PIECES, ...PRECIOUS_PIECES],
  narrowedBy: ["allow", "outside"],
  onlyByRules: ["Read"],
  ruleCategories: USUAL_CATEGORIES,
};
