import type { BuiltInRule, CommandRule } from "./pattern.ts";
import { RULES, type RuleCategory, SETTINGS_RULE } from "./rules.ts";

/** A rule as a call needs it. */
export interface IndexedRule {
  id: string;
  patterns: readonly string[];
  reason: string;
  advice?: string;
}

const indexRule = ({ id, pattern, reason, advice }: CommandRule | BuiltInRule): IndexedRule => ({
  id,
  patterns: pattern === undefined ? [] : [pattern].flat(),
  reason,
  ...(advice !== undefined && { advice }),
});

/** The rules by what they are about: a program, or for a rule that is code its id. */
const rulesByName: Record<string, Partial<Record<RuleCategory, IndexedRule[]>>> = {};
for (const [category, rules] of Object.entries(RULES) as [RuleCategory, readonly (CommandRule | BuiltInRule)[]][])
  for (const rule of rules)
    for (const name of rule.program?.split("|") ?? [rule.id])
      ((rulesByName[name] ??= {})[category] ??= []).push(indexRule(rule));

/**
 * The rules without their examples, which the build computes: a line for each program or rule that is code, with its rules
 * by category as JSON. A call parses those of its programs.
 */
export const INDEXED_RULES = `\n${Object.entries(rulesByName)
  .map(([name, rules]) => `${name}\t${JSON.stringify(rules)}\n`)
  .join("")}`;

/** The rule that the setting `deny` stands for. */
export const INDEXED_SETTINGS_RULE = SETTINGS_RULE;
