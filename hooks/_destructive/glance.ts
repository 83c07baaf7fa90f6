import type { RulePolicy } from "bridge-hooks";
import { toPlainLine } from "../_plain-line.ts";
import { DISK_PREFIXES } from "./disk-paths.ts";
import { PROGRAMS } from "./programs.build.ts";
import type { RuleCategory, DestructiveSettings } from "./rules.ts";

export const CATEGORIES = Object.keys(PROGRAMS) as RuleCategory[];

/** What a line has to mention for a redirection to overwrite a file that is one to keep. */
const PRECIOUS_FILE_HINTS =
  "passwd shadow group sudoers fstab crypttab hosts /etc /boot sysrq .ssh .gnupg profile bashrc zsh .git".split(" ");

/**
 * Whether a line has to be looked at: it mentions a program that there are rules about, or a file that a redirection
 * may hit, or it hides its words. All that most calls run, and all of the hook that they load: in a process of its own,
 * each expression and each array's method that is used has to be compiled before.
 */
export function isSuspect(
  line: string,
  { categories, deny, protect }: DestructiveSettings,
  { addedPrograms, isDefault }: Pick<RulePolicy, "addedPrograms" | "isDefault">,
): boolean {
  if (deny.length > 0 || hasHiddenWords(line)) return true;
  // A config file may turn on a rule of a category that is off.
  const asked = isDefault ? categories : CATEGORIES;
  if (asked.includes("system") && mayDefineForkBomb(line)) return true;
  const plain = toPlainLine(line);
  return mayOverwrite(plain, protect) || !findRuledPrograms(plain, asked, addedPrograms).next().done;
}

/** Whether a shell takes words in the line apart, or puts them together, before they are any. */
export const hasHiddenWords = (line: string): boolean =>
  line.includes("base64") ||
  line.includes("xxd") ||
  line.includes("$'") ||
  (line.includes("\\") && /\\[0-7x]/.test(line));

/** Whether a line may define a function that starts itself several times at once. */
export const mayDefineForkBomb = (line: string): boolean =>
  (line.includes("|") || line.includes("&")) &&
  (line.includes("function") || (line.includes("(") && /\([\s"'\\]*\)/.test(line)));

/** Whether a redirection in such a line may overwrite what is to be kept. */
export const mayOverwrite = (plain: string, protect: readonly string[]): boolean =>
  plain.includes(">") &&
  [...PRECIOUS_FILE_HINTS, ...DISK_PREFIXES, ...protect.map(getLastName)].some((word) => plain.includes(word));

const getLastName = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();

/**
 * The words of such a line that are programs which there are rules about, looked for one by one: the first is often
 * enough.
 */
export function* findRuledPrograms(
  plain: string,
  categories: readonly RuleCategory[],
  addedPrograms = "",
): Generator<string, void> {
  let programs = "|";
  for (const category of categories) programs += PROGRAMS[category];
  programs += addedPrograms;
  // The default of a variable may be one: `${x:-rm -rf y}`.
  const text = plain.includes("${") ? plain.replace(/\$\{\w+:?-/g, " ") : plain;
  for (const word of new Set(text.split(/[^\w.-]+/)))
    if (getRuleNames(word).some((name) => programs.includes(`|${name}|`))) yield word;
}

/** What a program may be called in the rules: `mkfs.ext4` is `mkfs.*` there. */
export function getRuleNames(program: string): string[] {
  const dot = program.indexOf(".");
  return dot < 0 ? [program] : [program, program.replace(/\.exe$/, ""), `${program.slice(0, dot)}.*`];
}
