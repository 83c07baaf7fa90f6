import { type Concerns, listProgramNames } from "bridge-hooks";
import { FOREIGN_CMDLETS } from "./foreign-names.build.ts";
import { OPT_IN_CATEGORIES, RULES, type RuleCategory } from "./rules.ts";

/** The words of a pattern's first operand that is a plain word: a line that fits has one of them. */
function listOperandWords(pattern: string): readonly string[] | undefined {
  return pattern
    .split(" ")
    .find((token) => /^[a-z][\w.-]*(?:\|[a-z][\w.-]*)*$/.test(token))
    ?.split("|");
}

const USUAL_CATEGORIES = (Object.keys(RULES) as RuleCategory[]).filter((name) => !OPT_IN_CATEGORIES.includes(name));

/** What a line has to mention to break one of the rules that are on unless the settings say otherwise. */
function listWords(): string[] {
  const found = new Set<string>();
  for (const { program = "", pattern = "" } of USUAL_CATEGORIES.flatMap((name) => RULES[name] as readonly RuleText[]))
    for (const name of program.split("|").filter(Boolean))
      for (const one of [pattern].flat())
        for (const words of [listOperandWords(one) ?? [""]].flat())
          for (const spelling of listSpellings(name, words)) found.add(spelling.trimEnd().toLowerCase());
  // A program that concerns the hook alone needs no further word.
  return [...found].filter((words) => !words.includes(" ") || !found.has(words.slice(0, words.indexOf(" "))));
}

/** The words by which a program may be called whose arguments have these words, or any: `git push`, `git-push`. */
function listSpellings(name: string, words: string): string[] {
  const others = [`g${name}`, "hub"].filter((other) => listProgramNames(other).includes(name));
  const launchers = words !== "" && listProgramNames(`${name}-${words}`).includes(name) ? [`${name}-${words}`] : [];
  const files = /[.*]/.test(name) ? [] : [`${name}.exe`, `${name}.cmd`];
  return [...[name, ...others].map((one) => `${one} ${words}`), ...launchers, ...files];
}

interface RuleText {
  program?: string;
  pattern?: string | readonly string[];
}

/** Signs that another shell than bash may run the line, in which other names stand for programs. */
const FOREIGN_SIGNS = [" -rec", " -fo", "powershell", "pwsh", "cmd", "-object", "iex", "invoke-", "comobject"];

/** What a call has to mention to concern `block-destructive`; the build computes it. */
export const CONCERNS: Concerns = {
  words: [...listWords(), ...FOREIGN_CMDLETS.split("|").flatMap((name) => name.split("=")[0] || [])],
  texts: FOREIGN_SIGNS,
  narrowedBy: ["allow"],
  ruleCategories: USUAL_CATEGORIES,
};
