import type { BuiltInRule, CommandRule } from "./pattern.ts";
import { RULES, SETTINGS_RULE } from "./rules.ts";

/** A rule as a call needs it. */
export interface IndexedRule {
  id: string;
  patterns: readonly string[];
  reason: string;
  advice?: string;
}

const all: readonly (CommandRule | BuiltInRule)[] = Object.values(RULES).flat();

const indexRule = ({ id, pattern, reason, advice }: CommandRule | BuiltInRule): IndexedRule => ({
  id,
  patterns: pattern === undefined ? [] : [pattern].flat(),
  reason,
  ...(advice !== undefined && { advice }),
});

const idsByProgram = new Map<string, string[]>();
for (const { id, program = "" } of all)
  for (const name of program.split("|")) idsByProgram.set(name, [...(idsByProgram.get(name) ?? []), id]);
idsByProgram.delete("");

/** The ids of the rules about each program, which the build computes: a line for each program. */
export const PROGRAM_RULES = `\n${[...idsByProgram].map(([name, ids]) => `${name}\t${ids.join(" ")}\n`).join("")}`;

/** The rules without their examples: a line for each, as JSON. A call parses those of its programs. */
export const INDEXED_RULES = `\n${all.map((rule) => `${rule.id}\t${JSON.stringify(indexRule(rule))}\n`).join("")}`;

/** The rule that the setting `deny` stands for. */
export const INDEXED_SETTINGS_RULE = SETTINGS_RULE;
