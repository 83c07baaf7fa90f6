import { wildcardPattern } from "../shell/words/wildcard.ts";

/** Creates a predicate that matches rule ids against an id or an id pattern such as `git/*`. */
export const createRuleFilter = (pattern: string): ((id: string) => boolean) =>
  pattern.includes("*") ? wildcardPattern(pattern) : (id) => id === pattern;

/** Returns whether a rule's id matches an id or an id pattern. */
export const matchesRuleId = (pattern: string, id: string): boolean => pattern === id || createRuleFilter(pattern)(id);
