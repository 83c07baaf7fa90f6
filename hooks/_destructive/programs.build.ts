import { OPT_IN_CATEGORIES, RULES_BY_CATEGORY, type RuleCategory } from "./rules.ts";

/** The programs that rules cover, by category, in the form `|git|gh|`. Computed at build time. */
export const PROGRAMS = Object.fromEntries(
  Object.entries(RULES_BY_CATEGORY).map(([category, rules]) => {
    const names = rules.flatMap(({ program }) => program?.split("|") ?? []);
    return [category, `|${[...new Set(names)].join("|")}|`];
  }),
) as Record<RuleCategory, string>;

export const CATEGORIES = Object.keys(RULES_BY_CATEGORY) as RuleCategory[];

/** The categories that are on by default. */
export const DEFAULT_CATEGORIES = CATEGORIES.filter((category) => !OPT_IN_CATEGORIES.includes(category));
