import type { RulePolicy } from "bridge-hooks";
import type { SecretsSettings } from "./options.ts";
import type { SecretsRuleId } from "./rules.ts";

/** The rules that each setting is about. */
export const RULES_BY_SETTING = {
  files: ["secrets/read-file", "secrets/write-file", "secrets/stage-file"],
  printing: ["secrets/print-environment", "secrets/print-stored"],
  content: ["secrets/in-text", "secrets/stage-text"],
  prompts: ["secrets/in-prompt", "secrets/attach-file"],
} as const satisfies Partial<Record<keyof SecretsSettings, readonly SecretsRuleId[]>>;

export type RuleSetting = keyof typeof RULES_BY_SETTING;

const SETTINGS = Object.keys(RULES_BY_SETTING) as RuleSetting[];
const getSetting = (id: SecretsRuleId) =>
  SETTINGS.find((setting) => (RULES_BY_SETTING[setting] as readonly SecretsRuleId[]).includes(id)) as RuleSetting;

/** The hook's settings, with what the config files say about its rules. */
export interface SecretsPolicy {
  /** A setting is "off" where none of its rules is in force. */
  options: SecretsSettings;
  decide: (id: SecretsRuleId) => SecretsSettings[RuleSetting];
  /** The settings for the search of one rule: `allow` has the files that the rule's exceptions name as well. */
  withExceptions: (id: SecretsRuleId) => SecretsSettings;
  /** What the exceptions of a rule name. */
  listMatches: (id: SecretsRuleId) => readonly string[];
}

/** The policy of the last call: without config files about rules, calls have both in common. */
let last: { options: SecretsSettings; rules: RulePolicy; policy: SecretsPolicy } | undefined;

export function createSecretsPolicy(options: SecretsSettings, rules: RulePolicy): SecretsPolicy {
  if (last?.options === options && last.rules === rules) return last.policy;
  const listMatches = (id: SecretsRuleId) => rules.listExceptions(id).flatMap(({ match }) => match ?? []);
  const decide: SecretsPolicy["decide"] = (id) => {
    if (rules.listExceptions(id).some(({ match }) => match === undefined)) return "off";
    const setting = options[getSetting(id)];
    const action = rules.resolveAction(id, setting === "ask" ? "ask" : "deny", setting !== "off");
    // Of settings, only the one for prompts has a warning.
    return setting === "warn" && action === "deny" ? "warn" : action;
  };
  const inForce = SETTINGS.map((setting) => [
    setting,
    RULES_BY_SETTING[setting].map(decide).find((action) => action !== "off") ?? "off",
  ]);
  const effective: SecretsSettings = { ...options, ...Object.fromEntries(inForce) };
  const policy: SecretsPolicy = {
    options: effective,
    decide,
    withExceptions(id) {
      const matches = listMatches(id);
      return matches.length === 0 ? effective : { ...effective, allow: [...options.allow, ...matches] };
    },
    listMatches,
  };
  last = { options, rules, policy };
  return policy;
}
