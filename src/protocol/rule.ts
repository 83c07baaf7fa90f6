/**
 * A rule of a policy hook: the calls it stops, the reason, and examples of calls that it does and doesn't stop.
 * `bridge-hooks rules` lists the rules that hooks declare (`rules` of `defineHook`). These rules are never read during
 * a call.
 */
export interface Rule {
  /**
   * Id in the form `category/name`, both in kebab-case: `git/push-force`. The id is stable, because denials, reports
   * and settings refer to it.
   */
  id: string;
  /** Programs that the rule applies to, separated by `|`. */
  program?: string;
  /** Commands that the rule matches, in the hook's pattern language. */
  pattern?: string | readonly string[];
  /** Short description of what the rule matches, for rules implemented in code instead of patterns. */
  finds?: string;
  /** The call's effect, as a clause without a period. `<name>` is replaced by the matched operand. */
  reason: string;
  /** The safer alternative, as an instruction without a period. */
  advice?: string;
  /** Action for a call that the rule matches. Defaults to `deny`. */
  action?: RuleEffect;
  /** Whether the rule is on; `false` if settings turn it off. */
  enabled?: boolean;
  /** Set if config files can't change the rule or add exceptions to it. Only the hook's own options can change it. */
  fixed?: true;
  /** Example calls that the rule matches. */
  deny: readonly string[];
  /** Near misses: example calls that no rule matches. */
  allow: readonly string[];
}

/** A rule added by a config file, reduced to the fields that a call needs. */
export interface AddedRule extends Pick<Rule, "id" | "reason" | "advice"> {
  /** Programs that the rule applies to, separated by `|`. */
  program: string;
  patterns: readonly string[];
  action: RuleEffect;
  enabled: boolean;
  /** Path of the config file. */
  file: string;
}

/** Ways in which a call can access a file. */
export const FILE_ACCESSES = ["read", "edit", "delete"] as const;
export type FileAccessName = (typeof FILE_ACCESSES)[number];

/**
 * Conditions of rules about calls other than shell commands, keyed by rule kind, in the same form as in config files.
 */
export interface CallConditions {
  path: { path: string | readonly string[]; access: FileAccessName | readonly FileAccessName[] };
  tool: { mcp?: string; tool?: string; arguments?: Readonly<Record<string, string>> };
  url: { url: string | readonly string[]; method?: string };
}
export type CallRuleKind = keyof CallConditions;

/** The config file that adds a rule, and the project that the file belongs to. */
export interface RuleOrigin {
  /** Path of the config file. */
  file: string;
  /** Root directory of the file's project; absent for a file that applies to all projects. */
  project?: string;
}

/** A rule about calls other than shell commands, added by a config file. */
export interface CallRule extends Pick<Rule, "id" | "reason" | "advice">, RuleOrigin {
  action: RuleEffect;
  enabled: boolean;
  /** Conditions that a call must meet, with the fields for the rule's kind. */
  conditions: CallConditions[CallRuleKind];
}

/** File extensions that Windows appends to program names. */
export const PROGRAM_ENDINGS = ["exe", "com", "cmd", "bat"];

let programName: RegExp | undefined;

/**
 * Returns whether a name is a program name or `name.*`, without a Windows extension. The regular expression is compiled
 * on first use, because most config files contain no rules.
 */
const isProgramName = (name: string): boolean =>
  (programName ??= new RegExp(`^(?:[\\w+-]+\\.\\*|[\\w.+-]+(?<!\\.(?:${PROGRAM_ENDINGS.join("|")})))$`, "i")).test(
    name,
  );

/** Returns whether a string is a list of programs that a rule can apply to: `deploy|mkfs.*`. */
export const isProgramList = (text: string): boolean => text.split("|").every(isProgramName);

/** Action of an enabled rule. `warn` allows the call and warns the user and the model. */
export type RuleEffect = "deny" | "ask" | "warn";

/** Action for a call that a rule matches. */
export type RuleAction = RuleEffect | "off";

/** An exception to a rule, in force for the current directory. */
export interface RuleException {
  /**
   * Command or file that the rule would otherwise match. Can contain wildcards. The hook defines how the strings are
   * compared. If absent, the exception covers everything that the rule matches.
   */
  match?: string;
  /** Location of the exception in a config file: `/etc/bridge-hooks/config.json: exceptions.0`. */
  source?: string;
}

/** Rules and exceptions from the config files that apply to a directory. */
export interface RulePolicy {
  /** Whether the policy is the default, because no config file mentions rules. */
  readonly isDefault: boolean;
  /** Ids of the rules that config files configure: `|git/push-force|`. */
  readonly setRules: string;
  /** Programs that rules added by config files apply to, in lowercase: `|deploy|kubectl|`. */
  readonly addedPrograms: string;
  /** Returns the valid rules that config files add for a program. */
  findAdded: (program: string) => readonly AddedRule[];
  /** Whether config files add rules about calls other than shell commands: files, tools or URLs. */
  readonly addsCallRules: boolean;
  /**
   * Returns the rules about calls that config files add, if they are valid and the call meets their conditions.
   * @param fits checks whether the call meets the conditions, which haven't been validated yet.
   */
  findCallRules: <K extends CallRuleKind>(
    kind: K,
    fits: (conditions: CallConditions[K], origin: RuleOrigin) => boolean,
  ) => readonly CallRule[];
  /**
   * Returns the action for a call that a rule matches.
   * @param action the hook's own action, which a config file can override.
   * @param enabled whether the rule is on by default, which a config file can override.
   */
  resolveAction: (id: string, action?: RuleEffect, enabled?: boolean) => RuleAction;
  listExceptions: (id: string) => readonly RuleException[];
}

/** The rule policy that applies if no config file mentions rules. */
export const DEFAULT_RULE_POLICY: RulePolicy = Object.freeze({
  isDefault: true,
  setRules: "",
  addedPrograms: "",
  findAdded: () => [],
  addsCallRules: false,
  findCallRules: () => [],
  resolveAction: (_: string, action: RuleEffect = "deny", enabled = true): RuleAction => (enabled ? action : "off"),
  listExceptions: () => [],
});
