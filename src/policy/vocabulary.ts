import type { RuleAction } from "../protocol/rule.ts";

/**
 * The words used in config files. Before loading anything else, a call searches for some of them. `describe.ts` builds
 * the config file schema from them.
 */

/** The version of the config file format that this executable understands. */
export const CONFIG_VERSION = 1;

/** The fields of a rule, with the kind of value each one takes. */
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

/** The fields that an entry for an existing rule may have. An entry with any other field adds a rule. */
export const SETTING_FIELDS: readonly string[] = ["action", "enabled"] satisfies RuleField[];

/**
 * The kinds of added rules. `fields` lists the fields specific to a kind. `needs` lists groups of fields; a rule must
 * have all fields of at least one group, and a reason.
 */
export const RULE_KINDS = {
  program: { fields: ["program", "pattern"], needs: [["program"]] },
  path: { fields: ["path", "access"], needs: [["path", "access"]] },
  tool: { fields: ["mcp", "tool", "arguments"], needs: [["mcp"], ["tool"]] },
  url: { fields: ["url", "method"], needs: [["url"]] },
} as const satisfies Record<string, { fields: readonly RuleField[]; needs: readonly (readonly RuleField[])[] }>;
export type RuleKind = keyof typeof RULE_KINDS;

/** Lists the rule kinds that a rule's fields belong to. */
export function listRuleKinds(rule: Readonly<Record<string, unknown>>): RuleKind[] {
  const kinds: RuleKind[] = [];
  for (const kind in RULE_KINDS)
    for (const field of RULE_KINDS[kind as RuleKind].fields)
      if (rule[field] !== undefined && kinds.at(-1) !== kind) kinds.push(kind as RuleKind);
  return kinds;
}

/** Returns whether an added rule has all required fields of its kind. */
export const hasNeededFields = (rule: Readonly<Record<string, unknown>>, kind: RuleKind): boolean =>
  rule.reason !== undefined &&
  (RULE_KINDS[kind].needs as readonly (readonly string[])[]).some((group) =>
    group.every((field) => rule[field] !== undefined),
  );

/** The fields of an exception, with the kind of value each one takes. */
export const EXCEPTION_FIELDS = { rule: "ids", match: "text", project: "text", reason: "text", until: "end" } as const;
export const REQUIRED_EXCEPTION_FIELDS = ["rule", "reason"] as const satisfies (keyof typeof EXCEPTION_FIELDS)[];

/** The actions a rule can take. */
export const RULE_ACTIONS = ["deny", "ask", "warn"] as const satisfies readonly RuleAction[];

/** Regular expression for one part of a rule id: lowercase words separated by "-". */
export const ID_WORDS = "[a-z0-9]+(?:-[a-z0-9]+)*";

/**
 * What happens to denials, questions and rewrites. `observe` withholds them, `warn` withholds them but notifies the
 * model and the user, and `enforce` (the default) applies them.
 */
export const MODES = ["observe", "warn", "enforce"] as const;

/** Who receives the session-start message about the active policy. */
export const AUDIENCES = ["off", "user", "model", "both"] as const;

/** Who may create exceptions: all users, only administrators, or nobody. */
export const ALLOWERS = ["users", "administrators", "nobody"] as const;

/**
 * Kinds of terminal in which a user can confirm an exception, depending on the program that created the terminal.
 * `login-terminal` is a login at the machine itself; `container` is a terminal opened from outside the container.
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

/** The message about a `hooks` value that isn't an object, which makes the whole file invalid. */
export const HOOKS_MESSAGE = "must be an object with the settings of each hook, by hook name";

/** Default values of the decision log settings. */
export const DEFAULT_LOG_SETTINGS = {
  level: "decisions",
  content: "redacted",
  retainDays: 30,
  chain: false,
  record: false,
  notify: {},
} as const;

/**
 * Webhook URLs that are allowed: HTTPS, or HTTP on this machine, without a user name or password. This is a plain
 * regular expression so that a JSON Schema validator can check it.
 */
export const WEBHOOK_FORM =
  /^(?:https:\/\/[^\s/@?#\\]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)(?:[/?][^\s#]*)?$/;
export const WEBHOOK_MESSAGE = "must be an HTTPS URL without a user name; HTTP is allowed only for this machine";
export const NOTIFY_FORMATS = ["json", "slack"] as const;

/** The name that locks the log settings against changes in the user's file. */
export const LOG_LOCK = "log";
