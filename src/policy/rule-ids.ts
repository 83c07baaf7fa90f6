import { wildcardPattern } from "../shell/words/wildcard.ts";

/** Creates the test of whether a rule is meant by an id, or by a pattern of ids: `git/*`. */
export const createRuleFilter = (meant: string): ((id: string) => boolean) =>
  meant.includes("*") ? wildcardPattern(meant) : (id) => id === meant;

/** Whether a rule is meant by an id, or by a pattern of ids. */
export const fitsRuleId = (meant: string, id: string): boolean => meant === id || createRuleFilter(meant)(id);
