import { OPT_IN_CATEGORIES, RULES, type RuleCategory } from "./rules.ts";

/**
 * The programs that rules are about, by category: `|git|gh|`. All that most calls need of the rules; the build computes
 * it.
 */
export const PROGRAMS = Object.fromEntries(
  Object.entries(RULES).map(([category, rules]) => {
    const names = rules.flatMap(({ program }) => program?.split("|") ?? []);
    return [category, `|${[...new Set(names)].join("|")}|`];
  }),
) as Record<RuleCategory, string>;

/** The categories that are on unless the settings say otherwise. */
export const DEFAULT_CATEGORIES = (Object.keys(RULES) as RuleCategory[]).filter(
  (category) => !OPT_IN_CATEGORIES.includes(category),
);
