import { CONDITIONS, SETS } from "./sets.ts";

/** The sets and conditions that patterns can use; computed at build time. */
export const RULE_TERMS = { sets: Object.keys(SETS), conditions: Object.keys(CONDITIONS) };
