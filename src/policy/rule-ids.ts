import { wildcardPattern } from "../shell/words/wildcard.ts";

/** Creates a predicate that matches rule ids against an id or an id pattern such as `git/*`. */
export const createRuleFilter = (meant: string): ((id: string) => boolean) =>
  meant.includes("*") ? wildcardPattern(meant) : (id) => id === meant;

/** Returns whether a rule's id matches an id or an id pattern. */
export const fitsRuleId = (meant: string, id: string): boolean => meant === id || createRuleFilter(meant)(id);
