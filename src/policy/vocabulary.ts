import type { RuleAction } from "../protocol/rule.ts";

/**
 * The words of config files that calls look for before anything else is loaded: `describe.ts` builds the description of
 * the file from them.
 */

/** The version of config files that this executable understands. */
export const CONFIG_VERSION = 1;

/** The fields that only an added rule has, and all fields of a rule. */
export const OWN_RULE_FIELDS = ["program", "pattern", "reason", "advice", "deny", "allow"] as const;
export const RULE_FIELDS = [...OWN_RULE_FIELDS, "action", "enabled"] as const;
export const EXCEPTION_FIELDS = ["rule", "match", "project", "reason", "until"] as const;

/** What a rule may do with a call. */
export const RULE_ACTIONS = ["deny", "ask"] as const satisfies readonly RuleAction[];

/** A part of a rule's id: lowercase words with "-" between them. */
export const ID_WORDS = "[a-z0-9]+(?:-[a-z0-9]+)*";

/**
 * What becomes of denials, questions and rewrites. `observe` withholds them; `warn` withholds them and tells the model and
 * the user; `enforce` is the default.
 */
export const MODES = ["observe", "warn", "enforce"] as const;

/** Who may make exceptions on purpose: each user, only administrators, or nobody. */
export const ALLOWERS = ["users", "administrators", "nobody"] as const;

/** What is said about `hooks` of another type, for which no part of the file counts. */
export const HOOKS_MESSAGE = "must be an object, with the settings of each hook by its name";

/** The default of each setting of the decision log. */
export const DEFAULT_LOG_SETTINGS = {
  level: "decisions",
  content: "redacted",
  retainDays: 30,
  chain: false,
  record: false,
} as const;

/** What a lock names to keep the user's file from setting the log. */
export const LOG_LOCK = "log";
