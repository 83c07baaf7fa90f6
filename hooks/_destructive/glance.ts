import { listProgramNames, mayNameProgram, type RulePolicy } from "bridge-hooks";
import { hasHiddenWords, toPlainLine } from "../_plain-line.ts";
import { mayDeleteByCode } from "./code-deletions.ts";
import { DISK_PREFIXES } from "./disk-paths.ts";
import { getForeignProgram, hasForeignHiddenWords, mayBeForeign } from "./foreign-names.ts";
import { BARE_PART_NAMES, PRECIOUS_FILE_NAMES, PRECIOUS_NAME_HINTS } from "./precious-hints.build.ts";
import { DEFAULT_CATEGORIES, PROGRAMS } from "./programs.build.ts";
import type { RuleCategory, DestructiveSettings } from "./rules.ts";

export const CATEGORIES = Object.keys(PROGRAMS) as RuleCategory[];
export { DEFAULT_CATEGORIES };

/**
 * Whether a line has to be looked at: it mentions a program that there are rules about, or a file that a redirection
 * may hit, or it hides its words. All that most calls run, and all of the hook that they load: in a process of its own,
 * each expression and each array's method that is used has to be compiled before.
 */
export function isSuspect(
  line: string,
  { categories, deny, protect }: DestructiveSettings,
  { addedPrograms, setRules }: Pick<RulePolicy, "addedPrograms" | "setRules">,
  folder = "",
  shell?: string,
): boolean {
  // The shell may put a program's name together: `$x$y`, `r{m,}`.
  if (deny.length > 0 || COMPOSED_WORD.test(line) || hasHiddenWords(line) || hasForeignHiddenWords(line, shell))
    return true;
  const isAsked = (category: RuleCategory) => categories.includes(category) || setRules.includes(`|${category}/`);
  // A config file may turn on a rule of a category that is off.
  const asked = setRules === "" ? categories : CATEGORIES.filter(isAsked);
  if (asked.includes("system") && mayDefineForkBomb(line)) return true;
  const plain = toPlainLine(line);
  if (asked.includes("filesystem") && mayDeleteByCode(plain)) return true;
  return mayOverwrite(plain, protect, folder) || hasRuledProgram(plain, asked, shell, addedPrograms, () => true);
}

const COMPOSED_WORD = /[$`{]/;

/** Whether a line may define a function that starts itself several times at once. */
export const mayDefineForkBomb = (line: string): boolean =>
  (line.includes("|") || line.includes("&")) &&
  (line.includes("function") || (line.includes("(") && /\([\s"'\\]*\)/.test(line)));

/**
 * Whether a redirection in such a line may overwrite what is to be kept. What its target is, the line says, or the
 * folder that it runs in, name by name.
 */
export function mayOverwrite(plain: string, protect: readonly string[], folder: string): boolean {
  if (!plain.includes(">")) return false;
  // The shell may put the target together, or the folder that it is in: that of variables which the line sets.
  if (COMPOSED_TARGET.test(plain) || (plain.includes("=") && COMPOSED_FOLDER.test(plain))) return true;
  const text = `${folder.toLowerCase()}/ ${plain}`;
  const isMentioned = (name: string) => text.includes(name);
  return (
    (/[$`%{*?]/.test(plain)
      ? PRECIOUS_NAME_HINTS.some(isMentioned)
      : PRECIOUS_FILE_NAMES.some((names) => names.every(isMentioned))) ||
    DISK_PREFIXES.some(isMentioned) ||
    protect.some((path) => isMentioned(getLastName(path))) ||
    (BARE_PART_NAMES.some(isMentioned) && BARE_PART.test(text))
  );
}

const COMPOSED_TARGET = />[>|&]?\s*[^\s;|&<>]*[$`%{]/;
const COMPOSED_FOLDER = /(?:cd|pushd)\s+[^\s;|&<>]*[$`%{]/;
/** Part of a path: `head` alone is mostly the program. */
const BARE_PART = /(?:>[>|&]?\s*|[=/])(?:head|packed-refs|refs|objects)(?![\w.-])/;

const getLastName = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();

/** Stands for a program whose name the line does not spell out. */
export const HIDDEN_NAME = "*";

/**
 * Whether a word of such a line is a program that there are rules about, and that is wanted. A name of Windows that
 * stands for one, or a name with unknown parts, is `HIDDEN_NAME`: the line's words don't tell what it does.
 */
export function hasRuledProgram(
  plain: string,
  categories: readonly RuleCategory[],
  shell: string | undefined,
  addedPrograms: string,
  isWanted: (program: string) => boolean,
): boolean {
  let known = knownPrograms.get(categories);
  if (known?.added !== addedPrograms) {
    let list = "|";
    for (const category of categories) list += PROGRAMS[category];
    knownPrograms.set(
      categories,
      (known = { added: addedPrograms, programs: list + addedPrograms, others: new Set() }),
    );
  }
  const { programs, others } = known;
  if (/[$`*?[]/.test(plain)) {
    const names = (known.names ??= programs.split("|").filter((name) => name !== ""));
    if (mayNameProgram(plain, names) && isWanted(HIDDEN_NAME)) return true;
  }
  // The default of a variable may be one: `${x:-rm -rf y}`.
  const text = plain.includes("${") ? plain.replace(/\$\{\w+:?-/g, " ") : plain;
  const seen = new Set<string>();
  for (const word of splitNames(text, addedPrograms.includes("+"))) {
    if (others.has(word) || seen.has(word)) continue;
    seen.add(word);
    const ruled = listProgramReadings(word).find((one) =>
      getRuleNames(one).some((name) => programs.includes(`|${name}|`)),
    );
    if (ruled !== undefined) {
      if (isWanted(ruled)) return true;
      continue;
    }
    // An alias is one in some lines.
    let isAlias = false;
    const program = getForeignProgram(word, () => {
      isAlias = true;
      return mayBeForeign(plain, shell);
    });
    if (program !== undefined && programs.includes(`|${program}|`) && isWanted(HIDDEN_NAME)) return true;
    if (program !== undefined || isAlias || word.length > MAX_OTHER_LENGTH) continue;
    if (others.size >= MAX_OTHERS) others.clear();
    others.add(word);
  }
  return false;
}

/** The words of a line that may be names of programs: `c++` only where a rule is about one with a plus. */
function splitNames(text: string, hasPlus: boolean): string[] {
  const words = text.split(/[^\w.-]+/);
  return hasPlus ? [...words, ...text.split(/[^\w.+-]+/)] : words;
}

/** The word, and what may be the value of an option in it: `su -lc'rm x'`. */
function listProgramReadings(word: string): readonly string[] {
  if (!word.startsWith("-") || word.startsWith("--")) return [word];
  const readings = [word];
  for (let at = 2; at < word.length && at <= MAX_GLUED_LETTERS; at++) readings.push(word.slice(at));
  return readings;
}
/** Letters of a cluster of options, with the dash. */
const MAX_GLUED_LETTERS = 9;

/** Programs that there are rules about, and words that a resident process has seen to stand for none of them. */
interface KnownPrograms {
  added: string;
  programs: string;
  /** One by one; few lines need them so. */
  names?: readonly string[];
  others: Set<string>;
}

/** By the categories, which calls with the same settings share. */
const knownPrograms = new WeakMap<readonly RuleCategory[], KnownPrograms>();
/** Lines have any number of words, of any length. */
const MAX_OTHERS = 2_000;
const MAX_OTHER_LENGTH = 64;

/** What a program may be called in the rules: `mkfs.ext4` is `mkfs.*` there. */
export function getRuleNames(program: string): readonly string[] {
  const names = listProgramNames(program);
  const dot = program.indexOf(".");
  return dot < 0 ? names : [...names, `${program.slice(0, dot)}.*`];
}
