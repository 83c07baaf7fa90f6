import type { RulePolicy } from "bridge-hooks";
import type { SecretsSettings } from "./options.ts";
import type { SecretsRuleId } from "./rules.ts";

/** Which rules each option controls. */
export const RULES_BY_SETTING = {
  files: ["secrets/read-file", "secrets/write-file", "secrets/stage-file"],
  printing: ["secrets/print-environment", "secrets/print-stored"],
  content: ["secrets/in-text", "secrets/stage-text"],
  prompts: ["secrets/in-prompt", "secrets/attach-file"],
} as const satisfies Partial<Record<keyof SecretsSettings, readonly SecretsRuleId[]>>;

export type RuleSetting = keyof typeof RULES_BY_SETTING;

const RULE_SETTINGS = Object.keys(RULES_BY_SETTING) as RuleSetting[];
const findRuleSetting = (id: SecretsRuleId) =>
  RULE_SETTINGS.find((setting) => (RULES_BY_SETTING[setting] as readonly SecretsRuleId[]).includes(id)) as RuleSetting;

/** The hook's options combined with the rule settings from config files. */
export interface SecretsPolicy {
  /** The options in effect. One is "off" if none of its rules are active. */
  options: SecretsSettings;
  decide: (id: SecretsRuleId) => SecretsSettings[RuleSetting];
  /** Returns the options that apply to one rule, with the files from its exceptions added to `allow`. */
  withExceptions: (id: SecretsRuleId) => SecretsSettings;
  /** Lists the `match` values of a rule's exceptions. */
  listMatches: (id: SecretsRuleId) => readonly string[];
}

/** The policy of the last call. Cached because options and rules rarely change between calls. */
let lastPolicy: { options: SecretsSettings; rules: RulePolicy; policy: SecretsPolicy } | undefined;

export function createSecretsPolicy(options: SecretsSettings, rules: RulePolicy): SecretsPolicy {
  if (lastPolicy?.options === options && lastPolicy.rules === rules) return lastPolicy.policy;
  const listMatches = (id: SecretsRuleId) => rules.listExceptions(id).flatMap(({ match }) => match ?? []);
  const decide: SecretsPolicy["decide"] = (id) => {
    if (rules.listExceptions(id).some(({ match }) => match === undefined)) return "off";
    const setting = options[findRuleSetting(id)];
    const action = rules.resolveAction(id, setting === "ask" ? "ask" : "deny", setting !== "off");
    // Only `prompts` can be set to "warn".
    return setting === "warn" && action === "deny" ? "warn" : action;
  };
  const settingEntries = RULE_SETTINGS.map((setting) => [
    setting,
    RULES_BY_SETTING[setting].map(decide).find((action) => action !== "off") ?? "off",
  ]);
  const effectiveOptions: SecretsSettings = { ...options, ...Object.fromEntries(settingEntries) };
  const policy: SecretsPolicy = {
    options: effectiveOptions,
    decide,
    withExceptions(id) {
      const matches = listMatches(id);
      return matches.length === 0 ? effectiveOptions : { ...effectiveOptions, allow: [...options.allow, ...matches] };
    },
    listMatches,
  };
  lastPolicy = { options, rules, policy };
  return policy;
}
