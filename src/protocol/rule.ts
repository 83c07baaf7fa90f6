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
  action?: RuleEffect;
  /** `false`: settings turn it off. */
  enabled?: boolean;
  /** Config files can neither change it nor make exceptions: only the hook's own options can. */
  fixed?: true;
  /** Examples that it catches. */
  deny: readonly string[];
  /** Near misses: examples that no rule catches. */
  allow: readonly string[];
}

/** A rule that a config file adds, as far as a call needs it. */
export interface AddedRule extends Pick<Rule, "id" | "reason" | "advice"> {
  /** The programs that it is about, separated by `|`. */
  program: string;
  patterns: readonly string[];
  action: RuleEffect;
  enabled: boolean;
  /** The config file. */
  file: string;
}

/** What a call does to a file. */
export const FILE_ACCESSES = ["read", "edit", "delete"] as const;
export type FileAccessName = (typeof FILE_ACCESSES)[number];

/** What rules that config files add look at besides commands, as the files write it. */
export interface CallConditions {
  path: { path: string | readonly string[]; access: FileAccessName | readonly FileAccessName[] };
  tool: { mcp?: string; tool?: string; arguments?: Readonly<Record<string, string>> };
  url: { url: string | readonly string[]; method?: string };
}
export type CallRuleKind = keyof CallConditions;

/** The place of a config file that adds a rule. */
export interface RuleOrigin {
  /** The config file. */
  file: string;
  /** The folder of the project whose file it is; absent for a file that counts in all projects. */
  project?: string;
}

/** A rule about calls that a config file adds. */
export interface CallRule extends Pick<Rule, "id" | "reason" | "advice">, RuleOrigin {
  action: RuleEffect;
  enabled: boolean;
  /** What a call has to be, by the fields of its kind. */
  conditions: CallConditions[CallRuleKind];
}

/** The endings of files that Windows adds by itself. */
export const PROGRAM_ENDINGS = ["exe", "com", "cmd", "bat"];

let programName: RegExp | undefined;

/** As a line's words are compared with it, without such an ending. Made where a file has rules. */
const isProgramName = (name: string): boolean =>
  (programName ??= new RegExp(`^(?:[\\w+-]+\\.\\*|[\\w.+-]+(?<!\\.(?:${PROGRAM_ENDINGS.join("|")})))$`, "i")).test(
    name,
  );

/** Whether a text names programs that a rule can be about: `deploy|mkfs.*`. */
export const isProgramList = (text: string): boolean => text.split("|").every(isProgramName);

/** What a rule that is on does with a call: `warn` lets it pass, and tells the user and the model. */
export type RuleEffect = "deny" | "ask" | "warn";

/** What becomes of a call that a rule catches. */
export type RuleAction = RuleEffect | "off";

/** An exception from a rule that is in force here. */
export interface RuleException {
  /**
   * What the rule may catch: the command or the file, with wildcards; how it is compared is for the hook to say. Absent:
   * everything.
   */
  match?: string;
}

/** What the config files for a folder say about rules. */
export interface RulePolicy {
  /** No config file says anything. */
  readonly isDefault: boolean;
  /** The ids of rules that they set: `|git/push-force|`. */
  readonly setRules: string;
  /** The programs that the rules are about which they add, in small letters: `|deploy|kubectl|`. */
  readonly addedPrograms: string;
  /** The rules that they add about a program, without those that are wrong. */
  findAdded: (program: string) => readonly AddedRule[];
  /** Whether they add rules about calls: files, tools, URLs. */
  readonly addsCallRules: boolean;
  /**
   * The rules about calls that they add and whose conditions a call fits, without those that are wrong.
   * @param fits is asked about conditions that may still be wrong.
   */
  findCallRules: <K extends CallRuleKind>(
    kind: K,
    fits: (conditions: CallConditions[K], origin: RuleOrigin) => boolean,
  ) => readonly CallRule[];
  /**
   * What becomes of a call that a rule catches.
   * @param action what the hook does with it, if no file says otherwise.
   * @param enabled whether it does anything.
   */
  resolveAction: (id: string, action?: RuleEffect, enabled?: boolean) => RuleAction;
  listExceptions: (id: string) => readonly RuleException[];
}

/** The policy where no config file speaks of rules. */
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
