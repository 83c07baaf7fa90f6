import type { BuiltInRule, CommandRule } from "./pattern.ts";
import { RULES_BY_CATEGORY, SETTINGS_RULE } from "./rules.ts";

/** The parts of a rule that are needed at run time. */
export interface IndexedRule {
  id: string;
  patterns: readonly string[];
  reason: string;
  advice?: string;
}

const allRules: readonly (CommandRule | BuiltInRule)[] = Object.values(RULES_BY_CATEGORY).flat();

const indexRule = ({ id, pattern, reason, advice }: CommandRule | BuiltInRule): IndexedRule => ({
  id,
  patterns: pattern === undefined ? [] : [pattern].flat(),
  reason,
  ...(advice !== undefined && { advice }),
});

const ruleIdsByProgram = new Map<string, string[]>();
for (const { id, program = "" } of allRules)
  for (const name of program.split("|")) ruleIdsByProgram.set(name, [...(ruleIdsByProgram.get(name) ?? []), id]);
ruleIdsByProgram.delete("");

/** The IDs of each program's rules, one program per line; computed at build time. */
export const PROGRAM_RULES = `\n${[...ruleIdsByProgram].map(([name, ids]) => `${name}\t${ids.join(" ")}\n`).join("")}`;

/**
 * The rules without their examples, one JSON object per line, so that a call parses only the rules for its programs.
 */
export const INDEXED_RULES = `\n${allRules.map((rule) => `${rule.id}\t${JSON.stringify(indexRule(rule))}\n`).join("")}`;

/** The rule for commands in the `deny` option. */
export const INDEXED_SETTINGS_RULE = SETTINGS_RULE;
