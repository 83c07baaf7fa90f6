import type { RuleAction } from "../protocol/rule.ts";

/**
 * The words of config files that calls search for before they load anything else. `describe.ts` builds the schema of
 * the file from them.
 */

/** The version of config files that this executable understands. */
export const CONFIG_VERSION = 1;

/** The fields of a rule, with the kind of each value. */
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

/** The fields that change an existing rule. An entry with any other field adds a rule. */
export const SETTING_FIELDS: readonly string[] = ["action", "enabled"] satisfies RuleField[];

/**
 * The kinds of added rules: the fields of each kind, and the groups of fields of which a rule needs one, besides a
 * reason.
 */
export const RULE_KINDS = {
  program: { fields: ["program", "pattern"], needs: [["program"]] },
  path: { fields: ["path", "access"], needs: [["path", "access"]] },
  tool: { fields: ["mcp", "tool", "arguments"], needs: [["mcp"], ["tool"]] },
  url: { fields: ["url", "method"], needs: [["url"]] },
} as const satisfies Record<string, { fields: readonly RuleField[]; needs: readonly (readonly RuleField[])[] }>;
export type RuleKind = keyof typeof RULE_KINDS;

/** Lists the kinds whose fields a rule uses. */
export function listRuleKinds(rule: Readonly<Record<string, unknown>>): RuleKind[] {
  const found: RuleKind[] = [];
  for (const kind in RULE_KINDS)
    for (const field of RULE_KINDS[kind as RuleKind].fields)
      if (rule[field] !== undefined && found.at(-1) !== kind) found.push(kind as RuleKind);
  return found;
}

/** Returns whether an added rule of one kind has all required fields. */
export const hasNeededFields = (rule: Readonly<Record<string, unknown>>, kind: RuleKind): boolean =>
  rule.reason !== undefined &&
  (RULE_KINDS[kind].needs as readonly (readonly string[])[]).some((group) =>
    group.every((field) => rule[field] !== undefined),
  );

/** The fields of an exception, with the kind of each value. */
export const EXCEPTION_FIELDS = { rule: "ids", match: "text", project: "text", reason: "text", until: "end" } as const;
export const REQUIRED_EXCEPTION_FIELDS = ["rule", "reason"] as const satisfies (keyof typeof EXCEPTION_FIELDS)[];

/** What a rule may do with a call. */
export const RULE_ACTIONS = ["deny", "ask", "warn"] as const satisfies readonly RuleAction[];

/** Pattern of one part of a rule id: lowercase words separated by "-". */
export const ID_WORDS = "[a-z0-9]+(?:-[a-z0-9]+)*";

/**
 * Modes for denials, questions and rewrites. `observe` withholds them; `warn` withholds them and notifies the model and
 * the user; `enforce`, the default, applies them.
 */
export const MODES = ["observe", "warn", "enforce"] as const;

/** Recipients of the message about the active policy at the start of a session. */
export const AUDIENCES = ["off", "user", "model", "both"] as const;

/** Who may create exceptions: each user, only administrators, or nobody. */
export const ALLOWERS = ["users", "administrators", "nobody"] as const;

/**
 * Kinds of terminals in which a user can confirm an exception, by the program that created the terminal.
 * `login-terminal` is a login at the machine itself, and `container` a terminal opened from outside the container.
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

/** Message for a `hooks` value of another type, which invalidates the whole file. */
export const HOOKS_MESSAGE = "must be an object with the settings of each hook, by hook name";

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
 * Allowed webhook URLs: HTTPS or this machine, without a user name or password. A plain URL pattern, so that a JSON
 * Schema validator can check it.
 */
export const WEBHOOK_FORM =
  /^(?:https:\/\/[^\s/@?#\\]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)(?:[/?][^\s#]*)?$/;
export const WEBHOOK_MESSAGE = "must be a URL with https and without a user name; http only for this machine";
export const NOTIFY_FORMATS = ["json", "slack"] as const;

/** Name of the lock that keeps the user's file from changing the log settings. */
export const LOG_LOCK = "log";
