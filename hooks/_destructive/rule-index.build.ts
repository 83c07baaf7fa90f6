import type { BuiltInRule, CommandRule } from "./pattern.ts";
import { RULES, type RuleCategory, SETTINGS_RULE } from "./rules.ts";

/** A rule as a call needs it. */
export interface IndexedRule {
  id: string;
  /** Empty for a rule that is code. */
  programs: readonly string[];
  patterns: readonly string[];
  reason: string;
  advice?: string;
}

function indexRule({ id, program, pattern, reason, advice }: CommandRule | BuiltInRule): IndexedRule {
  return {
    id,
    programs: program?.split("|") ?? [],
    patterns: pattern === undefined ? [] : [pattern].flat(),
    reason,
    ...(advice !== undefined && { advice }),
  };
}

/** The rules without their examples, by category; the build computes it. */
export const INDEXED_RULES = Object.fromEntries(
  Object.entries(RULES).map(([category, rules]) => [category, rules.map(indexRule)]),
) as Record<RuleCategory, IndexedRule[]>;

/** The rule that the setting `deny` stands for. */
export const INDEXED_SETTINGS_RULE = SETTINGS_RULE;
