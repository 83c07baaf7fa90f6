import type { RuleAction } from "../protocol/rule.ts";

/**
 * The words of config files that calls look for before anything else is loaded: `describe.ts` builds the description of
 * the file from them.
 */

/** The version of config files that this executable understands. */
export const CONFIG_VERSION = 1;

/** The fields of a rule, by the kind of their values. */
export const RULE_FIELDS = {
  program: "programs",
  pattern: "patterns",
  reason: "text",
  advice: "text",
  deny: "texts",
  allow: "texts",
  action: "action",
  enabled: "flag",
} as const;
export type RuleField = keyof typeof RULE_FIELDS;

/** The fields that set a rule; a rule with any other is an added one. */
export const SETTING_FIELDS: readonly string[] = ["action", "enabled"] satisfies RuleField[];
/** What an added rule can't be without. */
export const REQUIRED_RULE_FIELDS = ["program", "reason"] as const satisfies RuleField[];

/** The same of an exception. */
export const EXCEPTION_FIELDS = { rule: "ids", match: "text", project: "text", reason: "text", until: "end" } as const;
export const REQUIRED_EXCEPTION_FIELDS = ["rule", "reason"] as const satisfies (keyof typeof EXCEPTION_FIELDS)[];

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

/**
 * Where a person confirmed an exception: who made the terminal. `login-terminal` is a login at the machine itself,
 * `container` a terminal that was opened from outside of the container.
 */
export const CONFIRMATIONS = [
  "login-terminal",
  "ssh",
  "terminal-emulator",
  "tmux",
  "screen",
  "container",
  "wsl",
] as const;

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
