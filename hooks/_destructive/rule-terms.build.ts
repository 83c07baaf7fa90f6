import { NAMED_CONDITIONS, OPERAND_SETS } from "./sets.ts";

/** The sets and conditions that patterns can use; computed at build time. */
export const RULE_TERMS = { sets: Object.keys(OPERAND_SETS), conditions: Object.keys(NAMED_CONDITIONS) };
