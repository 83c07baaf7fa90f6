/**
 * A rule of a policy hook: what it stops, why, and lines that show where it begins and ends. `bridge-hooks rules` lists
 * those that hooks declare (`rules` of `defineHook`); no call reads them.
 */
export interface Rule {
  /** `category/name`, both in kebab-case: `git/push-force`. Stable, since denials, reports and settings name it. */
  id: string;
  /** The programs that it is about, separated by `|`. */
  program?: string;
  /** What it matches, in the hook's pattern language. */
  pattern?: string | readonly string[];
  /** What it finds, in a few words: for a rule that is code instead of patterns. */
  finds?: string;
  /** What such a call does: a clause without a full stop. `<name>` stands for what was found. */
  reason: string;
  /** The safer way: an instruction without a full stop. */
  advice?: string;
  /** What becomes of a call that it catches. Default `deny`. */
  action?: "deny" | "ask";
  /** `false`: settings turn it off. */
  enabled?: boolean;
  /** Examples that it catches. */
  deny: readonly string[];
  /** Near misses: examples that no rule catches. */
  allow: readonly string[];
}
