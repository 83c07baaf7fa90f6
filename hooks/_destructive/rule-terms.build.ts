import { CONDITIONS, SETS } from "./sets.ts";

/** What patterns can name; the build computes it. */
export const RULE_TERMS = { sets: Object.keys(SETS), conditions: Object.keys(CONDITIONS) };
