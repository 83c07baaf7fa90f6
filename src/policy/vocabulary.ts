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
  path: "globs",
  access: "accesses",
  mcp: "names",
  tool: "names",
  arguments: "arguments",
  url: "urls",
  method: "methods",
  reason: "text",
  advice: "text",
  deny: "examples",
  allow: "examples",
  action: "action",
  enabled: "flag",
} as const;
export type RuleField = keyof typeof RULE_FIELDS;

/** The fields that set a rule; a rule with any other is an added one. */
export const SETTING_FIELDS: readonly string[] = ["action", "enabled"] satisfies RuleField[];

/** What an added rule can be about: the fields of each kind, and those of which it needs one group, beside a reason. */
export const RULE_KINDS = {
  program: { fields: ["program", "pattern"], needs: [["program"]] },
  path: { fields: ["path", "access"], needs: [["path", "access"]] },
  tool: { fields: ["mcp", "tool", "arguments"], needs: [["mcp"], ["tool"]] },
  url: { fields: ["url", "method"], needs: [["url"]] },
} as const satisfies Record<string, { fields: readonly RuleField[]; needs: readonly (readonly RuleField[])[] }>;
export type RuleKind = keyof typeof RULE_KINDS;

/** The kinds of which a rule has a field. */
export function listRuleKinds(rule: Readonly<Record<string, unknown>>): RuleKind[] {
  const found: RuleKind[] = [];
  for (const kind in RULE_KINDS)
    for (const field of RULE_KINDS[kind as RuleKind].fields)
      if (rule[field] !== undefined && found.at(-1) !== kind) found.push(kind as RuleKind);
  return found;
}

/** Whether an added rule of one kind has all fields that it can't be without. */
export const hasNeededFields = (rule: Readonly<Record<string, unknown>>, kind: RuleKind): boolean =>
  rule.reason !== undefined &&
  (RULE_KINDS[kind].needs as readonly (readonly string[])[]).some((group) =>
    group.every((field) => rule[field] !== undefined),
  );

/** The same of an exception. */
export const EXCEPTION_FIELDS = { rule: "ids", match: "text", project: "text", reason: "text", until: "end" } as const;
export const REQUIRED_EXCEPTION_FIELDS = ["rule", "reason"] as const satisfies (keyof typeof EXCEPTION_FIELDS)[];

/** What a rule may do with a call. */
export const RULE_ACTIONS = ["deny", "ask", "warn"] as const satisfies readonly RuleAction[];

/** A part of a rule's id: lowercase words with "-" between them. */
export const ID_WORDS = "[a-z0-9]+(?:-[a-z0-9]+)*";

/**
 * What becomes of denials, questions and rewrites. `observe` withholds them; `warn` withholds them and tells the model and
 * the user; `enforce` is the default.
 */
export const MODES = ["observe", "warn", "enforce"] as const;

/** Who is told at the start of a session which policy is in force. */
export const AUDIENCES = ["off", "user", "model", "both"] as const;

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
  notify: {},
} as const;

/**
 * Where a denial may be told: encrypted, or to this machine, and without a user name or password in clear. The form of a
 * URL, so that a checker of JSON Schema knows it.
 */
export const WEBHOOK_FORM =
  /^(?:https:\/\/[^\s/@?#\\]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)(?:[/?][^\s#]*)?$/;
export const WEBHOOK_MESSAGE = "must be a URL with https and without a user name; http only for this machine";
export const NOTIFY_FORMATS = ["json", "slack"] as const;

/** What a lock names to keep the user's file from setting the log. */
export const LOG_LOCK = "log";
